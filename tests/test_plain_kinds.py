"""The tables that judge the methods are what they say: told apart by naive counting on many records."""

import csv
import sys
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

ROOT = Path(__file__).resolve().parents[1]
MANY = 30_000


@contextmanager
def at_home():
    """Experiments are run from the project's folder; what is imported from there is forgotten."""
    sys.path.insert(0, str(ROOT))
    try:
        yield
    finally:
        sys.path.remove(str(ROOT))
        for name in [name for name in sys.modules if name.split(".")[0] == "experiments"]:
            del sys.modules[name]


@pytest.fixture(autouse=True)
def _at_home():
    with at_home():
        yield


def all_kinds():
    from experiments.plain_kinds import KNOWN
    from experiments.sealed_kinds import SEALED, SEALED_AGAIN, SEALED_THIRD

    return {kind.name: kind for kind in (*KNOWN, *SEALED, *SEALED_AGAIN, *SEALED_THIRD)}


def kind_of(name, n=None):
    kind = all_kinds()[name]
    return replace(kind, n=n or kind.n)


with at_home():
    KINDS = {name: bool(kind.exposure.reference) for name, kind in all_kinds().items()}
    """Whether the exposure is a category, by the name of the kind."""


def values(table, name):
    return table[name].to_numpy(zero_copy_only=False)


def strata_of(known, n=600):
    """Records alike in what steers the exposure, and among these in what steers the outcome."""
    coarse = np.argsort(np.argsort(known.on_x)) * 30 // len(known.base)
    order = np.lexsort((known.base, coarse))
    strata = np.empty(len(order), int)
    strata[order] = np.arange(len(order)) * n // len(order)
    return strata


def difference_in_strata(known, asked, against):
    """Difference of shares with the outcome, within strata and over all records, with its standard error."""
    x, ill, strata = values(known.table, "x"), values(known.table, "z") == "yes", strata_of(known)
    size = np.bincount(strata).astype(float)
    difference, variance, usable = np.zeros(len(size)), np.zeros(len(size)), np.ones(len(size), bool)
    for level, sign in ((asked, 1), (against, -1)):
        n = np.bincount(strata[x == level], minlength=len(size))
        share = np.bincount(strata[x == level], ill[x == level], len(size)) / np.maximum(n, 1)
        difference += sign * share
        variance += share * (1 - share) / np.maximum(n, 1)
        usable &= n > 1
    weight = size * usable / (size * usable).sum()
    return weight @ difference, np.sqrt(weight**2 @ variance)


@pytest.mark.parametrize("name", KINDS)
def test_a_table_depends_on_its_kind_and_number(name):
    kind = kind_of(name, 300)
    one, again, other = kind.make(3), kind.make(3), kind.make(4)
    acting = kind.make(3, 2.0)
    assert one.table.equals(again.table)
    assert not one.table.equals(other.table)
    assert one.table.drop_columns("z").equals(acting.table.drop_columns("z"))
    assert not one.table["z"].equals(acting.table["z"])
    assert (one.risk_at(one.exposure.acting or "1") == one.risk_at(one.exposure.reference or "0")).all()


def test_the_number_of_a_name_is_the_same_everywhere():
    from experiments.plain_kinds import number_of

    assert number_of("sine") == 0xEF7C967436632D30
    assert len({number_of(name) for name in KINDS}) == len(KINDS)


@pytest.mark.parametrize("effect", [1.0, 2.0])
@pytest.mark.parametrize("name", [name for name in KINDS if KINDS[name]])
def test_the_truth_is_what_records_of_equal_scores_show(name, effect):
    known = kind_of(name, MANY).make(1, effect)
    asked, against = known.exposure.acting, known.exposure.reference
    shown, error = difference_in_strata(known, asked, against)
    assert shown == pytest.approx(known.difference(asked, against), abs=4 * error + 0.005)
    if effect == 1:
        assert known.difference(asked, against) == 0
        assert known.odds_ratio(asked, against) == 1


@pytest.mark.parametrize("name", [name for name in KINDS if not KINDS[name]])
def test_a_number_without_effect_has_none_among_records_of_equal_scores(name):
    known = kind_of(name, MANY).make(1)
    ill, strata = values(known.table, "z") == "yes", strata_of(known)
    for column in (known.values, known.values**2):
        left = [one - (np.bincount(strata, one) / np.bincount(strata))[strata] for one in (column, ill * 1.0)]
        products = left[0] * left[1]
        assert abs(products.sum()) / np.sqrt((products**2).sum()) < 4


def test_risks_of_a_number_at_its_values_are_those_of_its_records():
    known = kind_of("line, sine", MANY).make(1, 1.5)
    near = abs(known.values - 0.5) < 0.05
    share = (values(known.table, "z") == "yes")[near].mean()
    assert share == pytest.approx(known.risk_at("0.5")[near].mean(), abs=0.03)
    assert known.difference("0.5", "-0.5") > 0.05


def test_risks_of_an_interval_are_those_of_records_that_have_it():
    known = kind_of("U, 8 values", MANY).make(1, 1.5)
    ill = values(known.table, "z") == "yes"
    for level, inside in (("≤-1", known.values <= -1), ("-1–0.5", abs(known.values + 0.25) <= 0.75)):
        share = [ill[inside & (known.on_x == one)].mean() for one in np.unique(known.on_x)]
        true = [known.risk_at(level)[known.on_x == one].mean() for one in np.unique(known.on_x)]
        assert np.mean(share) == pytest.approx(np.mean(true), abs=0.02)


