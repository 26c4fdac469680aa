"""Records that belong together: several of one person are not so many pieces of evidence."""

import numpy as np
import pyarrow as pa
import pytest

import causalrules
from causalrules.domain import Settings
from causalrules.domain.column_labels import LabelledColumns
from causalrules.encode import encode
from causalrules.engines import load
from causalrules.engines.checkpoint.saved_survey import SavedSurvey
from causalrules.errors import SettingsError, UnknownColumnError
from causalrules.read import source
from causalrules.report.words.read_first import notices


def visits(seed, n_persons=200, n_visits=5, effect=0.0, n_columns=6, named="patient_id"):
    """What persons are, and how often they fall ill, belongs to the person; every visit is a record."""
    rng = np.random.default_rng(seed)
    person = np.repeat(np.arange(n_persons), n_visits)
    columns = {named: np.array([f"P{7 * one:05}" for one in person])} if named else {}
    traits = rng.random((n_columns, n_persons)) < 0.5
    for number, trait in enumerate(traits):
        columns[f"c{number}"] = np.where(trait[person], "yes", "no")
    columns["age"] = rng.normal(50, 10, n_persons).round(1)[person]
    inclination = rng.normal(-1, 2, n_persons) + effect * traits[0]
    ill = rng.random(len(person)) < 1 / (1 + np.exp(-inclination[person]))
    return pa.table({**columns, "z": np.where(ill, "yes", "no")})


def content(result):
    """All that a result says but for times and the engine."""
    entry = result.to_dict()
    for name in ("engine", "memory"):
        del entry["settings"][name]
    return {name: value for name, value in entry.items() if name not in ("created", "timings")}


def test_noise_that_repeats_is_no_evidence():
    false, false_without = 0, 0
    for seed in range(10):
        table = visits(seed)
        false += bool(causalrules.mine(table, "z=yes", max_length=1, cluster="patient_id").causal)
        false_without += bool(causalrules.mine(table, "z=yes", max_length=1, drop="patient_id").causal)
    assert false <= 1
    assert false_without >= 5


def test_pairs_that_repeat_are_no_evidence():
    """A few persons make up a combination of items: their records are alike by their nature."""
    found = [causalrules.mine(visits(seed, n_columns=12), "z=yes", cluster="patient_id") for seed in range(4)]
    assert sum(bool(result.causal) for result in found) <= 1


def test_an_effect_between_persons_is_found():
    result = causalrules.test(visits(1, effect=3.0), "z=yes", "c0=yes", cluster="patient_id")
    rule = result.tested[0]
    assert rule.verdict == "causal"
    assert rule.design.n_clusters == 200
    assert "patient_id" not in rule.design.held


def test_the_interval_is_that_of_a_clustered_logistic_regression():
    sm = pytest.importorskip("statsmodels.api")
    table = visits(3, effect=1.5, n_columns=1, named="who").drop_columns("age")
    rule = causalrules.test(table, "z=yes", "c0=yes", cluster="who").tested[0]
    exposed, ill = (table[name].to_numpy() == "yes" for name in ("c0", "z"))
    groups = np.unique(table["who"].to_numpy(), return_inverse=True)[1]
    fit = sm.Logit(ill.astype(float), sm.add_constant(exposed.astype(float))).fit(
        disp=0, tol=1e-12, cov_type="cluster", cov_kwds={"groups": groups, "use_correction": False}
    )
    width = np.log(rule.adjusted_odds_ratio.high / rule.adjusted_odds_ratio.low) / 2
    assert np.log(rule.adjusted_odds_ratio.value) == pytest.approx(fit.params[1], rel=1e-9)
    assert width == pytest.approx(fit.bse[1] * 1.96, rel=0.02)  # Student's t and G/(G - 1) widen a little
    assert width > fit.bse[1] * 1.96


