"""The road through the rooms: what was looked at and found is handed on, from records to findings."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec
import numpy as np

from causalrules.adjust import Held, held_for
from causalrules.adjust.controls import MOST_HELD
from causalrules.domain.progress import Progress
from causalrules.estimate.combined import interaction_of, moves_together, together
from causalrules.estimate.effects import (
    clearest,
    clearest_ratio,
    distance,
    effect_of,
    is_reversed,
    moves,
    shows_a_difference,
    width,
)
from causalrules.estimate.expected import outcome_model
from causalrules.estimate.levels import levels_of
from causalrules.estimate.matched import balance_of, matched_cohort
from causalrules.estimate.study import study
from causalrules.find import Links, links
from causalrules.judge import Doubts, Facts, grade_of, verdict_of
from causalrules.judge.sensitivity import e_value, gamma_of
from causalrules.judge.verdict import corrected
from causalrules.kernels.special_functions import chdtrc
from causalrules.look import Looked, TableHints, look
from causalrules.words import constants
from causalrules.words.findings import Balance, Factor, Finding, Note, SecondOpinion, Sensitivity
from causalrules.words.studies import Levels

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from numpy.typing import NDArray

    from causalrules.domain.knowledge import KnownRoles
    from causalrules.domain.progress import Stopwatch
    from causalrules.engines.contract import Opened
    from causalrules.estimate.combined import Together
    from causalrules.estimate.expected import OutcomeModel
    from causalrules.words.findings import Grade, Time, Triple
    from causalrules.words.records import Column, Records
    from causalrules.words.studies import Study

MOST_STUDIED = 60
"""Columns that are studied in any case, the likeliest first; of more, those that go with the outcome."""

MOST_LOOKED_AT = 200
"""Columns that a study chooses from, of a wide table, the strongest of them by themselves."""

NAMED = 3
"""Columns named at most as explaining a factor, each with a tenth of the association or more."""

_LEAST_PART = 0.1


@dataclass(frozen=True, slots=True, eq=False)
class Studied:
    """A factor, what was held, and its study."""

    factor: Factor
    held: Held
    study: Study | None
    p_link: float | None
    together: Together | None = None


class PValues(NamedTuple):
    """Of a study; corrected for the number of factors; nothing held, and likewise corrected."""

    own: float
    corrected: float
    crude: float


@dataclass(slots=True, eq=False)
class Walk:
    """One walk: each step leaves what the next one needs."""

    opened: Opened
    settings: Any
    watch: Stopwatch
    records: Records
    mark: NDArray[np.uint8] | None
    on_progress: Callable[[Progress], None]
    roles: KnownRoles
    looked: Looked
    links: Links | None = None
    findings: tuple[Finding, ...] = ()
    _known_crude: dict[str, float] = field(default_factory=dict)
    _known_looked_at: set[str] = field(default_factory=set)
    _known_model: list[OutcomeModel | None] = field(default_factory=list)

    @classmethod
    def over(
        cls,
        opened: Opened,
        settings: Any,
        watch: Stopwatch,
        records: Records,
        mark: NDArray[np.uint8] | None,
        on_progress: Callable[[Progress], None],
        asked: Sequence[str] = (),
    ) -> Walk:
        """Look at the columns, and find what is linked to the outcome."""
        summary = opened.vocabulary.summary
        names = [column.name for column in records.columns]
        roles = settings.knowledge_about(names).about(summary.outcome.column)
        hints = TableHints(
            roles=roles,
            persons=dict.fromkeys(opened.vocabulary.repeating, 0),
            asked=tuple(asked),
            left_out={entry.column: entry.code for entry in summary.left_out},
        )
        with watch("mine"):
            looked = look(records, hints)
            if looked.cluster is not None and records.cluster is None:
                looked = replace(looked, records=_clustered(looked.records, records.column(looked.cluster)))
            walk = cls(opened, settings, watch, looked.records, mark, on_progress, roles, looked)
            walk.links = links(walk.units, roles, threads=settings.threads or 1)
        return walk

    @property
    def units(self) -> Records:
        """The records with one column for each group of copies."""
        copies = {name for unit in self.looked.units for name in unit[1:]}
        return self.records.with_columns([one for one in self.records.columns if one.name not in copies])

    def mine(self) -> None:
        """Study every column, and what acts together; judge all of them."""
        units = self.units
        candidates = [
            column
            for column in units.columns
            if not self.roles.is_after(column.name) and self.roles.why_not_asked(column.name) is None
        ]
        with self.watch("cohort"):
            chosen = self._worth_a_study(units, candidates)
            studied = []
            for number, column in enumerate(chosen):
                studied.append(self._study_column(units, column))
                self.on_progress(Progress("both", 1, number + 1, len(chosen)))
            studied += self._study_combined(units, studied)
        with self.watch("assess"):
            n_others = len(candidates) - len(chosen)
            found = self._judged(studied, n_others)
            left = [column.name for column in candidates if column not in chosen]
            found += [Finding(factors=(Factor(columns=(name,)),), verdict="no difference") for name in left]
            found += self._not_studied(units)
        self.findings = tuple(sorted(found, key=_in_order))

    def test_column(self, name: str) -> None:
        """Study one column that the user asks about; of copies it takes the place of the one mined."""
        if name in self.looked.set_aside:
            self.findings = (self._set_aside(name),)
            return
        if (said := self._said_of(Factor(columns=(name,)))) is not None:
            self.findings = (said,)
            return
        units = self.units
        own = next((unit for unit in self.looked.units if name in unit), (name,))
        units = units.with_columns(
            [self.records.column(name) if one.name in own else one for one in units.columns]
        )
        assert self.links is not None
        p_link = self.links.p_link
        self.links = replace(self.links, p_link=p_link | {name: p_link.get(own[0], 0.0)})
        with self.watch("cohort"):
            one = self._study_column(units, self.records.column(name))
        with self.watch("assess"):
            self.findings = tuple(self._judged([replace(one, p_link=None)], 0))

    def test_pattern(
        self, columns: tuple[str, ...], name: str, levels: tuple[str, str], left_out: str
    ) -> None:
        """Study a pattern, or one level against another; `left_out` is why records have neither."""
        assert self.mark is not None
        factor = Factor(columns=columns, pattern=name)
        if (said := self._said_of(factor)) is not None:
            self.findings = (said,)
            return
        asked = Levels(names=levels, level=self.mark.astype(np.int64) - 1, reference=0, left_out=left_out)
        own = {copy for unit in self.looked.units if {*unit} & {*columns} for copy in unit} | {*columns}
        units = self.units
        with self.watch("cohort"):
            one = self._study(units, factor, asked, tuple(own), None)
        with self.watch("assess"):
            self.findings = tuple(self._judged([replace(one, p_link=None)], 0))

    def _worth_a_study(self, units: Records, candidates: Sequence[Column]) -> list[Column]:
        """The columns to study: those that may be linked, and those that go with the outcome."""
        assert self.links is not None
        if len(candidates) <= MOST_STUDIED:
            return list(candidates)
        p_link, p_crude = self.links.p_link, self._crude(units)
        order = sorted(candidates, key=lambda one: (-round(p_link.get(one.name, 0.0), 9), p_crude[one.name]))
        return [
            one
            for place, one in enumerate(order)
            if place < MOST_STUDIED or p_crude[one.name] <= self.settings.alpha
        ]

    def _study_column(self, units: Records, column: Column) -> Studied:
        levels = levels_of(units, column, self.settings.references.get(column.name))
        levels = self._where_it_applies(levels, column)
        number = column if column.is_number else None
        return self._study(units, Factor(columns=(column.name,)), levels, (column.name,), number)

    def _study(
        self, units: Records, factor: Factor, levels: Levels, own: tuple[str, ...], number: Column | None
    ) -> Studied:
        """What is held, and the study."""
        assert self.links is not None
        model = self._outcome_model(units if levels.left_out == "missing" else units.only(levels.level >= 0))
        held = held_for(
            units,
            levels,
            {*own, *self._defined_by(levels)},
            self.links.p_link,
            self.roles,
            acting=() if model is None else model.products,
            looked_at=self._looked_at(units),
            only_asked=self.settings.adjusts_for_nothing_else,
        )
        found = study(
            units,
            levels,
            [units.column(name) for name in held.columns],
            number=number,
            not_asked=self.looked.scope,
            of_outcome=model,
        )
        p_link = max(self.links.p_link.get(name, 0.0) for name in own)
        return Studied(factor, held, found, p_link)

    def _where_it_applies(self, levels: Levels, column: Column) -> Levels:
        """The levels, records set apart that a column does not apply to: where it is never known."""
        if column.name not in self.looked.scope:
            return levels
        says = self.records.column(self.looked.scope[column.name]).codes
        applies = np.bincount(says, column.codes > 0) > 0
        return replace(levels, apart=levels.apart | {"does_not_apply": ~applies[says] & (says > 0)})

    def _defined_by(self, levels: Levels) -> set[str]:
        """Columns that say to whom others apply, where the levels say it as well, and these others.

        They are the question in other words, and cannot be held in it.
        """
        scope, has = self.looked.scope, levels.level >= 0
        found = {
            name for name in scope.values() if _decides(levels.level[has], self.records.column(name), has)
        }
        return found | {name for name, says in scope.items() if says in found}

    def _looked_at(self, units: Records) -> set[str] | None:
        """Columns of a wide table that may be held: those that go with the outcome most clearly."""
        if len(units.columns) <= MOST_LOOKED_AT:
            return None
        if self._known_looked_at:
            return self._known_looked_at
        p_crude = self._crude(units)
        strongest = sorted(p_crude, key=lambda name: p_crude[name])[:MOST_LOOKED_AT]
        linked = {name for name in p_crude if self._p_link(name) >= constants.LINKED}
        self._known_looked_at |= {*strongest, *linked, *self.roles.knowledge.adjust}
        return self._known_looked_at

    def _crude(self, units: Records) -> dict[str, float]:
        """How clearly each column goes with the outcome by itself; worked out once."""
        if not self._known_crude:
            self._known_crude |= {column.name: _crude_p(units, column) for column in units.columns}
        return self._known_crude

    def _outcome_model(self, units: Records) -> OutcomeModel | None:
        """The outcome given the likeliest columns: its products are looked for once, its fit begins all."""
        if not self._known_model:
            p_crude = self._crude(units)
            order = sorted(
                (name for name in p_crude if self.roles.may_be_held(name)),
                key=lambda name: (-round(self._p_link(name), 9), p_crude[name]),
            )
            likeliest = {*order[:MOST_HELD]}
            columns = [column for column in units.columns if column.name in likeliest]
            self._known_model.append(outcome_model(units, columns))
        return self._known_model[0]

    def _study_combined(self, units: Records, studied: Sequence[Studied]) -> list[Studied]:
        """Columns that act together: pairs, and triples, as far as the longest that was asked for."""
        found = self._study_pairs(units, studied) if self.settings.max_length > 1 else []
        pairs = self._clear(found)
        alone = self._linked_only(studied, pairs)
        if self.settings.max_length > 2:
            found += self._study_triples(units, pairs, alone)
        elif len(alone) > self.settings.max_length:
            note = Note("longer", {"columns": alone, "length": self.settings.max_length + 1})
            self.looked = replace(self.looked, notes=(*self.looked.notes, note))
        return found

    def _study_pairs(self, units: Records, studied: Sequence[Studied]) -> list[Studied]:
        """Pairs whose product is linked; of each column that is linked for nothing the clearest partner."""
        assert self.links is not None
        found: dict[frozenset[str], Studied] = {}
        for pair in self.links.pairs:
            for one in self._acting(units, [pair.columns]) if pair.p_link >= constants.LIKELY else ():
                found[frozenset(pair.columns)] = self._study_together(units, *one, pair.p_link)
        for name in self._linked_only(studied, self._clear(found.values())):
            others = [
                other for other, p in self.links.p_link.items() if p >= constants.LINKED and other != name
            ]
            for names, cells in self._acting(units, [(name, other) for other in others])[:1]:
                if frozenset(names) not in found:
                    found[frozenset(names)] = self._study_together(units, names, cells)
        return list(found.values())

    def _study_triples(self, units: Records, pairs: Sequence[Studied], alone: Sequence[str]) -> list[Studied]:
        """Pairs and a linked column that changes what they do; what shows nothing in pairs, and two more.

        Of triples that share two columns the clearest.
        """
        assert self.links is not None
        linked = [name for name, p in self.links.p_link.items() if p >= constants.LINKED]
        wanted = {frozenset((*pair.factor.columns, third)) for pair in pairs for third in linked}
        wanted |= {frozenset((name, *two)) for name in alone for two in combinations(linked, 2)}
        sets = [tuple(sorted(one, key=units.places.__getitem__)) for one in wanted if len(one) > 2]
        found: list[Studied] = []
        for three, cells in self._acting(units, sorted(sets, key=lambda one: [*map(units.places.get, one)])):
            is_new = all(len({*three} & {*one.factor.columns}) < 2 for one in found)
            if cells.p <= self.settings.alpha and is_new:
                found.append(self._study_together(units, three, cells))
        return found

    def _clear(self, studied: Iterable[Studied]) -> list[Studied]:
        """Those that act, as far as p-values say."""
        return [one for one in studied if _p_of(one) <= self.settings.alpha]

    def _linked_only(self, studied: Sequence[Studied], told: Sequence[Studied]) -> list[str]:
        """Columns that are linked, though they show nothing on average, and act in nothing that is told."""
        others = {name for one in told for name in one.factor.columns}
        names = [
            one.factor.columns[0]
            for one in studied
            if _linked(one) >= constants.LIKELY and _p_of(one) > self.settings.alpha
        ]
        return [name for name in names if name not in others]

    def _acting(
        self, units: Records, sets: Sequence[tuple[str, ...]]
    ) -> list[tuple[tuple[str, ...], Together]]:
        """How sets of columns act together, the clearest first; each pays for all that could be tried."""
        found = [(names, cells) for names in sets if (cells := self._cells(units, names)) is not None]
        found.sort(key=lambda one: one[1].p)
        return [(names, cells._replace(p=min(1.0, cells.p * len(found)))) for names, cells in found]

    def _cells(self, units: Records, names: tuple[str, ...]) -> Together | None:
        """Whether some columns act together; None where their cells cannot be compared."""
        assert self.links is not None
        if any(self.roles.is_after(name) or name not in units.places for name in names):
            return None
        columns = [units.column(name) for name in names]
        held = [name for name, p in self.links.p_link.items() if p >= constants.LINKED and name not in names]
        controls = [units.column(name) for name in held if self.roles.may_be_held(name)]
        levels = [levels_of(units, one) for one in columns]
        return together(units, columns, levels, controls, self._outcome_model(units))

    def _study_together(
        self, units: Records, names: tuple[str, ...], cells: Together, p_link: float = 0.0
    ) -> Studied:
        """The study of columns that act together: as linked as all of them are, or their product is."""
        one = self._study(units, Factor(columns=names), cells.levels, names, None)
        return replace(one, p_link=max(p_link, min(map(self._p_link, names))), together=cells)

    def _judged(self, studied: Sequence[Studied], n_others: int) -> list[Finding]:
        """Verdicts and grades of all that was studied, and groups that cannot be told apart."""
        p_values, none = [_p_of(one) for one in studied], [1.0] * n_others
        crude = [1.0 if one.study is None else one.study.p_crude for one in studied]
        # What links have decided makes nothing else easier to believe.
        in_doubt = [
            1.0 if _linked(one) >= constants.LIKELY else p for one, p in zip(studied, p_values, strict=True)
        ] + none
        p_corrected = [
            one if p == doubted else corrected([*in_doubt[:place], p, *in_doubt[place + 1 :]])[place]
            for place, (one, p, doubted) in enumerate(
                zip(corrected(in_doubt), p_values, in_doubt, strict=False)
            )
        ]
        p_of = [
            PValues(*three) for three in zip(p_values, p_corrected, corrected(crude + none), strict=False)
        ]
        groups = _groups(studied) if len(studied) > 1 else {}
        found, told = [], dict[frozenset[str], float]()
        # What more columns do together is judged first: fewer of them have left what is not in it.
        for place in sorted(range(len(studied)), key=lambda place: -len(studied[place].factor.columns)):
            one, own = studied[place], frozenset(studied[place].factor.columns)
            if place in groups and groups[place][0] != place:
                continue
            together_with = [studied[other] for other in groups.get(place, (place,))[1:]]
            beside = max((p for columns, p in told.items() if own < columns), default=0.0)
            if one.together is not None and len(own) > 2:
                beside = _linked(one)  # no network says that three act as one: their corrected p decides
            finding = self._finding(one, p_of[place], together_with, beside)
            if one.together is None:
                found.append(finding)
            elif finding.is_cause and not any(own < columns for columns in told):
                found.append(finding)
                told[own] = _linked(one)
        return found

    def _finding(self, one: Studied, p: PValues, group: Sequence[Studied], beside: float = 0.0) -> Finding:
        """The finding of a factor; `beside` of its `p_link` belongs to what it does together with others."""
        settings = self.settings
        confidence, records = settings.confidence, self.records
        found = one.study
        factors = tuple(factor for member in (one, *group) for factor in self._copies(member.factor))
        time: Time = "unknown"
        if all(self.roles.is_before(name) for name in factors[0].columns):
            time = "before"
        p_link = (
            one.p_link if one.p_link is None else min(1.0, one.p_link + sum(m.p_link or 0.0 for m in group))
        )
        told = {name for factor in factors for name in factor.columns}
        stands_for = [name for name in one.held.inseparable if name not in told]
        if stands_for and (p_link is None or p_link < constants.LIKELY):
            why = Note("copy", {"of": stands_for})
        else:
            why = Note("no_overlap", {})
        if why.code == "copy" or found is None or clearest(found, confidence) is None:
            return Finding(
                factors=factors,
                verdict="not comparable",
                p_link=one.p_link,
                time=time,
                adjusted_for=one.held.columns,
                notes=(why,),
            )
        rivals = self._rivals(one, group)
        through = [
            name
            for name in one.held.not_allowed
            if self._p_link(name) >= constants.LIKELY and not self.roles.is_after(name)
        ]
        facts = Facts(
            p=p.own,
            p_corrected=p.corrected,
            p_crude=p.crude,
            shows=shows_a_difference(found, confidence)
            if one.together is None
            else moves_together(found, confidence)[1] > 0,
            p_link=None if p_link is None else p_link - beside,
            rivals=rivals,
            is_comparable=found.applies_to > 0,
            acts_through=bool(through),
        )
        verdict = verdict_of(facts, settings.alpha)
        effect = effect_of(
            found,
            confidence,
            "total" if through or self._is_timed(factors[0]) else "adjusted",
            is_mean=records.is_mean,
        )
        opinion, gamma, balance = self._second_opinion(one, found)
        notes = self._notes(one, found, opinion, balance, stands_for)
        explained = (
            _explaining(found) if verdict == "explained" else tuple(through) if verdict == "indirect" else ()
        )
        if one.together is not None and effect is not None:
            effect = _with_interaction(effect, found, one.together.p, confidence)
        return Finding(
            factors=factors,
            verdict=verdict,
            grade=self._grade(found, gamma, balance, notes)
            if verdict in ("cause", "indirect") or (verdict == "possible" and rivals)
            else None,
            moves=(moves if one.together is None else moves_together)(found, confidence),
            p=p.own,
            p_corrected=p.corrected,
            p_crude=found.p_crude,
            p_link=p_link,
            rivals=rivals if verdict == "possible" else (),
            explained_by=explained,
            time=time,
            effect=effect,
            adjusted_for=one.held.columns,
            second_opinion=opinion,
            sensitivity=_sensitivity(found, gamma, confidence),
            balance=balance,
            notes=notes,
        )

    def _p_link(self, name: str) -> float:
        assert self.links is not None
        return self.links.p_link.get(name, 0.0)

    def _is_timed(self, factor: Factor) -> bool:
        return all(name in self.roles.knowledge.timed for name in factor.columns)

    def _copies(self, factor: Factor) -> tuple[Factor, ...]:
        """The factor, and its column's copies; a level that became a column is a pattern again."""
        made = self.looked.made.get(factor.columns[0])
        if made is not None and not factor.pattern:
            return (Factor(columns=(made,), pattern=factor.name),)
        if factor.pattern or len(factor.columns) > 1:
            return (factor,)
        unit = next((unit for unit in self.looked.units if factor.columns[0] in unit), factor.columns)
        others = (name for name in unit if name != factor.columns[0])
        return (factor, *(Factor(columns=(name,)) for name in others))

    def _rivals(self, one: Studied, group: Sequence[Studied]) -> tuple[str, ...]:
        """What takes the place next to the outcome when the factor leaves.

        Where the factor hardly ever had that place, those that have it and go with the factor: an association
        that is left beside them may be that of another parent of a consequence.
        """
        assert self.links is not None
        own = {name for member in (one, *group) for name in member.factor.columns}
        own |= set() if one.study is None else self._defined_by(one.study.levels)
        found = [rival for name in one.factor.columns for rival in self.links.rivals.get(name, ())]
        if one.p_link is not None and one.p_link < constants.LINKED:
            found = [name for name in one.held.related if self._p_link(name) >= constants.LIKELY][:NAMED]
        return tuple(name for name in dict.fromkeys(found) if name not in own)

    def _second_opinion(
        self, one: Studied, found: Study
    ) -> tuple[SecondOpinion | None, float | None, tuple[Balance, ...]]:
        """Matched records of the two levels that differ most clearly, their Γ, and how alike they are."""
        best = clearest(found, self.settings.confidence)
        if best is None:
            return None, None, ()
        level, against = (best.level, best.against) if best.difference[0] >= 0 else (best.against, best.level)
        controls = [self.records.column(name) for name in one.held.columns]
        matched = matched_cohort(self.records, found, controls, level, against)
        if matched is None:
            return None, None, ()
        reach = width(self.settings.confidence) * matched.error
        difference: Triple = (matched.difference, matched.difference - reach, matched.difference + reach)
        own = (best.difference[2] - best.difference[1]) / 2
        agrees = abs(matched.difference - matched.expected) <= np.hypot(reach, own)
        names = found.levels.names
        opinion = SecondOpinion(
            level=names[level],
            against=names[against],
            pairs=round(matched.pairs),
            difference=difference,
            expected=matched.expected,
            agrees=bool(agrees),
        )
        gamma = None if self.records.is_mean else gamma_of(matched, self.settings.alpha)
        return opinion, gamma, balance_of(self.records, matched, controls)

    def _notes(
        self,
        one: Studied,
        found: Study,
        opinion: SecondOpinion | None,
        balance: Sequence[Balance],
        stands_for: Sequence[str],
    ) -> tuple[Note, ...]:
        assert self.links is not None
        notes = []
        if stands_for:
            notes.append(Note("copy", {"of": list(stands_for)}))
        if opinion is not None and not opinion.agrees:
            notes.append(Note("second_opinion", {}))
        if is_reversed(found, self.settings.confidence):
            notes.append(Note("signs_differ", {}))
        worst = max(balance, key=lambda column: column.beyond_chance, default=None)
        if worst is not None and worst.beyond_chance > constants.IMBALANCE[1]:
            notes.append(Note("imbalance", {"column": worst.column, "difference": worst.after}))
        if found.applies_to < constants.COMPARABLE[0] * found.n_compared:
            notes.append(Note("weak_overlap", {"records": found.applies_to}))
        if found.treats_missing == "level":
            notes.append(Note("missing_as_level", {}))
        hints = self.links.hints
        notes += [hints[name] for name in one.factor.columns if name in hints]
        if one.held.not_allowed:
            notes.append(Note("comes_later", {"columns": list(one.held.not_allowed)}))
        return tuple(notes)

    def _grade(
        self, found: Study, gamma: float | None, balance: Sequence[Balance], notes: Sequence[Note]
    ) -> Grade:
        return grade_of(
            Doubts(
                gamma=gamma,
                distance=distance(found, self.settings.confidence, is_mean=self.records.is_mean),
                imbalance=max((column.beyond_chance for column in balance), default=0.0),
                share=found.applies_to / max(found.n_compared, 1),
                disagree=any(note.code in ("second_opinion", "signs_differ") for note in notes),
                unsettled=self.looked.follow_up is not None,
            )
        )

    def _set_aside(self, name: str) -> Finding:
        return Finding(
            factors=(Factor(columns=(name,)),), verdict="set aside", notes=(self.looked.set_aside[name],)
        )

    def _not_studied(self, units: Records) -> list[Finding]:
        said = (self._said_of(Factor(columns=(column.name,))) for column in units.columns)
        return [*map(self._set_aside, self.looked.set_aside), *(one for one in said if one is not None)]

    def _said_of(self, factor: Factor) -> Finding | None:
        """What the user says of a factor that makes it no cause: then it is not studied."""
        if any(map(self.roles.is_after, factor.columns)):
            return Finding(factors=(factor,), verdict="after", time="after")
        for name in factor.columns:
            why = self.roles.why_not_asked(name)
            if why is not None and why.role == "forbid":
                return Finding(
                    factors=(factor,), verdict="set aside", notes=(Note("forbidden", {"column": name}),)
                )
        return None


