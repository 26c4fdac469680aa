"""Files, standard input and data frames → an Arrow table of named columns, whole or in parts."""

from causalrules.read.batches import open_batches
from causalrules.read.source import read_table
from causalrules.read.table import SourceBatches, SourceTable

__all__ = ["SourceBatches", "SourceTable", "open_batches", "read_table"]
