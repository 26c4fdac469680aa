"""Which statement of the user's decided what, in sentences."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from causalrules.domain.knowledge import written_arrow, written_tiers
from causalrules.domain.time_order import OUTCOME, Statement

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from causalrules.domain.knowledge import KnownRoles


@dataclass(frozen=True, slots=True)
class Decision:
    """A statement and what it decided.

    Examples
    --------
    >>> str(Decision("after drug", "drug is no cause and is never adjusted for"))
    'after drug: drug is no cause and is never adjusted for'
    """

    statement: str
    decided: str

    def __str__(self) -> str:
        return f"{self.statement}: {self.decided}"


def decisions_of(
    roles: KnownRoles, columns: Collection[str], exposure: Collection[str] = ()
) -> tuple[Decision, ...]:
    """What each statement decides in a search through these columns, or in a study of an exposure's."""
    return tuple(Decision(str(said), decided) for said, decided in _decided(roles, columns, exposure))


def _decided(
    roles: KnownRoles, columns: Collection[str], exposure: Collection[str]
) -> Iterator[tuple[Statement, str]]:
    known = roles.knowledge
    if known.exposures:
        n_others = len(set(columns) - set(known.exposures))
        others = "one other column is" if n_others == 1 else f"{n_others} other columns are"
        yield Statement("exposures", ",".join(known.exposures)), f"{others} not tested as causes"
    if known.adjust:
        where = "" if exposure else " in every study of another column"
        yield Statement("adjust", ",".join(known.adjust)), f"adjusted for{where}"
    if known.never_adjust:
        held = "not adjusted for, neither in studies nor in the search"
        yield Statement("never_adjust", ",".join(known.never_adjust)), held
    if known.before:
        text = "never a consequence: adjusted for wherever it may confound"
        yield Statement("before", ",".join(known.before)), text
    if known.after:
        text = "never a cause: listed as a consequence, and not adjusted for"
        yield Statement("after", ",".join(known.after)), text
    if known.tiers:
        yield Statement("tiers", written_tiers(known.tiers)), _by_tiers(roles, columns, exposure)
    for arrow in known.required:
        yield Statement("require", written_arrow(arrow)), _by_arrow(roles, arrow, exposure)
    for arrow in known.forbidden:
        asked = f", and {arrow[0]} is not tested" if arrow[1] == roles.outcome else ""
        yield Statement("forbid", written_arrow(arrow)), f"no network with this arrow counts{asked}"


def _by_tiers(roles: KnownRoles, columns: Collection[str], exposure: Collection[str]) -> str:
    named = {name for tier in roles.knowledge.tiers for name in tier}
    earlier, later = roles.order.before(OUTCOME), roles.order.after(OUTCOME)
    between = (roles.later_than(exposure) & earlier) - set(roles.knowledge.adjust)
    parts = ["no later column causes an earlier one"]
    for there, what in (
        (earlier, "before the outcome"),
        (between, "between exposure and outcome, not adjusted for"),
        (later, "after the outcome, not adjusted for" if between else "after it, not adjusted for"),
    ):
        names = [name for name in columns if name in there and name in named]
        if names:
            parts.append(f"{what}: {', '.join(names)}")
    return "; ".join(parts)


def _by_arrow(roles: KnownRoles, arrow: tuple[str, str], exposure: Collection[str]) -> str:
    cause, effect = arrow
    if cause in exposure and effect != roles.outcome and effect not in roles.knowledge.adjust:
        return f"{effect} comes after the exposure, and is not adjusted for"
    if effect == roles.outcome:
        return (
            f"{cause} is directly linked to the outcome, whatever the data say, and may still show no "
            "difference"
        )
    if cause == roles.outcome:
        return f"{effect} is a consequence, and never adjusted for"
    return "no network without this arrow counts"