def _p_of(one: Studied) -> float:
    if one.study is None:
        return 1.0
    return one.study.p if one.together is None else one.together.p


_VERDICTS = (
    "cause",
    "indirect",
    "possible",
    "explained",
    "no difference",
    "not comparable",
    "after",
    "set aside",
)


def _in_order(finding: Finding) -> tuple[float, float, float, str]:
    size = finding.moves[0] if finding.moves is not None and np.isfinite(finding.moves[0]) else -1.0
    rank = 0 if finding.verdict == "indirect" else _VERDICTS.index(finding.verdict)
    may_be_chance = finding.verdict == "possible" and not finding.rivals
    return rank + may_be_chance / 2, -size, 1.0 if finding.p is None else finding.p, finding.name


def _clustered(records: Records, column: Column) -> Records:
    return replace(records, cluster=column.codes.astype(np.int32))


def _decides(level: NDArray[np.int64], column: Column, rows: NDArray[np.bool_]) -> bool:
    """Whether each level has one code of a column, and not all the same."""
    found = np.zeros((level.max(initial=0) + 1, column.n_codes), np.bool_)
    found[level, column.codes[rows]] = True
    return bool(found.sum(axis=1).max() == 1 and found.any(axis=0).sum() > 1)


def _crude_p(records: Records, column: Column) -> float:
    """p-value that a column goes with the outcome, nothing held (Pearson; of means, with the upper half)."""
    table = records.table(column)[1:]
    table = table[table.sum(axis=1) > 0]
    if len(table) < 2 or min(table.sum(axis=0)) == 0:
        return 1.0
    expected = np.outer(table.sum(axis=1), table.sum(axis=0)) / table.sum()
    return float(chdtrc(len(table) - 1, ((table - expected) ** 2 / expected).sum()))


