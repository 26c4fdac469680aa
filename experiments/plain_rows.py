"""Whole tables about which a method is right or not: orders of time, trials, pairs, curves, leaks, names.

Each row makes a table from a number and says whether what `mine` or `test` answers agrees with its truth; a
share (F1 of networks) where the answer has many parts, None where the table does not ask the question.
Together with the kinds of `experiments.plain_kinds` these are what the method is to reach.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from causalrules_lab.simulate import simulate
from experiments import failure_tables, neighbour_tables
from experiments.failure_tables import Planted, Truth
from experiments.plain_kinds import (
    LINE,
    STEPPED,
    U_SHAPED,
    Exposure,
    Kind,
    expit,
    names,
    number_of,
    value_and_number,
    yes_no,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from experiments.plain_methods import Answer, Line, Method

    Columns = dict[str, NDArray | pa.Array]

ALPHA = 0.05
CLEAR_INTERACTION = 8.0
"""z of an interaction that a method is to find."""


@dataclass(frozen=True)
class Row:
    """One thing to be right about; a `slow` one has that many times fewer tables."""

    name: str
    is_right: Callable[[Method, int], float | None]
    slow: int = 1


def chain(seed: int) -> tuple[pa.Table, float]:
    """Smoking acts through tar alone, beside age; and its total difference of risks."""
    chance, n = _chance("chain", seed), 2000
    smoker, age = chance.random(n) < 0.45, chance.normal(50, 12, n)
    shares = np.array([[0.6, 0.3, 0.1], [0.15, 0.35, 0.5]])
    tar = (chance.random(n)[:, None] > shares.cumsum(1)[smoker * 1]).sum(1)
    risk = [expit(-2 + 0.9 * level + 0.03 * (age - 50)) for level in range(3)]
    z = chance.random(n) < np.choose(tar, risk)
    columns = {"smoker": yes_no(smoker), "tar": np.array(["low", "middle", "high"])[tar], "age": age.round()}
    total = float(((shares[1] - shares[0]) @ np.array(risk)).mean())
    return _table({**columns, "noise": names(chance.integers(0, 4, n))}, z), total


ORDER = {"tiers": "age < smoker < tar < z"}


def chain_unknown(method: Method, seed: int) -> bool:
    """Tar is the cause; smoking is explained by it, and tar is named."""
    found = method.mine(chain(seed)[0])
    smoker = found.about("smoker")
    explained = any(line.verdict == "explained" and "tar" in line.explained_by for line in smoker)
    return explained and _is_cause(found, "tar") and not _is_cause(found, "smoker")


def chain_declared(method: Method, seed: int) -> bool:
    """With the order declared both are causes, and smoking has its total effect."""
    table, total = chain(seed)
    found = method.mine(table, **ORDER)
    smoker = next((line for line in found.about("smoker") if line.is_cause), None)
    if smoker is None or not _is_cause(found, "tar"):
        return False
    _, low, high = smoker.difference("yes", "no")
    return low <= total <= high


def chain_by_test(method: Method, seed: int) -> bool:
    """With equal knowledge `test` says what `mine` says."""
    table, _ = chain(seed)
    tested = method.test(table, "smoker=yes", **ORDER).lines[0]
    return any(_same(line.p, tested.p) for line in method.mine(table, **ORDER).about("smoker"))


def follow_up(seed: int) -> pa.Table:
    """A drug without effect came late, so that those who take it were observed for a shorter time."""
    chance, n = _chance("follow-up", seed), 3000
    age, drug = chance.normal(60, 10, n), chance.random(n) < 0.4
    end = chance.uniform(1, np.where(drug, 24, 60))
    death = chance.exponential(1 / (0.02 * np.exp((age - 60) / 20)))
    columns = {"drug": yes_no(drug), "age": age.round(), "months": np.minimum(death, end).round(1)}
    return _table({**columns, "sex": np.array(["m", "f"])[chance.integers(0, 2, n)]}, death < end)


def follow_up_undeclared(method: Method, seed: int) -> bool:
    """The drug is nothing above fragile, and a note says that something is odd."""
    found = method.mine(follow_up(seed))
    is_sure = any(line.is_cause and line.grade != "fragile" for line in found.lines if "drug" in line.columns)
    return not is_sure and bool(found.notes)


def follow_up_declared(method: Method, seed: int) -> bool:
    """With the time declared the drug is found no oftener than chance does."""
    p = method.test(follow_up(seed), "drug=yes", time="months").lines[0].p
    return p is not None and p > ALPHA


def trial(
    name: str, n: int, arms: dict[str, float], covariates: Callable[..., Columns], seed: int
) -> pa.Table:
    """Arms of equal size drawn by lot, each with its share of outcomes, and what was known before."""
    chance = _chance(name, seed)
    arm = chance.permutation(np.arange(n) % len(arms))
    z = chance.random(n) < np.array(list(arms.values()))[arm]
    return _table({"rx": np.array(list(arms))[arm], **covariates(chance, n)}, z)


def _nothing(*_: object) -> Columns:
    return {}


def _patients(chance: np.random.Generator, n: int) -> Columns:
    """Age, sex, nodes and two findings."""
    columns: Columns = {"age": chance.normal(60, 12, n).round(), "nodes": chance.poisson(3.5, n) * 1.0}
    for finding in ("male", "obstruct", "adhere"):
        columns[finding] = yes_no(chance.random(n) < 0.3)
    return columns


def _workers(chance: np.random.Generator, n: int) -> Columns:
    """Age, schooling and earnings, most of them nothing."""
    earned = [np.round(chance.exponential(5000, n) * (chance.random(n) < share)) for share in (0.3, 0.4)]
    columns: Columns = {"age": chance.normal(25, 7, n).round(), "re74": earned[0], "re75": earned[1]}
    columns["education"] = np.clip(chance.normal(10, 2, n).round(), 3, 16)
    return {**columns, "married": yes_no(chance.random(n) < 0.17), "black": yes_no(chance.random(n) < 0.83)}


def _villagers(chance: np.random.Generator, n: int) -> Columns:
    """Distance, age and sex."""
    columns: Columns = {"distance": chance.gamma(3, 0.7, n).round(2), "age": chance.gamma(6, 5.5, n).round()}
    return {**columns, "male": yes_no(chance.random(n) < 0.46)}


TRIALS = {
    "stent": (451, {"control": 0.06, "stent": 0.15}, _nothing),
    "colon": (929, {"Obs": 0.53, "Lev": 0.52, "Lev+5FU": 0.39}, _patients),
    "work": (445, {"no": 0.65, "yes": 0.78}, _workers),
    "incentive": (2800, {"no": 0.34, "yes": 0.79}, _villagers),
}


def trial_by_mine(name: str, method: Method, seed: int) -> bool | None:
    """A treatment that its study finds is a cause by `mine`."""
    found = method.mine(trial(name, *TRIALS[name], seed=seed))
    is_found = any(line.p is not None and line.p <= ALPHA for line in found.about("rx"))
    return _is_cause(found, "rx") if is_found else None


def trial_declared(name: str, method: Method, seed: int) -> bool | None:
    """Declared as drawn by lot it is a cause when it is found, and nothing is said of hidden confounding."""
    lines = method.mine(trial(name, *TRIALS[name], seed=seed), randomised="rx").about("rx")
    found = [line for line in lines if line.p is not None and line.p <= ALPHA]
    return all(line.is_cause and line.gamma is None for line in found) if found else None


def children(seed: int, n: int = 24_000, others: int = 0) -> pa.Table:
    """Two children of one sex raise the chance of a third; neither sex does alone."""
    chance = _chance("children", seed)
    first, second = chance.random((2, n)) < 0.513
    score, columns = np.where(first == second, np.log(0.41 / 0.59), np.log(0.35 / 0.65)), {}
    for i in range(others):
        codes = chance.integers(0, 2 + i % 4, n)
        columns[f"other{i:02}"] = names(codes)
        score = score + (0.15 * (codes - codes.mean()) if i < 3 else 0)
    sexes = {"first": np.where(first, "boy", "girl"), "second": np.where(second, "boy", "girl")}
    return _table({**sexes, **columns}, chance.random(n) < expit(score))


def pair_of_sexes(others: int, method: Method, seed: int) -> bool | None:
    """Where the interaction is clear the pair is a cause, and neither part is."""
    table = children(seed, others=others)
    if interaction_z(table) < CLEAR_INTERACTION:
        return None
    found = method.mine(table)
    return _is_cause(found, "first", "second") and not (
        _is_cause(found, "first") or _is_cause(found, "second")
    )


def interaction_z(table: pa.Table) -> float:
    """The z of the difference of risks between equal and different values of the first two columns."""
    first, second, z = (table[name].to_numpy(zero_copy_only=False) for name in ("first", "second", "z"))
    shares = [(np.mean(z[rows] == "yes"), rows.sum()) for rows in (first == second, first != second)]
    return float((shares[0][0] - shares[1][0]) / np.sqrt(sum(p * (1 - p) / n for p, n in shares)))


def number_in_one_group(method: Method, seed: int) -> bool:
    """A dose that acts in one group of three only is found together with the group."""
    chance, n = _chance("one group", seed), 5000
    group, dose = chance.integers(0, 3, n), chance.normal(size=n)
    z = chance.random(n) < expit(-0.8 + 0.8 * dose * (group == 1))
    columns = {"group": names(group), "dose": dose, "noise": names(chance.integers(0, 3, n))}
    return _is_cause(method.mine(_table(columns, z)), "group", "dose")


def one_curve(exposure: Exposure, effect: float, method: Method, seed: int) -> bool:
    """A number that acts is one finding with a curve."""
    kind = Kind(f"one curve {effect}", partial(value_and_number, 4), exposure=exposure)
    lines = [line for line in method.mine(kind.make(seed, effect).table).lines if "x" in line.columns]
    causes = [line for line in lines if line.is_cause]
    return len(causes) == 1 and causes[0].factors == (frozenset({"x"}),) and causes[0].levels > 2


def dates_of_death(method: Method, seed: int) -> bool:
    """Dates that only the dead have are no causes; age and smoking are, at the first run."""
    chance, n = _chance("dates of death", seed), 1600
    age, smoked = chance.normal(44, 12, n).round(), np.clip(chance.normal(20, 11, n).round(), 1, 80)
    sex = chance.integers(0, 2, n)
    died = chance.random(n) < expit(-1.9 + 0.09 * (age - 44) + 0.05 * (smoked - 20) - 0.4 * sex)
    columns: Columns = {"age": age, "smokeintensity": smoked, "sex": names(sex)}
    columns["wt"] = chance.normal(70, 14, n).round(1)
    for name, high in (("yrdth", 93), ("modth", 13), ("dadth", 32)):
        dates = chance.integers(83 if name == "yrdth" else 1, high, n) * 1.0
        columns[name] = pa.array(dates, mask=~died | (chance.random(n) < 0.03))
    found = method.mine(_table(columns, died))
    is_leak_cause = any(line.is_cause and line.columns & {"yrdth", "modth", "dadth"} for line in found.lines)
    return not is_leak_cause and _is_cause(found, "age") and _is_cause(found, "smokeintensity")


def same_answer(
    change: Callable[[np.random.Generator, pa.Table], pa.Table], method: Method, seed: int
) -> bool:
    """The answer is the same after a change that does not matter; columns keep their first letter's name."""
    chance = _chance("same answer", seed)
    table = mixed_table(chance)
    return _signature(method.mine(table)) == _signature(method.mine(change(chance, table)))


