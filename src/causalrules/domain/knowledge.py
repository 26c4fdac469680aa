"""What the user knows about columns: their roles, their order in time, single arrows."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING

from causalrules.domain.quoted_names import name_between, out_of_quotes, split_at
from causalrules.domain.time_order import OUTCOME, Statement, TimeOrder
from causalrules.errors import KnowledgeError, SettingsError, UnknownColumnError

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

Arrow = tuple[str, str]
"""From a cause to its effect."""

_TIER_SIGNS = ("<", ",")
_ARROW = "->"


@dataclass(frozen=True, kw_only=True)
class Knowledge:
    """Statements about columns, before the table is known.

    Parameters
    ----------
    exposures : tuple of str
        The only columns asked about; empty: all.
    adjust : tuple of str
        Columns to hold.
    never_adjust : tuple of str
        Columns that no study holds: mediators, colliders.
    before, after : tuple of str
        Columns that come before the outcome, and after it.
    tiers : tuple of tuple of str
        Columns in the order of time; those of one tier in none.
    required, forbidden : tuple of (str, str)
        Arrows that there are, and that there are not.

    Examples
    --------
    >>> known = Knowledge(tiers=read_tiers("age < smoking"), required=(read_arrow("smoking -> cancer"),))
    >>> known.about("cancer").is_before("age")
    True
    """

    exposures: tuple[str, ...] = ()
    adjust: tuple[str, ...] = ()
    never_adjust: tuple[str, ...] = ()
    before: tuple[str, ...] = ()
    after: tuple[str, ...] = ()
    tiers: tuple[tuple[str, ...], ...] = ()
    required: tuple[Arrow, ...] = ()
    forbidden: tuple[Arrow, ...] = ()

    def __bool__(self) -> bool:
        return self != Knowledge()

    def check(self) -> None:
        """Refuse contradictions that show whatever the outcome is."""
        self.about(OUTCOME)

    def about(self, outcome: str) -> KnownRoles:
        """The statements as they bear on one outcome; contradictions among them are refused."""
        roles = KnownRoles(self, outcome)
        roles.check()
        return roles

    def check_names(self, columns: Sequence[str]) -> None:
        """Refuse names that the table does not have."""
        for role, name in self._named():
            if name not in columns:
                raise UnknownColumnError(role, name, columns)

    @property
    def timed(self) -> frozenset[str]:
        """Columns that something is said about in time: before, after, a tier, the end of an arrow."""
        groups = (self.before, self.after, *self.tiers, *self.required)
        return frozenset(name for group in groups for name in group)

    def _named(self) -> Iterator[tuple[str, str]]:
        for role in ("exposures", "never_adjust", "before", "after"):
            yield from ((role, name) for name in getattr(self, role))
        yield from (("tiers", name) for tier in self.tiers for name in tier)
        yield from (("require", name) for arrow in self.required for name in arrow)
        yield from (("forbid", name) for arrow in self.forbidden for name in arrow)


@dataclass(frozen=True)
class KnownRoles:
    """What statements mean for the search around one outcome.

    Parameters
    ----------
    knowledge : Knowledge
        The statements.
    outcome : str
        The outcome's column.
    """

    knowledge: Knowledge
    outcome: str

    def check(self) -> None:
        """Refuse statements that contradict each other, in one sentence that names them."""
        self.order.check()
        known = self.knowledge
        for arrow in known.required:
            if arrow in known.forbidden:
                text = written_arrow(arrow)
                raise KnowledgeError(
                    [Statement("require", text), Statement("forbid", text)],
                    "the arrow cannot both be and not be",
                )
        for name in known.adjust:
            said = Statement("adjust", name)
            if name in known.never_adjust:
                raise KnowledgeError(
                    [said, Statement("never_adjust", name)], f"{name} cannot be held and not held"
                )
            if self.is_after(name):
                raise KnowledgeError(
                    [said, *self.why_after(name)], f"{name} comes after the outcome, and is never held"
                )
        for role in ("exposures", "adjust", "never_adjust", "before", "after"):
            if self.outcome in getattr(known, role):
                raise SettingsError(role, "columns other than the outcome", self.outcome)

    @cached_property
    def order(self) -> TimeOrder:
        """What comes before what, by all statements together."""
        known, steps = self.knowledge, {}
        for earlier, later in pairwise(known.tiers):
            for one in earlier:
                for other in later:
                    text = " < ".join(name_between(name, _TIER_SIGNS) for name in (one, other))
                    steps[self._node(one), self._node(other)] = Statement("tiers", text)
        for arrow in known.required:
            cause, effect = map(self._node, arrow)
            steps[cause, effect] = Statement("require", written_arrow(arrow))
        steps |= {(name, OUTCOME): Statement("before", name) for name in known.before}
        steps |= {(OUTCOME, name): Statement("after", name) for name in known.after}
        return TimeOrder(steps)

    def _node(self, name: str) -> str:
        return OUTCOME if name == self.outcome else name

    def is_before(self, name: str) -> bool:
        """Whether a column comes before the outcome."""
        return self.order.is_before(name, OUTCOME)

    def is_after(self, name: str) -> bool:
        """Whether a column comes after the outcome: it is no cause, and no study holds it."""
        return self.order.is_before(OUTCOME, name)

    def why_after(self, name: str) -> tuple[Statement, ...]:
        """The statements from which that follows."""
        return self.order.why(OUTCOME, name)

    def later_than(self, names: Collection[str]) -> frozenset[str]:
        """Columns that come after one of these, but the outcome's and these themselves."""
        after = (self.order.after(self._node(name)) for name in names)
        return frozenset[str]().union(*after) - {OUTCOME, *names}

    def may_be_held(self, name: str) -> bool:
        """Whether studies may hold a column."""
        return name not in self.knowledge.never_adjust and not self.is_after(name)

    def why_not_asked(self, name: str) -> Statement | None:
        """The statement for which a column is not asked about; None if it may be."""
        known = self.knowledge
        if known.exposures and name not in known.exposures:
            return Statement("exposures", ",".join(known.exposures))
        if (name, self.outcome) in known.forbidden:
            return Statement("forbid", written_arrow((name, self.outcome)))
        return None

    def forbids(self, cause: str, effect: str) -> bool:
        """Whether there can be no arrow between two columns; `OUTCOME` stands for the outcome's."""
        named = tuple(self.outcome if name == OUTCOME else name for name in (cause, effect))
        return named in self.knowledge.forbidden or self.order.is_before(effect, cause)

    def requires(self, cause: str, effect: str) -> bool:
        """Whether there is an arrow between two columns; `OUTCOME` stands for the outcome's."""
        named = tuple(self.outcome if name == OUTCOME else name for name in (cause, effect))
        return named in self.knowledge.required


