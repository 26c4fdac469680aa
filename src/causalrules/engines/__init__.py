"""Where records are counted."""

from causalrules.engines.contract import Engine, OutcomeCounts
from causalrules.engines.memory import MemoryEngine
from causalrules.engines.streaming import engine_over

__all__ = ["Engine", "MemoryEngine", "OutcomeCounts", "engine_over"]