def _groups(studied: Sequence[Studied]) -> dict[int, tuple[int, ...]]:
    """Factors of which none can be compared beside the other: one finding, the likeliest first.

    Each stands with the likeliest column that it cannot be told apart from, not with what that one stands
    with.
    """
    place_of = {
        one.factor.columns[0]: place for place, one in enumerate(studied) if len(one.factor.columns) == 1
    }
    apart_from = {
        place: {place_of[name] for name in studied[place].held.inseparable if name in place_of}
        for place in place_of.values()
    }
    beside = {
        place: {other for other in others if place in apart_from[other]}
        for place, others in apart_from.items()
    }
    found: dict[int, tuple[int, ...]] = {}
    for head in sorted(beside, key=lambda one: (-round(_linked(studied[one]), 9), -_size(studied[one]), one)):
        others = tuple(sorted(one for one in beside[head] if one not in found))
        if head not in found and others:
            found |= dict.fromkeys((head, *others), (head, *others))
    return found


def _linked(one: Studied) -> float:
    return one.p_link or 0.0


def _size(one: Studied) -> float:
    """How far the factor moves the risk; 0 where that is not known."""
    size = 0.0 if one.study is None else moves(one.study, 0.95)[0]
    return round(size, 9) if np.isfinite(size) else 0.0


def _explaining(found: Study) -> tuple[str, ...]:
    """The controls that account for most of the crude association."""
    parts = sorted(found.explained.items(), key=lambda pair: -round(pair[1], 9))
    return tuple(name for name, part in parts if part >= _LEAST_PART)[:NAMED]


def _with_interaction(effect: Any, found: Study, p: float, confidence: float) -> Any:
    return msgspec.structs.replace(effect, interaction=interaction_of(found, p, confidence))


def _sensitivity(found: Study, gamma: float | None, confidence: float) -> Sensitivity:
    """Γ of the matched pairs, and E-values of the ratio of the same two levels."""
    ratio = clearest_ratio(found, confidence)
    if ratio is None:
        return Sensitivity(gamma=gamma)
    value, low, high = ratio
    limit = 1.0 if low <= 1 <= high else e_value(low if low > 1 else high)
    return Sensitivity(gamma=gamma, e_value=e_value(value), e_value_of_limit=limit)
