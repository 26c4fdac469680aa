"""Columns → items: categories, bins for numbers, missing values, and codes for counting."""

from causalrules.encode.codes import CodedTable, RecordCoder, Vocabulary
from causalrules.encode.survey import encode

__all__ = ["CodedTable", "RecordCoder", "Vocabulary", "encode"]
