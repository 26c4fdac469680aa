"""Whole tables whose truth is more than one odds ratio: orders of time, trials, pairs, leaks, networks."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from causalrules_lab.simulate import simulate
from experiments.failure_tables import Planted, Truth
from experiments.plain_kinds import expit, names, number_of, yes_no

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Columns = dict[str, NDArray | pa.Array]


def chain(seed: int) -> tuple[pa.Table, float]:
    """Smoking acts through tar alone, beside age; and its total difference of risks."""
    chance, n = chance_of("chain", seed), 2000
    smoker, age = chance.random(n) < 0.45, chance.normal(50, 12, n)
    shares = np.array([[0.6, 0.3, 0.1], [0.15, 0.35, 0.5]])
    tar = (chance.random(n)[:, None] > shares.cumsum(1)[smoker * 1]).sum(1)
    risk = [expit(-2 + 0.9 * level + 0.03 * (age - 50)) for level in range(3)]
    z = chance.random(n) < np.choose(tar, risk)
    columns = {"smoker": yes_no(smoker), "tar": np.array(["low", "middle", "high"])[tar], "age": age.round()}
    total = float(((shares[1] - shares[0]) @ np.array(risk)).mean())
    return table({**columns, "noise": names(chance.integers(0, 4, n))}, z), total


def follow_up(seed: int) -> pa.Table:
    """A drug without effect came late, so that those who take it were observed for a shorter time."""
    chance, n = chance_of("follow-up", seed), 3000
    age, drug = chance.normal(60, 10, n), chance.random(n) < 0.4
    end = chance.uniform(1, np.where(drug, 24, 60))
    death = chance.exponential(1 / (0.02 * np.exp((age - 60) / 20)))
    columns = {"drug": yes_no(drug), "age": age.round(), "months": np.minimum(death, end).round(1)}
    return table({**columns, "sex": np.array(["m", "f"])[chance.integers(0, 2, n)]}, death < end)


def trial(name: str, seed: int) -> pa.Table:
    """Arms of equal size drawn by lot, and what was known before."""
    n, arms, has_more = TRIALS[name]
    chance = chance_of(name, seed)
    arm = chance.permutation(np.arange(n) % len(arms))
    z = chance.random(n) < np.array(list(arms.values()))[arm]
    return table({"rx": np.array(list(arms))[arm], **(_before(chance, n) if has_more else {})}, z)


def _before(chance: np.random.Generator, n: int) -> Columns:
    """What is known before lots are drawn: age, schooling, earnings, often none, and three findings."""
    columns: Columns = {"age": chance.normal(45, 12, n).round(), "school": chance.poisson(10, n) * 1.0}
    columns["earned"] = (chance.exponential(5000, n) * (chance.random(n) < 0.4)).round()
    shares = {"male": 0.5, "married": 0.2, "obstruct": 0.3}
    return columns | {name: yes_no(chance.random(n) < share) for name, share in shares.items()}


TRIALS = {
    "stent": (451, {"control": 0.06, "stent": 0.15}, False),
    "colon": (929, {"Obs": 0.53, "Lev": 0.52, "Lev+5FU": 0.39}, True),
    "work": (445, {"no": 0.65, "yes": 0.78}, True),
    "incentive": (2800, {"no": 0.34, "yes": 0.79}, True),
}
"""Records, arms with their shares of outcomes, and whether more is known than the arm."""


def children(seed: int, n: int = 24_000, others: int = 0) -> pa.Table:
    """Two children of one sex raise the chance of a third; neither sex does alone."""
    chance = chance_of("children", seed)
    first, second = chance.random((2, n)) < 0.513
    score, columns = np.where(first == second, np.log(0.41 / 0.59), np.log(0.35 / 0.65)), {}
    for i in range(others):
        codes = chance.integers(0, 2 + i % 4, n)
        columns[f"other{i:02}"] = names(codes)
        score = score + (0.15 * (codes - codes.mean()) if i < 3 else 0)
    sexes = {"first": np.where(first, "boy", "girl"), "second": np.where(second, "boy", "girl")}
    return table({**sexes, **columns}, chance.random(n) < expit(score))


def interaction_z(table: pa.Table) -> float:
    """The z of the difference of risks between equal and different values of the first two columns."""
    first, second, z = (table[name].to_numpy(zero_copy_only=False) for name in ("first", "second", "z"))
    shares = [(np.mean(z[rows] == "yes"), rows.sum()) for rows in (first == second, first != second)]
    return float((shares[0][0] - shares[1][0]) / np.sqrt(sum(p * (1 - p) / n for p, n in shares)))


def one_group(seed: int) -> pa.Table:
    """A dose acts in one group of three only."""
    chance, n = chance_of("one group", seed), 5000
    group, dose = chance.integers(0, 3, n), chance.normal(size=n)
    z = chance.random(n) < expit(-0.8 + 0.8 * dose * (group == 1))
    return table({"group": names(group), "dose": dose, "noise": names(chance.integers(0, 3, n))}, z)


DATES = ("year_of_death", "month_of_death", "day_of_death")


def dates_of_death(seed: int) -> pa.Table:
    """Age, sex and smoking, and dates that are known for the dead only."""
    chance, n = chance_of("dates of death", seed), 1600
    age, smoked = chance.normal(44, 12, n).round(), np.clip(chance.normal(20, 11, n).round(), 1, 80)
    sex = chance.integers(0, 2, n)
    died = chance.random(n) < expit(-1.9 + 0.09 * (age - 44) + 0.05 * (smoked - 20) - 0.4 * sex)
    columns: Columns = {"age": age, "smoked": smoked, "sex": names(sex), "weight": chance.normal(70, 14, n)}
    for name, low, high in zip(DATES, (83, 1, 1), (93, 13, 32), strict=True):
        is_unknown = ~died | (chance.random(n) < 0.03)
        columns[name] = pa.array(chance.integers(low, high, n) * 1.0, mask=is_unknown)
    return table(columns, died)


def mixed_table(chance: np.random.Generator, n: int = 1000) -> pa.Table:
    """Five causes, each with an exact copy or two near ones, categories and numbers, and noise."""
    columns: Columns = {}
    score = np.zeros(n)
    for place, letters in enumerate(("abc", "def", "ghi", "jkl", "mno")):
        codes = chance.integers(0, 2 + place, n)
        score = score + 0.5 * (codes - codes.mean())
        for letter, share in zip(letters, (0.0, 0.0 if place == 1 else 0.03, 0.03), strict=True):
            written = np.where(chance.random(n) < share, chance.permutation(codes), codes)
            columns[letter] = written * 1.0 if place == 4 else names(written)
    columns |= {"p": chance.normal(size=n).round(1), "q": names(chance.integers(0, 9, n))}
    return table(columns, chance.random(n) < expit(score - 1))


def leaking(seed: int) -> pa.Table:
    """Two causes, and the outcome once more in other words, with one error in fifty."""
    chance, n = chance_of("leak", seed), 2000
    code, dose = chance.integers(0, 4, n), chance.normal(size=n)
    z = chance.random(n) < expit(0.6 * (code - 1.5) + 0.7 * dose)
    billed = z ^ (chance.random(n) < 0.02)
    return table({"code": names(code), "dose": dose.round(2), "billed": yes_no(billed)}, z)


def copied(seed: int) -> pa.Table:
    """Two causes, each told twice: a code beside a text with a few errors, an income in two currencies."""
    chance, n = chance_of("copied", seed), 2000
    code, income = chance.integers(0, 4, n), chance.lognormal(3, 0.5, n)
    text = np.where(chance.random(n) < 0.03, chance.permutation(code), code)
    columns = {"code": names(code), "text": names(text, "t"), "dollars": income.round(2)}
    columns |= {"euros": (0.92 * income).round(), "noise": names(chance.integers(0, 3, n))}
    return table(columns, chance.random(n) < expit(0.5 * (code - 1.5) + 1.5 * (np.log(income) - 3) - 1))


def hidden_cause(seed: int) -> pa.Table:
    """A strong cause, and a column that goes with the outcome by what is not in the table."""
    chance, n = chance_of("hidden cause", seed), 2000
    hidden, strong, age = chance.random(n) < 0.5, chance.random(n) < 0.5, chance.normal(50, 12, n)
    likely = chance.random(n) < expit(1.6 * hidden - 0.8)
    z = chance.random(n) < expit(-1.8 + 1.2 * hidden + 1.6 * strong + 0.03 * (age - 50))
    return table({"strong": yes_no(strong), "likely": yes_no(likely), "age": age.round()}, z)


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


def network(setting: str, n: int, seed: int) -> Planted:
    """A random network of the paper's size with so many records."""
    simulated = simulate(setting, seed=seed, n_records=n)
    truth = Truth(causes=frozenset(simulated.truth.parents), effects=frozenset(simulated.truth.children))
    return Planted(simulated.table, simulated.truth.outcome, truth)


def chance_of(name: str, seed: int) -> np.random.Generator:
    return np.random.default_rng([number_of(name), seed])


def table(columns: Columns, z: NDArray) -> pa.Table:
    return pa.table({**columns, "z": yes_no(z)})