def mixed_table(chance: np.random.Generator, n: int = 1500) -> pa.Table:
    """Categories, numbers, a copy, a near copy, and causes of all these sorts."""
    a, b, c = chance.integers(0, 5, n), chance.integers(0, 3, n), chance.normal(size=n)
    near = np.where(chance.random(n) < 0.04, chance.integers(0, 5, n), a)
    d = chance.random(n) < expit(c + (a - 2) / 2)
    z = chance.random(n) < expit(-1 + 0.5 * (a - 2) + 0.7 * c + 0.6 * d)
    coded = {"a": names(a), "b": names(b), "e": names(b, "same"), "f": names(near), "d": yes_no(d)}
    return _table({**coded, "c": c, "g": chance.normal(size=n).round(1), "h": chance.poisson(2, n) * 1.0}, z)


def permuted(chance: np.random.Generator, table: pa.Table) -> pa.Table:
    return table.select(chance.permutation(table.column_names).tolist())


def shuffled(chance: np.random.Generator, table: pa.Table) -> pa.Table:
    return table.take(chance.permutation(table.num_rows))


def renamed_values(chance: np.random.Generator, table: pa.Table) -> pa.Table:
    """Every text, but the outcome's, is another one; their order is another, too."""
    for place, name in enumerate(table.column_names):
        if name != "z" and pa.types.is_string(table[name].type):
            values, codes = np.unique(table[name].to_numpy(zero_copy_only=False), return_inverse=True)
            others = np.array([f"w{order:02}" for order in chance.permutation(len(values))])
            table = table.set_column(place, name, pa.array(others[codes]))
    return table


