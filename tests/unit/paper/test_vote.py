"""The vote: whole searches are repeated, and what enough of them found stays."""

import random
from collections import Counter

import pytest

import causalrules
from causalrules.domain.progress import Stopwatch, ignore_progress
from causalrules.engines.load import open_coded
from causalrules.paper import PaperSettings
from causalrules.paper.search import PaperSearch
from causalrules_lab.baselines import code_table
from strategies import arrow_of, columns_of

SHARES = (0.3, 0.5, 0.4, 0.2, 0.6, 0.5)


def doubtful_rows(seed, n=500):
    """Weak causes alone and together, so that pairings differ in what they find."""
    chance = random.Random(seed)
    rows = []
    for _ in range(n):
        held = {name: chance.random() < share for name, share in zip("abcdef", SHARES, strict=True)}
        risk = 0.2 + 0.12 * held["a"] + 0.1 * held["b"] + 0.1 * (held["c"] and held["d"])
        rows.append({name: "q" if has else "p" for name, has in held.items()} | {"z": chance.random() < risk})
    return rows


@pytest.mark.parametrize("controls", ["items", "columns"])
@pytest.mark.parametrize("correction", ["none", "holm"])
@pytest.mark.parametrize("seed", range(3))
def test_the_vote_is_over_the_rule_sets_of_single_runs(seed, controls, correction):
    rows = doubtful_rows(seed)
    options = {"controls": controls, "pairs": "random", "correction": correction, "max_length": 3}
    columns = columns_of(rows)
    settings = PaperSettings.from_options(
        **options, seed=seed, test="matched-pairs", categorical=columns, threads=1
    )
    table = code_table(arrow_of(rows), "z=yes", settings)

    def mined(**votes):
        given = {**options, **votes, "test": "matched-pairs", "categorical": columns, "threads": 1}
        result = causalrules.mine(arrow_of(rows), "z=yes", seed=seed, **given)
        return {(rule.direction, frozenset(map(str, rule.pattern))) for rule in result.causal}

    def of_run(number):
        search = PaperSearch(open_coded(table, settings), settings, Stopwatch(), ignore_progress)
        runs = {direction: search.one_run(direction, number) for direction in ("raises", "lowers")}
        return {
            (direction, frozenset(str(table.items[item]) for item in one.cohort.pattern))
            for direction, run in runs.items()
            for one in run.tested
            if one.is_causal
        }

    single_runs = [of_run(number) for number in range(3)]
    n_found = Counter(rule for found in single_runs for rule in found)
    assert single_runs[0] == mined(runs=1, votes=1)
    for votes in (1, 2, 3):
        assert mined(runs=3, votes=votes) == {rule for rule, n in n_found.items() if n >= votes}


def contained(rules):
    """Pairs of a causal rule and one that is a part of it, which a single run never has (Observation 1)."""
    return [
        (part.name, whole.name)
        for whole in rules
        for part in rules
        if set(part.pattern) < set(whole.pattern) and part.direction == whole.direction
    ]


def test_runs_prune_by_their_own_rules():
    """Also shows that runs differ: else the test above would compare three equal sets.

    Two of three runs cannot have a rule while two have a part of it; one of three can.
    """
    found = {votes: [] for votes in (1, 2)}
    for seed in range(5):
        rows = doubtful_rows(seed)
        for votes in found:
            result = causalrules.paper.mine(
                arrow_of(rows),
                "z=yes",
                categorical=columns_of(rows),
                pairs="random",
                correction="none",
                max_length=3,
                votes=votes,
                seed=seed,
            )
            found[votes] += contained(result.causal)
            assert all((rule.causal_runs >= votes) == (rule.verdict == "causal") for rule in result.tested)
    assert found[1]
    assert not found[2]
