"""A result of the next method: asked by name, compared at any levels, saved and loaded."""

import json
from math import exp, isnan, log, sqrt

import hypothesis.strategies as st
import jsonschema
import msgspec
import numpy as np
import pytest
from hypothesis import given, settings
from scipy.stats import norm
from statsmodels.stats.proportion import proportion_confint

import answers
import causalrules
from causalrules.errors import (
    CausalRulesError,
    ResultFileError,
    ResultMissingError,
    UnknownFactorError,
    UnknownLevelError,
)
from causalrules.words.compare_levels import compared
from causalrules.words.findings import Effect, Factor, Finding, Level, Note
from causalrules.words.result import ColumnFacts
from causalrules.words.result_files import from_entry, result_schema


def test_a_factor_by_its_column_by_columns_in_any_order_or_by_its_pattern():
    told = answers.adult()
    assert told["age"].name == "age"
    assert told["relationship"].name == "marital_status"
    assert told["occupation & workclass"].factors[0].columns == ("workclass", "occupation")
    pattern = Finding(factors=(Factor(columns=("a", "b"), pattern="a=1 & b>=2"),), verdict="cause")
    assert answers.result([pattern])["b>=2 & a=1"] is pattern


def test_what_is_not_there_is_told_with_what_was_meant():
    told = answers.adult()
    with pytest.raises(UnknownFactorError, match=r"'agee' is not among .* Did you mean 'age'\?") as caught:
        told["agee"]
    assert isinstance(caught.value, KeyError)
    with pytest.raises(UnknownLevelError, match=r"'age' cannot be compared at the level '20'"):
        told.effect("age", "20")
    with pytest.raises(UnknownFactorError, match="'hand' was not studied"):
        told.effect("hand", "left")


def test_a_column_that_took_no_part_is_told_with_why():
    told = answers.adult()
    note = Note("left_out", {"column": "diary", "reason": "too_many_values"})
    diary = ColumnFacts(name="diary", kind="left out", notes=(note,))
    told = msgspec.structs.replace(told, data=msgspec.structs.replace(told.data, columns=(diary,)))
    with pytest.raises(UnknownFactorError, match="'diary' was left out: it has too many different values"):
        told["diary"]
    with pytest.raises(UnknownFactorError, match="'income' is the outcome"):
        told["income"]


def test_a_level_holds_the_values_up_to_its_end():
    level = answers.mean()["weeks"].effect.levels[0]
    ends = {None: (), (None, 24.0): (-9, 24), (24.0, 30.0): (24.1, 30.0), (30.0, None): (30.5, 1e9)}
    for within, values in ends.items():
        one = msgspec.structs.replace(level, within=within)
        assert [value for value in (-9, 24, 24.1, 30.0, 30.5, 1e9) if one.holds(value)] == list(values)
    assert level.holds("34")
    assert level.holds(34)


def test_causes_are_those_that_are_called_so():
    assert [one.name for one in answers.adult().causes] == [
        *("marital_status", "education_num", "age", "occupation", "workclass & occupation")
    ]


def two_levels(first, second, covariance):
    def level(name, risk):
        return Level(
            level=name,
            records=9,
            crude=risk[0],
            risk=risk,
            difference=(risk[0] - 0.5, 0.0, 0.0),
            ratio=(1.0, 1.0, 1.0),
            odds_ratio=(1.0, 1.0, 1.0),
        )

    wide = np.zeros((3, 3))
    wide[1:, 1:] = covariance
    return Effect(
        estimand="adjusted",
        applies_to=27,
        left_out={},
        reference="base",
        levels=(level("base", (0.5, 0.4, 0.6)), level("first", first), level("second", second)),
        covariance=tuple(map(tuple, wide.tolist())),
    )


