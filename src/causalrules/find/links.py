"""The question of this room, and its answer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from causalrules.find.average import average
from causalrules.find.declared_arrows import DeclaredArrows
from causalrules.find.direction import label_arrows
from causalrules.find.groups import joint_counts, kept_away, maximal_correlation
from causalrules.find.sample import Sample
from causalrules.find.search import Search
from causalrules.kernels.workers import Workers
from causalrules.words import constants
from causalrules.words.findings import Note

if TYPE_CHECKING:
    from collections.abc import Sequence

    from causalrules.domain.knowledge import KnownRoles
    from causalrules.find.search import Look
    from causalrules.find.window_rows import WindowRows
    from causalrules.words.records import Records


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkedPair:
    """Two columns that act together on the outcome.

    Parameters
    ----------
    columns : tuple of str
        In the order of the records' columns.
    p : float
        That their associations with the outcome do not depend on each other, corrected for all pairs.
    p_link : float
        Probability that they act together as causes of the outcome: the pair as a unit, beyond what each
        column does alone. A child of the outcome and its other parent interact, but do not act together.
    """

    columns: tuple[str, ...]
    p: float
    p_link: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Links:
    """What is directly linked to the outcome.

    Parameters
    ----------
    p_link : dict of str to float
        Of every column: the probability of an arrow between it and the outcome, either way; 0 where it never
        looked likely.
    rivals : dict of str to tuple of str
        Of each column with at least 0.2: what takes its place when it is kept away from the outcome, the
        strongest first. A rival's own probability then rises by at least half of what leaves, and the two
        are not nearly independent. Asked of columns of the last window, as it has them.
    pairs : tuple of LinkedPair
        Columns that act together, with at least 0.2; the most probable first.
    hints : dict of str to Note
        ``may_be_consequence`` with ``by``, the columns that bear witness; they change no verdict.
    window : tuple of str
        The columns that were looked at side by side at last.
    """

    p_link: dict[str, float]
    rivals: dict[str, tuple[str, ...]]
    pairs: tuple[LinkedPair, ...]
    hints: dict[str, Note]
    window: tuple[str, ...]


def links(records: Records, roles: KnownRoles, *, keep: Sequence[str] = (), threads: int | None = 1) -> Links:
    """Find the columns that are directly linked to the outcome.

    By exact averaging over all networks of at most twelve columns at a time (Koivisto and Sood 2004). One
    queue: columns enter by what they say of the outcome beside those that are strong already, or as a pair
    that acts together; those that reach 0.2 keep their places; it ends when nothing new does.

    Parameters
    ----------
    records : Records
        One column for each unit, in canonical order.
    roles : KnownRoles
        What the user says about time and arrows.
    keep : sequence of str
        Columns that are in every window, whatever their association.
    threads : int, optional
        Threads that share the work; None for one a core.

    Examples
    --------
    The outcome follows `x`, and `copy` follows `x` too:

    >>> import numpy as np
    >>> from causalrules.domain.knowledge import Knowledge
    >>> from causalrules.words.records import Column, Records
    >>> draw = np.random.default_rng(1)
    >>> x = draw.integers(1, 3, 2000)
    >>> copy = np.where(draw.random(2000) < 0.2, 3 - x, x)
    >>> columns = [
    ...     Column(name=name, kind="category", levels=("no", "yes"), codes=codes.astype(np.uint8))
    ...     for name, codes in (("copy", copy), ("x", x))
    ... ]
    >>> outcome = draw.random(2000) < 0.2 * x
    >>> found = links(Records(tuple(columns), outcome * 1.0, np.ones(2000)), Knowledge().about("ill"))
    >>> {name: p >= 0.5 for name, p in found.p_link.items()}
    {'copy': False, 'x': True}
    """
    names = tuple(column.name for column in records.columns)
    declared = DeclaredArrows(roles, names)
    certain = {c: p for c in range(len(names)) if (p := declared.certain(c)) is not None}
    always = dict.fromkeys([*(records.places[name] for name in keep), *certain])
    if not names:
        return Links(p_link={}, rivals={}, pairs=(), hints={}, window=())
    search = Search(Sample.of(records), declared, tuple(always), Workers(threads))
    last = search.run()
    p_link = {name: search.p_link.get(c, 0.0) for c, name in enumerate(names)}
    p_link |= {names[c]: 1.0 for c in certain}
    pairs = [
        LinkedPair(columns=(names[pair.first], names[pair.second]), p=pair.p, p_link=min(p, 1.0))
        for pair, p in search.p_pair.items()
        if p >= constants.LINKED
    ]
    return Links(
        p_link=p_link,
        rivals=_rivals(last, names) if last else {},
        pairs=tuple(
            sorted(pairs, key=lambda pair: (-round(pair.p_link, 9), pair.p, names.index(pair.columns[0])))
        ),
        hints=_hints(last, names) if last else {},
        window=tuple(names[c] for c in last.window) if last else (),
    )


def _rivals(last: Look, names: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """What takes over when a column of the last window is kept away from the outcome."""
    p_link, rivals = last.arrows.p_next, {}
    for x, column in enumerate(last.window):
        if p_link[x] < constants.LINKED:
            continue
        rise = (average(kept_away(last.families.scores, x)).p_next - p_link).round(9)
        rivals[names[column]] = tuple(
            names[last.window[y]]
            for y in sorted(range(len(rise)), key=lambda y: (-rise[y], y))
            if y != x and rise[y] >= constants.LIKELY * p_link[x] and not _nearly_independent(last.rows, x, y)
        )
    return rivals


def _nearly_independent(rows: WindowRows, x: int, y: int) -> bool:
    """Parts of one of two families of causes take each other's place, and are no rivals."""
    return maximal_correlation(joint_counts(rows, x, y)) ** 2 < constants.NEARLY


def _hints(last: Look, names: Sequence[str]) -> dict[str, Note]:
    """Columns that may follow the outcome, and what bears witness."""
    return {
        names[column]: Note("may_be_consequence", {"by": [names[one.column] for one in arrow.witnesses]})
        for column, arrow in zip(last.window, label_arrows(last.rows, last.arrows), strict=True)
        if arrow.direction == "effect"
    }
