"""One suite judges every engine: each integer equals the oracle's."""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from tempfile import mkdtemp
from types import SimpleNamespace
from typing import NamedTuple
from weakref import finalize

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import naive
from causalrules.domain.histogram import WEIGHT_UNIT, StrataHistogram
from causalrules.domain.signatures import Signatures
from causalrules.encode import CodedTable
from causalrules.engines import MemoryEngine
from causalrules.engines.checkpoint import CachingEngine, SavedAnswers
from causalrules.engines.checkpoint.lazy_engine import LazyEngine
from causalrules.engines.opposite import OppositeOutcome
from causalrules.engines.unique_records import Profiles
from in_blocks import streamed, streamed_with_room
from memory_folder import memory_folder
from spark_sessions import on_spark, require_spark
from strategies import WORD_EDGES, coded, columns_of, record_lists

FOLDERS = memory_folder()


class AskedAgain:
    """Every question is put to an engine that remembers, then to one that has only what was saved."""

    def __init__(self, table):
        self._engine = MemoryEngine(table, threads=1)
        self._saved = saved_answers()
        finalize(self, self._saved.close)
        self._silent = SimpleNamespace(
            n_with=self._engine.n_with,
            n_without=self._engine.n_without,
            column_of_item=self._engine.column_of_item,
            workers=None,
        )

    def __getattr__(self, question):
        def ask(*words):
            engine = CachingEngine(self._engine, self._saved)
            answer = getattr(engine, question)(*words)
            list(answer) if isinstance(answer, Iterator) else None
            self._saved.save()
            if question != "fingerprint":  # of the records, so only who has them can tell
                engine = CachingEngine(self._silent, self._saved)
            return getattr(engine, question)(*words)

        return ask


def saved_answers():
    saved = SavedAnswers(mkdtemp(dir=FOLDERS.name), pytest.fail)
    saved.open()
    saved.describe(b"a run")
    return saved


def open_caching(table):
    saved = saved_answers()
    engine = CachingEngine(MemoryEngine(table), saved)
    finalize(engine, saved.close)
    return engine


def open_lazily(table):
    inside = MemoryEngine(table)
    known = inside.n_with, inside.n_without, inside.column_of_item, inside.fingerprint()
    return LazyEngine(*known, lambda: inside)


def opposite_of_the_opposite(table):
    """Records with and without the outcome exchanged in the table, and exchanged back by the engine."""
    return OppositeOutcome(MemoryEngine(replace(table, has_outcome=~table.has_outcome)))


MEMORY = {
    "memory, one thread": partial(MemoryEngine, threads=1),
    "memory, three threads": partial(MemoryEngine, threads=3),
    "caching": open_caching,
    "from what was saved": AskedAgain,
    "opened when asked": open_lazily,
}
STREAMING = {
    "streaming, one record at a time": partial(streamed, records_a_block=1),
    "streaming, blocks that cut a word": partial(streamed, records_a_block=67),
    "streaming, one block": partial(streamed, records_a_block=65_536),
}


class Case(NamedTuple):
    """A table, patterns of one length, controls for each of them, and items to hold and to count."""

    rows: list
    table: CodedTable
    patterns: np.ndarray
    controls: np.ndarray
    held: np.ndarray
    items: np.ndarray


@st.composite
def cases(draw, sizes=tuple(WORD_EDGES)):
    rows = draw(record_lists(st.sampled_from(sizes)))
    table = coded(rows)
    column = table.column_of_item
    n_items = len(table.items)
    length = draw(st.integers(1, min(3, len(columns_of(rows)))))
    pattern = st.lists(
        st.integers(0, n_items - 1), min_size=length, max_size=length, unique_by=lambda i: column[i]
    )
    patterns = draw(st.lists(pattern.map(sorted), min_size=1, max_size=20))
    controls = draw(
        st.lists(
            st.lists(st.booleans(), min_size=n_items, max_size=n_items),
            min_size=len(patterns),
            max_size=len(patterns),
        )
    )
    item = st.integers(0, n_items - 1)
    return Case(
        rows,
        table,
        patterns=np.array(patterns, dtype=np.intp),
        controls=np.array(controls, dtype=bool),
        held=np.array(draw(st.lists(item, max_size=4, unique=True)), np.intp),
        items=np.array(draw(st.lists(item, max_size=5)), np.intp),
    )


def oracle(rows, table):
    mining = naive.Mining(rows, columns_of(rows), [row["z"] for row in rows])
    assert mining.items == [(item.column, item.value) for item in table.items]
    return mining