@settings(max_examples=60, deadline=None)
@given(
    first=st.floats(0.2, 0.8),
    second=st.floats(0.2, 0.8),
    errors=st.tuples(st.floats(0.001, 0.02), st.floats(0.001, 0.02)),
    correlation=st.floats(-0.9, 0.9),
    confidence=st.sampled_from([0.9, 0.95, 0.99]),
)
def test_any_two_levels_are_compared_by_the_delta_method(first, second, errors, correlation, confidence):
    """Where both intervals are symmetric on the scale of the comparison, its own is the delta method's."""
    a, b = errors
    covariance = np.array([[a * a, correlation * a * b], [correlation * a * b, b * b]])
    z = norm.ppf(0.5 + confidence / 2)
    risks = [(risk, risk - z * error, risk + z * error) for risk, error in ((first, a), (second, b))]
    found = compared("x", two_levels(*risks, covariance), "first", "second", confidence)
    half = z * sqrt(a * a + b * b - 2 * correlation * a * b)
    assert found.difference == pytest.approx((first - second, first - second - half, first - second + half))
    assert found.p == pytest.approx(2 * norm.sf(abs(first - second) / (half / z)), abs=1e-12)
    for scale, back, told in (
        (log, exp, lambda one: one.ratio),
        (lambda p: log(p / (1 - p)), lambda x: 1 / (1 + exp(-x)), lambda one: one.odds_ratio),
    ):
        even = [
            tuple(back(scale(risk) + z * side * error) for side in (0, -1, 1))
            for risk, error in ((first, a), (second, b))
        ]
        middle = scale(first) - scale(second)
        ratio = told(compared("x", two_levels(*even, covariance), "first", "second", confidence))
        assert ratio == pytest.approx((exp(middle), exp(middle - half), exp(middle + half)), rel=1e-9)


@pytest.mark.parametrize(
    ("first", "second", "limits"),
    [
        ((56, 70), (48, 80), (0.0524, 0.3339)),
        ((9, 10), (3, 10), (0.1705, 0.8090)),
        ((6, 7), (2, 7), (0.0582, 0.8062)),
        ((5, 56), (0, 29), (-0.0381, 0.1926)),
        ((0, 10), (0, 20), (-0.1611, 0.2775)),
    ],
)
def test_differences_of_skewed_shares_are_the_published_ones(first, second, limits):
    """Newcombe, Statistics in Medicine 1998, table II, method 10: score intervals combined."""
    risks = [
        (with_it / n, *proportion_confint(with_it, n, method="wilson")) for with_it, n in (first, second)
    ]
    found = compared("x", two_levels(*risks, np.zeros((2, 2))), "first", "second")
    assert found.difference[1:] == pytest.approx(limits, abs=6e-5)


def test_a_comparison_turned_round_is_its_opposite():
    told = answers.trial()
    there, back = told.effect("rx", "Lev+5FU", against="Lev"), told.effect("rx", "Lev", against="Lev+5FU")
    assert there.difference == pytest.approx([-back.difference[place] for place in (0, 2, 1)])
    assert there.odds_ratio == pytest.approx([1 / back.odds_ratio[place] for place in (0, 2, 1)])
    assert told.effect("rx", "Lev+5FU") == told["rx"].effect.levels[2]
    assert told.effect("rx", "Lev", against="Lev").difference == (0.0, 0.0, 0.0)


@pytest.mark.parametrize("make", [answers.adult, answers.trial, answers.chain, answers.mean, answers.wide])
def test_saving_and_loading_returns_the_same(make, tmp_path):
    told, path = make(), tmp_path / "result.json"
    told.save(path)
    assert causalrules.load(path) == told
    jsonschema.validate(json.loads(path.read_text()), result_schema())


def test_the_schema_is_one():
    jsonschema.Draft202012Validator.check_schema(result_schema())


def test_no_file_has_a_number_that_is_none(tmp_path):
    told = answers.mean()
    effect = told.findings[0].effect
    nan, inf = float("nan"), float("inf")
    level = msgspec.structs.replace(
        effect.levels[1], crude=nan, difference=(1.0, -inf, inf), odds_ratio=(1.0, 0.5, inf)
    )
    effect = msgspec.structs.replace(
        effect, levels=(effect.levels[0], level), covariance=((nan, 0.0), (0.0, 1.0))
    )
    odd = msgspec.structs.replace(told.findings[0], effect=effect, notes=(Note("x", {"a": [None, 1.5]}),))
    odd = msgspec.structs.replace(told, findings=(odd,))
    odd.save(tmp_path / "odd.json")
    text = (tmp_path / "odd.json").read_text()
    assert "NaN" not in text
    assert "Infinity" not in text
    jsonschema.validate(json.loads(text), result_schema())
    back = causalrules.load(tmp_path / "odd.json").findings[0]
    assert isnan(back.effect.levels[1].crude)
    assert isnan(back.effect.levels[1].difference[2])
    assert back.effect.levels[1].difference[0] == 1.0
    assert back.effect.levels[0].odds_ratio is None
    assert back.notes[0].data == {"a": [None, 1.5]}
    assert back.effect.levels[1].ratio is None


