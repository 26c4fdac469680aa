"""What users of Python meet first: the printed result, the estimator's outcome, and odd arguments."""

import numpy as np
import pandas as pd
import pytest

import causalrules
from causalrules import CausalRuleMiner
from causalrules.domain import Settings
from causalrules.errors import CausalRulesError, ExposureError, SettingsError


@pytest.fixture(scope="module")
def customers():
    rng = np.random.default_rng(9)
    n = 3000
    age = rng.integers(18, 80, n)
    contract = rng.choice(["monthly", "yearly", "two-year"], n, p=[0.5, 0.3, 0.2])
    monthly = contract == "monthly"
    discount = rng.random(n) < 1 / (1 + np.exp(1 - 1.5 * monthly))
    calls, area, promo = rng.poisson(1.5, n), rng.integers(10_000, 10_400, n), rng.random(n) < 0.5
    odds = -1.5 + 1.2 * monthly + 0.35 * calls - 0.5 * promo + 0.01 * (age - 50)
    return pd.DataFrame(
        {
            "age": age,
            "contract": contract,
            "discount": discount,
            "calls": calls,
            "area": area,
            "promo": promo,
            "churn": rng.random(n) < 1 / (1 + np.exp(-odds)),
        }
    )


@pytest.fixture(scope="module")
def mined(customers):
    return causalrules.mine(customers, "churn", max_length=1)


@pytest.fixture
def fitted_on(customers):
    return customers.drop(columns="churn"), customers["churn"]


def test_a_crude_number_on_the_other_side_has_its_own_sign(customers):
    result = causalrules.test(customers, "churn", "discount")
    (rule,) = result.rules
    crude = rule.of_the_outcome().odds_ratio.value
    assert rule.direction == "lowers"
    assert crude > 1
    assert repr(result).endswith(f"; crude × {crude:.2f}")


def test_the_estimators_result_names_column_and_class(fitted_on):
    X, y = fitted_on  # noqa: N806 - scikit-learn's name
    status = y.map({True: "left", False: "stay"}).rename("status")
    for outcome, named in ((None, "status=stay"), ("left", "status=left")):
        miner = CausalRuleMiner(max_length=1, outcome=outcome).fit(X, status)
        assert str(miner.result_.data.outcome) == named
    assert str(CausalRuleMiner(max_length=1).fit(X, y.to_numpy(int)).result_.data.outcome) == "y=1"
    unnamed = CausalRuleMiner(max_length=1).fit(X, np.where(y, "NA", "EU")).result_
    assert (str(unnamed.data.outcome), unnamed.data.outcome.n_with) == ("y=true", y.sum())


def test_the_estimator_refuses_means_in_a_sentence(fitted_on):
    X, _ = fitted_on  # noqa: N806 - scikit-learn's name
    with pytest.raises(SettingsError, match=r"causalrules.mine\(X, y=y, outcome_as='mean'\)"):
        CausalRuleMiner(outcome_as="mean").fit(X, X["age"] + 0.5)
    assert causalrules.mine(X, y=X["age"] + 0.5, outcome_as="mean", max_length=1).data.outcome.is_mean


def test_a_summary_adds_up_and_tells_of_records_held_out(customers, mined):
    for result in (mined, causalrules.mine(customers, "churn", max_length=1, holdout=0.5)):
        counts = result.n_by_verdict
        for verdict in ("possible", "consequence"):
            assert (f"{counts[verdict]} {verdict}" in result.summary()) == (counts[verdict] > 0)
    assert "about 50% of them, tests from the rest" in result.summary()
    assert "tests from the rest" not in mined.summary()


def test_an_exposure_is_not_adjusted_for_itself(customers):
    with pytest.raises(ExposureError, match="'discount' is the exposure itself"):
        causalrules.test(customers, "churn", "discount", adjust="discount")
    beside = causalrules.test(customers, "churn", "discount", adjust=["discount", "age"])
    assert beside.rules[0].design.held == ("age",)


def test_scalars_of_numpy_are_settings(customers):
    settings = causalrules.Settings(
        max_length=np.int64(1), alpha=np.float32(0.5), explain=np.bool_(False), bins=np.str_("none")
    )
    assert settings == causalrules.Settings(max_length=1, alpha=0.5, explain=False, bins="none")
    assert {type(settings.max_length), type(settings.alpha), type(settings.explain)} == {int, float, bool}
    with pytest.raises(SettingsError, match="max_length"):
        causalrules.Settings(max_length=np.float64(1.5))


def test_none_means_the_default(customers, mined):
    lists = (
        "adjust",
        "drop",
        "only",
        "exposures",
        "before",
        "categorical",
        "missing",
        "require",
        "cut",
        "by",
    )
    nothing = dict.fromkeys((*lists, "tiers"))
    assert causalrules.Settings.from_options(**nothing) == causalrules.Settings()
    assert causalrules.Settings(drop="age").changed(drop=None).drop == ()
    assert causalrules.mine(customers, "churn", max_length=1, adjust=None).rules == mined.rules


