"""The default search: hypotheses, each put to its study."""
