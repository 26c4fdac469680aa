"""Files, standard input and data frames → an Arrow table of named columns, at once or in batches."""

from causalrules.read.frames import is_stream
from causalrules.read.source import open_batches, read_table
from causalrules.read.table import SourceTable

__all__ = ["SourceTable", "is_stream", "open_batches", "read_table"]
