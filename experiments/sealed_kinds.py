"""Kinds of tables on which the method is judged, not made: whoever works on it does not read on.

Confounding as it happens in tables that people bring. They are called after trees, birds and fish, so that a
line of a result tells nothing of what is behind it. The trees came first and have been looked at since.
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


def _avocet(chance: np.random.Generator, n: int) -> Confounders:
    """Five statements are agreed with in words; who answers at the ends differs, whichever end it is."""
    mood, zeal = chance.normal(size=n), chance.normal(size=n)
    leaning = 0.8 * mood + 0.7 * chance.normal(size=(5, n))
    answer = np.clip(np.round(2 + leaning * np.exp(0.4 * zeal)), 0, 4).astype(int)
    said = np.array(["not at all", "hardly", "partly", "mostly", "fully"])
    columns = {f"statement{i}": said[one] for i, one in enumerate(answer)}
    return both(columns, np.isin(answer, (0, 4)).sum(0) + 0.15 * answer.sum(0))


def _bittern(chance: np.random.Generator, n: int) -> Confounders:
    """Most were never admitted; of the others nights and stays count, and nights a stay if many."""
    frail = chance.gamma(1.2, 1.0, n)
    stays = chance.poisson(0.7 * frail) * (chance.random(n) < 0.7)
    nights = stays + chance.poisson(stays * chance.gamma(1.0, 2.5, n))
    is_long = nights >= 4 * np.maximum(stays, 1)
    score = 0.8 * (stays > 0) - 0.3 * stays + 0.4 * np.log1p(nights) + 0.9 * is_long
    return both(
        {"stays": stays * 1.0, "nights": nights * 1.0, "age": np.round(chance.normal(60, 12, n))}, score
    )


def _curlew(chance: np.random.Generator, n: int) -> Confounders:
    """Work piles up in the last days of a quarter and on Mondays; the holidays are a time of their own."""
    month, day = chance.integers(1, 13, n), chance.integers(1, 31, n)
    weekday = chance.integers(0, 7, n)
    pile = np.clip((day - 22) / 6, 0, 1) * (month % 3 == 0)
    is_holiday = ((month == 12) & (day >= 23)) | ((month == 1) & (day <= 3))
    score = 1.5 * pile - 2.0 * is_holiday + 0.7 * (weekday == 0) + 0.4 * np.cos(2 * np.pi * month / 12)
    columns = {"month": names(month, "m"), "day": day * 1.0, "weekday": names(weekday, "d")}
    return both(columns, score)


def _dipper(chance: np.random.Generator, n: int) -> Confounders:
    """Who has lived somewhere for long enough has a right; how long, each council decides."""
    size = chance.dirichlet(np.ones(24) * 2)
    postcode, years = chance.choice(24, n, p=size), np.round(chance.exponential(8, n), 1)
    has_right = years >= np.array([2, 4, 7, 12])[postcode % 4]
    score = 1.3 * has_right + 0.5 * chance.normal(size=24)[postcode] + 0.02 * years
    return both({"postcode": names(postcode, "e"), "years": years}, score)


def _egret(chance: np.random.Generator, n: int) -> Confounders:
    """Support is given below an income that rises with the children, and less and less of it above."""
    children = np.minimum(chance.poisson(1.3, n), 5)
    income = np.round(chance.lognormal(10.0, 0.5, n), -2)
    limit = 14_000 + 5_000 * children
    support = np.clip(1 - (income - limit) / 6_000, 0, 1)
    age = np.round(chance.uniform(20, 65, n))
    return both({"income": income, "children": children * 1.0, "age": age}, 1.5 * support + 0.01 * age)


def _fulmar(chance: np.random.Generator, n: int) -> Confounders:
    """Two laboratories report in units of their own, and what is too little to be seen as half of that."""
    lab = chance.random(n) < 0.45
    amount = chance.lognormal(0, 0.6, n)
    seen = np.where(amount < np.where(lab, 0.6, 0.4), np.where(lab, 0.3, 0.2), amount)
    reported = np.where(lab, np.round(88.4 * seen), np.round(seen, 2))
    columns = {"lab": np.where(lab, "north", "south"), "value": reported, "b": chance.normal(size=n)}
    return both(columns, np.log(np.where(lab, reported / 88.4, reported)) - 0.2 * lab)


def _gannet(chance: np.random.Generator, n: int) -> Confounders:
    """Stages of an illness are told from a formula of age, sex and a value of the blood."""
    age, is_woman = np.round(chance.uniform(30, 85, n)), chance.random(n) < 0.5
    usual = np.where(is_woman, 0.7, 0.9)
    value = np.round(usual * np.exp(0.25 * chance.normal(size=n) + 0.012 * (age - 45)), 2)
    part = value / usual
    rate = 141 * np.minimum(part, 1) ** -0.4 * np.maximum(part, 1) ** -1.2 * 0.993**age
    stage = (rate[:, None] < np.array([90, 60, 45, 30])).sum(1)
    columns = {"age": age, "sex": np.where(is_woman, "f", "m"), "value": value}
    return both(columns, np.array([0.0, 0.2, 1.0, 1.6, 1.2])[stage] + 0.005 * age)


def _heron(chance: np.random.Generator, n: int) -> Confounders:
    """Trades and contracts meet in cells of very unequal size; hours matter by contract."""
    trade = chance.choice(7, n, p=[0.36, 0.25, 0.15, 0.1, 0.07, 0.04, 0.03])
    tends = np.array([[6, 3, 1], [5, 4, 1], [8, 1, 1], [2, 2, 6], [3, 6, 1], [1, 8, 1], [4, 1, 5]]) / 10
    contract = (chance.random(n)[:, None] > tends[trade].cumsum(1)[:, :2]).sum(1)
    hours = np.round(np.clip(chance.normal(np.array([38, 24, 12])[contract], 6), 1, 60))
    slope = np.array([0.08, -0.03, 0.0])[contract]
    score = 0.9 * chance.normal(size=(7, 3))[trade, contract] + slope * (hours - 30)
    return both({"trade": names(trade, "t"), "contract": names(contract, "c"), "hours": hours}, score)


def _ibis(chance: np.random.Generator, n: int) -> Confounders:
    """The more experience, the more surely people are chosen by what is measured of them."""
    a, experience = chance.normal(size=n), np.round(chance.gamma(2, 4, n), 1)
    sure = np.tanh(a * np.exp(0.25 * (experience - 8)))
    return {"a": a, "experience": experience}, 1.3 * sure, even(0.5 * a + sure - 0.02 * experience)


def _jackdaw(chance: np.random.Generator, n: int) -> Confounders:
    """Grave diagnoses were written down as `other` until a new list of codes came."""
    year, code = chance.integers(2008, 2022, n), chance.choice(14, n, p=chance.dirichlet(np.ones(14) * 4))
    is_old = year < 2015
    kept = np.where((code >= 10) & is_old, 0, code)
    score = np.append(chance.normal(0, 0.5, 10), np.array([1.6, 1.9, 1.3, 2.2]))[kept]
    score = np.where(kept == 0, np.where(is_old, 1.4, -0.6), score) + 0.03 * (year - 2015)
    return both(
        {"code": names(kept, "g"), "year": year * 1.0, "age": np.round(chance.normal(50, 15, n))}, score
    )


def _kestrel(chance: np.random.Generator, n: int) -> Confounders:
    """One record in twenty is of a ward where everything is different, and turns round after a fortnight."""
    ward = chance.choice(5, n, p=[0.45, 0.25, 0.15, 0.1, 0.05])
    day, age = np.floor(chance.exponential(14, n)), np.round(chance.normal(58, 15, n))
    score = np.where(day < 14, 3.2, -2.0) * (ward == 4) + 0.1 * ward + 0.01 * age
    return both({"ward": names(ward, "w"), "day": day, "age": age}, score)


def _linnet(chance: np.random.Generator, n: int) -> Confounders:
    """Weight is taken twice; those who lost a twentieth or gained as much are others than those between."""
    before = np.round(chance.normal(78, 13, n), 1)
    now = np.round(before * (1 + 0.055 * chance.standard_t(6, n)), 1)
    change = now / before - 1
    score = 1.5 * (change < -0.05) + 0.7 * (change > 0.05) + 0.015 * before
    return both({"weight_before": before, "weight_now": now}, score)


def _alewife(chance: np.random.Generator, n: int) -> Confounders:
    """The young have accidents, in strong cars most of all, and the very old; good drivers rise in class."""
    age = np.round(18 + 70 * chance.beta(1.6, 2.2, n))
    power = np.round(np.exp(chance.normal(4.4, 0.4, n)))
    bonus = np.minimum(chance.binomial((age - 18).astype(int), 0.7), 25)
    place = chance.choice(["city", "town", "country"], n, p=[0.3, 0.25, 0.45])
    green = np.exp((18 - age) / 8) * (1 + (power > 100))
    score = 1.3 * green + 0.05 * np.maximum(age - 66, 0) - 0.03 * bonus + 0.4 * (place == "city")
    return both({"age": age, "power": power, "bonus": bonus * 1.0, "place": place}, score)


def _barbel(chance: np.random.Generator, n: int) -> Confounders:
    """Heavy soil suffers from much rain and light soil from little; the parts of a soil make a hundred."""
    clay, silt, _ = np.floor(100 * chance.dirichlet([2.2, 3.0, 2.6], n)).T
    sand, rain = 100 - clay - silt, np.round(chance.gamma(14, 50, n))
    crop = chance.choice(4, n, p=[0.45, 0.3, 0.17, 0.08])
    wet, dry = np.maximum(rain - 700, 0) * (clay >= 28), np.maximum(700 - rain, 0) * (sand >= 40)
    score = 0.005 * wet + 0.005 * dry + np.array([0.0, 0.4, -0.4, 0.7])[crop]
    columns = {"clay": clay, "silt": silt, "sand": sand, "rain": rain, "crop": names(crop, "c")}
    return both(columns, score)


def _capelin(chance: np.random.Generator, n: int) -> Confounders:
    """Who is young for a class stands out there, boys more than girls, and less and less with the grades."""
    month, grade = chance.integers(0, 12, n), chance.integers(1, 9, n)
    is_boy, school = chance.random(n) < 0.51, chance.choice(12, n, p=chance.dirichlet(np.ones(12) * 2))
    youth = (month - 8) % 12 / 11
    score = (1.8 + 1.4 * is_boy) * youth * np.exp((1 - grade) / 4) + 0.4 * chance.normal(size=12)[school]
    columns = {"born": names(month + 1, "m"), "grade": grade * 1.0, "sex": np.where(is_boy, "m", "f")}
    return both({**columns, "school": names(school, "s")}, score)


def _dace(chance: np.random.Generator, n: int) -> Confounders:
    """Homes lie about three towns and between them; it is far to a clinic, which only two towns have."""
    towns = np.array([[14.0, 42.0], [58.0, 16.0], [68.0, 74.0]])
    town = chance.choice(3, n, p=[0.5, 0.25, 0.25])
    in_town = towns[town] + 5 * chance.normal(size=(n, 2))
    home = np.round(np.where(chance.random((n, 1)) < 0.35, chance.uniform(0, 90, (n, 2)), in_town), 1)
    way = np.sqrt(((home[:, None] - towns[:2]) ** 2).sum(2)).min(1)
    age, has_car = np.round(chance.normal(52, 16, n)), chance.random(n) < 0.7
    shared = np.minimum(way, 40) / 15 * np.where(has_car, 0.7, 1.2)
    columns = {"east": home[:, 0], "north": home[:, 1], "age": age, "car": yes_no(has_car)}
    return columns, even(shared + 0.01 * age), even(shared + 0.5 * (age >= 65))


def _eelpout(chance: np.random.Generator, n: int) -> Confounders:
    """Occupations are written as codes of which the first letter tells most; age wears out some of them."""
    share = chance.permutation(1 / np.arange(1, 71) ** 0.8)
    code = chance.choice(70, n, p=share / share.sum())
    group, age = code // 10, np.round(chance.uniform(18, 66, n))
    schooling = np.clip(np.round(3 - group / 2.5 + 0.8 * chance.normal(size=n)), 0, 3).astype(int)
    wear = np.array([0.0, 0.0, 0.01, 0.0, 0.02, 0.05, 0.04])[group] * (age - 40)
    score = chance.normal(0, 0.8, 7)[group] + wear - 0.3 * schooling
    columns = {
        "occupation": np.array([f"{'ABCDEFG'[one // 10]}{one % 10}" for one in range(70)])[code],
        "schooling": np.array(["none", "basic", "middle", "high"])[schooling],
        "age": age,
    }
    on = [score + chance.normal(0, 0.3, 70)[code] for _ in range(2)]
    return columns, even(on[0]), even(on[1])


def _flounder(chance: np.random.Generator, n: int) -> Confounders:
    """A value is measured where something is suspected, so that not to have been measured is good news."""
    urgency = chance.choice(4, n, p=[0.1, 0.25, 0.45, 0.2])
    is_measured = chance.random(n) < np.array([0.95, 0.8, 0.45, 0.1])[urgency]
    lactate = np.round(np.exp(chance.normal(0.9 - 0.25 * urgency, 0.5)), 1)
    age = np.round(chance.normal(58, 18, n).clip(18, 96))
    score = is_measured * (0.5 + 1.2 * (lactate >= 2)) - 0.3 * urgency + 0.015 * age
    color = np.array(["red", "orange", "yellow", "green"])[urgency]
    return both({"triage": color, "lactate": np.where(is_measured, lactate, None), "age": age}, score)


def _gudgeon(chance: np.random.Generator, n: int) -> Confounders:
    """It is cold in old houses in winter and hot under the roof in summer; in between nothing happens."""
    month, floor = chance.integers(1, 13, n), chance.choice(5, n, p=[0.25, 0.3, 0.2, 0.15, 0.1])
    outside = np.round(11 - 10 * np.cos(2 * np.pi * (month - 1) / 12) + 4.5 * chance.normal(size=n), 1)
    built = chance.choice(4, n, p=[0.25, 0.4, 0.25, 0.1])
    cold = np.maximum(12 - outside, 0) / 8 * np.array([1.7, 1.2, 0.6, 0.2])[built]
    score = cold + np.maximum(outside - 20, 0) / 4 * (0.5 + (floor >= 3))
    when = np.array(["before 1950", "1950 to 1979", "1980 to 2004", "since 2005"])[built]
    columns = {"outside": outside, "month": names(month, "m"), "built": when, "floor": floor * 1.0}
    return both(columns, score)


def _halibut(chance: np.random.Generator, n: int) -> Confounders:
    """What went before counts only in later births; age counts in first ones; early and late are not well."""
    before = np.minimum(chance.poisson(0.9, n), 6)
    had_section = (before > 0) & (chance.random(n) < 0.22)
    age = np.round(np.clip(chance.normal(28.5 + 1.6 * before, 4.8), 16, 46))
    week = np.clip(np.floor(41.8 - chance.gamma(2.0, 1.0, n)), 27, 41)
    lie = chance.choice(["head", "breech", "across"], n, p=[0.93, 0.055, 0.015])
    score = 1.4 * had_section + 0.1 * np.maximum(age - 30, 0) * (before == 0) - 0.5 * (before > 1)
    score += 1.0 * (week < 37) + 0.6 * (week == 41) + 1.2 * (lie != "head")
    section = np.where(before == 0, "first birth", yes_no(had_section))
    columns = {"births_before": before * 1.0, "section_before": section, "age": age}
    return both({**columns, "week": week, "lie": lie}, score)


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
"""None of them was looked at while the method was made; they are known since."""

SEALED_AGAIN = (
    Kind("avocet", _avocet, n=800),
    Kind("bittern", _bittern, n=2500),
    Kind("curlew", _curlew, n=4000, exposure=FOUR),
    Kind("dipper", _dipper, n=6000),
    Kind("egret", _egret, n=1500),
    Kind("fulmar", _fulmar),
    Kind("gannet", _gannet, n=4000),
    Kind("heron", _heron, n=3000),
    Kind("ibis", _ibis, n=1200),
    Kind("jackdaw", _jackdaw, n=3000),
    Kind("kestrel", _kestrel, n=5000),
    Kind("linnet", _linnet, exposure=LINE, effect=1.2),
)
"""Made when the trees had been looked at; nobody who works on the method has seen them."""

SEALED_THIRD = (
    Kind("alewife", _alewife, n=10_000, effect=1.25),
    Kind("barbel", _barbel, n=2500),
    Kind("capelin", _capelin, n=3000, exposure=FOUR),
    Kind("dace", _dace, n=3000),
    Kind("eelpout", _eelpout, n=5000),
    Kind("flounder", _flounder, n=500, effect=2.0),
    Kind("gudgeon", _gudgeon, exposure=LINE, effect=1.2),
    Kind("halibut", _halibut, n=3500),
)
"""Made when the birds had been measured; nobody who works on the method has seen them."""
