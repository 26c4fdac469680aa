"""Files, standard input and data frames → an Arrow table of named columns, at once or in batches."""

from causalrules.read.frames import is_lazy, is_stream, with_text_names
from causalrules.read.parts import files_of
from causalrules.read.python_tables import check_same_order, is_values, read_with_outcome, with_outcome
from causalrules.read.source import open_batches, read_table, source_at
from causalrules.read.table import SourceTable

__all__ = [
    "SourceTable",
    "check_same_order",
    "files_of",
    "is_lazy",
    "is_stream",
    "is_values",
    "open_batches",
    "read_table",
    "read_with_outcome",
    "source_at",
    "with_outcome",
    "with_text_names",
]