def check_counts_are_the_oracle_s(open_engine, case):
    rows, table, patterns, *_ = case
    engine, mining = open_engine(table), oracle(rows, table)
    expected = [mining.cells([item])[:2] for item in range(len(table.items))]
    counts = engine.item_counts()
    assert list(zip(counts.with_outcome, counts.without_outcome, strict=True)) == expected
    counts = engine.pattern_counts(patterns)
    assert list(zip(counts.with_outcome, counts.without_outcome, strict=True)) == [
        mining.cells(pattern)[:2] for pattern in patterns
    ]


def check_overlaps_are_the_oracle_s(open_engine, case):
    rows, table, patterns, *_ = case
    engine, mining = open_engine(table), oracle(rows, table)
    items = np.arange(len(table.items))[::2]
    expected = [[mining.having([*pattern, item]).bit_count() for item in items] for pattern in patterns]
    assert engine.overlaps(patterns, items).tolist() == expected


def check_counts_within_strata_are_the_oracle_s(open_engine, case):
    rows, table, *_, held, items = case
    engine, mining = open_engine(table), oracle(rows, table)
    for among in (None, items) if len(items) else (None,):
        assert_counted_within(engine.within(held, items, among), held, items, among, mining.records)


def assert_counted_within(found, held, items, among, records):
    assert found.shape == (2 ** len(held), len(items) + 1, 2)
    for stratum in range(2 ** len(held)):
        inside = [
            (having, has_outcome, how_many)
            for having, has_outcome, how_many in records
            if all(bool(having >> int(item) & 1) == bool(stratum >> j & 1) for j, item in enumerate(held))
            and (among is None or any(having >> int(item) & 1 for item in among))
        ]
        for position, wanted in enumerate([*items, None]):
            for outcome in range(2):
                expected = sum(
                    how_many
                    for having, has_outcome, how_many in inside
                    if bool(has_outcome) == bool(outcome) and (wanted is None or having >> int(wanted) & 1)
                )
                assert found[stratum, position, outcome] == expected


def check_strata_are_the_oracle_s(open_engine, case):
    rows, table, patterns, controls, *_ = case
    engine, mining = open_engine(table), oracle(rows, table)
    found = list(engine.strata(patterns, controls))
    assert len(found) == len(patterns)
    for histogram, pattern, held in zip(found, patterns, controls, strict=True):
        exposed = sum(1 << int(i) for i in pattern)
        mask = sum(1 << int(i) for i in np.flatnonzero(held))
        strata = naive.strata(mining.records, exposed, mask)
        both = [s for s in strata if s[0] + s[1] and s[2] + s[3]]
        lonely = [s for s in strata if s not in both]
        expected = StrataHistogram.from_strata(
            both, sum(s[0] + s[1] for s in lonely), sum(s[2] + s[3] for s in lonely)
        )
        assert histogram == expected
        assert histogram.n_exposed + histogram.n_unexposed == len(rows)


def check_matched_items_are_the_oracle_s(open_engine, case):
    rows, table, patterns, controls, *_ = case
    engine, mining = open_engine(table), oracle(rows, table)
    for found, pattern, held in zip(
        engine.matched_items(patterns, controls), patterns, controls, strict=True
    ):
        exposed = sum(1 << int(i) for i in pattern)
        mask = sum(1 << int(i) for i in np.flatnonzero(held))
        expected = naive.matched_items(mining.records, exposed, mask, len(table.items), WEIGHT_UNIT)
        assert [
            list(counts)
            for counts in zip(
                found.exposed,
                found.matched_exposed,
                found.weight_exposed,
                found.weight_unexposed,
                strict=True,
            )
        ] == expected


def check_unique_rows_are_the_oracle_s(open_engine, case):
    _, table, *_ = case
    engine = open_engine(table)
    for columns in ([0], list(range(len(table.codes)))):
        expected = {}
        for *codes, has_outcome in zip(*table.codes[columns].tolist(), table.has_outcome, strict=True):
            expected.setdefault(tuple(codes), [0, 0])[int(has_outcome)] += 1
        found = engine.unique_rows(np.array(columns))
        assert found.columns.tolist() == columns
        assert list(zip(*found.codes.tolist(), strict=True)) == sorted(expected)
        assert found.counts.tolist() == [expected[codes] for codes in sorted(expected)]


def check_sums_of_weights_are_the_oracle_s(open_engine, case):
    _, table, *_ = case
    engine = open_engine(table)
    for columns in ([0], list(range(len(table.codes)))[1::2] or [0], list(range(len(table.codes)))):
        rows = engine.unique_rows(np.array(columns))
        numbers = np.arange(rows.n_rows)
        weights = np.stack([7 ** (numbers % 20), numbers - 1, 1 - numbers % 3], axis=1)
        row_of = {codes: row for row, codes in enumerate(zip(*rows.codes.tolist(), strict=True))}
        expected = [[0, 0, 0] for _ in table.items]
        for codes in table.codes.T.tolist():
            own = weights[row_of[tuple(codes[column] for column in columns)]].tolist()
            for column, code in enumerate(codes):
                if code:
                    item = int(table.first_item[column]) + code - 1
                    expected[item] = [a + b for a, b in zip(expected[item], own, strict=True)]
        assert engine.item_sums(rows, weights).tolist() == expected