def renamed_columns(chance: np.random.Generator, table: pa.Table) -> pa.Table:
    """Every name ends as before and begins otherwise, in another order."""
    starts = chance.permutation(len(table.column_names))
    return table.rename_columns(
        [
            name if name == "z" else f"n{start}{name}"
            for start, name in zip(starts, table.column_names, strict=True)
        ]
    )


def neighbours_f1(make: Callable[[int], Planted], method: Method, seed: int) -> float:
    """F1 of the columns next to the outcome, causes and consequences together."""
    planted = make(seed)
    found = _named(method.mine(planted.table, planted.outcome))
    truth = planted.truth.causes | planted.truth.effects
    return 2 * len(found & truth) / (len(found) + len(truth))


def network(setting: str, n: int, seed: int) -> Planted:
    """A random network of the paper's size with so many records."""
    simulated = simulate(setting, seed=seed, n_records=n)
    truth = Truth(causes=frozenset(simulated.truth.parents), effects=frozenset(simulated.truth.children))
    return Planted(simulated.table, simulated.truth.outcome, truth)


def finds_nothing_false(make: Callable[[int], Planted], method: Method, seed: int) -> bool:
    """Nothing that is no cause is called one."""
    planted = make(seed)
    causes = [line for line in method.mine(planted.table, planted.outcome).lines if line.is_cause]
    return all(any(factor <= planted.truth.causes for factor in line.factors) for line in causes)


