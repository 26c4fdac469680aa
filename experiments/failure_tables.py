"""Tables on which causal rules are known to go wrong, each with its truth planted in it.

Every generator takes a seed and the parameters of one cell and returns the
table, the outcome as people write it, and the truth. The same seed and
parameters make the same table. The outcome is always ``z=yes``; where one
exposure is asked about, it is ``x=yes``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import pyarrow as pa

OUTCOME = "z=yes"
EXPOSURE = "x=yes"


@dataclass(frozen=True, kw_only=True)
class Truth:
    """What is true of a planted table.

    Parameters
    ----------
    causes : frozenset of str
        Columns that cause the outcome.
    effects : frozenset of str
        Columns that the outcome causes.
    odds_ratio : float, optional
        Of the exposure ``x=yes``, among records alike in everything else.
    risk_difference : float, optional
        Mean over the exposed records of what ``x=yes`` adds to their risk.
    suspect : str, optional
        The column that is neither cause nor control: a leak or an identifier.
    """

    causes: frozenset[str] = frozenset()
    effects: frozenset[str] = frozenset()
    odds_ratio: float | None = None
    risk_difference: float | None = None
    suspect: str | None = None


class Planted(NamedTuple):
    """A table, the outcome to ask about, and the truth."""

    table: pa.Table
    outcome: str
    truth: Truth


def many_values(seed: int, n: int = 4000, levels: int = 12, odds_ratio: float = 1.0) -> Planted:
    """Case 1: one confounder with many values; its scores spread evenly over log odds -1.5 to 1.5."""
    chance = _chance(1, seed)
    confounder = chance.integers(0, levels, n)
    score = np.linspace(-1.5, 1.5, levels)[confounder]
    columns = {"confounder": _names("level", confounder)}
    return _exposed(chance, columns, score, score - 1, odds_ratio, n_noise=5)


def numeric_confounders(seed: int, n: int = 10_000, numbers: int = 1, odds_ratio: float = 1.0) -> Planted:
    """Case 2: N(0,1) confounders, each with log odds 1 on exposure and on outcome."""
    chance = _chance(2, seed)
    values = chance.standard_normal((n, numbers))
    score = values.sum(axis=1)
    columns = {f"number{i}": values[:, i] for i in range(numbers)}
    return _exposed(chance, columns, score, score - 1, odds_ratio, n_noise=5)


def few_exposed(seed: int, n: int = 16_000, exposed: int = 185) -> Planted:
    """Case 3: a handful of exposed records, young, poor and unmarried among people who are not."""
    chance = _chance(3, seed)
    age, earnings = chance.normal(45, 11, n), chance.lognormal(9.5, 0.7, n)
    married = chance.random(n) < _sigmoid((age - 35) / 10)
    need = 2.0 * (45 - age) / 11 + 2.0 * (9.5 - np.log(earnings)) / 0.7 + 1.5 * ~married
    # The largest of score plus Gumbel noise: a draw without replacement by odds exp(need).
    chosen = np.argsort(need + chance.gumbel(size=n))[-exposed:]
    is_exposed = np.zeros(n, np.bool_)
    is_exposed[chosen] = True
    columns = {"age": np.round(age, 1), "earnings": np.round(earnings), "married": _yes_no(married)}
    ill = _happens(chance, 0.35 * need - 0.5)
    table = pa.table({**columns, "x": _yes_no(is_exposed), "z": _yes_no(ill)})
    return Planted(table, OUTCOME, Truth(causes=frozenset(columns), odds_ratio=1.0))


def exposure_missing(
    seed: int, n: int = 10_000, missing: float = 0.4, odds_ratio: float = 3.0, confounded: bool = False
) -> Planted:
    """Case 4: an exposure that matters is unknown for a share of the records, by chance alone."""
    chance = _chance(4, seed)
    side = chance.integers(0, 3, n)
    score = (side - 1.0) * confounded
    columns = {"confounder": _names("side", side)}
    planted = _exposed(chance, columns, score - 0.5, score - 1, odds_ratio, n_noise=3)
    causes = planted.truth.causes if confounded else frozenset({"x"})
    truth = Truth(causes=causes, odds_ratio=odds_ratio)
    return Planted(_hide(planted.table, "x", chance.random(n) < missing), OUTCOME, truth)


def exposure_missing_for_the_ill(seed: int, n: int = 4000, missing: float = 0.3) -> Planted:
    """Case 5: an exposure without effect is unknown for a share of the ill, and known for the well."""
    chance = _chance(5, seed)
    flat = np.zeros(n)
    planted = _exposed(chance, {}, flat, flat - 1, 1.0, n_noise=5)
    is_ill = planted.table["z"].to_numpy() == "yes"
    table = _hide(planted.table, "x", is_ill & (chance.random(n) < missing))
    return Planted(table, OUTCOME, planted.truth)


def confounder_missing(seed: int, n: int = 10_000, missing: float = 0.3, confounders: int = 1) -> Planted:
    """Case 6: each three-valued confounder is unknown for a share of the records, by chance alone."""
    chance = _chance(6, seed)
    sides = chance.integers(0, 3, (n, confounders))
    score = (sides - 1.0).sum(axis=1)
    columns = {f"confounder{i}": _names("side", sides[:, i]) for i in range(confounders)}
    table, outcome, truth = _exposed(chance, columns, score, score - 1, 1.0, n_noise=3)
    for name in columns:
        table = _hide(table, name, chance.random(n) < missing)
    return Planted(table, outcome, truth)


def repeated_records(
    seed: int, persons: int = 400, records: int = 5, columns: int = 20, named: bool = True
) -> Planted:
    """Case 7: several records a person; what persons are, and how often they fall ill, is noise.

    With `named`, a column tells the persons apart.
    """
    chance = _chance(7, seed)
    person = np.repeat(np.arange(persons), records)
    # Each person's own inclination makes records of one person alike.
    inclination = chance.normal(-1, 2.5, persons)
    table = {"person_number": 10_000 + 7 * chance.permutation(persons)[person]} if named else {}
    for name, values in _noise(chance, persons, columns).items():
        table[name] = values[person]
    table["z"] = _yes_no(_happens(chance, inclination[person]))
    return Planted(pa.table(table), OUTCOME, Truth(suspect="person_number" if named else None))


def wide(seed: int, n: int = 10_000, columns: int = 200, causes: int = 20) -> Planted:
    """Case 8: many two-valued columns, a tenth of them additive causes of odds ratio 1.8 or its inverse."""
    chance = _chance(8, seed)
    values = chance.random((n, columns)) < chance.uniform(0.2, 0.8, columns)
    effects = np.zeros(columns)
    chosen = chance.choice(columns, causes, replace=False)
    effects[chosen] = np.log(1.8) * chance.choice([-1, 1], causes)
    score = (values - values.mean(axis=0)) @ effects
    table = {f"c{i:03}": _yes_no(values[:, i]) for i in range(columns)}
    table["z"] = _yes_no(_happens(chance, score))
    return Planted(pa.table(table), OUTCOME, Truth(causes=frozenset(f"c{i:03}" for i in chosen)))


def dense_network(seed: int, n: int = 5000, columns: int = 40, degree: int = 4) -> Planted:
    """Case 9: a random network of two-valued columns, `degree` neighbours each on average, additive effects.

    The outcome is the best-connected column, renamed; no column has more than five causes.
    """
    chance = _chance(9, seed)
    first, second = np.triu_indices(columns, 1)
    effect = np.zeros((columns, columns))
    for edge in chance.permutation(len(first)):
        cause, effect_of = first[edge], second[edge]
        if np.count_nonzero(effect) < columns * degree // 2 and np.count_nonzero(effect[:, effect_of]) < 5:
            effect[cause, effect_of] = chance.uniform(0.6, 1.2) * chance.choice([-1, 1])
    values = np.zeros((n, columns), np.bool_)
    for place in range(columns):
        values[:, place] = _happens(chance, (values - 0.5) @ effect[:, place] + chance.normal(0, 0.3))
    is_edge = effect != 0
    z = int(np.argmax(is_edge.sum(axis=0) + is_edge.sum(axis=1)))
    names = ["z" if place == z else f"c{place:02}" for place in range(columns)]
    table = pa.table({name: _yes_no(values[:, place]) for place, name in enumerate(names)})
    causes, effects = np.flatnonzero(is_edge[:, z]), np.flatnonzero(is_edge[z])
    truth = Truth(
        causes=frozenset(names[place] for place in causes),
        effects=frozenset(names[place] for place in effects),
    )
    return Planted(table, OUTCOME, truth)


def two_valued(seed: int, n: int = 4000, columns: int = 6) -> Planted:
    """Case 10: causes of two values among others of three that go with them; every contrast has two sides."""
    chance = _chance(10, seed)
    group = chance.integers(0, 3, n)
    table, score = {"group": _names("group", group)}, (group - 1.0) * 0.7
    for i in range(columns):
        value = _happens(chance, (group - 1.0) * chance.uniform(-1, 1) + chance.uniform(-1, 1))
        table[f"two{i}"] = _yes_no(value)
        score = score + value * chance.uniform(0.5, 1.2) * chance.choice([-1, 1])
    table["z"] = _yes_no(_happens(chance, score - score.mean() - 0.5))
    return Planted(pa.table(table), OUTCOME, Truth(causes=frozenset(table) - {"z"}))


def negative_confounding(seed: int, n: int = 4000, odds_ratio: float = 2.0) -> Planted:
    """Case 11: the exposure raises the odds but goes to those at low risk: crude odds ratio below 1."""
    chance = _chance(11, seed)
    side = chance.integers(0, 3, n)
    score = 1.6 * (side - 1.0)
    return _exposed(chance, {"confounder": _names("side", side)}, -score, score - 0.5, odds_ratio, n_noise=3)


def leak(seed: int, n: int = 4000, agrees: float = 0.98, noise: int = 10) -> Planted:
    """Case 12: five causes, noise, and a column written after the outcome, which nearly always agrees."""
    chance = _chance(12, seed)
    causes = {f"cause{i}": chance.random(n) < chance.uniform(0.3, 0.7) for i in range(5)}
    score = sum(np.log(2.5) * (value - value.mean()) for value in causes.values())
    ill = _happens(chance, score - 0.5)
    table = {name: _yes_no(value) for name, value in causes.items()}
    table["discharge_code"] = np.where(ill == (chance.random(n) < agrees), "D7", "A1")
    table |= {**_noise(chance, n, noise), "z": _yes_no(ill)}
    truth = Truth(causes=frozenset(causes), effects=frozenset({"discharge_code"}), suspect="discharge_code")
    return Planted(pa.table(table), OUTCOME, truth)


def person_numbers(seed: int, n: int = 2000, gap: int = 7, drift: float = 1.5) -> Planted:
    """Case 13: numbers given out in order, with gaps, while the outcome grows more common over time."""
    chance = _chance(13, seed)
    number = 10_000 + np.cumsum(chance.integers(1, 2 * gap, n))
    ill = _happens(chance, drift * np.linspace(-1, 1, n) - 0.5)
    shuffled = chance.permutation(n)
    table = {"person": number[shuffled], **_noise(chance, n, 6), "z": _yes_no(ill[shuffled])}
    return Planted(pa.table(table), OUTCOME, Truth(suspect="person"))


def rare_outcome(seed: int, n: int = 2000, share: float = 0.02, columns: int = 20) -> Planted:
    """Case 14: columns of two to four values and a rare outcome, all independent."""
    chance = _chance(14, seed)
    table = {**_noise(chance, n, columns), "z": _yes_no(chance.random(n) < share)}
    return Planted(pa.table(table), OUTCOME, Truth())


def noise_numbers(seed: int, n: int = 1000, columns: int = 100) -> Planted:
    """Case 15: numbers and an outcome, all independent."""
    chance = _chance(15, seed)
    table = {f"number{i:02}": chance.standard_normal(n) for i in range(columns)}
    return Planted(pa.table({**table, "z": _yes_no(chance.random(n) < 0.4)}), OUTCOME, Truth())


def interacting_causes(seed: int, n: int = 4000, alone: float = 1.5, together: float = 3.0) -> Planted:
    """Case 16: two causes, each of odds ratio `alone`; both together multiply the odds by `together` more."""
    chance = _chance(16, seed)
    a, b = chance.random(n) < 0.4, chance.random(n) < 0.4
    score = np.log(alone) * (a * 1.0 + b) + np.log(together) * (a & b)
    table = {
        "a": _yes_no(a),
        "b": _yes_no(b),
        **_noise(chance, n, 6),
        "z": _yes_no(_happens(chance, score - 1.5)),
    }
    return Planted(pa.table(table), OUTCOME, Truth(causes=frozenset({"a", "b"})))


def known_effect(
    seed: int, n: int = 5000, exposed: float = 0.05, odds_ratio: float = 2.0, curved: bool = False
) -> Planted:
    """Beside the sixteen: a rare exposure that numbers and many-valued columns steer, both outcomes known.

    The truth is the mean, over the records exposed, of the difference between
    their risk with the exposure and without; `curved` bends the outcome in age.
    """
    chance = _chance(17, seed)
    age, income = chance.normal(0, 1, n), chance.normal(0, 1, n)
    region, job = chance.integers(0, 20, n), chance.integers(0, 8, n)
    by_region, by_job = np.linspace(-1, 1, 20), np.array([-0.8, 0.1, 0.6, -0.3, 0.9, 0.0, -0.5, 0.4])
    steer = 0.7 * age - 0.5 * income + 0.8 * by_region[region] + by_job[job]
    x = _happens(chance, steer + _intercept_for(exposed, steer))
    risk = 0.6 * age - 0.6 * income + 0.9 * by_region[region] + 0.8 * by_job[job] - 1
    risk = risk + 0.5 * (age**2 - 1) * curved
    without, with_it = _sigmoid(risk), _sigmoid(risk + np.log(odds_ratio))
    z = chance.random(n) < np.where(x, with_it, without)
    columns = {
        "age": np.round(50 + 15 * age, 1),
        "income": np.round(np.exp(10 + 0.6 * income)),
        "region": _names("region", region),
        "job": _names("job", job),
    }
    causes = frozenset(columns) | ({"x"} if odds_ratio != 1 else set())
    truth = Truth(causes=causes, odds_ratio=odds_ratio, risk_difference=float((with_it - without)[x].mean()))
    table = pa.table({**columns, **_noise(chance, n, 3), "x": _yes_no(x), "z": _yes_no(z)})
    return Planted(table, OUTCOME, truth)


def _exposed(
    chance: np.random.Generator,
    columns: dict[str, np.ndarray],
    of_exposure: np.ndarray,
    of_outcome: np.ndarray,
    odds_ratio: float,
    n_noise: int,
) -> Planted:
    """Draw exposure and outcome by their log odds given the confounders, and add noise columns."""
    x = _happens(chance, of_exposure)
    z = _happens(chance, of_outcome + np.log(odds_ratio) * x)
    noise = _noise(chance, len(x), n_noise)
    causes = frozenset(columns) | ({"x"} if odds_ratio != 1 else set())
    table = pa.table({**columns, "x": _yes_no(x), **noise, "z": _yes_no(z)})
    return Planted(table, OUTCOME, Truth(causes=causes, odds_ratio=odds_ratio))


def _chance(case: int, seed: int) -> np.random.Generator:
    return np.random.default_rng([case, seed])


def _sigmoid(log_odds: np.ndarray) -> np.ndarray:
    return 1 / (1 + np.exp(-log_odds))


def _happens(chance: np.random.Generator, log_odds: np.ndarray) -> np.ndarray:
    return chance.random(len(log_odds)) < _sigmoid(log_odds)


def _noise(chance: np.random.Generator, n: int, n_columns: int) -> dict[str, np.ndarray]:
    """Columns of two to four values that have to do with nothing."""
    letters = np.array(list("abcd"))
    return {f"noise{i}": letters[chance.integers(0, chance.integers(2, 5), n)] for i in range(n_columns)}


def _names(word: str, codes: np.ndarray) -> np.ndarray:
    return np.array([f"{word}{code:02}" for code in range(codes.max() + 1)])[codes]


def _yes_no(holds: np.ndarray) -> np.ndarray:
    return np.where(holds, "yes", "no")


def _hide(table: pa.Table, name: str, is_hidden: np.ndarray) -> pa.Table:
    """The table with one column unknown in some records."""
    column = pa.array(table[name].to_numpy(), mask=is_hidden)
    return table.set_column(table.schema.get_field_index(name), name, column)


def _intercept_for(share: float, log_odds: np.ndarray) -> float:
    """The intercept at which the mean probability is the share, by halving."""
    low, high = -20.0, 20.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if _sigmoid(log_odds + middle).mean() < share else (low, middle)
    return low
