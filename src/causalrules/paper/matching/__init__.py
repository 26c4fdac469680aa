"""Fair data sets of records that are alike without agreeing on every control.

Everything here works on counts of records that agree on the controls
(`Signatures`), so every engine can offer it and all give the same answer.
"""

from causalrules.paper.matching.matcher import Matcher

__all__ = ["Matcher"]
