"""What a run has counted so far, kept in a folder, so that a run that was ended can go on."""

from causalrules.engines.remember.answers import SavedAnswers
from causalrules.engines.remember.checkpoint import Checkpoint
from causalrules.engines.remember.remembering import RememberingEngine

__all__ = ["Checkpoint", "RememberingEngine", "SavedAnswers"]
