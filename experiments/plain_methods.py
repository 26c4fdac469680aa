"""The old default and the plain method, asked the same questions and answering in the same words.

An answer is a list of lines, one for each finding. Of the old method's rules the words are translated:
``causal`` is a cause, ``rejected`` is explained where the crude odds ratio excludes 1 and no difference
elsewhere, ``untestable`` is not comparable. It cannot be asked about a column: it is asked about the level
that acts, and about the upper half of a number. Two ways that know the truth, or nothing, stand beside
them: what could be reached, and what is to be done.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from time import process_time
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from scipy.special import chdtrc

import causalrules
from causalrules.domain import Settings
from causalrules.encode import encode
from causalrules.encode.canonical_records import canonical_records
from causalrules.estimate.levels import levels_of
from causalrules.estimate.study import study
from experiments.plain_kinds import OUTCOME, Known, Levels, Number

if TYPE_CHECKING:
    from collections.abc import Callable

    import pyarrow as pa

    from causalrules.domain.rule import Rule

Triple = tuple[float, float, float]
"""An estimate and its interval."""

_OLD_VERDICTS = {
    "causal": "cause",
    "possible": "possible",
    "consequence": "after",
    "untestable": "not comparable",
}


@dataclass(frozen=True, kw_only=True)
class Line:
    """One finding: of several factors that cannot be told apart, the columns of each."""

    factors: tuple[frozenset[str], ...]
    verdict: str
    grade: str | None
    p: float | None
    explained_by: tuple[str, ...] = ()
    levels: int = 2
    gamma: float | None = None
    reference: str = ""
    differences: dict[str, Triple] = field(default_factory=dict)

    def difference(self, level: str, against: str) -> Triple:
        """Of two levels, one of which is the reference."""
        if against == self.reference:
            return self.differences[level]
        value, low, high = self.differences[against]
        return -value, -high, -low

    @property
    def columns(self) -> frozenset[str]:
        """Of all its factors."""
        return frozenset().union(*self.factors)

    @property
    def is_cause(self) -> bool:
        """Whether it is called a cause."""
        return self.verdict in ("cause", "indirect")


class Judged(NamedTuple):
    """What a study of one exposure says, and what would have been true of whom it speaks for."""

    p: float | None
    difference: Triple | None = None
    true_difference: float = np.nan
    odds_ratio: Triple | None = None
    true_odds_ratio: float = np.nan


class Answer(NamedTuple):
    """Lines of a result, codes or texts of its notes, and CPU seconds."""

    lines: list[Line]
    notes: list[str]
    seconds: float

    def about(self, *columns: str) -> list[Line]:
        """Lines with a factor of exactly these columns."""
        return [line for line in self.lines if frozenset(columns) in line.factors]


@dataclass(frozen=True)
class Method:
    """One way to answer: the whole table, one exposure, and one exposure of which the truth is known."""

    name: str
    options: dict[str, Any]
    read: Callable[[Any], list[Line]]
    judge: Callable[[Any, Known], Judged]
    exposure_of: Callable[[Known], str]

    def mine(self, table: pa.Table, outcome: str = OUTCOME, **options: Any) -> Answer:
        """What causes the outcome."""
        return self._ask(lambda: causalrules.mine(table, outcome, threads=1, **self.options, **options))

    def test(self, table: pa.Table, exposure: str, outcome: str = OUTCOME, **options: Any) -> Answer:
        """Whether one exposure does."""
        return self._ask(
            lambda: causalrules.test(table, outcome, exposure, threads=1, **self.options, **options)
        )

    def study(self, known: Known) -> tuple[Judged, float]:
        """What is said of a known table's exposure, and CPU seconds."""
        started = process_time()
        result = causalrules.test(known.table, OUTCOME, self.exposure_of(known), threads=1, **self.options)
        return self.judge(result, known), process_time() - started

    def _ask(self, question: Callable[[], Any]) -> Answer:
        started = process_time()
        result = question()
        seconds = process_time() - started
        notes = result.notes if hasattr(result, "notes") else result.data.notes
        return Answer(self.read(result), [getattr(note, "code", str(note)) for note in notes], seconds)


def read_plain(result: Any) -> list[Line]:
    """Findings as they are."""
    return [
        Line(
            factors=tuple(frozenset(factor.columns) for factor in finding.factors),
            verdict=finding.verdict,
            grade=finding.grade,
            p=finding.p,
            explained_by=finding.explained_by,
            levels=len(finding.effect.levels) if finding.effect else 0,
            gamma=finding.sensitivity.gamma if finding.sensitivity else None,
            reference=finding.effect.reference if finding.effect else "",
            differences={level.level: level.difference for level in finding.effect.levels}
            if finding.effect
            else {},
        )
        for finding in result.findings
    ]


def judge_plain(result: Any, known: Known) -> Judged:
    """The contrast of the level that acts (of a number, of the highest) with the reference."""
    finding = result.findings[0]
    if finding.effect is None:
        return Judged(finding.p)
    levels = {level.level: level for level in finding.effect.levels}
    against, asked = finding.effect.reference, known.exposure
    wanted = (asked.acting, asked.reference) if isinstance(asked, Levels) else tuple(levels)[::-1]
    one = next((name for name in wanted if name in levels and name != against), None)
    try:
        difference, odds_ratio = known.difference(one or "", against), known.odds_ratio(one or "", against)
    except ValueError:  # no level that the truth is known of
        return Judged(finding.p)
    return Judged(finding.p, levels[one].difference, difference, levels[one].odds_ratio, odds_ratio)