@pytest.mark.parametrize("value", ["yes", "no"])
def test_the_crude_interval_is_that_of_a_clustered_logistic_regression(value):
    """Also where something is held: the crude odds ratio leaves it out."""
    sm = pytest.importorskip("statsmodels.api")
    table = visits(3, effect=1.5, n_columns=2, named="who").drop_columns("age")
    rule = causalrules.test(table, "z=yes", f"c0={value}", cluster="who", adjust="c1").tested[0]
    assert rule.design.held == ("c1",)
    exposed, ill = table["c0"].to_numpy() == value, table["z"].to_numpy() == "yes"
    if rule.direction == "lowers":
        ill = ~ill
    groups = np.unique(table["who"].to_numpy(), return_inverse=True)[1]
    fit = sm.Logit(ill.astype(float), sm.add_constant(exposed.astype(float))).fit(
        disp=0, tol=1e-12, cov_type="cluster", cov_kwds={"groups": groups, "use_correction": False}
    )
    crude = rule.odds_ratio
    assert np.log(crude.value) == pytest.approx(fit.params[1], rel=1e-9)
    assert np.log(crude.high / crude.low) / 2 == pytest.approx(fit.bse[1] * 1.96, rel=0.02)
    assert "population" not in rule.design.estimand


def test_noise_is_not_said_to_be_associated_because_it_repeats():
    """Records that are counted one by one make the crude interval exclude 1; persons do not."""
    told = set()
    for seed in range(6):
        table = visits(seed, n_persons=80, n_visits=30, n_columns=1).drop_columns("age")
        by_record = causalrules.test(table, "z=yes", "c0=yes", drop="patient_id").tested[0].odds_ratio
        rule = causalrules.test(table, "z=yes", "c0=yes", cluster="patient_id").tested[0]
        assert rule.odds_ratio.value == pytest.approx(by_record.value, rel=1e-12)
        assert rule.odds_ratio.low < 1
        told.add(by_record.low > 1)
    assert True in told, "no seed shows the mistake"


def test_a_crude_odds_ratio_with_an_empty_cell_has_limits():
    table = visits(5, n_persons=60, n_columns=1).drop_columns("age")
    sick = np.where(table["c0"].to_numpy() == "yes", "yes", table["z"].to_numpy())
    table = table.set_column(table.column_names.index("z"), "z", pa.array(sick))
    crude = causalrules.test(table, "z=yes", "c0=yes", cluster="patient_id").tested[0].odds_ratio
    assert 1 < crude.value < np.inf
    assert crude.low == 1
    assert crude.high == np.inf


def test_every_record_a_cluster_of_its_own_changes_little():
    table = visits(4, n_persons=1500, n_visits=1, effect=1.0)
    alone = causalrules.test(table, "z=yes", "c0=yes", drop="patient_id").tested[0]
    clustered = causalrules.test(table, "z=yes", "c0=yes", cluster="patient_id").tested[0]
    for found, expected in (
        (clustered.adjusted_odds_ratio, alone.adjusted_odds_ratio),
        (clustered.effects.risk_difference, alone.effects.risk_difference),
        (clustered.effects.risk_ratio, alone.effects.risk_ratio),
        (clustered.effects.opposite_risk_ratio, alone.effects.opposite_risk_ratio),
        (clustered.design.second_opinion, alone.design.second_opinion),
    ):
        assert found.high - found.low == pytest.approx(expected.high - expected.low, rel=0.04)
    assert clustered.doubts.gamma == pytest.approx(alone.doubts.gamma, rel=0.05)


def test_doubled_records_say_no_more_than_once():
    """The estimate is the same, and so is its interval, once twins are known to be twins."""
    table = visits(5, n_persons=600, n_visits=1, effect=1.0)
    twice = pa.concat_tables([table, table])
    rule, doubled = (
        causalrules.test(one, "z=yes", "c0=yes", cluster="patient_id", adjust="c1").tested[0]
        for one in (table, twice)
    )
    assert doubled.adjusted_odds_ratio.value == pytest.approx(rule.adjusted_odds_ratio.value)
    assert doubled.adjusted_odds_ratio.low == pytest.approx(rule.adjusted_odds_ratio.low, rel=0.01)
    assert doubled.effects.risk_ratio.high == pytest.approx(rule.effects.risk_ratio.high, rel=0.01)
    assert doubled.doubts.gamma == pytest.approx(rule.doubts.gamma, rel=0.02)


