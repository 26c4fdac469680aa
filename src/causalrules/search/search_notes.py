"""What a search says first: leaks and what settles the outcome, crowds, rare exposures, repeated records."""

from __future__ import annotations

import shlex
from math import floor, log10
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from causalrules.assess.association import chi_square_p
from causalrules.assess.odds import odds_ratio_of_table
from causalrules.cohort.neighbours.window_search import MOST_COLUMNS
from causalrules.domain.marker_phrases import HOW_LONG_OBSERVED, NEARLY_DECIDES
from causalrules.domain.quoted_names import typed_list
from causalrules.kernels.special_functions import betainc

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from numpy.typing import NDArray

    from causalrules.domain import Item
    from causalrules.domain.falsification import NegativeControl
    from causalrules.encode import Vocabulary
    from causalrules.engines.contract import Engine, Opened
    from causalrules.search.crude_screen import Screen


CROWDED = (
    f"{MOST_COLUMNS} columns or more may be directly linked to the outcome, and no more are compared with "
    "each other at a time. Of columns that say much the same, other records may name others, whatever the "
    "probabilities here. --drop what says the same as another column, and see what new data name."
)
_MOST_NAMED = 3
"""Values that a sentence names; of the others it says how many there are."""


def leaks_among(columns: Mapping[str, str], notes: Sequence[str]) -> list[str]:
    """A sentence on each column that nearly decides the outcome; what that means is explained once.

    Parameters
    ----------
    columns : mapping of str to str
        How each of them does.
    notes : sequence of str
        What is said already: a time of observation is asked about, and decides the outcome by its nature.
    """
    found: list[str] = []
    is_explained = False
    for name, how in columns.items():
        option = typed_list([name])
        if any(note.startswith(f"Is {name}{HOW_LONG_OBSERVED}") for note in notes):
            found.append(f"{name}{NEARLY_DECIDES} ({how}), as a time of observation may: --after {option}.")
            continue
        if is_explained:
            ways = f"--after {option}, --before {option} or --drop {option}"
            found.append(f"{name}{NEARLY_DECIDES} ({how}), too: {ways}.")
            continue
        found.append(
            f"{name}{NEARLY_DECIDES} ({how}): a leak, a consequence, or the outcome in other "
            f"words. Studies do not adjust for it, but it makes other columns look less likely to be "
            f"directly linked to the outcome; --after {option} says that it comes after the "
            f"outcome, --before {option} that it comes before it, as an earlier measurement "
            f"of the same thing does, and is adjusted for; --drop {option} leaves it out."
        )
        is_explained = True
    return found


def values_that_settle(found: Mapping[Item, str]) -> list[str]:
    """A question, when values were known that leave hardly any doubt about the outcome."""
    if not found:
        return []
    told = [f"{item.name} ({how})" for item, how in list(found.items())[:_MOST_NAMED]]
    if len(found) > _MOST_NAMED:
        told.append(f"{len(found) - _MOST_NAMED} more")
    names = typed_list(list(dict.fromkeys(item.column for item in found)))
    settle, ask = ("settles", "Is it") if len(found) == 1 else ("settle", "Are they")
    return [
        f"{' and '.join(told)} nearly {settle} the outcome. {ask} known before it, or only afterwards? "
        f"Say --before {names} or --after {names}."
    ]


def alarms_of(controls: Sequence[NegativeControl]) -> list[str]:
    """A sentence where negative controls show effects that there cannot be."""
    alarms = [one for one in controls if one.is_alarm]
    if not alarms:
        return []
    effects = [f"{one.exposure} on {one.outcome} ({one.odds_ratio.value:.2f})" for one in alarms]
    return [
        "Negative controls show effects where there can be none: odds ratios of "
        f"{'; '.join(effects)}. Something that is not adjusted for explains them, and may explain "
        "the findings too."
    ]


def halves_of(opened: Opened) -> str:
    """How many records hypotheses come from, and how many judge them, where some are held out."""
    seen, held_out = (
        f"{engine.n_with + engine.n_without:,} records ({engine.n_with:,} with the outcome)"
        for engine in (opened.engine, opened.judge_engine)
    )
    return f"Hypotheses and controls come from {seen}; judged on {held_out} held out."


_FEWEST_COLUMNS, _MOST_RECORDS, _MOST_ALIKE = 10, 50_000, 100
_EXPECTED_TWINS = 0.01
_LEAST_SHARE = 0.3


def warn_of_twins(engine: Engine, vocabulary: Vocabulary) -> list[str]:
    """A sentence if many records equal another one in every column, where chance would give hardly any.

    If columns were independent, a record would have n Π Σ p² others like it. Where these are
    less than one in a hundred, and yet three records in ten are not
    alone, several records of one person are likelier than chance. Larger tables
    are not looked at: all their distinct records would have to come together.
    """
    n_records = engine.n_with + engine.n_without
    columns = vocabulary.held_columns
    is_told = vocabulary.n_cluster_digits or vocabulary.repeating
    if is_told or len(columns) < _FEWEST_COLUMNS or n_records > _MOST_RECORDS:
        return []
    support, first = engine.item_counts().support, vocabulary.first_item
    expected = float(n_records)
    for column in columns:
        known = support[first[column.place] : first[column.place + 1]]
        shares = np.append(known, n_records - known.sum()) / n_records
        expected *= float(shares @ shares)
    if expected > _EXPECTED_TWINS:
        return []
    rows = engine.unique_rows(np.array([column.place for column in columns], np.intp))
    alike = rows.counts.sum(axis=1)
    n_twins = int(alike[(alike > 1) & (alike <= _MOST_ALIKE)].sum())
    if n_twins < _LEAST_SHARE * n_records:
        return []
    return [
        f"{n_twins:,} of {n_records:,} records equal another one in every column but the outcome. If they "
        "are records of the same persons, they belong together, and intervals are too narrow and p-values "
        "too small; name a column that identifies the persons, with --cluster COLUMN, to correct them."
    ]


_LEVEL = 0.05


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
        items = vocabulary.items_in(column)
        name = vocabulary.items[items[0]].column if items else ""
        if column in studied or not name or name in vocabulary.chosen_cuts or not may_be_asked(name):
            continue
        exposures = [screen.exposure_of_two(items)] if len(items) == 2 else items
        found = [_Rare(item, *_tested(screen.counts[item], screen.known(column))) for item in exposures]
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