def read_old(result: Any) -> list[Line]:
    """A line for every rule; the levels of a number are those of its dose-response."""
    return [
        Line(
            factors=(frozenset(item.column for item in rule.pattern),),
            verdict=_OLD_VERDICTS.get(rule.verdict) or _rejected(rule),
            grade=rule.grade,
            p=rule.p_value,
            explained_by=tuple(step.control.column for step in rule.explanation.steps)
            if rule.explanation
            else rule.design.held
            if rule.design
            else (),
            gamma=rule.doubts.gamma if rule.doubts else None,
            reference="no",
            differences={"yes": _old_effects(rule)[0]},
        )
        for rule in result.tested
    ]


def judge_old(result: Any, known: Known) -> Judged:
    """Its difference is that of the exposed, its odds ratio the one among records alike; so is the truth."""
    rule: Rule = result.tested[0]
    if rule.verdict == "untestable" or known.exposure.basis(known.values).shape[1] > 1:
        return Judged(rule.p_value)
    exposed = known.values == known.exposure.values_at(known.exposure.acting, known.on_x)[0]
    true = known.difference(known.exposure.acting, known.exposure.reference, exposed)
    difference, odds_ratio = _old_effects(rule)
    return Judged(rule.p_value, difference, true, odds_ratio, known.effect)


def _old_effects(rule: Rule) -> tuple[Triple, Triple]:
    """Difference of risks and odds ratio, both of the outcome itself."""
    said, odds = rule.effects.risk_difference, rule.adjusted_odds_ratio
    if rule.direction == "raises":
        return (said.value, said.low, said.high), (odds.value, odds.low, odds.high)
    value, high, low = (1 / max(n, 1e-9) for n in (odds.value, odds.low, odds.high))
    return (-said.value, -said.high, -said.low), (value, low, high)


def _rejected(rule: Rule) -> str:
    crude = rule.odds_ratio
    return "explained" if crude.low > 1 or crude.high < 1 else "no difference"


def _column(known: Known) -> str:
    return "x=yes" if known.exposure.reference == "no" else "x"


def _level(known: Known) -> str:
    if isinstance(known.exposure, Number):
        return f"x>={np.median(known.values):.6g}"
    return f"x={known.exposure.acting}"


METHODS = {
    "old": Method("old", {}, read_old, judge_old, _level),
    "plain": Method("plain", {"method": "plain"}, read_plain, judge_plain, _column),
}


def without_adjusting(known: Known) -> Judged:
    """The exposure's association with the outcome."""
    basis = known.exposure.basis(known.values)
    z = known.table["z"].to_numpy(zero_copy_only=False) == "yes"
    return Judged(p_of_products(basis - basis.mean(0), z - z.mean()))


def knowing_the_truth(known: Known) -> Judged:
    """The plain method's test with the expectations that the table was made with."""
    return Judged(p_of_products(*known.surprises()))


def knowing_what_to_hold(known: Known) -> Judged:
    """The plain method's study with all other columns held; the plain method itself has to choose them."""
    coded = encode(known.table, OUTCOME, Settings(threads=1))
    has = coded.has_outcome.astype(np.int64)
    records, _ = canonical_records(coded, coded.codes, has, 1 - has)
    column = records.column("x")
    held = [other for other in records.columns if other is not column]
    levels = levels_of(records, column)
    found = study(records, levels, held, number=column if column.is_number else None)
    if found is None:
        return Judged(None)
    names, risk, of = levels.names, found.risk, found.covariance
    asked = known.exposure
    one, other = (
        (names.index(name) for name in (asked.acting, asked.reference))
        if isinstance(asked, Levels)
        else (len(names) - 1, 0)
    )
    contrast = np.zeros(len(names))
    contrast[[one, other]] = 1, -1
    log_odds = np.log(risk / (1 - risk))
    by_odds = contrast / (risk * (1 - risk))
    return Judged(
        found.p,
        _interval(risk[one] - risk[other], contrast @ of @ contrast),
        known.difference(names[one], names[other]),
        tuple(np.exp(_interval(log_odds[one] - log_odds[other], by_odds @ of @ by_odds))),
        known.odds_ratio(names[one], names[other]),
    )


def _interval(value: float, variance: float) -> Triple:
    half = 1.959964 * np.sqrt(variance)
    return value, value - half, value + half


BOUNDS = {"study": knowing_what_to_hold, "crude": without_adjusting, "truth": knowing_the_truth}
"""What stands beside the methods: their study told what to hold, no adjustment, and the truth."""


def p_of_products(of_exposure: np.ndarray, of_outcome: np.ndarray) -> float:
    """The p of the covariance of residuals being none (Shah and Peters 2020).

    Examples
    --------
    >>> x = np.array([[1.0], [-1.0]] * 50)
    >>> p_of_products(x, x[:, 0]) < 1e-9, round(p_of_products(x, np.repeat([1.0, -1.0], 50)), 3)
    (True, 1.0)
    """
    each = of_exposure * of_outcome[:, None]
    sums, squares = each.sum(0), each.T @ each
    values, vectors = np.linalg.eigh(squares)
    kept = values > 1e-9 * values.max()
    return float(chdtrc(kept.sum(), ((vectors.T @ sums)[kept] ** 2 / values[kept]).sum()))
