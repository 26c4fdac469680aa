"""The package is loaded before doctests are collected: one of its modules loaded alone would be loaded twice."""

import causalrules.domain  # noqa: F401