def check_asking_again_gives_the_same(open_engine, case):
    """Collapsed records are kept for later questions; they must not leak into them."""
    _, table, patterns, controls, *_ = case
    engine = open_engine(table)
    first = list(engine.strata(patterns, controls))
    list(engine.strata(patterns, np.ones_like(controls)))
    list(engine.strata(patterns, np.zeros_like(controls)))
    assert list(engine.strata(patterns, controls)) == first


def test_large_strata_are_sorted_beyond_fifteen_bits():
    rows = [{"a": "p" if i % 2 else "q", "z": i % 3 == 0} for i in range(140_000)]
    table = coded(rows)
    engine = MemoryEngine(table)
    (histogram,) = engine.strata(np.array([[0]]), np.zeros((1, 2), bool))
    mining = oracle(rows, table)
    assert histogram.rows.tolist() == [[*mining.cells([0])[:2], *mining.cells([0])[2:], 1]]


class Keep:
    """A way of matching that gives everybody a weight of one and shows what it was given."""

    def __call__(self, rule, signatures):
        return (rule, signatures), np.ones((len(signatures.words), 2), np.int64)

    def name_of(self, rule):
        return f"rule {rule}"

    def pack(self, answer):
        rule, signatures = answer
        return [signatures.words.view(np.int64), signatures.counts, signatures.controls], str(rule)

    def unpack(self, packed):
        (words, counts, controls), rule = packed
        return int(rule), Signatures(words.view(np.uint64), counts, controls)


def check_signatures_are_the_oracle_s(open_engine, case):
    rows, table, patterns, controls, *_ = case
    engine, mining = open_engine(table), oracle(rows, table)

    found = list(engine.nearest_pairs(patterns, controls, Keep()))
    assert [rule for (rule, _), _ in found] == list(range(len(patterns)))
    for ((rule, signatures), items), pattern in zip(found, patterns, strict=True):
        held = np.flatnonzero(controls[rule])
        assert signatures.controls.tolist() == held.tolist()
        exposed = sum(1 << int(i) for i in pattern)
        expected = {}
        for having, has_outcome, how_many in mining.records:
            key = tuple(bool(having >> int(item) & 1) for item in held)
            cell = (0 if having & exposed == exposed else 2) + (0 if has_outcome else 1)
            expected.setdefault(key, [0, 0, 0, 0])[cell] += how_many
        keys = list(map(tuple, signatures.bits().tolist()))
        assert dict(zip(keys, signatures.counts.tolist(), strict=True)) == expected
        numbers = [sum(1 << i for i, bit in enumerate(key) if bit) for key in keys]
        assert numbers == sorted(numbers)
        # With a weight of one for everybody, the weights count the records.
        assert items.weight_exposed.tolist() == items.exposed.tolist()
        everybody = items.weight_exposed + items.weight_unexposed
        assert everybody.tolist() == engine.item_counts().support.tolist()


CHECKS = [check for name, check in list(globals().items()) if name.startswith("check_")]
every_check = pytest.mark.parametrize(
    "check", CHECKS, ids=lambda check: check.__name__.removeprefix("check_")
)


@pytest.mark.parametrize("open_engine", MEMORY.values(), ids=MEMORY.keys())
@given(case=cases())
def test_memory(open_engine, case):
    """A case is drawn once for all checks, which takes ten times as long as to ask a question of it."""
    for check in CHECKS:
        check(open_engine, case)


@settings(max_examples=30)
@given(case=cases())
def test_the_opposite_outcome(case):
    in_another_form = check_strata_are_the_oracle_s, check_signatures_are_the_oracle_s
    for check in CHECKS:
        if check not in in_another_form:
            check(opposite_of_the_opposite, case)
    engine, plain = opposite_of_the_opposite(case.table), MemoryEngine(case.table)
    assert (engine.n_with, engine.n_without) == (plain.n_with, plain.n_without)
    asked = case.patterns, case.controls
    for found, expected in zip(engine.strata(*asked), plain.strata(*asked), strict=True):
        lonely = found.lonely_exposed, found.lonely_unexposed
        assert lonely == (expected.lonely_exposed, expected.lonely_unexposed)
        assert sorted(found.rows.tolist()) == expected.rows.tolist()  # their order is the engine's inside