def _chance(name: str, seed: int) -> np.random.Generator:
    return np.random.default_rng([number_of(name), seed])


def _table(columns: Columns, z: NDArray) -> pa.Table:
    return pa.table({**columns, "z": yes_no(z)})


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
        f"network of {size} columns, n {n:,}": partial(network, f"V{size}-2K", n)
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
    "columns permuted": permuted,
    "records shuffled": shuffled,
    "values renamed": renamed_values,
    "columns renamed": renamed_columns,
}
CURVES = {"line": (LINE, 1.5), "U": (U_SHAPED, 1.5), "step": (STEPPED, 2.0)}

ROWS = (
    Row("smoker, tar: order unknown", chain_unknown),
    Row("smoker, tar: order declared", chain_declared),
    Row("smoker, tar: mine equals test", chain_by_test),
    Row("follow-up, not declared", follow_up_undeclared),
    Row("follow-up, declared", follow_up_declared),
    *(Row(f"trial {name}: a cause by mine", partial(trial_by_mine, name)) for name in TRIALS),
    *(Row(f"trial {name}: declared", partial(trial_declared, name)) for name in TRIALS),
    Row("a pair acts by being equal", partial(pair_of_sexes, 0), slow=2),
    Row("the same beside 30 columns", partial(pair_of_sexes, 30), slow=4),
    Row("a dose acts in one group", number_in_one_group),
    *(Row(f"one curve: {name}", partial(one_curve, *curve)) for name, curve in CURVES.items()),
    Row("dates of death", dates_of_death),
    *(Row(f"same answer: {name}", partial(same_answer, change)) for name, change in CHANGES.items()),
    *(Row(f"F1: {name}", partial(neighbours_f1, make), slow=4) for name, make in NETWORKS.items()),
    *(
        Row(f"nothing false: {name}", partial(finds_nothing_false, make), slow=2)
        for name, make in NOISE.items()
    ),
)
"""Everything that a method is to be right about."""
