"""A result in words: the same sentences for the terminal, the page and the pictures."""
