"""What a run has counted so far, kept in a folder, so that a run that was ended can go on."""

from causalrules.checkpoint.checkpoint import Checkpoint
from causalrules.checkpoint.journal import Journal
from causalrules.checkpoint.remembering import RememberingEngine

__all__ = ["Checkpoint", "Journal", "RememberingEngine"]