def read_tiers(text: str) -> tuple[tuple[str, ...], ...]:
    """Columns in the order of time, as people write them.

    Examples
    --------
    >>> read_tiers('age, sex < smoking < "a<b"')
    (('age', 'sex'), ('smoking',), ('a<b',))
    """
    if not text.strip():
        return ()
    tiers = tuple(tuple(map(out_of_quotes, split_at(part, ","))) for part in split_at(text, "<"))
    if len(tiers) < 2 or not all(all(tier) for tier in tiers):
        raise SettingsError("tiers", "columns in the order of time, such as 'age,sex < smoking'", text)
    return tiers


def read_arrow(text: str, role: str = "require") -> Arrow:
    """An arrow as people write it.

    Examples
    --------
    >>> read_arrow("smoking -> lung cancer")
    ('smoking', 'lung cancer')
    """
    names = tuple(map(out_of_quotes, split_at(text, _ARROW)))
    if len(names) != 2 or not all(names) or names[0] == names[1]:
        raise SettingsError(role, "arrows between two columns, such as 'smoking -> cancer'", text)
    return names[0], names[1]


def written_tiers(tiers: Sequence[Sequence[str]]) -> str:
    """Tiers as `read_tiers` reads them."""
    return " < ".join(", ".join(name_between(name, _TIER_SIGNS) for name in tier) for tier in tiers)


def written_arrow(arrow: Sequence[str]) -> str:
    """An arrow as `read_arrow` reads it."""
    return f" {_ARROW} ".join(name_between(name, (_ARROW,)) for name in arrow)
