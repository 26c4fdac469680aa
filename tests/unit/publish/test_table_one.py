"""Table 1 against tableone, statsmodels and pandas."""

import re
import warnings

import numpy as np
import pandas as pd
import pytest
from statsmodels.stats.weightstats import DescrStatsW

import causalrules
from causalrules.errors import SettingsError, UnknownColumnError
from causalrules.publish.result_page import table_one_view
from causalrules.report.words.study_facts import study_facts
from unit.publish.patients import patients

GROUPS = ("exposed before", "unexposed before", "exposed after", "unexposed after")


@pytest.fixture(scope="module")
def frame():
    chance = np.random.default_rng(2)
    made = patients()
    return made.assign(
        cost=chance.lognormal(5, 1, len(made)),
        seen=pd.Timestamp("2020-01-01") + pd.to_timedelta(chance.integers(0, 900, len(made)), unit="D"),
    )


@pytest.fixture(scope="module")
def result(frame):
    return causalrules.test(frame, "ill=yes", "drug=yes", adjust=["age", "sex"])


@pytest.fixture(scope="module")
def table(result, frame):
    return result.table1(0, frame).to_frame()


@pytest.fixture(scope="module")
def before(frame):
    return frame[frame["ill"].notna() & frame["drug"].notna()]


def row(table, column, value=None):
    chosen = table["column"] == column
    chosen &= table["value"].isna() if value is None else table["value"] == value
    (found,) = table[chosen].to_dict("records")
    return found


def test_before_matching_it_is_what_tableone_gives(table, before):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it has not caught up with pandas 3
        from tableone import TableOne

        theirs = TableOne(
            before.drop(columns=["ill", "seen"]).astype({"drug": str, "sex": "object"}),
            columns=["sex", "age", "site", "cost"],
            categorical=["sex", "site"],
            continuous=["age", "cost"],
            nonnormal=["cost"],
            groupby="drug",
            smd=True,
            decimals=4,
            include_null=False,
        ).tableone
    shown = theirs.droplevel(0, axis=1) if theirs.columns.nlevels > 1 else theirs
    smd = {key[0].split(",")[0]: shown.loc[key].filter(like="SMD").iloc[0] for key in shown.index}
    for column in ("age", "sex", "cost"):  # of several values it gives another measure, a distance
        ours = table[table["column"] == column]["smd before"].iloc[0]
        found = [
            float(shown.loc[key].filter(like="SMD").iloc[0])
            for key in shown.index
            if key[0].split(",")[0] == column and shown.loc[key].filter(like="SMD").iloc[0]
        ]
        assert found, smd
        assert ours == pytest.approx(abs(found[0]), abs=6e-4)
    age = next(shown.loc[key] for key in shown.index if key[0].startswith("age"))
    ours = row(table, "age")
    assert age["yes"] == f"{ours['mean, exposed before']:.4f} ({ours['sd, exposed before']:.4f})"
    cost = next(shown.loc[key] for key in shown.index if key[0].startswith("cost"))
    ours = row(table, "cost")
    assert cost["no"] == "{:.4f} [{:.4f},{:.4f}]".format(
        *(ours[f"{name}, unexposed before"] for name in ("median", "lower_quartile", "upper_quartile"))
    )


def test_counts_before_matching_are_those_of_pandas(table, before):
    counted = pd.crosstab(before["site"], before["drug"])
    for site in counted.index:
        found = row(table, "site", site)
        assert found["n, exposed before"] == counted.loc[site, "yes"]
        assert found["share, unexposed before"] == pytest.approx(
            counted.loc[site, "no"] / counted["no"].sum()
        )
    exposed = before[before["drug"] == "yes"]
    assert row(table, "age")["missing, exposed before"] == exposed["age"].isna().sum()
    assert row(table, "sex", "male")["missing, exposed before"] == exposed["sex"].isna().sum()
    # Shares are of the known values.
    assert row(table, "sex", "male")["share, exposed before"] == pytest.approx(
        (exposed["sex"] == "male").sum() / exposed["sex"].notna().sum()
    )


def test_after_matching_they_are_weighted_as_statsmodels_weighs(result, table, frame, before):
    matched = result.matched(0, frame)
    spread = np.sqrt(before.groupby("drug")["age"].var().mean())
    means = []
    for arm in ("exposed", "unexposed"):
        own = matched[matched["arm"] == arm]
        weights = own["weight"].to_numpy()
        of_age = DescrStatsW(own["age"], weights)
        found = row(table, "age")
        assert found[f"mean, {arm} after"] == pytest.approx(of_age.mean)
        divisor = weights.sum() - (weights**2).sum() / weights.sum()
        assert found[f"sd, {arm} after"] == pytest.approx(np.sqrt(of_age.sumsquares / divisor))
        means.append(of_age.mean)
        is_male = (own["sex"] == "male").to_numpy(float)
        assert row(table, "sex", "male")[f"share, {arm} after"] == pytest.approx(
            np.average(is_male, weights=weights)
        )
        ordered = own.sort_values("cost")
        below = ordered["weight"].cumsum() / ordered["weight"].sum()
        if arm == "unexposed":  # unequal weights
            median = ordered["cost"][below >= 0.5].iloc[0]
            assert row(table, "cost")["median, unexposed after"] == median
    assert row(table, "age")["smd after"] == pytest.approx(abs(means[0] - means[1]) / spread)
    assert row(table, "age")["smd after"] < 0.1 < row(table, "age")["smd before"]


