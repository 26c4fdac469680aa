"""What the texts for a paper call the design of a run, and what was looked at."""

from __future__ import annotations

from typing import TYPE_CHECKING

from causalrules.domain.sentences import counted
from causalrules.domain.sentences import listed as sentence_list
from causalrules.report.words.formatting import printable
from causalrules.report.words.result_kinds import n_hypotheses

if TYPE_CHECKING:
    from collections.abc import Sequence

    from causalrules.domain import Result


def listed(names: Sequence[str]) -> str:
    """All names, however many, as a sentence lists them.

    Examples
    --------
    >>> listed(["age"]), listed(["age", "sex", "site"])
    ('age', 'age, sex and site')
    """
    return sentence_list([printable(name) for name in names])


def is_case_control(result: Result) -> bool:
    """Whether matched sets were gathered by the outcome, as every study of them says."""
    return any(rule.design.gathered_by_outcome for rule in result.tested)


def design_words(result: Result) -> str:
    """The kind of study that the records were analysed as; whether anybody was followed, no table tells."""
    return f"matched {design_kind(result)} study"


def design_kind(result: Result) -> str:
    """What may be said of the design without asking the authors."""
    return "case-control" if is_case_control(result) else "observational"


def looked_at(result: Result) -> str:
    """What might have been put to a study."""
    n_longer = sum(counts.get("candidates", 0) for length, counts in result.by_length.items() if length > 1)
    text = counted(n_hypotheses(result), "contrast") + " of one column"
    return f"{text} and {counted(n_longer, 'combination')} of two" if n_longer else text
