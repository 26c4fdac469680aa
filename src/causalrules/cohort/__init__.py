"""The design of a cohort study: which items to hold fixed, and who is compared with whom."""
