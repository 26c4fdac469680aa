"""What a run has counted so far, kept in a folder, so that a run that was ended can go on."""

from causalrules.engines.remember.checkpoint import Checkpoint
from causalrules.engines.remember.remembering import RememberingEngine
from causalrules.engines.remember.saved_answers import SavedAnswers

__all__ = ["Checkpoint", "RememberingEngine", "SavedAnswers"]