@pytest.mark.parametrize("name", ["6 x 6 cells", "four levels, step", "U, 8 values"])
def test_what_is_expected_is_the_mean_of_what_happens(name):
    of_exposure, of_outcome = kind_of(name, MANY).make(1, 2.0).surprises()
    for one in (*of_exposure.T, of_outcome):
        assert abs(one.sum()) < 4 * np.sqrt((one**2).sum())


def test_confounding_is_not_for_nothing():
    from experiments.plain_methods import BOUNDS

    for name, kind in all_kinds().items():
        found = [BOUNDS["crude"](kind.make(seed)).p < 0.05 for seed in range(3)]
        assert any(found), name


def test_smoking_acts_by_its_total_difference():
    from experiments.plain_row_tables import chain

    shown, told = [], []
    for seed in range(30):
        table, total = chain(seed)
        smokes, ill = values(table, "smoker") == "yes", values(table, "z") == "yes"
        shown.append(ill[smokes].mean() - ill[~smokes].mean())
        told.append(total)
    assert np.mean(shown) == pytest.approx(np.mean(told), abs=4 * np.std(shown) / np.sqrt(30))


def test_pairs_of_children_interact_and_the_drug_does_nothing():
    from experiments.plain_row_tables import children, follow_up, interaction_z

    assert interaction_z(children(1)) > 6
    table = children(2, others=30)
    assert table.num_columns == 33
    boys = values(table, "first") == "boy"
    ill = values(table, "z") == "yes"
    assert abs(ill[boys].mean() - ill[~boys].mean()) < 0.03
    table = follow_up(1)
    early = values(table, "months") < 12
    deaths = [
        ((values(table, "z") == "yes") & early)[values(table, "drug") == drug].sum() for drug in ("yes", "no")
    ]
    assert min(deaths) > 50


@pytest.mark.parametrize(
    "name", ["columns permuted", "records shuffled", "values renamed", "columns renamed"]
)
def test_changes_that_do_not_matter_keep_what_is_in_a_table(name):
    from experiments.plain_row_tables import mixed_table
    from experiments.plain_rows import CHANGES

    table = mixed_table(np.random.default_rng(1))
    changed = CHANGES[name](np.random.default_rng(2), table)
    assert not changed.equals(table)
    for column in table.column_names:
        other = next(one for one in changed.column_names if one[-1] == column)
        counts = [
            sorted(np.unique(values(one, c), return_counts=True)[1])
            for one, c in ((table, column), (changed, other))
        ]
        assert counts[0] == counts[1]


def finding(**parts):
    from causalrules.words.findings import Effect, Factor, Finding, Level

    levels = tuple(
        Level(level=name, records=10, crude=0.3, risk=(0.3, 0.2, 0.4), difference=d, odds_ratio=o)
        for name, d, o in (("no", (0, 0, 0), (1, 1, 1)), ("yes", (0.1, 0.05, 0.2), (1.5, 1.2, 2.0)))
    )
    effect = Effect(estimand="adjusted", applies_to=20, left_out={}, reference="no", levels=levels)
    return Finding(factors=(Factor(columns=("x",)),), verdict="cause", p=0.01, effect=effect, **parts)


def test_a_plain_finding_is_held_against_the_truth():
    from experiments.plain_calibration import compared
    from experiments.plain_methods import judge_plain, read_plain

    class Result:
        findings = (finding(),)

    known = kind_of("6 x 6 cells").make(1, 1.5)
    judged = judge_plain(Result, known)
    assert judged.true_difference == known.difference("yes", "no")
    made = compared(judged)
    assert (made["found"], made["covered_difference"], made["covered_odds_ratio"]) == (True, True, True)
    assert made["bias_log_odds"] == pytest.approx(np.log(1.5 / known.odds_ratio("yes", "no")))
    line = read_plain(Result)[0]
    assert line.is_cause
    assert line.difference("no", "yes") == (-0.1, -0.2, -0.05)


def test_lines_are_written_kept_and_shown_on_the_page(tmp_path, capsys):
    from experiments import plain_calibration as made

    file = tmp_path / "lines.csv"
    asked = ["--kinds", "sine; step", "--groups", "known", "--methods", "truth", "--to", str(file)]
    made.main([*asked, "--tables", "3"])
    made.main([*asked[:1], "step", *asked[2:], "--tables", "5"])
    with file.open(newline="") as text:
        lines = list(csv.DictReader(text))
    assert [(line["kind"], line["effect"], line["tables"]) for line in lines] == [
        *(("sine", "1", "3"), ("sine", "1.5", "3")),
        *(("step", "1", "5"), ("step", "1.5", "5")),
    ]
    assert "sine" in capsys.readouterr().out
    page = made.page(made.read(file), "# A page\n\nText.\n")
    assert made.page(made.read(file), page) == page
    assert "| sine |" in page
    assert page.startswith("# A page\n\nText.\n")
    with pytest.raises(SystemExit, match="no kind nothing"):
        made.main(["--kinds", "nothing"])


def test_a_part_that_is_switched_off_is_switched_on_again():
    from experiments import plain_ablation as made
    from experiments import plain_kinds

    switch = made.Switch("steps", "experiments.plain_kinds:STEP", 7.0)
    with made.switched_off(switch):
        assert plain_kinds.STEP == 7.0
    assert plain_kinds.STEP == 0.5
