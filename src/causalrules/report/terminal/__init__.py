"""A result in the terminal."""