@pytest.mark.parametrize("options", [{}, {"holdout": 0.4, "seed": 3}], ids=["all records", "held out"])
def test_engines_agree(options, monkeypatch, tmp_path):
    table = visits(6, effect=2.0)
    expected = causalrules.mine(table, "z=yes", engine="memory", cluster="patient_id", **options)
    assert expected.tested[0].design.n_clusters
    monkeypatch.setattr(load, "records_within", lambda *_: 20)
    monkeypatch.setattr(source, "ROWS_A_BATCH", 90)
    found = causalrules.mine(table, "z=yes", engine="streaming", cluster="patient_id", **options)
    assert content(found) == content(expected)
    for _ in range(2):  # written, then read
        saved = causalrules.mine(
            table, "z=yes", engine="memory", cluster="patient_id", checkpoint=tmp_path, **options
        )
        assert content(saved) == content(expected)


def test_numbers_name_clusters_as_texts_do():
    table = visits(7, effect=2.0)
    number = pa.array([float(text[1:]) for text in table["patient_id"].to_pylist()])
    texts = number.cast(pa.int64()).cast(pa.string())
    rules = [
        causalrules.test(
            table.set_column(0, "patient_id", column), "z=yes", "c0=yes", cluster="patient_id"
        ).tested
        for column in (number, texts)
    ]
    assert rules[0] == rules[1]


def test_clusters_are_held_out_whole():
    """Else a person's records would propose a rule and confirm it as well."""
    table = visits(8, effect=2.0)
    result = causalrules.mine(table, "z=yes", cluster="patient_id", holdout=0.5)
    assert 80 <= max(rule.design.n_clusters for rule in result.tested) <= 120


def test_what_cannot_name_clusters_is_refused():
    table = visits(9)
    with pytest.raises(UnknownColumnError, match="cluster column 'patient' is not among"):
        causalrules.mine(table, "z=yes", cluster="patient")
    with pytest.raises(SettingsError, match="cluster must be another column than the outcome"):
        causalrules.mine(table, "z=yes", cluster="z")
    lists = table.append_column("list", pa.array([[1]] * table.num_rows))
    with pytest.raises(SettingsError, match="cluster must be a column of texts, numbers or dates"):
        causalrules.mine(lists, "z=yes", cluster="list")


@pytest.mark.parametrize("named", ["psu", "PSU", "Primary sampling unit", "v001_cluster"])
def test_a_sampling_unit_of_which_nothing_stays_the_same_is_known_by_its_name(named):
    draw = np.random.default_rng(1)
    unit = draw.integers(1, 101, 2000)
    columns = {f"c{k}": draw.choice(["yes", "no"], 2000) for k in range(3)}
    table = pa.table({named: unit, **columns})
    result = causalrules.mine(table, "c0=yes", max_length=1)
    assert any(note.startswith(f"{named} repeats: 100 different values") for note in result.data.notes)


@pytest.mark.parametrize("named", ["patient_id", "person_number", "Subject"])
def test_an_identifier_that_repeats_is_warned_about(named):
    result = causalrules.mine(visits(10, named=named), "z=yes", max_length=1)
    warning = next(note for note in result.data.notes if "belong together" in note)
    assert f"--cluster {named}" in warning
    assert "200 different values in 1,000 records" in warning
    clustered = causalrules.mine(visits(10, named=named), "z=yes", max_length=1, cluster=named)
    assert not any("belong together" in note for note in clustered.data.notes)


def repeats_noted(table):
    return [
        note for note in causalrules.mine(table, "z=yes", max_length=1).data.notes if " repeats: " in note
    ]


def test_persons_are_noticed_by_what_stays_the_same_whatever_their_name():
    texts = visits(10, named="code")
    numbers = texts.set_column(0, "x17", pa.array(np.repeat(np.arange(200) * 7 + 3, 5)))
    scattered = numbers.take(np.random.default_rng(1).permutation(1000))
    for table in (texts, numbers, scattered):
        (note,) = repeats_noted(table)
        assert note.startswith(f"{table.column_names[0]} repeats: 200 different values in 1,000 records.")
        assert f"--cluster {table.column_names[0]} " in note


def test_one_column_that_stays_the_same_is_enough_under_a_telling_name():
    table = visits(10, n_columns=1).drop_columns("age")
    for name, is_noted in (("pat_nr", True), ("caseid", True), ("town", False)):
        assert bool(repeats_noted(table.rename_columns([name, *table.column_names[1:]]))) is is_noted


