"""The balance guard: whether a comparison can be trusted, or columns still differ that may confound."""

from __future__ import annotations

from typing import TYPE_CHECKING

from causalrules.domain.marker_phrases import ALL_OR_NONE_EXPOSED, DOES_NOT_VARY, NO_PARTNERS, NOT_TOLD_APART
from causalrules.errors import ExposureError, quoted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from causalrules.cohort.arms import Arms
    from causalrules.cohort.compare_arms import ArmsCompared
    from causalrules.cohort.imbalance import ColumnImbalance
    from causalrules.domain.unique_rows import HeldColumn
    from causalrules.encode import Vocabulary
    from causalrules.search.contrast_study import ContrastStudy

DECISIVE_IMBALANCE = 0.25
"""Standardised difference after matching above which a column is held too, and the study done again."""

FEWEST_MATCHED = 10


def is_decisive(imbalance: ColumnImbalance) -> bool:
    """Too large to be trusted, and more than two standard errors, so that small arms are not blamed."""
    return imbalance.after > max(DECISIVE_IMBALANCE, 2 * imbalance.standard_error)


def check_arms(study: ContrastStudy, vocabulary: Vocabulary) -> None:
    """Refuse the one hypothesis that was asked about if nobody, or everybody, has its exposure."""
    n_exposed, n_unexposed = study.arms.rows.n_exposed, study.arms.rows.n_unexposed
    if n_exposed and n_unexposed:
        return
    name = vocabulary.name_of(study.pattern)
    who = "no record has" if not n_exposed else "every record has"
    raise ExposureError(
        f"{who} the exposure {quoted(name)}, so there is nothing to compare it with. Ask about one that some "
        "records have and others have not."
    )


def why_untestable(
    arms: Arms,
    compared: ArmsCompared,
    held: tuple[HeldColumn, ...],
    imbalance: dict[str, ColumnImbalance],
    not_held: Sequence[str],
) -> str:
    """Why the comparison cannot be trusted, in one sentence; empty if it can.

    Parameters
    ----------
    not_held : sequence of str
        Columns that the user wants adjusted for, and that nearly tell who is exposed.
    """
    if not arms.rows.n_exposed or not arms.rows.n_unexposed:
        return f"{'every' if arms.rows.n_exposed else 'no'} {ALL_OR_NONE_EXPOSED}"
    n_matched = min(compared.strata.matched_exposed, compared.strata.matched_unexposed)
    if n_matched < FEWEST_MATCHED:
        names = ", ".join(column.name for column in held) or "nothing"
        return f"{NO_PARTNERS}: adjusted for {names}, only {n_matched} records of the smaller arm have any"
    if not compared.is_informative:
        return f"the outcome {DOES_NOT_VARY} among records that are alike"
    if not_held:
        return f"{NOT_TOLD_APART}{', '.join(not_held)}: held, it would leave nobody to compare"
    apart = [column.name for column in held if is_decisive(imbalance[column.name])]
    if apart:
        return f"{NOT_TOLD_APART}{', '.join(apart)}: exposed and unexposed remain different in it"
    return ""
