"""Results of the paper's procedure in files, frames and reports.

``files/causalrules-1.json`` was written by the last version of the first
schema (mine on 1,500 simulated patients, --only smoker,severity,treatment
--explain): yesterday's behaviour, not truth. ``files/causalrules-2-items.json`` is
what 0.2.0 wrote (the same patients, --controls items --max-length 1 --explain).
"""

import json
from math import isclose
from pathlib import Path

import jsonschema
import pytest

import causalrules
from causalrules.paper import PaperResult
from causalrules.paper.result import paper_schema
from causalrules.publish.document import Sheet
from causalrules.simulation import planted_table

FILES = Path(__file__).parent / "files"
OLD_FILE, ITEMS_FILE = FILES / "causalrules-1.json", FILES / "causalrules-2-items.json"


@pytest.fixture(scope="module")
def result():
    return causalrules.paper.mine(planted_table(1500), "ill=yes", explain=True)


def test_numbers_speak_of_the_outcome(result):
    assert {rule.direction for rule in result.causal} == {"raises", "lowers"}
    for rule in result.causal:
        raises = rule.direction == "raises"
        assert (rule.adjusted_odds_ratio.low > 1, rule.pairs.n12 > rule.pairs.n21) == (raises, raises)
        assert rule.as_printed.adjusted_odds_ratio.low > 1
        assert rule.fair_odds_ratio.value == pytest.approx(rule.pairs.n12 / rule.pairs.n21)


def test_what_is_written_is_what_the_schema_says(result):
    schema = paper_schema()
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.validate(result.to_dict(), schema)
    assert result.to_dict()["schema"] == "causalrules-paper/1"


def test_a_frame_has_the_counts_of_pairs(result):
    frame = result.to_frame("causal")
    assert len(frame) == len(result.causal)
    assert {"n11", "n12", "n21", "n22", "adjusted_low"} <= set(frame.columns)
    assert set(frame.columns) < set(result.to_frame(columns="all").columns)
    with pytest.raises(causalrules.CausalRulesError, match="verdict must be one of"):
        result.to_frame("possible")


@pytest.mark.parametrize("name", ["rules.docx", "rules.xlsx", "rules.tex", "rules.md", "rules.html"])
def test_the_report_is_one_document_for_every_kind_of_file(result, name, tmp_path):
    result.article().save(tmp_path / name)
    assert (tmp_path / name).stat().st_size > 1000


def test_a_rule_that_too_few_runs_found_says_so(result):
    found = [rule for rule in result.tested if rule.verdict == "rejected" and rule.causal_runs]
    assert found
    sheets = [block for block in result.article().document.blocks if isinstance(block, Sheet)]
    marks = {line.name: line.cells[-1] for line in sheets[-1].lines}
    assert all(marks[rule.name].startswith("causal in 1 of 3 runs") for rule in found)


def test_a_default_result_is_not_taken_for_one_of_the_paper(tmp_path, result):
    path = tmp_path / "result.json"
    causalrules.mine(planted_table(500), "ill=yes", max_length=1).save(path)
    with pytest.raises(causalrules.errors.ResultFileError, match="holds a result of another kind"):
        PaperResult.load(path)
    result.save(path)
    with pytest.raises(causalrules.errors.ResultFileError, match=r"causalrules\.load reads both"):
        causalrules.Result.load(path)


def test_a_file_of_the_second_schema_still_loads():
    saved, result = json.loads(ITEMS_FILE.read_text()), causalrules.load(ITEMS_FILE)
    assert saved["schema"] == "causalrules/2"
    assert isinstance(result, PaperResult)
    for old, new in zip(saved["rules"], result.to_dict()["rules"], strict=True):
        assert new == {name: old[name] for name in new}


def test_a_file_of_the_first_schema_still_loads(tmp_path):
    saved, result = json.loads(OLD_FILE.read_text()), PaperResult.load(OLD_FILE)
    assert saved["schema"] == "causalrules/1"
    for entry, found in zip(saved["rules"], result.tested, strict=True):
        rule = found.as_printed  # as files of the first schema have it
        assert (rule.direction, rule.verdict, rule.support) == (
            entry["direction"],
            entry["verdict"],
            entry["support"],
        )
        assert [(item.column, item.value) for item in rule.controls] == [
            (item["column"], item["value"]) for item in entry["controls"]
        ]
        for stem, estimate in (
            ("odds_ratio", rule.odds_ratio),
            ("fair", rule.fair_odds_ratio),
            ("adjusted", rule.adjusted_odds_ratio),
            ("risk_ratio", rule.effects.risk_ratio),
            ("risk_difference", rule.effects.risk_difference),
        ):
            limits = entry[f"{stem}_low"], entry[f"{stem}_high"]
            assert (estimate.low, estimate.high) == pytest.approx(limits, rel=1e-15)
        assert (rule.pairs.n11, rule.pairs.n12) == (entry["n11"], entry["n12"])
        assert (rule.explanation is None) == (entry["explanation"] is None)
    result.save(tmp_path / "new.json")
    assert json.loads((tmp_path / "new.json").read_text())["schema"] == "causalrules-paper/1"
    assert PaperResult.load(tmp_path / "new.json") == result


def test_the_missing_risk_ratio_of_an_old_file_is_that_of_the_other_side():
    """smoker=yes and smoker=no compare the same arms, so each tells what the other's file lacks."""
    rules = {(rule.direction, rule.name): rule for rule in PaperResult.load(OLD_FILE).tested}
    raises, lowers = rules["raises", "smoker=yes"], rules["lowers", "smoker=no"]
    assert isclose(lowers.effects.crude_risk_ratio, 1 / raises.effects.crude_risk_ratio)
    printed = lowers.as_printed.effects
    assert isclose(printed.crude_risk_ratio, 1 / raises.effects.crude_opposite_risk_ratio)
    matched = lowers.effects.risk_ratio
    assert isclose(matched.value, 1 / raises.effects.risk_ratio.value)
    assert isclose(matched.low, 1 / raises.effects.risk_ratio.high)


def test_a_file_in_which_a_number_of_pairs_is_missing_is_refused(tmp_path):
    result = causalrules.mine(planted_table(1000), "ill=yes", max_length=1, controls="items")
    entry = result.to_dict()
    entry["rules"][0]["n22"] = None
    path = tmp_path / "result.json"
    path.write_text(json.dumps(entry))
    with pytest.raises(causalrules.errors.ResultFileError, match="a number of pairs is missing"):
        PaperResult.load(path)


def test_what_becomes_of_missing_values_is_said_where_there_are_some():
    people = planted_table(1500).to_pydict()
    told = "Values are missing in smoker. A missing value is no item in the paper"
    complete = causalrules.paper.test(people, "ill=yes", "severity=high")
    people["smoker"] = [None if row % 7 == 0 else value for row, value in enumerate(people["smoker"])]
    for result in (
        causalrules.paper.test(people, "ill=yes", "severity=high"),
        causalrules.paper.mine(people, "ill=yes", max_length=1),
    ):
        assert [note.startswith(told) for note in result.data.notes] == [True]
        assert told in str(result.article())
    assert complete.data.notes == ()
