"""What is to be made of a study? One verdict from four facts, one grade from what could undo it."""

from causalrules.judge.grade import Doubts, grade_of
from causalrules.judge.verdict import Facts, verdict_of

__all__ = ["Doubts", "Facts", "grade_of", "verdict_of"]