def places(seed, n=3000):
    """Addresses, and what follows from them; nothing else belongs to a place."""
    draw = np.random.default_rng(seed)
    town = draw.integers(0, 100, n)
    return pa.table(
        {
            "zip": 10_000 + 37 * town,
            "town": [f"town {one}" for one in town],
            "county": town // 4,
            "state": [f"state {one // 20}" for one in town],
            "region": ["west" if one < 40 else "east" for one in town],
            "sex": draw.choice(["f", "m"], n),
            "age": draw.integers(20, 80, n),
            "z": draw.choice(["yes", "no"], n),
        }
    )


def test_categories_that_follow_from_each_other_are_no_persons():
    assert not repeats_noted(places(1))
    assert not repeats_noted(places(2).select(["zip", "region", "sex", "age", "z"]))


def test_the_column_that_tells_persons_apart_is_not_to_be_dropped():
    draw = np.random.default_rng(8)
    person = np.repeat(np.arange(80), 30)
    table = {
        "pat_nr": np.array([f"p{one}" for one in person]),
        "blood_group": draw.choice(["A", "B", "O"], 80)[person],
        "village": draw.choice(["hill", "valley"], 80)[person],
        "left_handed": draw.choice(["yes", "no"], 80, p=[0.3, 0.7])[person],
        "garden": draw.choice(["yes", "no"], 80)[person],
    }
    chance = 1 / (1 + np.exp(1 - draw.normal(0, 2, 80)[person]))
    table["z"] = np.where(draw.random(len(person)) < chance, "yes", "no")
    result = causalrules.mine(pa.table(table), "z=yes", max_length=1)
    said = [notice for notice in notices(result) if "told apart" in notice.text]
    assert said, "the case no longer shows what it is for"
    assert all("--drop" not in notice.advice for notice in said)
    assert any("--cluster pat_nr" in notice.advice for notice in said)


def test_twins_without_a_name_are_warned_about():
    result = causalrules.mine(visits(11, named="", n_columns=20), "z=yes", max_length=1)
    assert any("equal another one in every column" in note for note in result.data.notes)


@pytest.mark.parametrize("n_columns", [3, 20])
def test_independent_records_are_not_warned_about(n_columns):
    table = visits(12, n_persons=1000, n_visits=1, n_columns=n_columns)
    for one in (table, table.drop_columns(["patient_id", "age"])):
        assert not any("together" in note for note in causalrules.mine(one, "z=yes", max_length=1).data.notes)


def test_spark_warns_by_the_records_too():
    from spark_sessions import frame_of, require_spark

    require_spark()
    table = visits(2, named="label")
    here = causalrules.mine(table, "z=yes", max_length=1).data.notes
    (expected,) = [note for note in here if "--cluster" in note]
    assert expected.startswith("label repeats: 200 different values in 1,000 records.")
    for n_partitions in (1, 4):
        result = causalrules.mine(frame_of(table, n_partitions), "z=yes", max_length=1)
        assert expected in result.data.notes


def test_that_records_repeat_is_known_as_such_and_kept():
    """Twenty columns of persons have twins, too: nobody is told of the same thing twice."""
    table = visits(11, n_columns=20)
    fresh = causalrules.mine(table, "z=yes", max_length=1)
    assert len([note for note in fresh.data.notes if "--cluster" in note]) == 1
    coded = encode(table, "z=yes", Settings())
    assert coded.repeating == ("patient_id",)
    kept = SavedSurvey(coded, LabelledColumns(tuple(table.column_names), {}), ())
    assert SavedSurvey.from_text(kept.to_text()).vocabulary.repeating == ("patient_id",)
    assert encode(table, "z=yes", Settings(cluster="patient_id")).repeating == ()


@pytest.mark.parametrize("named", ["patient age", "Household's total net income", "customer_tenure"])
def test_what_persons_have_names_nobody(named):
    rng = np.random.default_rng(3)
    ill = np.where(rng.random(3000) < 0.3, "yes", "no")
    columns = {named: rng.integers(18, 900, 3000), "sex": rng.choice(["f", "m"], 3000), "z": ill}
    assert encode(pa.table(columns), "z=yes", Settings()).repeating == ()
