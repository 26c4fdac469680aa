"""Columns → items: categories, bins for numbers, missing values, and codes for counting."""

from causalrules.encode.encoder import encode
from causalrules.encode.vocabulary import CodedTable, RecordCoder, Vocabulary

__all__ = ["CodedTable", "RecordCoder", "Vocabulary", "encode"]
