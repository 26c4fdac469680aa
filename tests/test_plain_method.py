"""The method of one study a column through its public doors: what must not matter, and what is known."""

import ast
import json
import math
import re
from functools import cache
from itertools import combinations
from pathlib import Path

import msgspec
import numpy as np
import pandas as pd
import pytest

import causalrules
from causalrules.errors import SettingsError, UnknownLevelError
from causalrules.words.findings import Finding
from causalrules.words.result import Result
from datasets import FOLDER, folder_of_data, require
from known_roles import mediator

SOURCE = Path(causalrules.__file__).parent
ROOMS = ("words", "look", "find", "adjust", "estimate", "judge")
YES = "y=yes"


def mine(table, outcome=YES, **said):
    return causalrules.mine(table, outcome, method="plain", on_progress=lambda _: None, **said)


def asked(table, exposure, outcome=YES, **said):
    return causalrules.test(table, outcome, exposure, method="plain", **said)


def chance(score):
    return 1 / (1 + np.exp(-score))


def words(values, stem):
    return np.array([f"{stem}{value}" for value in np.asarray(values).tolist()], dtype=object)


def outcome_of(draw, risk):
    return np.where(draw.random(len(risk)) < risk, "yes", "no")


def categories(seed=1, n=900):
    draw = np.random.default_rng(seed)
    a, b = draw.integers(0, 3, n), draw.integers(0, 2, n)
    c = (draw.random(n) < 0.2 + 0.2 * a).astype(int)
    d, e = draw.integers(0, 4, n), draw.choice(4, n, p=[0.6, 0.3, 0.08, 0.02])
    y = outcome_of(draw, chance(-1.2 + 0.6 * a + 0.7 * b + 0.1 * (d == 1)))
    columns = {"ka": words(a, "va"), "kb": words(b, "vb"), "kc": words(c, "vc"), "kd": words(d, "vd")}
    return pd.DataFrame(columns | {"ke": words(e, "ve"), "y": y})


def numbers(seed=2, n=1_000):
    draw = np.random.default_rng(seed)
    a, b = draw.normal(50, 10, n).round(), draw.exponential(2, n).round(2)
    c = (draw.random(n) < chance((a - 50) / 10)).astype(int)
    d = draw.integers(0, 3, n)
    y = outcome_of(draw, chance(-1 + 0.08 * (a - 50) + 0.3 * (d == 2) - 0.2 * b))
    return pd.DataFrame({"ka": a, "kb": b, "kc": words(c, "vc"), "kd": words(d, "vd"), "y": y})


def copies(seed=3, n=1_000):
    found = categories(seed, n)
    draw = np.random.default_rng(seed)
    rename = {value: f"w{value}" for value in sorted(set(found["ka"]))}
    other = draw.permutation(found["kb"].to_numpy())
    near = np.where(draw.random(n) < 0.003, other, found["kb"])
    return found.assign(kf=found["ka"].map(rename), kg=words(near, "u"))[
        ["kf", "ka", "kb", "kc", "kd", "kg", "y"]
    ]


def missing(seed=4, n=1_200):
    found = categories(seed, n)
    draw = np.random.default_rng(seed)
    for name in ("ka", "kc", "kd"):
        found.loc[draw.random(n) < 0.12, name] = None
    number = draw.normal(0, 1, n).round(2)
    number[draw.random(n) < 0.1] = np.nan
    return found.assign(kn=number)


def one_but_not_both(seed=5, n=1_500):
    draw = np.random.default_rng(seed)
    a, b = draw.integers(0, 2, n), draw.integers(0, 2, n)
    c, d = draw.integers(0, 3, n), draw.integers(0, 5, n)
    y = outcome_of(draw, 0.2 + 0.3 * (a != b) + 0.05 * (c == 1))
    columns = {"ka": words(a, "va"), "kb": words(b, "vb"), "kc": words(c, "vc"), "kd": words(d, "vd")}
    return pd.DataFrame(columns | {"y": y})


def many_columns(seed=6, n=800):
    draw = np.random.default_rng(seed)
    hidden = draw.normal(0, 1, n)
    columns = {
        f"k{letter}": words((hidden + draw.normal(0, 2, n) > draw.normal()).astype(int), f"v{letter}")
        for letter in "abcdefghi"
    }
    return pd.DataFrame(columns | {"y": outcome_of(draw, chance(hidden - 0.5))})


