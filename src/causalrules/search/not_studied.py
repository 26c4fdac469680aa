"""Why a column that takes part has no study of its own, in one sentence a column."""

from __future__ import annotations

from typing import TYPE_CHECKING

from causalrules.domain.data_summary import LeftOut

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    from causalrules.domain import Rule, Settings
    from causalrules.encode import Vocabulary
    from causalrules.search.crude_screen import Contrast
    from causalrules.search_run import Reasons


def too_weak_or_rare(
    vocabulary: Vocabulary, contrasts: Sequence[Contrast], settings: Settings, level: float
) -> Callable[[str], str]:
    """A function that tells why none of a column's contrasts was studied."""
    smallest: dict[str, float] = {}
    for contrast in contrasts:  # the strongest first
        smallest.setdefault(vocabulary.items[contrast.item].column, contrast.p_value)

    def why(name: str) -> str:
        if name not in smallest:
            return (
                f"no value of it is frequent enough: none covers more than {100 * settings.min_support:g} % "
                "of the records with the outcome, or of those without it, and leaves others to compare with"
            )
        if smallest[name] > level:
            return f"it is not associated with the outcome, even before adjustment (p = {smallest[name]:.2g})"
        return (
            "other columns are more strongly associated with the outcome, and only the strongest were studied"
        )

    return why


def taken_away(candidates: Collection[str], before: Sequence[Rule], after: Sequence[Rule]) -> Reasons:
    """Columns that were to be studied and have no rule: theirs were left out, or never made."""
    studied, kept = ({item.column for rule in rules for item in rule.pattern} for rules in (before, after))
    other_way = "it changes the odds of the outcome in the direction that was not asked for"
    return tuple(
        LeftOut(name, other_way if name in studied else "the run was stopped before its study")
        for name in candidates
        if name not in kept
    )
