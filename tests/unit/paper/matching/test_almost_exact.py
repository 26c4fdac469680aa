import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from statsmodels.stats.contingency_tables import StratifiedTable

import naive_matching
from causalrules.paper.matching.almost_exact import importance_of, match_almost_exactly
from unit.paper.matching.signature_strategies import from_sets, signature_sets


@given(case=signature_sets(), share=st.sampled_from([0.0, 0.1, 0.5, 1.0]), data=st.data())
def test_strata_are_the_oracle_s(case, share, data):
    sets, counts, n_controls = case
    signatures = from_sets(sets, counts, n_controls)
    kept = data.draw(st.frozensets(st.integers(0, n_controls - 1), max_size=2))
    is_kept = np.isin(np.arange(n_controls), list(kept))
    (exposed, unexposed), _, n_pairs, lost = match_almost_exactly(signatures, is_kept, share)
    found = {}
    for parts in (exposed, unexposed):
        for group, stratum in zip(parts.group, parts.stratum, strict=True):
            found.setdefault(stratum, set()).add(int(group))
    importance = importance_of(signatures).tolist()
    expected = naive_matching.almost_exact(sets, signatures.sizes.tolist(), importance, kept, share)
    has_records = {g for g in range(len(sets)) if sum(counts[g])}
    assert {frozenset(members) for members in found.values()} == {m & has_records for m, _ in expected}
    assert len(n_pairs) == len(lost) == len(expected)
    assert sum(step > 0 for _, step in expected) == (lost > 0).sum() or 0.0 in importance


@given(case=signature_sets())
@example(case=([frozenset({0}), frozenset()], [(2, 1, 0, 0), (0, 0, 1, 2)], 1))
def test_importance_is_the_mantel_haenszel_statistic(case):
    signatures = from_sets(*case)
    bits = signatures.bits()
    for control, found in enumerate(importance_of(signatures)):
        exposed, unexposed = ({*bits[signatures.sizes[:, side] > 0, control]} for side in range(2))
        is_apart = len(exposed) == len(unexposed) == 1 and exposed != unexposed
        assert (found == np.inf) == is_apart
        tables = []
        for side in (0, 2):
            having = signatures.counts[bits[:, control], side : side + 2].sum(axis=0)
            others = signatures.counts[~bits[:, control], side : side + 2].sum(axis=0)
            table = np.array([having, others], float)
            if table.sum(axis=0).all() and table.sum(axis=1).all():  # others tell nothing
                tables.append(table)
        if tables:
            expected = StratifiedTable(tables).test_null_odds(correction=False)
            assert found == pytest.approx(expected.statistic, abs=1e-9)
        elif not is_apart:
            assert found == 0


def test_the_least_important_control_goes_first():
    """Control 0 decides the outcome, control 1 says nothing of it: records that differ in 1 are matched."""
    sets = [{0, 1}, {0}, {1}, set(), {0, 1, 2}]
    counts = [(8, 1, 0, 0), (0, 0, 7, 2), (1, 9, 0, 0), (0, 0, 2, 8), (1, 0, 1, 0)]
    signatures = from_sets(sets, counts, 3)
    (exposed, unexposed), given_up, _, _ = match_almost_exactly(signatures, np.zeros(3, np.bool_), 0.5)
    assert 1 in given_up
    assert 0 not in given_up
    stratum = dict(
        zip([*exposed.group, *unexposed.group], [*exposed.stratum, *unexposed.stratum], strict=True)
    )
    assert stratum[0] == stratum[1] != stratum[2] == stratum[3]
