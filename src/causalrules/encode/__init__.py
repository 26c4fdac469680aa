"""Columns → items: categories, bins for numbers, missing values, and codes for counting."""

from causalrules.encode.codes import CodedTable, Vocabulary
from causalrules.encode.record_coder import RecordCoder
from causalrules.encode.survey import encode

__all__ = ["CodedTable", "RecordCoder", "Vocabulary", "encode"]
