"""Values of one column that differ from the others only because of another value are no findings."""

import numpy as np
import pytest

import causalrules
from causalrules.report.words.answer_words import rejections
from causalrules.report.words.contrast_words import contrast_sentence, headline


def yes_no(claims):
    return np.where(claims, "yes", "no").tolist()


def table_of(shares, effects, n_records, seed, confounded=False, missing=0.0):
    """A column of values A, B, ... with these shares and effects on the log odds, and five that do nothing.

    Where it is confounded, the first value goes with a category and a number that raise the odds.
    """
    draw = np.random.default_rng([seed, n_records])
    sex, age = draw.random(n_records) < 0.4, draw.normal(size=n_records)
    chance = np.tile(np.array(shares), (n_records, 1))
    if confounded:
        chance[:, 0] *= np.exp(0.8 * sex + 0.7 * age)
    chance /= chance.sum(axis=1, keepdims=True)
    value = (draw.random(n_records)[:, None] > chance.cumsum(axis=1)).sum(axis=1).clip(0, len(shares) - 1)
    log_odds = -1.2 + np.array(effects, float)[value] + 0.8 * sex + 0.6 * confounded * age
    column = np.array(list("ABCDEFGH"))[value].astype(object)
    column[draw.random(n_records) < missing] = None
    noise = {f"noise{place}": yes_no(draw.random(n_records) < 0.5) for place in range(5)}
    ill = yes_no(draw.random(n_records) < 1 / (1 + np.exp(-log_odds)))
    return {"group": column.tolist(), "sex": yes_no(sex), "age": age.tolist(), **noise, "ill": ill}


def rows_of(result, verdict="causal"):
    found = [rule.pattern[0] for rule in result.tested if rule.length == 1 and rule.verdict == verdict]
    return "".join(sorted(item.value for item in found if item.column == "group"))


def n_right(right, n_records, *made, n_tables=20, **options):
    tables = (table_of(*made, n_records, seed, **options) for seed in range(100, 100 + n_tables))
    return sum(rows_of(causalrules.mine(one, "ill=yes", max_length=1)) == right for one in tables)


ONLY_C = (0.6, 0.25, 0.15), (0, 0, 1)
TWO_OF_FOUR = (0.4, 0.3, 0.15, 0.15), (0, 0, 1, 1)


@pytest.mark.parametrize(
    "options", [{}, {"confounded": True}, {"missing": 0.2}], ids=["plain", "confounded", "missing"]
)
def test_of_three_values_of_which_one_acts_one_is_a_finding(options):
    assert n_right("C", 20_000, *ONLY_C, **options) >= 17  # one in twenty is to be expected


def test_what_a_small_table_shows_of_one_value_is_that_value():
    rows = [rows_of(causalrules.mine(table_of(*ONLY_C, 500, seed), "ill=yes")) for seed in range(20)]
    assert rows.count("C") >= 12
    assert {*rows} <= {"C", ""}


def test_of_four_values_of_which_two_act_two_are_findings():
    assert n_right("CD", 20_000, *TWO_OF_FOUR) >= 17


def test_a_value_that_raises_and_one_that_lowers_explain_the_others():
    assert n_right("CD", 20_000, (0.4, 0.3, 0.15, 0.15), (0, 0, 1, -1)) >= 17


def test_values_that_all_differ_keep_their_rows():
    assert n_right("ABC", 20_000, (0.4, 0.3, 0.3), (0, -1, 1), n_tables=10) == 10
    assert n_right("ABC", 20_000, (0.5, 0.3, 0.2), (0, 0.7, 1.4), n_tables=10) == 10
    assert n_right("BC", 500, (0.4, 0.3, 0.3), (0, -1, 1), n_tables=10) >= 8  # A lies between the two


def test_ordered_levels_keep_their_rows():
    """Beside the dose-response, which tells what each level does."""
    table = table_of(*ONLY_C, 20_000, 1)
    assert rows_of(causalrules.mine(table, "ill=yes", ordered="group=A<B<C")) == "ABC"
    assert rows_of(causalrules.mine(table, "ill=yes")) == "C"


