"""Whole tables about which a method is right or not: orders of time, trials, pairs, curves, leaks, names.

Each row makes a table from a number and says whether what `mine` or `test` answers agrees with its truth; a
share (F1 of networks) where the answer has many parts, None where the table does not ask the question.
Together with the kinds of `experiments.plain_kinds` these are what the method is to reach.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from experiments import failure_tables, neighbour_tables
from experiments import plain_row_tables as tables
from experiments.plain_kinds import LINE, STEPPED, U_SHAPED, Exposure, Kind, value_and_number

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy as np
    import pyarrow as pa

    from experiments.failure_tables import Planted
    from experiments.plain_methods import Answer, Line, Method

ALPHA = 0.05
CLEAR_INTERACTION = 8.0
"""z of an interaction that a method is to find."""


@dataclass(frozen=True)
class Row:
    """One thing to be right about; a `slow` one has that many times fewer tables."""

    name: str
    is_right: Callable[[Method, int], float | None]
    slow: int = 1


ORDER = {"tiers": "age < smoker < tar < z"}


def chain_unknown(method: Method, seed: int) -> bool:
    """Tar is the cause; smoking is explained by it, and tar is named."""
    found = method.mine(tables.chain(seed)[0])
    smoker = found.about("smoker")
    explained = any(line.verdict == "explained" and "tar" in line.explained_by for line in smoker)
    return explained and _is_cause(found, "tar") and not _is_cause(found, "smoker")


def chain_declared(method: Method, seed: int) -> bool:
    """With the order declared both are causes, and smoking has its total effect."""
    table, total = tables.chain(seed)
    found = method.mine(table, **ORDER)
    smoker = next((line for line in found.about("smoker") if line.is_cause), None)
    if smoker is None or not _is_cause(found, "tar"):
        return False
    _, low, high = smoker.difference("yes", "no")
    return low <= total <= high


def chain_by_test(method: Method, seed: int) -> bool:
    """With equal knowledge `test` says what `mine` says."""
    table, _ = tables.chain(seed)
    tested = method.test(table, "smoker=yes", **ORDER).lines[0]
    return any(_same(line.p, tested.p) for line in method.mine(table, **ORDER).about("smoker"))


def follow_up_undeclared(method: Method, seed: int) -> bool:
    """The drug is nothing above fragile, and a note says that something is odd."""
    found = method.mine(tables.follow_up(seed))
    is_sure = any(line.is_cause and line.grade != "fragile" for line in found.lines if "drug" in line.columns)
    return not is_sure and bool(found.notes)


def follow_up_declared(method: Method, seed: int) -> bool:
    """With the time declared the drug is found no oftener than chance does."""
    p = method.test(tables.follow_up(seed), "drug=yes", time="months").lines[0].p
    return p is not None and p > ALPHA


def trial_by_mine(name: str, method: Method, seed: int) -> bool | None:
    """A treatment that its study finds is a cause by `mine`."""
    found = method.mine(tables.trial(name, seed))
    is_found = any(line.p is not None and line.p <= ALPHA for line in found.about("rx"))
    return _is_cause(found, "rx") if is_found else None


def trial_declared(name: str, method: Method, seed: int) -> bool | None:
    """Declared as drawn by lot it is a cause when it is found, and nothing is said of hidden confounding."""
    lines = method.mine(tables.trial(name, seed), randomised="rx").about("rx")
    found = [line for line in lines if line.p is not None and line.p <= ALPHA]
    return all(line.is_cause and line.gamma is None for line in found) if found else None


def pair_of_sexes(others: int, method: Method, seed: int) -> bool | None:
    """Where the interaction is clear the pair is a cause, and neither part is."""
    table = tables.children(seed, others=others)
    if tables.interaction_z(table) < CLEAR_INTERACTION:
        return None
    found = method.mine(table)
    return _is_cause(found, "first", "second") and not (
        _is_cause(found, "first") or _is_cause(found, "second")
    )


def number_in_one_group(method: Method, seed: int) -> bool:
    """A dose that acts in one group only is found together with the group."""
    return _is_cause(method.mine(tables.one_group(seed)), "group", "dose")


def one_curve(exposure: Exposure, effect: float, method: Method, seed: int) -> bool:
    """A number that acts is one finding with a curve."""
    kind = Kind(f"one curve {effect}", partial(value_and_number, 4), exposure=exposure)
    lines = [line for line in method.mine(kind.make(seed, effect).table).lines if "x" in line.columns]
    causes = [line for line in lines if line.is_cause]
    return len(causes) == 1 and causes[0].factors == (frozenset({"x"}),) and causes[0].levels > 2


def dates_of_death(method: Method, seed: int) -> bool:
    """Dates that only the dead have are no causes; age and smoking are, at the first run."""
    found = method.mine(tables.dates_of_death(seed))
    is_date_cause = any(line.is_cause and line.columns & set(tables.DATES) for line in found.lines)
    return not is_date_cause and _is_cause(found, "age") and _is_cause(found, "smoked")


def leak_set_aside(method: Method, seed: int) -> bool:
    """What says the outcome in other words is no cause; what causes it is."""
    found = method.mine(tables.leaking(seed))
    return not _is_cause(found, "billed") and _is_cause(found, "code") and _is_cause(found, "dose")


def copies_told_once(method: Method, seed: int) -> bool:
    """Two causes are found, each with its copy."""
    causes = [line for line in method.mine(tables.copied(seed)).lines if line.is_cause]
    return {line.columns for line in causes} == {frozenset({"code", "text"}), frozenset({"dollars", "euros"})}


def strong_means_strong(method: Method, seed: int) -> bool:
    """The strong cause is graded so, and what a hidden cause feigns is not."""
    found = method.mine(tables.hidden_cause(seed))
    grades = {
        name: {line.grade for line in found.about(name) if line.is_cause} for name in ("strong", "likely")
    }
    return "strong" in grades["strong"] and "strong" not in grades["likely"]


def same_answer(
    change: Callable[[np.random.Generator, pa.Table], pa.Table], method: Method, seed: int
) -> bool:
    """The answer is the same after a change that does not matter; columns keep their first letter's name."""
    chance = tables.chance_of("same answer", seed)
    table = tables.mixed_table(chance)
    return _signature(method.mine(table)) == _signature(method.mine(change(chance, table)))


