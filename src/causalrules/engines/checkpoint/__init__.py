"""What a run has counted so far, kept in a folder, so that a run that was ended can go on."""

from causalrules.engines.checkpoint.caching_engine import CachingEngine
from causalrules.engines.checkpoint.checkpoint import Checkpoint
from causalrules.engines.checkpoint.saved_answers import SavedAnswers

__all__ = ["CachingEngine", "Checkpoint", "SavedAnswers"]
