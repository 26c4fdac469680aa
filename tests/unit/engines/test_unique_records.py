"""Work that is shared between rules, and records that are not put together, change no count."""

import numpy as np
import pytest

from causalrules.engines.record_lines import RecordLines
from causalrules.engines.rule_strata import exact_weights, histogram_of, with_company
from causalrules.engines.stratum_scratch import Scratch
from causalrules.engines.unique_records import Profiles, share_of_distinct
from strategies import coded

ROWS = [{"a": "pq"[i % 2], "b": "pqr"[i % 11 % 3], "c": "xyz"[i % 7 % 3], "z": i % 5 < 2} for i in range(400)]
RECORDS = Profiles.of_table(coded(ROWS))
N_ITEMS = len(RECORDS.slot_of_item)
ALL = np.ones(N_ITEMS, bool)


def counted(profiles, pattern, held, scratch):
    controls = np.isin(np.arange(N_ITEMS), held)
    found = histogram_of(profiles, np.array([pattern]), controls, scratch)
    return found.rows.tolist(), found.lonely_exposed, found.lonely_unexposed


def rules():
    """Patterns of one item with controls that change little, much, or not at all from one to the next."""
    held = [[2, 3, 4], [2, 3, 4], [2, 3], [5, 6, 7], [], [2, 3, 4, 5, 6, 7], [4]]
    return [(pattern, some) for pattern in (0, 1) for some in held]


@pytest.mark.parametrize("base", [ALL, np.arange(N_ITEMS) != 4], ids=["all items", "some items"])
def test_keys_of_the_rule_before_are_a_start_like_any_other(base):
    profiles = RECORDS.collapsed_to(base)
    shared = Scratch.for_profiles(profiles.n_profiles)
    asked = [(pattern, [item for item in held if base[item]]) for pattern, held in rules()]
    one_after_the_other = [counted(profiles, *rule, shared) for rule in asked]
    each_anew = [counted(profiles, *rule, Scratch.for_profiles(profiles.n_profiles)) for rule in asked]
    assert one_after_the_other == each_anew
    assert any(rows for rows, *_ in each_anew)


def test_keys_of_other_records_are_no_start():
    coarse, fine = RECORDS.collapsed_to(np.arange(N_ITEMS) < 5), RECORDS.collapsed_to(ALL)
    shared = Scratch.for_profiles(fine.n_profiles)
    counted(coarse, 0, [2, 3], shared)
    found = counted(fine, 0, [2, 3], shared)
    assert found == counted(fine, 0, [2, 3], Scratch.for_profiles(fine.n_profiles))


def test_records_that_are_not_put_together_are_counted_alike():
    items = np.arange(N_ITEMS) < 5
    together, apart = RECORDS.collapsed_to(items), RECORDS.collapsed_to(items, worth_it=0.0)
    assert together.n_profiles < apart.n_profiles == RECORDS.n_profiles
    assert apart.codes is RECORDS.codes
    for pattern, held in [(0, [2, 3]), (1, [4]), (0, [])]:
        found = [
            counted(profiles, pattern, held, Scratch.for_profiles(profiles.n_profiles))
            for profiles in (together, apart)
        ]
        assert found[0] == found[1]
    lines, controls, matched = RecordLines.of(RECORDS), np.isin(np.arange(N_ITEMS), [2, 3]), []
    for profiles in (together, apart):
        scratch = Scratch.for_profiles(profiles.n_profiles)
        strata = exact_weights(profiles, np.array([0]), controls, scratch)
        items_of = profiles.matched_items(profiles.has_pattern(np.array([0])), *strata, lines)
        matched.append([array.tolist() for array in items_of.to_arrays()])
    assert matched[0] == matched[1]


def test_distinct_records_are_not_copied():
    again = RECORDS.collapsed_to(ALL)
    assert again.codes is RECORDS.codes
    assert again.member.tolist() == list(range(RECORDS.n_profiles))


def test_records_alone_with_what_all_rules_hold_are_counted_as_without_a_partner():
    """Rules of wide tables are counted on the few records that have company in what all of them hold."""
    chance = np.random.default_rng(3)
    names = "abcdefgh"
    rows = [dict(zip(names, chance.choice(["p", "q"], 8).tolist(), strict=True)) for _ in range(60)]
    everybody = Profiles.of_table(coded([{**row, "z": i % 3 == 0} for i, row in enumerate(rows)]))
    n_items, n_each = len(everybody.slot_of_item), everybody.n_with + everybody.n_without
    scratch = Scratch.for_profiles(everybody.n_profiles)
    held_by_all = np.arange(n_items) >= 6
    some = with_company(everybody, held_by_all, scratch, worth_it=0.8)
    assert 0 < some.n_profiles < 0.8 * everybody.n_profiles
    n_matched = 0
    for pattern, more in [(0, []), (1, [2]), (0, [4, 5]), (1, [2, 3, 4, 5])]:
        controls = held_by_all | np.isin(np.arange(n_items), more)
        expected = histogram_of(everybody, np.array([pattern]), controls, scratch)
        n_exposed = int(n_each[everybody.codes[0] == pattern + 1].sum())
        found = histogram_of(some, np.array([pattern]), controls, scratch)
        assert found.among(n_exposed, 60 - n_exposed) == expected
        n_matched += len(found.rows)
    assert n_matched > 0
    assert with_company(everybody, held_by_all, scratch, worth_it=0.0) is everybody
    nobody = with_company(everybody, np.ones(n_items, bool), scratch, worth_it=0.8)
    assert nobody.n_profiles == 0
    assert histogram_of(nobody, np.array([0]), held_by_all, scratch).rows.shape == (0, 5)


@pytest.mark.parametrize("n_copies", [1, 2, 5])
def test_a_share_of_the_keys_tells_how_many_are_distinct(n_copies):
    lows, highs = np.random.default_rng(0).integers(0, 2**64, (2, 400_000 // n_copies), dtype=np.uint64)
    found = share_of_distinct(np.tile(lows, n_copies), np.tile(highs, n_copies))
    assert found == pytest.approx(1 / n_copies, abs=0.01)


@pytest.mark.parametrize(("n_values", "size"), [(255, np.uint8), (256, np.uint16)])
def test_codes_are_as_wide_as_their_values_need(n_values, size):
    codes = np.array([[1, n_values, 0, n_values], [1, 1, 1, 1]], np.uint16)
    records = Profiles.of_records(
        np.array([0, n_values, n_values + 1]), codes, np.ones(4, int), np.zeros(4, int)
    )
    assert records.codes.dtype == size
    assert sorted(zip(records.codes[0].tolist(), records.n_with.tolist(), strict=True)) == [
        (0, 1),
        (1, 1),
        (n_values, 2),
    ]
