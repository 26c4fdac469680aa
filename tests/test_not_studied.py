"""Columns that take part and have no study: each with its reason."""

import numpy as np
import pyarrow as pa
import pytest

import causalrules


@pytest.fixture(scope="module")
def table():
    """One strong cause, one that lowers, noise, and a column whose second value is too rare."""
    random = np.random.default_rng(5)
    smoker, sport, noise = (random.integers(0, 2, 2_000) for _ in range(3))
    ill = random.random(2_000) < 0.2 + 0.4 * smoker - 0.15 * sport
    rare = np.where(np.arange(2_000) < 4, "yes", "no")
    words = np.array(["no", "yes"])
    return pa.table(
        {
            "smoker": words[smoker],
            "sport": words[sport],
            "noise": words[noise],
            "rare": rare,
            "ill": words[ill.astype(int)],
        }
    )


def reasons(table, **settings):
    result = causalrules.mine(table, "ill=yes", **settings)
    studied = {item.column for rule in result.tested for item in rule.pattern}
    named = {one.column: one.reason for one in result.not_studied}
    assert not studied & set(named)
    left_out = {one.column for one in result.data.left_out}
    assert studied | set(named) | left_out | {"ill"} == set(table.column_names)
    return named


def test_what_is_weak_or_rare_says_so(table):
    named = reasons(table)
    assert set(named) == {"noise", "rare"}
    assert named["noise"].startswith("it is not associated with the outcome, even before adjustment (p = 0.")
    assert named["rare"].startswith("no value of it is frequent enough: none covers more than 5 %")


def test_what_was_not_asked_about_names_the_statement(table):
    named = reasons(table, exposures=["smoker"])
    assert named["sport"] == "it was not tested, because you said: exposures smoker"


def test_what_goes_the_other_way_says_so(table):
    assert "direction that was not asked for" in reasons(table, direction="raises", max_length=1)["sport"]


def test_the_papers_protocol_tells_it_too(table):
    named = reasons(table, controls="items")
    assert named["noise"] == "no value of it is both frequent enough and associated with the outcome"


def with_a_rare_exposure(seed, log_odds, n=20_000):
    draw = np.random.default_rng(seed)
    asbestos, smoke, noise = (draw.random(n) < share for share in (0.008, 0.3, 0.004))
    cancer = draw.random(n) < 1 / (1 + np.exp(4 - log_odds * asbestos - 0.9 * smoke))
    columns = {"asbestos": asbestos, "smoke": smoke, "odd": noise, "cancer": cancer}
    return pa.table({name: np.where(values, "yes", "no") for name, values in columns.items()})


def rare_noted(table, **asked):
    notes = causalrules.mine(table, "cancer=yes", max_length=1, **asked).data.notes
    return [note for note in notes if "only because" in note]


def test_a_rare_exposure_that_clearly_goes_with_the_outcome_is_named_first():
    table = with_a_rare_exposure(8, 1.5)
    (note,) = rare_noted(table)
    asked = causalrules.test(table, "cancer=yes", "asbestos=yes").tested[0]
    crude = asked.odds_ratio
    assert f"crude odds ratio {crude.value:.2f}, {crude.low:.2f} – {crude.high:.2f})" in note
    assert note.startswith(f"asbestos=yes ({asked.exposed:,} records")
    assert "odd" not in note.replace("odds", "")
    support = float(note.partition("--min-support ")[2].split(",")[0])
    again = causalrules.mine(table, "cancer=yes", max_length=1, min_support=support)
    assert "asbestos=yes" in {rule.name for rule in again.tested}
    assert not rare_noted(table, min_support=support)


def test_rare_exposures_that_do_nothing_are_not_named():
    assert sum(bool(rare_noted(with_a_rare_exposure(seed, 0.0))) for seed in range(10)) <= 1


def test_what_is_not_asked_about_is_not_named():
    assert not rare_noted(with_a_rare_exposure(8, 1.5), exposures=["smoke"])
