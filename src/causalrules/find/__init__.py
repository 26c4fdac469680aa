"""What is directly linked to the outcome: an exact average over all networks of a few columns at a time."""
