"""What is directly linked to the outcome: planted truths, and what an answer must not depend on."""

from dataclasses import replace

import numpy as np
import pytest

from causalrules.domain.knowledge import Knowledge
from causalrules.find import links
from causalrules.words.records import Records
from unit.cohort.neighbours.made_tables import f1, random_network, risk
from unit.find.made_records import records_of

NOTHING_SAID = Knowledge().about("outcome")


def linked(columns, outcome, roles=NOTHING_SAID, **options):
    return links(records_of(columns, outcome), roles, **options)


def names_linked(found):
    return {name for name, p in found.p_link.items() if p >= 0.5}


def acting(found):
    return {pair.columns for pair in found.pairs if pair.p_link >= 0.5}


def noise(draw, n, n_columns):
    """Numbers and categories that have nothing to do with anything."""
    kinds = [draw.normal(size=n) if i % 3 == 0 else draw.integers(0, 2 + i % 4, n) for i in range(n_columns)]
    return {f"noise{i}": column for i, column in enumerate(kinds)}


@pytest.mark.parametrize(("n", "least"), [(500, 0.8), (4000, 0.95)])
def test_random_networks_are_found(n, least):
    scores = []
    for seed in range(5):
        columns, z, causes, effects = random_network(n, 20, 3, 2, seed)
        truth = {f"c{place}" for place in causes | effects}
        scores.append(f1(names_linked(linked(columns, z)), truth))
    assert np.mean(scores) >= least


@pytest.mark.parametrize("n_columns", [30, 100])
def test_noise_is_not_linked(n_columns):
    n_false = 0
    for seed in range(15):
        draw = np.random.default_rng(seed)
        n_false += bool(names_linked(linked(noise(draw, 800, n_columns), draw.random(800) < 0.3)))
    assert n_false <= 2


def test_one_but_not_both_is_found_beside_thirty_others():
    """Two children of one sex raise the chance of a third; three other columns act by themselves."""
    for seed in range(2):
        draw = np.random.default_rng(seed)
        others = noise(draw, 6000, 30)
        first, second = draw.integers(0, 2, (2, 6000))
        score = np.where(first == second, 0.0, -0.6)
        score = score + 0.5 * others["noise0"] + 0.5 * (others["noise1"] == 1) - 0.4 * others["noise3"]
        found = linked({"first": first, "second": second, **others}, draw.random(6000) < risk(score))
        assert acting(found) == {("first", "second")}
        assert names_linked(found) == {"first", "second", "noise0", "noise1", "noise3"}
        assert found.pairs[0].p < 1e-6


def test_a_number_may_act_within_one_category_only():
    n_found = 0
    for seed in range(3):
        draw = np.random.default_rng(10 + seed)
        group, number = draw.integers(0, 3, 3000), draw.normal(size=3000)
        z = draw.random(3000) < risk(np.where(group == 1, 0.8 * number, -0.3 * number))
        found = linked({"group": group, "number": number, **noise(draw, 3000, 12)}, z)
        n_found += acting(found) == {("group", "number")}
        assert names_linked(found) >= {"group", "number"}
    assert n_found >= 2


def test_two_numbers_may_act_by_their_product():
    draw = np.random.default_rng(20)
    x, y = draw.normal(size=(2, 3000))
    found = linked({"x": x, "y": y, **noise(draw, 3000, 12)}, draw.random(3000) < risk(0.6 * x * y))
    assert acting(found) == {("x", "y")}
    assert names_linked(found) == {"x", "y"}


def test_a_child_and_its_other_parent_do_not_act_together():
    """They interact, but the other parent is not linked at all."""
    for seed in range(3):
        draw = np.random.default_rng(30 + seed)
        other = draw.integers(0, 2, 4000)
        z = draw.random(4000) < 0.4
        child = draw.random(4000) < risk(-1 + 1.5 * z * other + 0.5 * z + 0.3 * other)
        found = linked({"other": other, "child": child.astype(int), **noise(draw, 4000, 8)}, z)
        assert names_linked(found) == {"child"}
        assert acting(found) == set()


