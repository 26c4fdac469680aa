"""Kinds of tables on which the method is judged, not made: whoever works on it does not read on.

Confounding as it happens in tables that people bring. They are called after trees, so that a line of a result
tells nothing of what is behind it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from experiments.plain_kinds import FOUR, LINE, Kind, both, even, names, yes_no

if TYPE_CHECKING:
    from experiments.plain_kinds import Confounders


def _alder(chance: np.random.Generator, n: int) -> Confounders:
    """Doses are written in fives, by some in tens and by few exactly; who rounds is treated otherwise."""
    exact, unit = 60 + 18 * chance.normal(size=n), chance.choice([1, 5, 10], n, p=[0.2, 0.45, 0.35])
    dose = np.clip(np.round(exact / unit) * unit, 10, 120)
    weight = np.round(chance.normal(75, 12, n))
    return both({"dose": dose, "weight": weight}, 0.03 * dose + 1.1 * (dose % 10 == 0) + 0.02 * weight)


def _birch(chance: np.random.Generator, n: int) -> Confounders:
    """Practice drifts over four years; a new policy arrives in each of three regions on its own day."""
    day, region = chance.integers(0, 1460, n), chance.integers(0, 3, n)
    is_new = day >= np.array([420, 730, 1100])[region]
    score = day / 900 + np.array([-1.2, -1.9, -1.0])[region] * is_new + 0.4 * region
    age = np.round(chance.normal(55, 14, n))
    return both({"day": day.astype(float), "region": names(region, "r"), "age": age}, score + age / 40)


def _cedar(chance: np.random.Generator, n: int) -> Confounders:
    """Three scales from 0 to 10 with many at the end; what counts is their sum, and not above 20."""
    ability = chance.normal(size=n)
    scales = [np.clip(np.round(6 + 2.5 * (ability + chance.normal(size=n))), 0, 10) for _ in range(3)]
    return both({f"scale{i}": s for i, s in enumerate(scales)}, np.minimum(sum(scales), 20))


def _dogwood(chance: np.random.Generator, n: int) -> Confounders:
    """Hospitals of very unequal size lie in regions; wards differ by region; two effects are not the same."""
    size = chance.dirichlet(np.ones(30) * 1.5)
    hospital, ward = chance.choice(30, n, p=size), chance.integers(0, 3, n)
    region = hospital // 6
    on = [
        chance.normal(0, 0.6, 30)[hospital] + cells[region, ward]
        for cells in chance.normal(0, 0.8, (2, 5, 3))
    ]
    columns = {"hospital": names(hospital, "h"), "region": names(region, "r"), "ward": names(ward, "w")}
    shared = chance.normal(size=(5, 3))[region, ward]
    return columns, even(on[0] + shared), even(on[1] + shared)


def _elder(chance: np.random.Generator, n: int) -> Confounders:
    """In one group people are chosen by a number with far more certainty than in the other."""
    a, group = chance.normal(size=n), chance.random(n) < 0.4
    bent = np.where(group, np.tanh(3 * a), 0.25 * a)
    on_z = 0.7 * a + 0.9 * group * np.tanh(3 * a) - 0.3 * group
    return {"a": a, "group": yes_no(group), "b": chance.normal(size=n)}, 1.6 * bent, even(on_z)


def _fir(chance: np.random.Generator, n: int) -> Confounders:
    """Three findings are bad together; two of them already are, a little."""
    a, b, c = (chance.random((3, n)) < np.array([[0.5], [0.45], [0.55]])) * 1.0
    age = np.round(chance.uniform(20, 80, n))
    score = 0.2 * (a + b + c) + 0.6 * (a * b + b * c) - 0.5 * a * c + 1.6 * a * b * c + age / 60
    columns = {"fever": yes_no(a > 0), "cough": yes_no(b > 0), "rash": yes_no(c > 0), "age": age}
    return both(columns, score)


def _gorse(chance: np.random.Generator, n: int) -> Confounders:
    """Costs of a wide spread mean something else under each kind of insurance."""
    plan = chance.choice(5, n, p=[0.4, 0.25, 0.2, 0.1, 0.05])
    costs = np.round(chance.lognormal(7 + 0.4 * plan, 1.1))
    score = np.array([0.2, 0.9, -0.6, 1.3, 0.0])[plan] * (np.log1p(costs) - 7.5) + 0.3 * plan
    return both({"costs": costs, "plan": names(plan, "p")}, score)


def _hazel(chance: np.random.Generator, n: int) -> Confounders:
    """A laboratory value below a limit that depends on sex, or another one above its limit."""
    is_woman, iron = chance.random(n) < 0.55, np.round(np.exp(chance.normal(4.2, 0.7, n)))
    blood = np.round(np.where(is_woman, 13.2, 14.4) + 1.3 * chance.normal(size=n), 1)
    is_low = (blood < np.where(is_woman, 12, 13.5)) | (iron > 200)
    columns = {"sex": np.where(is_woman, "f", "m"), "blood": blood, "iron": iron}
    return both(columns, 1.8 * is_low - 0.08 * blood)


def _iris(chance: np.random.Generator, n: int) -> Confounders:
    """A hundred and fifty codes, most of them rare, beside a number."""
    share = 1 / np.arange(1, 151)
    code, a = chance.choice(150, n, p=share / share.sum()), chance.normal(size=n)
    return both({"code": names(code, "k"), "a": a}, chance.normal(size=150)[code] + 0.5 * a)


def _juniper(chance: np.random.Generator, n: int) -> Confounders:
    """Height and weight are written down; those of little and of much weight for their height are at risk."""
    is_man = chance.random(n) < 0.5
    height = np.round(np.where(is_man, 178, 165) + 7 * chance.normal(size=n))
    mass = np.exp(chance.normal(np.log(25.5), 0.17, n))
    weight = np.round(mass * (height / 100) ** 2)
    kept = weight / (height / 100) ** 2
    columns = {"height": height, "weight": weight, "sex": np.where(is_man, "m", "f")}
    return both(columns, np.minimum(np.abs(kept - 24), 12))


def _kapok(chance: np.random.Generator, n: int) -> Confounders:
    """Ten illnesses that go together; treatment changes with the third of them."""
    frailty = chance.normal(size=n)
    has = [chance.random(n) < 1 / (1 + np.exp(1.4 - 0.8 * frailty)) for _ in range(10)]
    count = np.sum(has, axis=0)
    return both({f"illness{i}": yes_no(one) for i, one in enumerate(has)}, (count >= 3) + 0.1 * count)


def _larch(chance: np.random.Generator, n: int) -> Confounders:
    """The hour matters, at the weekend otherwise than in the week."""
    hour, day = chance.integers(0, 24, n), chance.integers(0, 7, n)
    is_night = (hour >= 22) | (hour < 6)
    score = np.cos(2 * np.pi * (hour - 4) / 24) + np.where(day >= 5, -1.5, 0.7) * is_night
    days = np.array(["mon", "tue", "wed", "thu", "fri", "sat", "sun"])[day]
    return both({"hour": hour.astype(float), "day": days}, score)


SEALED = (
    Kind("alder", _alder),
    Kind("birch", _birch, n=3000),
    Kind("cedar", _cedar, n=1500),
    Kind("dogwood", _dogwood, n=4000),
    Kind("elder", _elder),
    Kind("fir", _fir, n=2500),
    Kind("gorse", _gorse),
    Kind("hazel", _hazel, n=3000),
    Kind("iris", _iris, n=5000),
    Kind("juniper", _juniper, n=2500),
    Kind("kapok", _kapok),
    Kind("larch", _larch, n=4000),
    Kind("birch, four levels", _birch, n=4000, exposure=FOUR),
    Kind("gorse, a line", _gorse, exposure=LINE, effect=1.2),
)
"""None of them was looked at while the method was made."""
