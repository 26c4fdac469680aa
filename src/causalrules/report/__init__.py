"""Views of a result: text for people, tables for machines."""
