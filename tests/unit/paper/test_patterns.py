from hypothesis import given

import naive
from causalrules.domain import largest_count_within
from causalrules.engines import MemoryEngine
from causalrules.engines.opposite import OppositeOutcome
from causalrules.paper.patterns import PatternTree
from strategies import coded, columns_of, record_lists


@given(record_lists())
def test_levels_are_the_oracle_s_when_nothing_is_removed(rows):
    table = coded(rows)
    engine = MemoryEngine(table, threads=1)
    mining = naive.Mining(rows, columns_of(rows), [r["z"] for r in rows], max_length=4, min_odds_ratio=0)
    tree = PatternTree(engine, largest_count_within(0.05, engine.n_with))
    # With a minimum odds ratio of zero every frequent pattern is an association.
    for _, expected in mining.levels():
        level = tree.grow()
        assert {tuple(pattern) for pattern in level.patterns.tolist()} == expected
        assert level.patterns.tolist() == sorted(level.patterns.tolist())


@given(record_lists())
def test_removed_patterns_have_no_super_patterns(rows):
    engine = MemoryEngine(coded(rows), threads=1)
    tree = PatternTree(OppositeOutcome(engine), 0)
    first = tree.grow()
    removed = first.patterns[:, 0] % 2 == 0
    tree.remove(removed)
    assert not set(tree.grow().patterns.ravel()) & set(first.patterns[removed, 0])