def means(seed=7, n=800):
    found = numbers(seed, n)
    noise = np.random.default_rng(1_000 + seed).normal(0, 2, n)
    return found.assign(y=(0.1 * found["ka"] + (found["kd"] == "vd2") + noise).round(2))


def clusters(seed=8, n=800):
    return categories(seed, n).assign(person=np.repeat([f"p{i}" for i in range(n // 4)], 4))


MADE = (categories, numbers, copies, missing, one_but_not_both, many_columns, means, clusters)
TABLES = {one.__name__: one for one in MADE}
SAID = {"means": {"outcome": "y", "outcome_as": "mean"}, "clusters": {"cluster": "person"}}
"""What is said of a table beside its outcome."""

KINDS = pytest.mark.parametrize("kind", TABLES)


@cache
def mined(kind):
    return again(TABLES[kind](), kind)


def again(table, kind):
    return mine(table, **SAID.get(kind, {}))


def answer(result):
    """All but when it was made and how long that took."""
    found = json.loads(result.to_json())
    return {name: value for name, value in found.items() if name not in ("created", "timings", "settings")}


def check_same(one, other, where="result"):
    """Equal texts and whole numbers, fractions to 1e-9."""
    if isinstance(one, dict):
        assert one.keys() == other.keys(), where
        for name in one:
            check_same(one[name], other[name], f"{where}.{name}")
    elif isinstance(one, list):
        assert len(one) == len(other), (where, one, other)
        for place, pair in enumerate(zip(one, other, strict=True)):
            check_same(*pair, f"{where}[{place}]")
    elif isinstance(one, float) and isinstance(other, float | int):
        assert math.isclose(one, other, rel_tol=1e-9, abs_tol=1e-9), (where, one, other)
    else:
        assert one == other, where


@KINDS
@pytest.mark.parametrize("seed", range(3))
def test_order_of_columns_and_records_does_not_matter(kind, seed):
    table, draw = TABLES[kind](), np.random.default_rng(seed)
    moved = table[draw.permutation(table.columns).tolist()].sample(frac=1, random_state=seed)
    check_same(answer(again(moved.reset_index(drop=True), kind)), answer(mined(kind)))


def renamed(table, seed):
    """Names of columns, and of each column's values, dealt out again; and how to read them."""
    draw = np.random.default_rng(seed)
    names = [name for name in table.columns if name not in ("y", "person")]
    new = dict(zip(names, draw.permutation(names).tolist(), strict=True))
    found = {}
    for name in names:
        values = table[name]
        if values.dtype.kind != "f":
            known = sorted(set(values.dropna()))
            dealt = dict(zip(known, draw.permutation(known).tolist(), strict=True))
            values = values.map(dealt)
            new |= dealt
        found[new[name]] = values
    rest = {name: table[name] for name in table.columns if name not in names}
    return pd.DataFrame(found | rest), {after: before for before, after in new.items()}


def read_back(found, before=()):
    """An answer by the first names; exact copies share one, since nothing else tells which comes first."""
    shared = {"kf": "ka"} | {f"wva{i}": f"va{i}" for i in range(3)}

    def first(match):
        name = dict(before).get(match[0], match[0])
        return shared.get(name, name)

    return json.loads(re.sub(r"\b[kvwu]+[a-n]?\d?\b", first, json.dumps(found, ensure_ascii=False)))


@KINDS
@pytest.mark.parametrize("seed", range(3))
def test_names_of_columns_and_values_do_not_matter(kind, seed):
    table, before = renamed(TABLES[kind](), seed)
    check_same(read_back(answer(again(table, kind)), before), read_back(answer(mined(kind))))


@KINDS
def test_a_result_comes_back_from_its_file(kind, tmp_path):
    result = mined(kind)
    result.save(tmp_path / "result.json")
    loaded = causalrules.load(tmp_path / "result.json")
    assert isinstance(loaded, Result)
    assert loaded.to_dict() == result.to_dict()
    assert [one.name for one in loaded.findings] == [one.name for one in result.findings]


def check_test_equals_mine(table, result, **said):
    """Whatever `mine` studied as one column, `test` estimates alike."""
    n = 0
    for finding in result.findings:
        if finding.effect is None or len(finding.factors[0].columns) > 1:
            continue
        tested = asked(table, finding.name, **said).findings[0]
        assert tested.adjusted_for == finding.adjusted_for, finding.name
        check_same(tested.p, finding.p, f"p of {finding.name}")
        check_same(
            json.loads(
                json.dumps([[level.level, level.risk, level.difference] for level in tested.effect.levels])
            ),
            json.loads(
                json.dumps([[level.level, level.risk, level.difference] for level in finding.effect.levels])
            ),
            finding.name,
        )
        n += 1
    assert n


@KINDS
def test_mine_and_test_estimate_alike(kind):
    check_test_equals_mine(TABLES[kind](), mined(kind), **SAID.get(kind, {}))


@pytest.mark.parametrize("seed", range(4))
def test_mine_and_test_estimate_alike_on_further_tables(seed):
    table = (categories if seed % 2 else numbers)(100 + seed, 500)
    check_test_equals_mine(table, mine(table))


def test_every_column_has_one_line():
    for kind, make in TABLES.items():
        factors = [
            factor.columns[0]
            for finding in mined(kind).findings
            for factor in finding.factors
            if len(factor.columns) == 1
        ]
        assert sorted(factors) == sorted(set(make().columns) - {"y", "person"}), kind


def test_what_is_known_is_found():
    causes = {kind: [one.name for one in mined(kind).causes] for kind in TABLES}
    assert {"ka", "kb"} <= set(causes["categories"])
    assert {"ka", "kb"} <= set(causes["numbers"])
    assert "kc" not in causes["numbers"]
    assert {"ka", "kd"} <= set(causes["means"])
    assert "kc" not in causes["means"]
    assert causes["one_but_not_both"][0] in ("ka & kb", "kb & ka")
    assert not {"ka", "kb"} & set(causes["one_but_not_both"])


def test_copies_are_one_finding():
    found = mined("copies")
    assert {factor.name for factor in found["ka"].factors} == {"ka", "kf"}
    assert {factor.name for factor in found["kb"].factors} == {"kb", "kg"}
    assert found["ka"].verdict == found["kb"].verdict == "cause"


# What acts through another column


def test_without_an_order_tar_explains_smoking():
    found = mine(mediator(), "cancer=yes")["smoking"]
    assert found.verdict == "explained"
    assert found.explained_by == ("tar",)
    assert found.effect.estimand == "adjusted"


def test_with_an_order_smoking_is_a_cause_by_its_total_effect():
    said = {"outcome": "cancer=yes", "tiers": "smoking < tar"}
    table = mediator()
    found, tested = mine(table, **said)["smoking"], asked(table, "smoking", **said)["smoking"]
    assert found.verdict in ("cause", "indirect")
    assert tested.verdict == "cause"
    assert found.effect.estimand == tested.effect.estimand == "total"
    check_same(
        [level.risk[0] for level in found.effect.levels], [level.risk[0] for level in tested.effect.levels]
    )
    risk = {level.level: level.risk[0] for level in found.effect.levels}
    assert risk["yes"] == pytest.approx(0.9 * 0.4 + 0.1 * 0.15, abs=1e-3)
    assert risk["no"] == pytest.approx(0.1 * 0.4 + 0.9 * 0.15, abs=1e-3)


def test_what_comes_after_the_outcome_is_neither_studied_nor_held():
    table = categories()
    result = mine(table, after=["ka"])
    assert result["ka"].verdict == "after"
    assert result["ka"].effect is None
    assert all("ka" not in finding.adjusted_for for finding in result.findings)


# Treatments


def test_a_treatment_alone_in_its_table_is_a_cause_where_p_says_so():
    verdicts = []
    for seed in range(30):
        draw = np.random.default_rng(seed)
        rx = draw.integers(0, 2, 300)
        table = pd.DataFrame({"rx": words(rx, "arm "), "y": outcome_of(draw, 0.3 + 0.1 * rx)})
        finding = mine(table).findings[0]
        assert (finding.verdict == "cause") == (finding.p <= 0.05), seed
        verdicts.append(finding.verdict)
    assert 3 < verdicts.count("cause") < 27


def trial(n=600):
    draw = np.random.default_rng(7)
    rx = draw.choice(["Obs", "Lev", "Both"], n)
    return pd.DataFrame({"rx": rx, "y": outcome_of(draw, np.where(rx == "Both", 0.3, 0.5))})


def test_one_arm_against_another_is_the_table_of_both():
    table = trial()
    against = asked(table, "rx=Both", against="rx=Obs").findings[0]
    two = table[table["rx"] != "Lev"].reset_index(drop=True)
    expected = asked(two, "rx", reference="rx=Obs").findings[0]
    assert against.effect.reference == "Obs"
    assert {level.level for level in against.effect.levels} == {"Both", "Obs"}
    ours, theirs = ({level.level: level for level in one.effect.levels} for one in (against, expected))
    for name in ("Both", "Obs"):
        check_same(list(ours[name].risk), list(theirs[name].risk))
        check_same(list(ours[name].difference), list(theirs[name].difference))
        assert ours[name].records == (table["rx"] == name).sum()
    check_same(against.p, expected.p)


def test_any_reference_gives_the_same_risks():
    table = trial()
    results = [asked(table, "rx", reference=f"rx={name}") for name in ("Obs", "Lev", "Both")]
    risks = [{level.level: level.risk[0] for level in one.findings[0].effect.levels} for one in results]
    assert risks[0] == pytest.approx(risks[1], abs=1e-9)
    assert risks[0] == pytest.approx(risks[2], abs=1e-9)
    one, other = results[0].effect("rx", "Both"), results[2].effect("rx", "Obs")
    assert one.difference[0] == pytest.approx(-other.difference[0], abs=1e-9)
    assert results[1].effect("rx", "Both", against="Obs").difference[0] == pytest.approx(
        one.difference[0], abs=1e-9
    )


def test_a_pattern_of_one_of_two_values_is_the_column():
    table = categories()
    column, pattern = (asked(table, exposure).findings[0] for exposure in ("kb", "kb=vb1"))
    assert pattern.adjusted_for == column.adjusted_for
    assert pattern.p == pytest.approx(column.p, rel=1e-9)
    risk = {level.level: level.risk for level in column.effect.levels}
    told = {level.level: level.risk for level in pattern.effect.levels}
    check_same(list(told["yes"]), list(risk["vb1"]))
    check_same(list(told["no"]), list(risk["vb0"]))


def test_the_users_cut_points_are_the_levels():
    table = numbers()
    effect = asked(table, "ka", cut={"ka": [45, 55]}).findings[0].effect
    assert [level.level for level in effect.levels] == ["<45", "[45, 55)", ">=55"]
    assert [level.records for level in effect.levels] == [
        (table["ka"] < 45).sum(),
        ((table["ka"] >= 45) & (table["ka"] < 55)).sum(),
        (table["ka"] >= 55).sum(),
    ]


def test_columns_asked_for_replace_the_chosen_ones_or_are_added():
    table = categories()
    chosen = asked(table, "kc").findings[0].adjusted_for
    assert "ka" in chosen
    assert asked(table, "kc", adjust="kd").findings[0].adjusted_for == ("kd",)
    assert set(asked(table, "kc", adjust="+kd").findings[0].adjusted_for) == {"kd", *chosen}


def test_the_level_to_compare_with_is_named_with_or_without_its_column():
    table = trial()
    said, bare = (asked(table, "rx=Both", against=other) for other in ("rx=Obs", "Obs"))
    check_same(findings_of(bare), findings_of(said))
    with pytest.raises(SettingsError, match="against must be left out where the exposure is a whole column"):
        asked(table, "rx", against="rx=Obs")
    with pytest.raises(UnknownLevelError, match=r"'rx' cannot be compared at the level 'Obz'. Did you mean"):
        asked(table, "rx=Both", against="Obz")
    with pytest.raises(SettingsError, match="against must be one level"):
        asked(table.assign(z=table["rx"]), "rx=Both", against="rx=Obs & z=Obs")


def test_a_number_is_compared_at_any_value():
    result = mined("numbers")
    young, old = result.effect("ka", 25.0, against=70), result.effect("ka", 70, against=25)
    assert young.level == result["ka"].effect.levels[0].level
    assert old.level == result["ka"].effect.levels[-1].level
    assert young.difference[0] == -old.difference[0] < 0
    for value in (float("nan"), "25"):
        with pytest.raises(UnknownLevelError, match="There are: '≤"):
            result.effect("ka", value)


# What does not apply to everybody


def subscribers(seed=1, n=3_000):
    """Services of which those without a net have none; these leave less often, whatever else they have."""
    draw = np.random.default_rng(seed)
    net = draw.choice(["dsl", "fibre", "no"], n, p=[0.35, 0.45, 0.2])
    has = net != "no"
    services = {
        name: np.where(has, np.where(draw.random(n) < 0.4, "yes", "no"), "no net")
        for name in ("backup", "help", "films")
    }
    age = draw.integers(20, 80, n)
    score = -1 - 1.2 * ~has + 0.8 * (net == "fibre") - 0.8 * (services["backup"] == "yes") + 0.02 * age
    return pd.DataFrame({"net": net, "age": age} | services | {"y": outcome_of(draw, chance(score - 1))})


def test_who_has_no_service_is_a_question_of_its_own():
    result = mine(subscribers())
    found = result["net=no"]
    assert found.verdict == "cause"
    assert found.factors[0].columns == ("net",)
    assert not {"backup", "help", "films", "net"} & set(found.adjusted_for)
    risk = {level.level: level.risk[0] for level in found.effect.levels}
    assert risk["yes"] < risk["no"] - 0.1
    assert result["backup"].effect.left_out["does_not_apply"] == (subscribers()["net"] == "no").sum()
    assert "the question does not apply to them" in result.card("backup")
    assert re.search(r"\w+, \w+ and \w+ apply only where net is not no;", result.card("net=no"))


def test_a_level_that_a_question_names_is_compared():
    table = subscribers()
    found = asked(table, "net=no", against="net=dsl").findings[0]
    assert {level.level: level.records for level in found.effect.levels} == {
        name: (table["net"] == name).sum() for name in ("dsl", "no")
    }
    assert not {"backup", "help", "films"} & set(found.adjusted_for)
    assert not any(name.startswith(("backup=", "net=")) for name in found.adjusted_for)
    assert found.verdict == "cause"
    check_test_equals_mine(table, mine(table))


def test_what_another_column_says_as_well_is_told_with_the_way_out():
    draw = np.random.default_rng(4)
    town = draw.integers(0, 4, 2_000)
    y = outcome_of(draw, 0.2 + 0.15 * town)
    table = pd.DataFrame({"town": words(town, "t"), "side": words(town >= 2, "s"), "y": y})
    found = asked(table, "side")
    assert found.findings[0].verdict == "not comparable"
    assert found.findings[0].effect is None
    assert "side cannot be separated from town; if town comes after it" in found.answer()
    told = asked(table, "side", tiers="side < town").findings[0]
    assert (told.verdict, told.effect.estimand) == ("cause", "total")


def test_a_column_that_says_to_whom_another_applies_is_compared_without_that_one():
    draw = np.random.default_rng(3)
    phone, n = draw.random(2_000) < 0.7, 2_000
    lines = np.where(phone, draw.choice(["one", "two"], n), "no phone")
    y = outcome_of(draw, 0.2 + 0.2 * phone + 0.2 * (lines == "two"))
    result = mine(pd.DataFrame({"phone": words(phone, "has "), "lines": lines, "y": y}))
    assert (result["phone"].verdict, result["lines"].verdict) == ("cause", "cause")
    assert "lines" not in result["phone"].adjusted_for
    assert result["lines"].effect.left_out == {"does_not_apply": (~phone).sum()}


# How often a record counts


def findings_of(result):
    return answer(result)["findings"]


def test_frequencies_are_records_written_out():
    table = categories()
    joined = table.groupby(table.columns.tolist(), as_index=False).size()
    assert len(joined) < 0.5 * len(table)
    check_same(findings_of(mine(joined, weights="size")), findings_of(mined("categories")))


def test_equal_sampling_weights_weigh_nothing():
    table = categories().assign(w=3.0)
    found = mine(table, weights="w", weights_are="sampling")
    check_same(findings_of(found), findings_of(mined("categories")))


def test_records_said_five_times_are_one_witness():
    table = categories(n=400)
    again = table.loc[table.index.repeat(5)].assign(person=np.repeat([f"p{i}" for i in range(400)], 5))
    five = asked(again.reset_index(drop=True), "kb", cluster="person", adjust="ka").findings[0]
    once = asked(table, "kb", adjust="ka").findings[0]
    assert math.log(five.p) == pytest.approx(math.log(once.p), abs=0.3)
    for ours, theirs in zip(five.effect.levels, once.effect.levels, strict=True):
        assert ours.risk == pytest.approx(theirs.risk, abs=0.005)


# What is called a cause


def shows_an_effect(finding):
    """Whether some contrast of two levels, or the trend, leaves out no effect."""
    effect = finding.effect
    risk, v = [level.risk[0] for level in effect.levels], np.array(effect.covariance)
    z = 1.959963984540054 * (1 - 1e-9)
    pairs = combinations(range(len(risk)), 2)
    apart = any(abs(risk[i] - risk[j]) > z * math.sqrt(v[i, i] + v[j, j] - 2 * v[i, j]) for i, j in pairs)
    trend = effect.trend
    return apart or (trend is not None and trend.per_unit[1] * trend.per_unit[2] > 0)


@pytest.mark.parametrize("seed", range(40))
def test_no_cause_has_all_intervals_over_no_effect(seed):
    draw = np.random.default_rng(900 + seed)
    make = (categories, numbers, missing, one_but_not_both)[seed % 4]
    for finding in mine(make(900 + seed, int(draw.integers(60, 500)))).findings:
        if finding.is_cause:
            assert shows_an_effect(finding), finding.name
        may_be_chance = finding.verdict == "possible" and not finding.rivals
        if finding.verdict in ("cause", "possible", "indirect"):
            assert finding.p <= 0.05
            assert (finding.grade is None) == may_be_chance
        else:
            assert finding.grade is None


def test_noise_is_hardly_ever_a_cause():
    """Ten columns without effect: a cause in no more of 40 tables than 5 % would give in 1 of 1,000 tries."""
    n = 0
    for seed in range(40):
        draw = np.random.default_rng(500 + seed)
        columns = {f"k{i}": words(draw.integers(0, 2 + i % 3, 400), "v") for i in range(10)}
        n += bool(mine(pd.DataFrame(columns | {"y": outcome_of(draw, np.full(400, 0.3))})).causes)
    assert n <= 7


@pytest.mark.parametrize("seed", [0, 2, 5, 15])
def test_causes_beyond_doubt_make_noise_no_easier_to_believe(seed):
    """Corrected beside six causes of p = 0, each of these tables had a column of noise at 5 %."""
    draw = np.random.default_rng(seed)
    codes = draw.integers(0, 2, (2_000, 26))
    columns = {f"k{place:02}": words(one, "v") for place, one in enumerate(codes.T)}
    y = np.where(draw.random(2_000) < chance(0.9 * (codes[:, :6] - 0.5).sum(axis=1)), "yes", "no")
    found = mine(pd.DataFrame(columns | {"y": y}))
    assert {cause.name for cause in found.causes} == {f"k{place:02}" for place in range(6)}


# Real tables


def textbook(name):
    folder_of_data()
    return pd.read_csv(FOLDER / "known-answers" / f"{name}.csv")


def test_every_column_of_the_table_is_told_once():
    table = textbook("birthwt")
    told = mine(table, "low=1").data.columns
    kinds = {one.name: one.kind for one in told}
    assert len(kinds) == len(told)
    assert kinds.keys() == set(table.columns) - {"low"}
    assert kinds["age"] == kinds["lwt"] == "number"
    assert kinds["bwt"] == "left out"


def test_birth_weight():
    result = mine(textbook("birthwt"), "low=1")
    ptl = result["ptl"].effect
    assert [level.level for level in ptl.levels] == ["≥1", "0"]
    assert ptl.levels[0].records == 30
    assert sum(level.records for level in ptl.levels) + ptl.left_out.get("implausible", 0) == 189
    assert result["bwt"].verdict == "set aside"
    assert all("bwt" not in finding.adjusted_for for finding in result.findings)
    for name in ("age", "lwt"):
        finding = result[name]
        assert len(finding.effect.levels) >= 3
        assert finding.effect.trend is not None
        assert sum(name in factor.columns for one in result.findings for factor in one.factors) == 1
    assert result["lwt"].effect.trend.per_unit[0] < 0


@pytest.mark.parametrize("seed", range(2))
def test_a_real_table_in_another_order(seed):
    table = textbook("birthwt")
    draw = np.random.default_rng(seed)
    moved = table[draw.permutation(table.columns).tolist()].sample(frac=1, random_state=seed)
    check_same(answer(mine(moved.reset_index(drop=True), "low=1")), answer(mine(table, "low=1")))


@pytest.mark.slow
def test_credit_in_another_order():
    data = require("german")
    table = data.arrow().to_pandas().astype(object)
    moved = table[np.random.default_rng(1).permutation(table.columns).tolist()].sample(frac=1, random_state=1)
    first, second = (mine(one.reset_index(drop=True), data.outcome) for one in (table, moved))
    check_same(answer(second), answer(first))


# Words

REPORTED = ("nearly_full", "strong", "cause", "explained", "chance?", "No difference", "fragile", "together")


def with_names(value, names):
    """What a result holds, its columns by other names."""
    if isinstance(value, dict):
        return {with_names(name, names): with_names(one, names) for name, one in value.items()}
    if isinstance(value, list):
        return [with_names(one, names) for one in value]
    return names.get(value, value) if isinstance(value, str) else value


@pytest.mark.parametrize("kind", ["categories", "numbers", "missing", "one_but_not_both", "many_columns"])
def test_columns_called_by_the_words_of_reports_are_columns(kind):
    """Before they are compared, columns get the neutral names; verdicts and grades are words of their own."""
    table = TABLES[kind]()
    neutral = [name for name in table.columns if name != "y"][: len(REPORTED)]
    before = dict(zip(REPORTED, neutral, strict=False))
    found = mine(table.rename(columns={name: word for word, name in before.items()}))
    said = ("verdict", "grade", "time", "notes")
    for ours, theirs in zip(found.findings, mined(kind).findings, strict=True):
        for part in Finding.__struct_fields__:
            one, other = (json.loads(msgspec.json.encode(getattr(of, part))) for of in (ours, theirs))
            if part == "notes":
                one = [with_names(note["data"], before) | {"": note["code"]} for note in one]
                other = [note["data"] | {"": note["code"]} for note in other]
            check_same(one if part in said else with_names(one, before), other, f"{theirs.name}.{part}")
        assert found[ours.name] is ours
    for word, name in before.items():
        tested, expected = asked(table.rename(columns={name: word}), word), asked(table, name)
        check_same(tested.findings[0].p, expected.findings[0].p, word)
        assert word in tested.answer()
        assert word in tested.card(word)


def test_values_called_by_the_words_of_reports_are_values():
    table = categories()
    names = {"va0": "strong", "va1": "cause", "va2": "No difference", "vb0": "explained", "vb1": "fragile"}
    found = mine(table.replace(names)).findings
    for ours, theirs in zip(found, mined("categories").findings, strict=True):
        assert (ours.name, ours.verdict, ours.grade) == (theirs.name, theirs.verdict, theirs.grade)
        risks = [sorted(level.risk[0] for level in one.effect.levels) for one in (ours, theirs)]
        check_same(*risks, ours.name)


def texts_in(value):
    """All texts among what a note says, but for the names of its parts."""
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list):
        return [text for one in value for text in texts_in(one)]
    return [value] if isinstance(value, str) else []


@KINDS
def test_what_is_found_holds_no_sentences(kind):
    """Codes, names, values and numbers; these tables have no name or value with a space."""
    result = mined(kind)
    for note in (*result.notes, *(note for finding in result.findings for note in finding.notes)):
        assert re.fullmatch("[a-z_]+", note.code)
        assert not any(" " in text for text in texts_in(note.data)), note


def test_columns_that_are_not_coded_are_told_by_codes():
    table = categories(n=300)
    table = table.assign(row=np.arange(300), key=words(range(300), "key"), one="x", none=None)
    table["many"] = words(np.arange(300) % 150, "m")
    result = mine(table, drop=["ke"], max_values=100)
    aside = {one.name: one.notes[0].code for one in result.findings if one.verdict == "set aside"}
    assert aside == {"row": "identifier", "key": "identifier", "one": "constant"}
    left_out = {note.data["column"]: note.data["reason"] for note in result.notes if note.code == "left_out"}
    assert left_out == {"none": "empty", "many": "too_many_values", "ke": "dropped"}


# The house


READ_TEXTS = ("names.py", "missing_codes.py")
"""Files that may: they read names and values of the user's table."""


def files_of_the_rooms():
    files = [file for room in ROOMS for file in (SOURCE / room).rglob("*.py")]
    return [*files, SOURCE / "walk.py", SOURCE / "plain.py"]


@pytest.mark.parametrize("file", files_of_the_rooms(), ids=lambda file: str(file.relative_to(SOURCE)))
def test_rooms_read_no_sentences_and_lean_on_nothing_old(file):
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.Attribute):
            assert node.attr not in ("startswith", "endswith"), f"{file.name}: a text is parsed"
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        assert "re" not in names or file.name in READ_TEXTS, f"{file.name}: a text is parsed"
        if isinstance(node, ast.ImportFrom):
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        for name in names:
            assert not re.match(r"causalrules\.(search|cohort|assess)\b", name), f"{file.name} imports {name}"
            assert not re.fullmatch(r"causalrules\.domain(\.rule)?\.Rule", name), (
                f"{file.name} imports {name}"
            )


# What turns round, and what the user forbids


def test_a_cause_whose_sign_adjusting_turns_is_fragile():
    draw = np.random.default_rng(8)
    ill, n = draw.random(6_000) < 0.5, 6_000
    drug = draw.random(n) < np.where(ill, 0.8, 0.2)
    y = outcome_of(draw, 0.2 + 0.4 * ill - 0.1 * drug)
    found = mine(pd.DataFrame({"ill": words(ill, "is "), "drug": words(drug, "has "), "y": y}))["drug"]
    crude = {level.level: level.crude for level in found.effect.levels}
    risk = {level.level: level.risk[0] for level in found.effect.levels}
    assert crude["has True"] > crude["has False"]
    assert risk["has True"] < risk["has False"]
    assert (found.verdict, found.grade) == ("cause", "fragile")
    assert "signs_differ" in {note.code for note in found.notes}


def test_what_is_said_to_be_no_cause_has_a_line_that_says_so():
    draw = np.random.default_rng(9)
    a, b = draw.integers(0, 2, (2, 2_000))
    table = pd.DataFrame(
        {"a": words(a, "a"), "b": words(b, "b"), "y": outcome_of(draw, 0.2 + 0.3 * a + 0.2 * b)}
    )
    result = mine(table, forbid="a -> y")
    assert result["a"].verdict == "set aside"
    assert "a (no cause, as you said)" in result.answer()
    assert asked(table, "a", forbid="a -> y").findings == (result["a"],)


def test_a_category_of_nearly_as_many_values_as_records_tells_nothing_of_the_outcome():
    draw = np.random.default_rng(10)
    n = 400
    table = pd.DataFrame(
        {
            "street": words(draw.integers(0, 700, n), "s"),
            "a": words(draw.integers(0, 2, n), "a"),
            "y": outcome_of(draw, np.full(n, 0.4)),
        }
    )
    notes = {note.code for note in mine(table, categorical="street").notes}
    assert "leak" not in notes


def test_the_screen_says_where_many_records_lack_what_is_adjusted_for():
    draw = np.random.default_rng(11)
    n = 2_000
    ill, treated = draw.integers(0, 2, (2, n))
    y = outcome_of(draw, 0.2 + 0.3 * ill + 0.2 * treated)
    table = pd.DataFrame({"ill": words(ill, "i"), "treated": words(treated, "t"), "y": y})
    assert "left out" not in mine(table).answer()
    table.loc[draw.random(n) < 0.3, "ill"] = None
    result = mine(table)
    lacking = table["ill"].isna().sum()
    assert result["treated"].effect.left_out == {"missing": lacking}
    assert f"Up to {lacking:,} records left out of a study: a value is missing" in result.answer()