@pytest.mark.parametrize(
    ("ask", "told"),
    [
        (lambda d: causalrules.mine(d, causalrules.Item("churn", True)), "an item whose value is a text"),
        (lambda d: causalrules.mine(d, "churn", on_progress=3), "on_progress must be a function"),
        (lambda d: causalrules.mine(d, "promo", outcome_as="mean"), "has truth values; only numbers"),
        (lambda d: causalrules.test(d, "churn", "promo", ratio=2), "matching is 'exact'"),
        (
            lambda d: causalrules.mine(d[["age", "promo"]], y=d["churn"].map({True: "left", False: "stay"})),
            r"say which of them is meant, as in y=\(y == 'stay'\)",
        ),
        (
            lambda d: causalrules.mine(
                pytest.importorskip("scipy.sparse").eye(5), "a=1", columns=list("abcde")
            ),
            r"a sparse matrix: it is no table. Give matrix.toarray\(\)",
        ),
    ],
)
def test_mistakes_are_told_as_what_they_are(customers, ask, told):
    with pytest.raises(CausalRulesError, match=told):
        ask(customers)


def test_a_rule_is_found_by_a_number_of_numpy_and_by_nothing_odd(mined):
    assert mined.find(np.int64(0)) is mined.rules[0]
    with pytest.raises(SettingsError, match="a rule, its text or its place"):
        mined.find(1.5)


def test_answers_are_a_collection(customers):
    answers = causalrules.mine(customers, ["churn", "promo"], max_length=1)
    assert "churn=true" in answers
    assert "churn" not in answers
    assert answers[np.int64(1)] in answers
    assert answers[:1].outcomes == ("churn=true",)


def test_a_report_is_what_its_name_says(mined, tmp_path):
    mined.report(tmp_path / "answer.md")
    assert (tmp_path / "answer.md").read_text(encoding="utf-8").startswith("**3 causal rules")
    for name in ("answer", "answer.pdf"):
        with pytest.raises(CausalRulesError, match=r"a report ends in \.html or \.md"):
            mined.report(tmp_path / name)
        assert not (tmp_path / name).exists()


def test_what_must_be_known_first_is_printed_first(customers):
    leak = customers["churn"] ^ (np.random.default_rng(1).random(len(customers)) < 0.01)
    result = causalrules.mine(customers.assign(refund=leak), "churn", max_length=1)
    lines = repr(result).splitlines()
    assert lines[1].startswith("  first: refund nearly decides the outcome")
    assert max(map(len, lines[1 : 1 + len(result.data.notes)])) <= 130
    assert "<details open" in result._repr_html_()


def test_an_unknown_direction_is_told(mined):
    (undecided,) = {rule.arrow for rule in mined.causal}
    assert undecided == "undecided"
    assert repr(mined).count(", if it comes before the outcome:") == len(mined.causal)
    assert mined._repr_html_().count("if it comes before the outcome") == len(mined.causal)
    assert mined.to_frame().columns[:5].tolist() == ["rule", "verdict", "direction", "arrow", "grade"]
    assert mined.to_frame(columns="all").columns.tolist().count("arrow") == 1


def test_a_known_direction_needs_no_condition(customers):
    known = causalrules.mine(customers, "churn", max_length=1, before=["promo", "contract", "calls", "age"])
    assert known.causal
    assert "if it comes" not in repr(known)


def test_codes_of_numbers_may_be_numbers(customers):
    written = causalrules.mine(customers, "churn=True", missing=["-1", "0.5"], max_length=1)
    assert (
        causalrules.mine(customers, "churn=True", missing=[-1.0, 0.5], max_length=1).tested == written.tested
    )
    assert Settings.from_options(missing=-1).missing == ("-1",)
    for wrong in ([None], [True], object()):
        with pytest.raises(SettingsError, match="missing must be texts or numbers"):
            Settings.from_options(missing=wrong)


@pytest.mark.parametrize("name", ["as", "as_"])
def test_the_option_as_is_outcome_as_here(name):
    with pytest.raises(SettingsError, match=f"there is no setting '{name}'. Did you mean 'outcome_as'"):
        Settings.from_options(**{name: "mean"})


def test_pictures_by_their_name(mined):
    assert mined.plot().to_dict() == mined.plot.forest().to_dict() == mined.plot("forest").to_dict()
    assert mined.plot("love", 0).to_dict() == mined.plot.love(0).to_dict()
    with pytest.raises(SettingsError, match=r"kind must be one of 'forest', 'funnel'.*'forrest'"):
        mined.plot("forrest")


def test_a_date_is_compared_with_a_date():
    days = pd.date_range("2024-01-01", periods=100)
    table = pd.DataFrame({"day": days, "x": ["a", "b"] * 50})
    with pytest.raises(
        CausalRulesError, match="Compare with what it has, such as 'day>=2023-01-01', or name"
    ):
        causalrules.mine(table, "day>=2023")


def test_yes_in_another_language(customers):
    german = customers.assign(churn=customers.churn.map({True: "ja", False: "nein"}))
    (one, other) = (causalrules.mine(german, text, max_length=1) for text in ("churn", "churn=ja"))
    assert one.tested == other.tested
