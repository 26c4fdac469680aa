"""Where records are counted."""

from causalrules.engines.contract import Engine, OutcomeCounts
from causalrules.engines.disk import engine_over
from causalrules.engines.memory import MemoryEngine

__all__ = ["Engine", "MemoryEngine", "OutcomeCounts", "engine_over"]
