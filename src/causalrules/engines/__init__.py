"""Where records are counted."""

from causalrules.engines.contract import Engine, OutcomeCounts
from causalrules.engines.memory import MemoryEngine

__all__ = ["Engine", "MemoryEngine", "OutcomeCounts"]
