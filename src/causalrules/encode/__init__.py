"""Columns → items: categories, bins for numbers, missing values, and codes for counting."""

from causalrules.encode.encoder import CodedTable, encode

__all__ = ["CodedTable", "encode"]