def edited(change):
    entry = json.loads(answers.chain().to_json())
    change(entry)
    return entry


BROKEN = {
    "a verdict that there is not": lambda entry: entry["findings"][0].update(verdict="proven"),
    "a triple of two": lambda entry: entry["findings"][0].update(moves=[0.1, 0.2]),
    "a text for a number": lambda entry: entry["findings"][0].update(p="small"),
    "no outcome": lambda entry: entry["data"].pop("outcome"),
    "findings as text": lambda entry: entry.update(findings="none"),
    "a finding as a list": lambda entry: entry.update(findings=[[]]),
    "null for findings": lambda entry: entry.update(findings=None),
}


@pytest.mark.parametrize("change", BROKEN.values(), ids=BROKEN.keys())
def test_a_damaged_file_is_told(change, tmp_path):
    path = tmp_path / "broken.json"
    path.write_text(json.dumps(edited(change)))
    with pytest.raises(ResultFileError, match=r"is damaged or was edited: .* Write it again"):
        causalrules.load(path)


def test_later_versions_and_strangers_are_told_apart(tmp_path):
    path = tmp_path / "r.json"
    path.write_text(json.dumps(edited(lambda entry: entry.update(schema="causalrules/4"))))
    with pytest.raises(ResultFileError, match=r"written by a later version .*; update causalrules"):
        causalrules.load(path)
    path.write_text(json.dumps(edited(lambda entry: entry.update(schema="causalrule"))))
    with pytest.raises(ResultFileError, match="is not a causalrules result"):
        causalrules.load(path)
    with pytest.raises(ResultMissingError):
        causalrules.load(tmp_path / "none.json")


def test_fields_of_a_later_version_do_no_harm():
    assert from_entry(edited(lambda entry: entry.update(later=[1, None]))) == answers.chain()


def test_files_of_every_schema_are_loaded(tmp_path):
    patients = causalrules.simulate("hospital", n_records=600).table
    old = causalrules.mine(patients, "ill=yes", max_length=1)
    paper = causalrules.paper.mine(patients, "ill=yes", max_length=1)
    for name, told in (("2", old), ("paper", paper), ("3", answers.chain())):
        told.save(tmp_path / name)
        assert causalrules.load(tmp_path / name) == told
        assert causalrules.Answers.load(tmp_path / name)[0] == told


@settings(max_examples=50, deadline=None)
@given(text=st.text(), number=st.floats(allow_nan=False, allow_infinity=False))
def test_any_text_survives_a_file(text, number):
    one = Finding(
        factors=(Factor(columns=(text,)),),
        verdict="cause",
        p=number,
        notes=(Note(text, {text: [text, number]}),),
    )
    told = answers.result([one], name=text, column=text)
    try:
        encoded = told.to_json()
    except UnicodeEncodeError:  # half a pair of surrogates is no text
        return
    assert from_entry(json.loads(encoded)) == told


def test_one_row_a_level():
    frame = answers.chain().to_frame()
    assert frame["factor"].tolist() == ["tar", "tar", "smoker", "smoker"]
    assert frame["level"].tolist() == ["low", "high", "no", "yes"]
    assert frame.loc[1, ["risk", "risk_low", "risk_high"]].tolist() == [0.44, 0.42, 0.46]
    assert frame.loc[2, "explained_by"] == "tar"
    assert frame.loc[0, "moves"] == 0.12
    assert answers.nothing().to_frame("arrow").num_rows == 30
    assert answers.result([]).to_frame("arrow").schema == answers.adult().to_frame("arrow").schema


def test_it_is_shown_where_people_look():
    told = answers.chain()
    assert str(told) == repr(told) == told.answer()
    assert told._repr_html_().startswith("<pre>ill=yes: 30 %")
    odd = answers.result([answers.finding("<b>", "cause")])
    assert "&lt;b&gt;" in odd._repr_html_()


def test_every_mistake_is_one_of_ours():
    for mistake in (lambda: answers.adult()["nobody"], lambda: answers.adult().effect("age", "nobody")):
        with pytest.raises(CausalRulesError):
            mistake()