def test_what_adds_up_does_not_act_together():
    draw = np.random.default_rng(40)
    a, b = draw.integers(0, 2, (2, 8000))
    found = linked({"a": a, "b": b, **noise(draw, 8000, 8)}, draw.random(8000) < risk(a + b - 1))
    assert names_linked(found) == {"a", "b"}
    assert found.pairs == ()


def test_a_confounder_explains_its_exposure():
    n_false = 0
    for seed in range(6):
        draw = np.random.default_rng(50 + seed)
        many, number = draw.integers(0, 12, 4000), draw.normal(size=4000)
        shift = draw.permutation(np.linspace(-1.5, 1.5, 12))[many] + 0.7 * number
        x = draw.random(4000) < risk(shift)
        found = linked({"many": many, "number": number, "x": x.astype(int)}, draw.random(4000) < risk(shift))
        assert names_linked(found) >= {"many", "number"}
        n_false += "x" in names_linked(found)
    assert n_false <= 1


def test_more_links_than_places():
    draw = np.random.default_rng(1)
    columns = draw.integers(0, 2, (60, 10_000))
    effect = np.zeros(60)
    effect[:20] = np.tile([0.8, -0.8], 10)
    found = linked(list(columns), draw.random(10_000) < risk(effect @ columns - 0.2))
    assert f1(names_linked(found), {f"c{place}" for place in range(20)}) >= 0.95
    assert len(found.window) == 12


def test_a_rival_takes_the_place():
    n_shared = 0
    for seed in range(10):
        draw = np.random.default_rng(seed)
        x, other = draw.integers(0, 2, (2, 600))
        twin = np.where(draw.random(600) < 0.05, 1 - x, x)
        z = draw.random(600) < risk(1.3 * (x + twin) / 2 + other - 1)
        found = linked({"x": x, "other": other, "twin": twin, **noise(draw, 600, 6)}, z)
        assert "other" not in found.rivals.get("x", ()) + found.rivals.get("twin", ())
        if max(found.p_link["x"], found.p_link["twin"]) < 0.85:
            n_shared += 1
            assert found.rivals["x"] == ("twin",)
            assert found.rivals["twin"] == ("x",)
    assert n_shared >= 2


def test_what_stands_alone_has_no_rival():
    draw = np.random.default_rng(2)
    x = draw.integers(0, 2, 2000)
    found = linked({"x": x}, draw.random(2000) < 0.3 + 0.2 * x)
    assert found.p_link["x"] > 0.9
    assert found.rivals == {"x": ()}
    assert found.window == ("x",)


def test_a_consequence_is_a_hint():
    """Of an instrument that moves the consequence, and has nothing to do with the outcome."""
    draw = np.random.default_rng(3)
    cause, lever = draw.integers(0, 2, (2, 6000))
    z = draw.random(6000) < 0.25 + 0.4 * cause
    bill = draw.random(6000) < 0.1 + 0.4 * z + 0.35 * lever
    found = linked({"cause": cause, "lever": lever, "bill": bill.astype(int)}, z)
    assert set(found.hints) == {"bill"}
    assert found.hints["bill"].code == "may_be_consequence"
    assert "lever" in found.hints["bill"].data["by"]
    assert found.p_link["bill"] > 0.9


def test_what_the_user_says_about_time_and_arrows():
    draw = np.random.default_rng(4)
    x, y, w = draw.integers(0, 2, (3, 3000))
    z = draw.random(3000) < risk(x + y - 1)
    roles = Knowledge(after=("y",), required=(("w", "outcome"),), forbidden=(("x", "outcome"),)).about(
        "outcome"
    )
    found = linked({"x": x, "y": y, "w": w}, z, roles)
    assert found.p_link["w"] == 1.0
    assert found.p_link["y"] > 0.9


def test_a_column_is_kept_in_the_window():
    draw = np.random.default_rng(5)
    columns = list(draw.integers(0, 2, (30, 2000)))
    z = draw.random(2000) < risk(1.5 * columns[0] - 1)
    found = linked(columns, z, keep=["c29"])
    assert "c29" in found.window
    assert 0 < found.p_link["c29"] < 0.2


