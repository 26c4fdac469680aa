"""Files, standard input and data frames → an Arrow table of named columns."""

from causalrules.read.source import read_table
from causalrules.read.table import SourceTable

__all__ = ["SourceTable", "read_table"]
