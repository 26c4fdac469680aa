"""A result as a web page: its skeleton, styles and scripts, and the values they draw."""