IN_BLOCKS = {name: open_engine for name, open_engine in STREAMING.items() if "one record" not in name}


@pytest.mark.parametrize("open_engine", IN_BLOCKS.values(), ids=IN_BLOCKS.keys())
@settings(max_examples=25)
@given(case=cases())
def test_streaming(open_engine, case):
    run_checks(open_engine, case)


@settings(max_examples=15)
@given(case=cases(sizes=(2, 7, 8, 9, 20)))
def test_streaming_one_record_at_a_time(case):
    """Whatever the number of records, a block has one: each is a file, which all questions read."""
    run_checks(STREAMING["streaming, one record at a time"], case)


def run_checks(open_engine, case):
    for check in CHECKS:
        if check is check_signatures_are_the_oracle_s:
            check(partial(streamed_with_room, **open_engine.keywords), case)
        else:
            check(open_engine, case)


def case_by_lot(n_rows, length, seed):
    """A case like those above, always the same: a question to Spark takes too long to ask hundreds."""
    chance = np.random.default_rng(seed)
    rows = [
        {**{name: chance.choice(["p", "q", "r", None]) for name in "abcde"}, "z": bool(chance.random() < 0.4)}
        for _ in range(n_rows)
    ]
    rows[0].update(a="p", b="q", c="r", d="p", e="q", z=True)
    rows[1].update(a="q", b="r", c="p", d="q", e="r", z=False)
    table = coded(rows)
    n_items = len(table.items)
    columns = [sorted(chance.choice(5, length, replace=False)) for _ in range(10)]
    patterns = [[chance.choice(np.flatnonzero(table.column_of_item == c)) for c in row] for row in columns]
    controls = chance.random((10, n_items)) < 0.5
    controls[0], controls[1] = False, True
    held = chance.choice(n_items, 3, replace=False)
    return Case(rows, table, np.array(patterns, np.intp), controls, held, np.arange(0, n_items, 2))


@pytest.fixture(scope="module")
def large_case():
    return case_by_lot(129, 2, seed=7)


@pytest.fixture(scope="module")
def small_case():
    return case_by_lot(3, 1, seed=7)


@every_check
@pytest.mark.parametrize("n_partitions", [1, 3, 8])
def test_spark(check, n_partitions, large_case):
    require_spark()
    check(partial(on_spark, n_partitions=n_partitions), large_case)


def test_spark_finds_the_same_fingerprint(large_case):
    require_spark()
    found = on_spark(large_case.table, 3).fingerprint()
    assert found == MemoryEngine(large_case.table).fingerprint()


@every_check
def test_spark_with_fewer_records_than_partitions(check, small_case):
    require_spark()
    check(partial(on_spark, n_partitions=8), small_case)


@pytest.mark.parametrize("open_engine", MEMORY.values(), ids=MEMORY.keys())
@given(rows=record_lists(), data=st.data())
def test_the_fingerprint_is_of_the_records_not_of_their_order(open_engine, rows, data):
    found = open_engine(coded(rows)).fingerprint()
    assert len(found) == 32
    order = data.draw(st.permutations(range(len(rows))))
    table = coded(rows)
    shuffled = replace(table, codes=table.codes[:, order].copy(), has_outcome=table.has_outcome[list(order)])
    assert open_engine(shuffled).fingerprint() == found
    changed = data.draw(st.integers(0, len(rows) - 1))
    has_outcome = table.has_outcome.copy()
    has_outcome[changed] = not has_outcome[changed]
    assert open_engine(replace(table, has_outcome=has_outcome)).fingerprint() != found
    codes = table.codes.copy()
    column = data.draw(st.integers(0, len(codes) - 1))
    codes[column, changed] = (codes[column, changed] + 1) % (np.diff(table.first_item)[column] + 1)
    assert open_engine(replace(table, codes=codes)).fingerprint() != found


@pytest.mark.parametrize("open_engine", STREAMING.values(), ids=STREAMING.keys())
@settings(max_examples=8)
@given(case=cases())
def test_streaming_finds_the_same_fingerprint(open_engine, case):
    assert open_engine(case.table).fingerprint() == MemoryEngine(case.table).fingerprint()


@given(rows=record_lists(), data=st.data())
def test_fingerprints_add_up_over_parts(rows, data):
    table = coded(rows)
    part = np.array(data.draw(st.lists(st.booleans(), min_size=len(rows), max_size=len(rows))))
    sums = [Profiles.of_table(table.only(chosen)).sums() for chosen in (part, ~part) if chosen.any()]
    assert np.sum(sums, axis=0, dtype=np.uint64).tolist() == Profiles.of_table(table).sums().tolist()
