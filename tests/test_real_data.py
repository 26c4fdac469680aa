"""The paper's eight data sets: every count and verdict is the oracle's, and the known numbers come out."""

import bisect
from functools import lru_cache

import numpy as np
import pytest

import causalrules
import datasets
import naive
from causalrules.domain import Settings, largest_count_within
from causalrules.encode import encode
from causalrules.engines import MemoryEngine
from causalrules.engines.opposite import OppositeOutcome
from causalrules.paper import PaperSettings
from causalrules.paper.controls import Associations
from causalrules.paper.patterns import PatternTree
from test_mining import assert_same_as_the_oracle

CASES = {  # data set: longest pattern, minimum support, are numbers binned
    "adult": (2, "0.01", False),
    "german": (4, "0.05", True),
    "kr-vs-kp": (2, "0.05", False),
    "mushroom": (3, "0.05", False),
    "tic-tac-toe": (4, "0.05", False),
    "hypothyroid": (2, "0.05", True),
    "sick": (2, "0.05", True),
    "census-income": (2, "0.05", False),
}

ORACLE_CASES = [  # data set, longest pattern, every how many-th record: plain Python takes minutes for more
    *((name, case[0], 1) for name, case in CASES.items() if name not in ("mushroom", "census-income")),
    ("mushroom", 2, 1),
    ("mushroom", 3, 4),
    ("census-income", 1, 4),
    ("census-income", 2, 16),
]


def mined(name, every=1, **options):
    """Mine a data set; numbers by MDL bins where the paper has them, else left aside."""
    data = datasets.require(name).every(every)
    has_numbers = CASES[name][2]
    return causalrules.mine(
        data.arrow(),
        data.outcome,
        categorical=data.nominal,
        numeric=data.numbers if has_numbers else (),
        drop=() if has_numbers else data.numbers,
        missing=("?",),
        **options,
    )


@lru_cache(maxsize=1)
def oracle_rows(name, every=1):
    """The records with every number replaced by its interval, cut by the oracle."""
    data = datasets.require(name).every(every)
    columns, rows = list(data.nominal), [dict(row) for row in data.rows]
    table = encode(
        data.arrow(),
        data.outcome,
        PaperSettings(categorical=data.nominal, numeric=data.numbers, missing=("?",)),
    )
    for column in data.numbers if CASES[name][2] else []:
        present = [
            (float(row[column]), has)
            for row, has in zip(rows, data.has_outcome(), strict=True)
            if row[column]
        ]
        cuts = naive.mdl_cuts(*zip(*present, strict=True)) if present else []
        intervals = [item.value for item in table.items if item.column == column]
        assert len(intervals) == (len(cuts) + 1 if cuts else 0)
        if cuts:
            columns.append(column)
            for row in rows:
                if row[column] is not None:
                    row[column] = intervals[bisect.bisect_left(cuts, float(row[column]))]
    columns = [c for c in columns if len({row[c] for row in rows}) > 1]
    return rows, columns, data.has_outcome()


@pytest.mark.slow
@pytest.mark.parametrize("controls", ["items", "columns"])
@pytest.mark.parametrize(("name", "max_length", "every"), ORACLE_CASES)
def test_every_number_is_the_oracle_s(name, max_length, every, controls):
    min_support = CASES[name][1]
    options = {"controls": controls, "max_length": max_length}
    result = mined(name, every, min_support=float(min_support), pairs="expected", judge="interval", **options)
    rows, columns, has_outcome = oracle_rows(name, every)
    expected = naive.mine(rows, columns, has_outcome, min_support=min_support, **options)
    position = {column: i for i, column in enumerate(datasets.require(name).columns)}
    expected = {
        (direction, tuple(sorted(pattern, key=lambda item: position[item[0]]))): study
        for (direction, pattern), study in expected.items()
    }
    assert_same_as_the_oracle(result, expected)


@pytest.mark.parametrize(
    ("name", "n_causal"), [("adult", 47), ("mushroom", 41), ("kr-vs-kp", 36), ("german", 11)]
)
def test_single_causal_rules_with_whole_columns_held(name, n_causal):
    """Numbers of the design, computed independently of this code."""
    data = datasets.require(name)
    result = causalrules.mine(
        data.arrow(),
        data.outcome,
        only=data.nominal,
        categorical=data.nominal,
        missing=("?",),
        controls="columns",
        max_length=1,
        min_support=0.01 if name == "adult" else 0.05,
        judge="interval",
    )
    assert len(result.causal) == n_causal


def test_adult_has_99_items_and_these_associations():
    result = mined("adult", controls="items", min_support=0.01, max_length=1)
    assert (result.data.rows, result.data.columns, result.data.items) == (48842, 8, 99)
    directions = [rule.direction for rule in result.tested]
    assert (directions.count("raises"), directions.count("lowers")) == (21, 29)


def test_adult_association_rules_up_to_length_four():
    """3,119 with an odds ratio above 1.5, 2,874 of them without a sub-pattern of equal support.

    The paper prints 3,108 and 2,863. The tree drops redundant patterns by
    itself, so its associations are the second number.
    """
    data = datasets.require("adult")
    settings = Settings(drop=data.numbers, categorical=data.nominal, min_support=0.01, min_odds_ratio=1.5)
    table = encode(data.arrow(), data.outcome, settings)
    n_not_redundant = 0
    raising = MemoryEngine(table)
    for engine in (raising, OppositeOutcome(raising)):
        associations = Associations(engine, table, settings)
        tree = PatternTree(engine, largest_count_within(0.01, engine.n_with))
        n_not_redundant += sum(int(associations.are_associations(tree.grow().counts).sum()) for _ in range(4))
    assert n_not_redundant == 2874
    rows, columns, has_outcome = oracle_rows("adult")
    raises = naive.Mining(rows, columns, has_outcome, min_support="0.01", min_odds_ratio=1.5)
    assert count_associations(raises) + count_associations(raises.opposite()) == 3119


def count_associations(mining):
    """All associations up to length four, by plain Apriori without the prunings of the method."""
    alive, n_found = {(i,) for i in range(len(mining.items)) if mining.is_frequent((i,))}, 0
    for _ in range(4):
        n_found += sum(mining.is_association(pattern) for pattern in alive)
        longer = {(*p, i) for p in alive for (i,) in [(i,) for i in range(p[-1] + 1, len(mining.items))]}
        alive = {p for p in longer if p[1:] in alive and mining.is_frequent(p)}
    return n_found


def test_census_has_495_items():
    data = datasets.require("census-income")
    table = encode(
        data.arrow(), data.outcome, Settings(only=data.nominal, categorical=data.nominal, missing="?")
    )
    assert (table.summary.columns, table.summary.items) == (33, 495)
    assert len(table.items) == 495
    assert np.array_equal(table.has_outcome, data.has_outcome())