def test_every_value_of_a_category_has_its_difference_and_the_largest_is_that_of_the_column(
    result, table, frame, before
):
    shares = pd.crosstab(before["site"], before["drug"], normalize="columns")
    found = {
        site: abs(t - c) / np.sqrt((t * (1 - t) + c * (1 - c)) / 2)
        for site, t, c in zip(shares.index, shares["yes"], shares["no"], strict=True)
    }
    for site, difference in found.items():
        assert row(table, "site", site)["smd before"] == pytest.approx(difference)
    (line,) = (one for one in result.table1(0, frame).sheet.lines if one.name.startswith("site"))
    assert line.cells[2] == pytest.approx(max(found.values()))


def test_before_matching_the_study_says_what_table_1_says():
    chance = np.random.default_rng(7)
    n = 3000
    severity, age = chance.integers(1, 6, n), chance.normal(60, 12, n)
    drug = chance.random(n) < 1 / (1 + np.exp(-(0.7 * severity - 2.5 + 0.02 * (age - 60))))
    ill = chance.random(n) < 0.1 + 0.1 * severity
    frame = pd.DataFrame({"severity": severity, "age": age, "drug": drug, "ill": ill})
    for adjust in (["severity"], ["age"], ["severity", "age"]):
        result = causalrules.test(frame, "ill", "drug", adjust=adjust)
        table = result.table1(0, frame, columns=adjust).to_frame()
        told = result.rules[0].design.worst_imbalance_before
        assert told == pytest.approx(table["smd before"].max(), rel=0.01)  # a number is held by fine bins
        (line,) = (one for fact in study_facts(result.rules[0]) for one in fact.lines if "largest" in one)
        assert f"largest standardised difference {told:.2f} before matching" in line


def test_what_comes_after_the_exposure_is_no_imbalance(frame):
    later = frame.assign(dose=np.where(frame["drug"] == "yes", 5.0, 0.0) + np.arange(len(frame)) % 7)
    asked = {"adjust": ["age", "sex"], "numeric": ["dose"]}
    plain = causalrules.test(later, "ill=yes", "drug=yes", **asked).table1(0, later)
    told = causalrules.test(later, "ill=yes", "drug=yes", tiers="drug < dose", **asked).table1(0, later)
    assert plain.worst_after > 1 > told.worst_after > 0
    assert table_one_view(told)["worst"] == f"{told.worst_after:.2f}"
    assert (table_one_view(plain)["has_later"], table_one_view(told)["has_later"]) == (False, True)


