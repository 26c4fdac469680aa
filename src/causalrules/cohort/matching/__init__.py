"""Fair data sets of records that are alike without agreeing on every control.

Everything here works on counts of records that agree on the controls
(`Signatures`), so every engine can offer it and all give the same answer.
"""

from causalrules.cohort.matching.matched_strata import FairData
from causalrules.cohort.matching.matcher import Matcher
from causalrules.domain.signatures import Signatures

__all__ = ["FairData", "Matcher", "Signatures"]
