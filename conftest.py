"""The package is loaded before doctests are collected, so that none of its modules is loaded twice."""

import causalrules.domain  # noqa: F401