def test_a_copy_of_the_exposure_is_infinitely_different():
    n = 400
    x = np.array(["a", "b"] * (n // 2))
    frame = pd.DataFrame(
        {"x": x, "copy": np.where(x == "a", "1st", "2nd"), "dose": np.where(x == "a", 5.0, 0.0)}
    )
    frame["z"] = np.random.default_rng(3).choice(["y", "n"], n)
    frame["same"] = "always"
    table = causalrules.table1(frame, "z=y", "x=a", describe=["copy", "dose", "same"], numeric=["dose"])
    found = table.to_frame().set_index("column")
    assert (found.loc["copy", "smd before"] == np.inf).all()
    assert found.loc["dose", "smd after"] == np.inf
    assert found.loc["same", "smd before"] == 0
    assert "∞" in repr(table)


def test_what_is_printed(result, frame):
    text = repr(result.table1("drug=yes", frame))
    assert "age, mean (SD)" in text
    assert "cost, median (IQR)" in text  # skewed
    assert "seen‡, median (IQR)" in text  # not adjusted for
    assert "2021-" in text
    assert "missing, n (%)" in text
    assert "ill, n (%)" not in text
    assert "drug, n (%)" not in text
    means = repr(result.table1(0, frame, columns=["cost"], numbers="mean"))
    assert "cost, mean (SD)" in means
    assert "age, " not in means
    with pytest.raises(UnknownColumnError, match="Did you mean 'cost'"):
        result.table1(0, frame, columns=["costs"])
    with pytest.raises(SettingsError, match="numbers"):
        result.table1(0, frame, numbers="mode")


def test_rare_values_of_many_are_one_line():
    chance = np.random.default_rng(0)
    frame = pd.DataFrame(
        {
            "x": chance.choice(["a", "b"], 900),
            "town": chance.choice([f"t{i:02}" for i in range(30)], 900, p=np.arange(1, 31) / 465),
            "z": chance.choice(["y", "n"], 900),
        }
    )
    table = causalrules.table1(frame, "z=y", "x=a")
    names = [line.name for line in table.sheet.lines]
    assert names[-1] == "19 other values"
    frequent = frame["town"].value_counts().sort_index().sort_values(ascending=False, kind="stable")[:11]
    assert names[1:-1] == sorted(frequent.index)
    whole = table.to_frame()
    assert len(whole) == 30
    assert whole["share, exposed before"].sum() == pytest.approx(1)


def test_the_function_runs_the_study_itself(result, frame):
    again = causalrules.table1(frame, "ill=yes", "drug=yes", adjust=["age", "sex"])
    assert again == result.table1(0, frame)
    assert again.sizes == (result.tested[0].exposed, result.tested[0].unexposed, *again.sizes[2:])


def test_what_stays_unlike_and_was_not_adjusted_for_is_marked(frame):
    ward = frame.assign(ward=np.where(frame["drug"] == "yes", np.arange(len(frame)) % 3 > 0, False))
    table = causalrules.test(ward, "ill=yes", "drug=yes", adjust=["age", "sex"]).table1(0, ward)
    assert table.left_unlike[0] == "ward"
    assert not {"age", "sex"} & set(table.left_unlike)
    names = [line.name for line in table.sheet.lines]
    assert "ward‡, n (%)" in names
    assert not any("‡" in name for name in names if name.startswith(("age", "sex")))
    assert any(note.startswith("‡ The study did not adjust for it.") for note in table.sheet.notes)
    assert table_one_view(table)["left_unlike"] == "ward"
    both = causalrules.test(frame, "ill=yes", "drug=yes", adjust=["age", "sex"]).table1(
        0, frame, columns=["age", "sex"]
    )
    assert "‡" not in repr(both)


def test_weighted_records_are_not_counted_and_what_comes_later_is_marked(frame):
    later = frame.assign(pressure=np.where(frame["drug"] == "yes", "low", "high"))
    result = causalrules.test(
        later, "ill=yes", "drug=yes", adjust=["age", "sex"], tiers="age, sex < drug < cost < ill < seen"
    )
    table = result.table1(0, later)
    sheet = table.sheet
    assert sheet.columns[5] == f"Unexposed (effective n = {table.effective:,.0f})"
    cells = {line.name: line.cells for line in sheet.lines if line.is_part}
    assert re.fullmatch(r"[\d,]+ \(\d+\.\d\)", cells["female"][3])
    assert re.fullmatch(r"\d+\.\d%", cells["female"][4])
    names = [line.name for line in sheet.lines]
    assert [name for name in names if "†" in name] == ["cost†, median (IQR)", "seen†, median (IQR)"]
    assert any(note.startswith("† Said to come after the exposure") for note in sheet.notes)
    plain = causalrules.test(frame, "ill=yes", "drug=yes", adjust=["age", "sex"]).table1(0, frame)
    assert "†" not in repr(plain)


LEVELS = ["Primary", "Lower secondary", "Upper secondary", "Bachelor", "Master or higher"]


@pytest.fixture(scope="module")
def schooled():
    chance = np.random.default_rng(5)
    columns = {name: chance.choice(["yes", "no"], 600) for name in ("x", "z")}
    return pd.DataFrame({**columns, "school": chance.choice(5, 600), "mood": chance.choice(list("bca"), 600)})


def values_of(table, column):
    return table.to_frame().query("column == @column")["value"].tolist()


def test_values_stand_in_the_order_of_the_file(schooled, tmp_path):
    pyreadstat = pytest.importorskip("pyreadstat")
    path = tmp_path / "survey.dta"
    pyreadstat.write_dta(schooled, path, variable_value_labels={"school": dict(enumerate(LEVELS))})
    assert values_of(causalrules.table1(path, "z=yes", "x=yes"), "school") == LEVELS
    named = schooled.assign(school=pd.Categorical.from_codes(schooled["school"], LEVELS, ordered=True))
    assert values_of(causalrules.table1(named, "z=yes", "x=yes"), "school") == LEVELS


def test_values_stand_in_the_order_that_was_given(schooled):
    named = schooled.assign(school=[LEVELS[code] for code in schooled["school"]])
    assert values_of(causalrules.table1(named, "z=yes", "x=yes"), "school") == sorted(LEVELS)
    table = causalrules.table1(named, "z=yes", "x=yes", ordered=[f"school={'<'.join(LEVELS)}", "mood=c<b<a"])
    assert values_of(table, "school") == LEVELS
    assert values_of(table, "mood") == ["c", "b", "a"]
    assert [line.name for line in table.sheet.lines if line.name in LEVELS] == LEVELS