def test_the_reason_names_the_value_and_tells_the_difference_without_it():
    result = causalrules.mine(table_of(*ONLY_C, 20_000, 1), "ill=yes", max_length=1)
    (rule,) = (rule for rule in result.tested if rule.name == "group=A")
    assert rule.verdict == "rejected"
    assert rule.grade is None
    assert rule.reason.startswith(
        "compared with the values other than group=C, no clear difference: odds ratio "
    )
    assert headline(rule, result.data.outcome) == "group=A: rejected, explained by other values of group"
    told = contrast_sentence(rule, result.data.outcome)
    assert told.startswith("group=A is associated with less ill=yes (crude odds ratio 0.72)")
    assert told.endswith(f" adjusted for sex; {rule.reason}.")
    (listed,) = (line for line in rejections(result) if "group=A" in line and "crude" in line)
    assert listed.endswith(f" adjusted for sex; {rule.reason}")
    assert not any("causalrules test" in line for line in rejections(result))  # which would not show that
    assert result.by_length[1]["causal"] == len(result.causal)
    assert result.by_length[1]["rejected"] == len(result.with_verdict("rejected"))


def test_the_odds_ratio_without_the_other_value_is_that_of_a_table_without_it():
    """Within the strata of the study: those of a category are the same in a table without the value."""
    table = table_of(*TWO_OF_FOUR, 20_000, 3)
    del table["age"]
    result = causalrules.mine(table, "ill=yes", max_length=1)
    (rule,) = (rule for rule in result.tested if rule.name == "group=A")
    keep = [value not in "CD" for value in table["group"]]
    fewer = {
        name: [one for one, is_kept in zip(values, keep, strict=True) if is_kept]
        for name, values in table.items()
    }
    alone = causalrules.test(fewer, "ill=yes", "group=A", adjust="sex").tested[0].of_the_outcome()
    ratio = alone.adjusted_odds_ratio
    assert rule.design.held == ("sex",)
    assert rule.reason.endswith(f"odds ratio {ratio.value:.2f} ({ratio.low:.2f} to {ratio.high:.2f})")


def test_a_value_that_goes_the_other_way_without_another_says_so():
    """A lowers the odds against B and C together because of B, and raises them against C, which is rare."""
    table = table_of((0.53, 0.45, 0.02), (0, 2, -1.5), 20_000, 1)
    result = causalrules.mine(table, "ill=yes", max_length=1)
    assert rows_of(result) == "B"
    (rule,) = (rule for rule in result.tested if rule.name == "group=A")
    assert rule.direction == "lowers"
    assert ", it raises the odds: odds ratio 3.0" in rule.reason


@pytest.mark.parametrize("design", ["clusters", "weights", "mean"])
def test_records_that_belong_together_weights_and_means_are_asked_alike(design):
    table = table_of(*ONLY_C, 6000, 5)
    draw = np.random.default_rng(5)
    options = {"outcome": "ill=yes"}
    if design == "clusters":
        table["ward"], options["cluster"] = [f"w{one}" for one in draw.integers(0, 600, 6000)], "ward"
    elif design == "weights":
        table["w"], options["weights"] = draw.uniform(0.5, 2, 6000).round(2).tolist(), "w"
        options["weights_are"] = "sampling"
    else:
        acts = np.array([one == "C" for one in table["group"]])
        options["outcome_as"] = "mean"
        table["pressure"], options["outcome"] = (draw.normal(120, 10, 6000) + 5 * acts).tolist(), "pressure"
        del table["ill"]
    assert rows_of(causalrules.mine(table, **options)) == "C"


def test_the_answer_is_the_same_block_by_block():
    table = table_of(*ONLY_C, 4000, 2, confounded=True)
    one = causalrules.mine(table, "ill=yes")
    assert rows_of(one, "rejected") == "AB"
    assert one.rules == causalrules.mine(table, "ill=yes", engine="streaming").rules


def test_a_minimum_odds_ratio_asks_for_nothing_else():
    assert rows_of(causalrules.mine(table_of(*ONLY_C, 20_000, 1), "ill=yes", min_odds_ratio=1.1)) == "ABC"
