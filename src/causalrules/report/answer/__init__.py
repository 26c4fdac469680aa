"""A result as people read it first: one screen, a card for each factor, and the sentences of both."""
