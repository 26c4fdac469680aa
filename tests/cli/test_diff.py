"""Two saved results, compared at the terminal: what people read, what programs read, and the exit code."""

import csv
import io
import json
from dataclasses import replace

import numpy as np
import pytest

import causalrules
from causalrules.domain import Estimate
from unit.report.contrast_results import contrasts, rule


def saved(result, folder, name):
    path = folder / f"{name}.json"
    result.save(path)
    return path


@pytest.fixture
def months(tmp_path):
    """October and November: one cause stays, one grows, one comes, one goes."""
    october = contrasts(rule("contract=monthly"), rule("fiber=yes"), rule("promo=yes"))
    grown = replace(rule("fiber=yes"), adjusted_odds_ratio=Estimate(4.0, 3.5, 4.56))
    november = contrasts(rule("contract=monthly"), grown, rule("payment=invoice"))
    november = replace(november, data=replace(november.data, rows=october.data.rows + 1))
    return saved(october, tmp_path, "october"), saved(november, tmp_path, "november")


def test_differences_have_both_effects_and_an_exit_code(months, run):
    code, out, err = run("diff", *months)
    assert (code, err) == (1, "")
    lines = [" ".join(line.split()) for line in out.splitlines()]
    assert lines[0] == "2 rules are causal in both, 1 only in october, 1 only in november."
    assert "october november change" in lines
    assert "contract=monthly 2.00 (1.75 – 2.28) 2.00 (1.75 – 2.28) × 1.00 (0.83 – 1.21)" in lines
    assert "fiber=yes 2.00 (1.75 – 2.28) 4.00 (3.50 – 4.56) × 2.00 (1.66 – 2.41)" in lines
    assert lines[lines.index("Causal only in october") + 2] == "promo=yes 2.00 (1.75 – 2.28) not tested"
    assert (
        lines[lines.index("Causal only in november") + 2] == "payment=invoice not tested 2.00 (1.75 – 2.28)"
    )


def test_the_same_result_ends_with_nought_and_has_no_interval_of_change(months, run):
    code, out, _ = run("diff", months[0], months[0])
    assert code == 0
    assert "3 rules are causal in both, 0 only in the first, 0 only in the second." in out
    assert out.count("the same") == 3
    assert "leaves out" not in out


def test_programs_read_the_same_numbers(months, run):
    code, out, _ = run("diff", *months, "--format", "json")
    assert code == 1
    found = json.loads(out)
    assert found["differs"] is True
    fiber = next(one for one in found["rules"] if one["rule"] == "fiber=yes")
    assert (fiber["causal_in"], fiber["first_effect"], fiber["second_effect"]) == ("both", 2.0, 4.0)
    rows = list(csv.DictReader(io.StringIO(run("diff", *months, "--format", "csv")[1])))
    assert [row["rule"] for row in rows] == [one["rule"] for one in found["rules"]]
    assert float(rows[0]["change_low"]) == pytest.approx(found["rules"][0]["change_low"])
    frame = causalrules.Result.load(months[0]).diff(causalrules.Result.load(months[1])).to_frame()
    assert list(frame["rule"]) == [row["rule"] for row in rows]
    assert "| `fiber=yes` | 2.00 (1.75 – 2.28) | 4.00" in run("diff", *months, "--format", "markdown")[1]


def test_infinite_effects_are_no_trouble(tmp_path, run):
    endless = replace(rule("fiber=yes"), adjusted_odds_ratio=Estimate(np.inf, 3.0, np.inf))
    first, second = (saved(contrasts(one), tmp_path, name) for one, name in ((endless, "a"), (endless, "b")))
    assert json.loads(run("diff", first, second, "--format", "json")[1])["rules"][0]["first_effect"] is None
    assert "∞" in run("diff", first, second)[1]


def test_numbers_cut_at_other_points_stand_side_by_side(tmp_path, run):
    first = contrasts(rule("age=<=31"), rule("pay=<=10"))
    second = contrasts(rule("age=<=33"), rule("pay=<=11"))
    code, out, _ = run("diff", saved(first, tmp_path, "a"), saved(second, tmp_path, "b"))
    assert code == 0
    shown = [line.split()[0] for line in out.splitlines() if line.startswith(("age<", "pay<"))]
    assert shown in (
        ["age<=31", "age<=33", "pay<=10", "pay<=11"],
        ["age<=33", "age<=31", "pay<=11", "pay<=10"],
    )


def test_what_cannot_be_compared_ends_with_two(months, tmp_path, refuse):
    (tmp_path / "no.json").write_text("{}")
    assert "is not a causalrules result" in refuse(2, "diff", months[0], tmp_path / "no.json")
    assert "there is no such file" in refuse(2, "diff", months[0], tmp_path / "absent.json")
    assert "--format must be" in refuse(2, "diff", *months, "--format", "yaml")
    other = replace(contrasts(rule("moisture=>3")), not_studied=())
    outcome = replace(other.data.outcome, column="defect", n_with=5)
    other = replace(other, data=replace(other.data, outcome=outcome, left_out=()))
    path = saved(other, tmp_path, "other")
    assert "no column in common" in refuse(2, "diff", months[0], path)


def test_an_effect_that_was_adjusted_for_other_columns_has_no_interval_of_change(tmp_path, run):
    old = contrasts(rule("fiber=yes"))
    (one,) = old.tested
    other = replace(one, design=replace(one.design, held=("age", "region")))
    new = replace(contrasts(other), data=replace(old.data, rows=old.data.rows + 1))
    paths = saved(old, tmp_path, "old"), saved(new, tmp_path, "new")
    out = " ".join(run("diff", *paths)[1].split())
    assert "× 1.00 †" in out
    assert "† Adjusted for different columns" in out
    assert "--adjust COLUMN,COLUMN adjusts for the same in both" in out
    (row,) = json.loads(run("diff", *paths, "--format", "json")[1])["rules"]
    assert (row["change"], row["change_low"], row["same_adjustment"]) == (1.0, None, False)
