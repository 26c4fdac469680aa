"""What a study holds: what is linked or moves the estimate, never what comes after."""

import numpy as np
import pytest
from scipy.stats import chi2, chi2_contingency

from causalrules.adjust import held_for
from causalrules.adjust.controls import harms_of
from causalrules.domain.knowledge import Knowledge
from causalrules.estimate.levels import levels_of
from unit.find.made_records import records_of

N = 2_000


def table(seed=1):
    """An exposure x, its confounder c, a mediator m, a cause of the outcome only, what goes with x only."""
    draw = np.random.default_rng(seed)
    c = draw.random(N) < 0.5
    x = draw.random(N) < np.where(c, 0.7, 0.3)
    beside = draw.random(N) < np.where(x, 0.7, 0.3)
    own = draw.random(N) < 0.5
    m = draw.random(N) < np.where(x, 0.8, 0.2)
    y = draw.random(N) < 0.1 + 0.3 * c + 0.2 * own + 0.2 * m
    columns = {"c": c, "x": x, "beside": beside, "own": own, "m": m, "noise": draw.random(N) < 0.5}
    return {name: values.astype(int) for name, values in columns.items()}, y


def held(columns, y, exposure="x", p_link=None, own=None, *, acting=(), only_asked=False, **said):
    records = records_of(columns, y)
    levels = levels_of(records, records.column(exposure))
    roles = Knowledge(**said).about("y")
    own = (exposure,) if own is None else own
    return held_for(records, levels, own, p_link or {}, roles, acting=acting, only_asked=only_asked)


def test_what_moves_the_estimate_is_held_without_any_link():
    found = held(*table())
    assert {"c", "m"} <= set(found.columns)
    assert "x" not in found.columns
    assert not {"own", "noise"} & set(found.columns)


@pytest.mark.parametrize(("p_link", "n_held"), [(0.19, 4), (0.2, 12), (1.0, 12)])
def test_what_is_linked_to_the_outcome_is_held_whatever_it_costs(p_link, n_held):
    """Twenty events pay for four columns."""
    columns, y = twelve_beside_a_rare_outcome()
    found = held(columns, y, p_link={name: p_link for name in columns if name != "x"})
    assert len(found.columns) == n_held


def test_columns_that_confound_by_their_cells_only_are_judged_by_these():
    draw = np.random.default_rng(4)
    a, b, noise = draw.integers(0, 2, (3, N))
    x = (draw.random(N) < np.where(a == b, 0.7, 0.3)).astype(int)
    y = draw.random(N) < np.where(a == b, 0.5, 0.2)
    columns = {"a": a, "b": b, "noise": noise, "x": x}
    assert held(columns, y).columns == ()
    assert set(held(columns, y, acting=[("a", "b"), ("a", "noise")]).columns) == {"a", "b"}
    assert held(columns, y, p_link={"a": 1.0}, acting=[("a", "b")]).columns == ("a",)


def test_linked_columns_stand_first_and_the_others_by_harm():
    columns, y = table()
    found = held(columns, y, p_link={"own": 0.9}).columns
    assert found[0] == "own"
    records = records_of(columns, y)
    levels = levels_of(records, records.column("x"))
    moves = [harms_of(records, levels, [records.column(name)])[name].moves for name in found[1:]]
    assert moves == sorted(moves, reverse=True)


def test_what_comes_after_the_outcome_is_never_held():
    found = held(*table(), p_link={"m": 1.0}, after=("m",))
    assert "m" not in found.columns
    assert "m" in found.not_allowed


def test_what_the_user_never_adjusts_for_is_not_held():
    assert "c" not in held(*table(), p_link={"c": 1.0}, never_adjust=("c",)).columns


def test_an_order_leaves_out_what_comes_later_than_the_exposure():
    found = held(*table(), p_link={"m": 1.0, "c": 1.0}, tiers=(("c",), ("x",), ("m",)))
    assert "m" in found.not_allowed
    assert "c" in found.columns
    assert "m" not in found.columns


def test_an_order_says_nothing_of_the_same_time():
    found = held(*table(), p_link={"m": 1.0}, tiers=(("c",), ("x", "m")))
    assert "m" in found.columns


def test_what_is_asked_for_is_held_and_may_be_all():
    some = held(*table(), adjust=("noise",))
    assert {"noise", "c", "m"} <= set(some.columns)
    assert some.columns[0] == "noise"
    only = held(*table(), p_link={"own": 1.0}, adjust=("noise",), only_asked=True)
    assert only.columns == ("noise",)


def test_a_near_copy_is_not_held():
    columns, y = table()
    near = np.where(np.random.default_rng(2).random(N) < 0.004, 1 - columns["x"], columns["x"])
    found = held(columns | {"near": near}, y, p_link={"near": 1.0})
    assert "near" in found.inseparable
    assert "near" not in found.columns
    asked = held(columns | {"near": near}, y, adjust=("near",))
    assert "near" in asked.columns


def twelve_beside_a_rare_outcome():
    draw = np.random.default_rng(3)
    y = np.zeros(N, bool)
    y[:20] = True
    hidden = draw.normal(0, 1, N) + 2 * y
    x = draw.random(N) < 1 / (1 + np.exp(-hidden))
    many = {f"k{i}": (hidden + draw.normal(0, 1, N) > 0).astype(int) for i in range(12)}
    return {"x": x.astype(int)} | many, y


def test_association_with_the_exposure_is_pearsons():
    columns, y = table()
    records = records_of(columns, y)
    levels = levels_of(records, records.column("x"))
    for name in ("c", "noise", "beside"):
        counts = np.array(
            [[((columns[name] == i) & (columns["x"] == j)).sum() for j in (0, 1)] for i in (0, 1)]
        )
        expected = chi2_contingency(counts, correction=False).pvalue
        assert harms_of(records, levels, [records.column(name)])[name].p_exposure == pytest.approx(
            expected, rel=1e-6
        )


def test_association_with_the_outcome_is_that_of_strata():
    """Mantel and Haenszel's statistic over the levels of the exposure, by hand."""
    columns, y = table()
    records = records_of(columns, y)
    levels = levels_of(records, records.column("x"))
    for name in ("c", "noise", "own"):
        surplus, variance = 0.0, 0.0
        for j in (0, 1):
            inside = columns["x"] == j
            n, exposed, with_it = inside.sum(), (inside & (columns[name] == 1)).sum(), (inside & y).sum()
            surplus += (inside & (columns[name] == 1) & y).sum() - exposed * with_it / n
            variance += exposed * (n - exposed) * with_it * (n - with_it) / n**3
        expected = chi2.sf(surplus**2 / variance, 1)
        assert harms_of(records, levels, [records.column(name)])[name].p_outcome == pytest.approx(
            expected, rel=1e-6
        )


@pytest.mark.parametrize("seed", range(3))
def test_order_of_columns_and_records_does_not_matter(seed):
    columns, y = table()
    expected = held(columns, y)
    draw = np.random.default_rng(seed)
    rows, names = draw.permutation(N), draw.permutation(list(columns)).tolist()
    assert held({name: columns[name][rows] for name in names}, y[rows]) == expected