def test_gaps_in_a_confounder_leave_nothing_behind():
    n_false = 0
    for seed in range(6):
        draw = np.random.default_rng(seed)
        c = draw.integers(0, 3, 4000)
        x = (draw.random(4000) < risk(1.2 * (c - 1))).astype(int)
        z = draw.random(4000) < risk(1.2 * (c - 1) - 0.5)
        found = linked([x, np.where(draw.random(4000) < 0.3, -1, c)], z)
        assert found.p_link["c1"] > 0.9
        n_false += found.p_link["c0"] >= 0.5
    assert n_false <= 1


def test_missing_among_the_ill_is_no_link_of_the_values():
    draw = np.random.default_rng(9)
    z = draw.random(4000) < 0.4
    x = np.where(z & (draw.random(4000) < 0.3), -1, draw.integers(0, 2, 4000))
    y = (draw.random(4000) < risk(1.0 * z - 0.5)).astype(int)
    found = linked({"x": x, "y": y}, z)
    assert found.p_link["x"] < 0.2
    assert found.p_link["y"] > 0.9


def test_a_mean_is_looked_at_as_above_or_below():
    draw = np.random.default_rng(6)
    x, e = draw.normal(size=(2, 2000))
    columns = {"x": x, **noise(draw, 2000, 6)}
    found = links(records_of(columns, 0.5 * x + e, is_mean=True), NOTHING_SAID)
    assert names_linked(found) == {"x"}


def test_rows_that_occur_often_are_many_records():
    columns, z, _, _ = random_network(1500, 8, 2, 1, 3)
    rows, count = np.unique(np.column_stack([*columns, z]), axis=0, return_counts=True)
    found = links(records_of(list(rows.T[:-1]), rows[:, -1], count), NOTHING_SAID)
    assert found.p_link == pytest.approx(linked(columns, z).p_link, abs=1e-6)


def test_order_and_names_do_not_matter():
    columns, z, _, _ = random_network(2000, 14, 3, 2, 11)
    names = [f"c{place}" for place in range(14)]
    found = linked(columns, z)
    draw = np.random.default_rng(0)
    order, places = draw.permutation(len(z)), draw.permutation(14)
    again = linked({names[place]: columns[place][order] for place in places}, z[order])
    assert again.p_link == pytest.approx(found.p_link, abs=1e-6)
    records = records_of(columns, z)
    renamed = tuple(replace(c, name=f"{place:02}{c.name}") for place, c in enumerate(records.columns))
    other = links(Records(renamed, records.outcome, records.count), NOTHING_SAID)
    assert list(other.p_link.values()) == list(found.p_link.values())


def test_threads_do_not_matter():
    columns, z, _, _ = random_network(1000, 14, 3, 2, 12)
    assert linked(columns, z, threads=2) == linked(columns, z)


def test_a_large_table_is_looked_at_by_a_sample():
    draw = np.random.default_rng(7)
    n = 120_000
    stage = draw.integers(0, 4, n)
    drug = draw.random(n) < 0.2 + 0.15 * stage
    ward = (stage + draw.integers(0, 3, n)) % 5
    z = draw.random(n) < risk(0.5 * stage + 0.4 * drug - 2)
    found = linked(
        {"stage": stage, "drug": drug.astype(int), "ward": ward, "coin": draw.integers(0, 2, n)}, z
    )
    assert names_linked(found) == {"stage", "drug"}


@pytest.mark.parametrize("columns", [{}, {"x": np.ones(50, int)}, {"x": np.arange(50) % 2}])
def test_nothing_to_find(columns):
    found = linked(columns, np.zeros(50))
    assert found.p_link.keys() == columns.keys()
    assert all(p < 0.1 for p in found.p_link.values())
    assert found.rivals == found.hints == {}
    assert found.pairs == ()


def test_a_weak_number_is_seen_beside_a_strong_one():
    """A number's curve is as likely beforehand as levels that differ as much, however many parts it has."""
    n_seen, n_noise = 0, 0
    for seed in range(20):
        draw = np.random.default_rng([9, seed])
        strong, weak, nothing = draw.normal(size=(3, 2000))
        z = draw.random(2000) < risk(3 * strong + 0.3 * weak)
        found = names_linked(linked({"strong": strong, "weak": weak, "nothing": nothing}, z))
        n_seen, n_noise = n_seen + ("weak" in found), n_noise + ("nothing" in found)
    assert n_seen >= 15
    assert n_noise <= 1
