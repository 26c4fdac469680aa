"""Exposures that are too rare for a study of their own, and clearly go with the outcome all the same."""

from __future__ import annotations

import shlex
from math import floor, log10
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from causalrules.assess.association import chi_square_p
from causalrules.assess.odds import odds_ratio_of_table
from causalrules.assess.special_functions import betainc

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from causalrules.encode import Vocabulary
    from causalrules.search.first_look import Screen

_LEVEL = 0.05
_MOST_NAMED = 3


class _Rare(NamedTuple):
    """A value of a column without a study, and its table: exposed and unexposed x without and with."""

    item: int
    p_value: float
    table: NDArray[np.int64]


def warn_of_rare_exposures(
    screen: Screen, vocabulary: Vocabulary, may_be_asked: Callable[[str], bool], confidence: float
) -> list[str]:
    """A sentence if columns that are too rare to be tested are associated, corrected for all such values.

    Records are counted as independent ones.
    """
    studied = {contrast.column for contrast in screen.contrasts}
    clearest, n_values = {}, 0
    for column in range(vocabulary.n_item_columns):
        first, end = vocabulary.first_item[column : column + 2].tolist()
        name = vocabulary.items[first].column if end > first else ""
        if column in studied or not name or name in vocabulary.chosen_cuts or not may_be_asked(name):
            continue
        items = [screen.exposure_of_two(range(first, end))] if end - first == 2 else range(first, end)
        found = [_Rare(item, *_tested(screen.counts[item], screen.known(column))) for item in items]
        n_values += len(found)
        clearest[name] = min(found, key=lambda rare: rare.p_value)
    clear = sorted(
        (rare for rare in clearest.values() if rare.p_value * n_values <= _LEVEL),
        key=lambda rare: rare.p_value,
    )
    return [_sentence(clear, vocabulary, confidence)] if clear else []


def _tested(exposed: NDArray[np.int64], known: NDArray[np.int64]) -> tuple[float, NDArray[np.int64]]:
    """How likely so many, or so few, exposed have the outcome by chance at the risk of all others.

    Few exposed are too few for the chi-square test alone: their number with the outcome is binomial.
    """
    table = np.stack([exposed, known - exposed])
    without, having = (int(count) for count in exposed)
    n_others = int(table[1].sum())
    if not without + having or not n_others or not table[1].all():
        return 1.0, table
    risk = table[1, 1] / n_others
    as_many = float(betainc(having, without + 1, risk)) if having else 1.0
    as_few = 1 - float(betainc(having + 1, without, risk)) if without else 1.0
    return max(chi_square_p(table), min(1.0, 2 * min(as_many, as_few))), table


def _sentence(clear: list[_Rare], vocabulary: Vocabulary, confidence: float) -> str:
    told = []
    for rare in clear[:_MOST_NAMED]:
        (c, a), (d, b) = rare.table[0].tolist(), rare.table[1].tolist()
        crude = odds_ratio_of_table((a, c, b, d), confidence)
        told.append(
            f"{vocabulary.items[rare.item].name} ({a + c:,} records, crude odds ratio {crude.value:.2f}, "
            f"{crude.low:.2f} – {crude.high:.2f})"
        )
    if len(clear) > _MOST_NAMED:
        told.append(f"{len(clear) - _MOST_NAMED} more")
    were, rare_as, go, them = (
        ("was", "it is", "goes", "it") if len(clear) == 1 else ("were", "they are", "go", "them")
    )
    shares = [max(rare.table[0] / np.maximum(1, rare.table.sum(axis=0))) for rare in clear[:_MOST_NAMED]]
    exposure = shlex.quote(vocabulary.items[clear[0].item].name)
    return (
        f"{' and '.join(told)} {were} not tested, only because {rare_as} rare, and clearly {go} with the "
        f"outcome before adjustment. To test {them}: --min-support {_below(min(shares)):g}, or "
        f"causalrules test … --exposure {exposure}"
    )


def _below(share: float) -> float:
    """A round number below a share."""
    size = 10.0 ** floor(log10(share))
    return float(f"{max(1, int(0.999 * share / size)) * size if share > 1.001 * size else size / 2:.1g}")