def neighbours_f1(make: Callable[[int], Planted], method: Method, seed: int) -> float:
    """F1 of the columns next to the outcome, causes and consequences together."""
    planted = make(seed)
    found = _named(method.mine(planted.table, planted.outcome))
    truth = planted.truth.causes | planted.truth.effects
    return 2 * len(found & truth) / (len(found) + len(truth))


def strong_are_true(make: Callable[[int], Planted], method: Method, seed: int) -> float | None:
    """Share of the strong causes that stand next to the outcome; None where there are none."""
    planted = make(seed)
    truth = planted.truth.causes | planted.truth.effects
    found = method.mine(planted.table, planted.outcome).lines
    strong = [line for line in found if line.is_cause and line.grade == "strong"]
    true = [line for line in strong if any(factor <= truth for factor in line.factors)]
    return len(true) / len(strong) if strong else None


def finds_nothing_false(make: Callable[[int], Planted], method: Method, seed: int) -> bool:
    """Nothing that is no cause is called one."""
    planted = make(seed)
    causes = [line for line in method.mine(planted.table, planted.outcome).lines if line.is_cause]
    return all(any(factor <= planted.truth.causes for factor in line.factors) for line in causes)


def _is_cause(found: Answer, *columns: str) -> bool:
    return any(line.is_cause for line in found.about(*columns))


def _named(found: Answer) -> frozenset[str]:
    """Columns of causes and consequences; of several that cannot be told apart, of the first."""
    lines: list[Line] = [line for line in found.lines if line.is_cause or line.verdict == "after"]
    return frozenset().union(*(line.factors[0] for line in lines))


def _same(one: float | None, other: float | None) -> bool:
    return one is not None and other is not None and abs(one - other) <= 1e-6 * max(one, other)


def _signature(found: Answer) -> list[tuple[list[str], str, str, str]]:
    """What an answer says, in an order of its own; a column is known by its name's last letter."""
    told = []
    for line in found.lines:
        factors = sorted("".join(sorted(name[-1] for name in factor)) for factor in line.factors)
        told.append((factors, line.verdict, str(line.grade), "" if line.p is None else f"{line.p:.4g}"))
    return sorted(told)


NETWORKS = {
    **{
        f"network of {size} columns, n {n:,}": partial(tables.network, f"V{size}-2K", n)
        for size, n in ((20, 500), (20, 2000), (40, 2000), (100, 2000), (100, 10_000))
    },
    **{
        f"network, {cell}": neighbour_tables.CELLS[cell]
        for cell in ("2-4 values", "5-12 values", "additive", "exclusive-or")
    },
    "200 columns, 20 causes": failure_tables.wide,
}
NOISE = {
    "30 columns of noise": partial(neighbour_tables.noise, n_columns=30),
    "100 columns of noise": partial(neighbour_tables.noise, n_columns=100),
    "30 numbers of noise": partial(failure_tables.noise_numbers, columns=30),
    "100 numbers of noise": failure_tables.noise_numbers,
    "2 in 100 ill, noise": failure_tables.rare_outcome,
    "noise and a confounder": failure_tables.many_values,
    "numbers given out in order": failure_tables.person_numbers,
}
CHANGES = {
    "columns permuted": tables.permuted,
    "records shuffled": tables.shuffled,
    "values renamed": tables.renamed_values,
    "columns renamed": tables.renamed_columns,
}
CURVES = {"line": (LINE, 1.5), "U": (U_SHAPED, 1.5), "step": (STEPPED, 2.0)}

ROWS = (
    Row("smoker, tar: order unknown", chain_unknown),
    Row("smoker, tar: order declared", chain_declared),
    Row("smoker, tar: mine equals test", chain_by_test),
    Row("follow-up, not declared", follow_up_undeclared),
    Row("follow-up, declared", follow_up_declared),
    *(Row(f"trial {name}: a cause by mine", partial(trial_by_mine, name)) for name in tables.TRIALS),
    *(Row(f"trial {name}: declared", partial(trial_declared, name)) for name in tables.TRIALS),
    Row("a pair acts by being equal", partial(pair_of_sexes, 0), slow=2),
    Row("the same beside 30 columns", partial(pair_of_sexes, 30), slow=4),
    Row("a dose acts in one group", number_in_one_group),
    *(Row(f"one curve: {name}", partial(one_curve, *curve)) for name, curve in CURVES.items()),
    Row("dates of death", dates_of_death),
    Row("the outcome in other words", leak_set_aside),
    Row("copies are told once", copies_told_once),
    Row("grades: a hidden cause", strong_means_strong),
    *(Row(f"same answer: {name}", partial(same_answer, change), slow=4) for name, change in CHANGES.items()),
    *(Row(f"F1: {name}", partial(neighbours_f1, make), slow=2) for name, make in NETWORKS.items()),
    *(
        Row(f"strong causes are true: {name}", partial(strong_are_true, NETWORKS[name]), slow=2)
        for name in ("network of 20 columns, n 500", "network of 20 columns, n 2,000", "network, additive")
    ),
    *(
        Row(f"nothing false: {name}", partial(finds_nothing_false, make), slow=2)
        for name, make in NOISE.items()
    ),
)
"""Everything that a method is to be right about."""
