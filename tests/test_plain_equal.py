"""`mine` and `test` make one study: fifty small tables of every sort, column by column."""

import json

import msgspec
import numpy as np
import pandas as pd
import pytest

from test_plain_method import asked, check_same, mine, outcome_of, shows_an_effect, words

N_TABLES = 50
STUDIED = ("p", "p_crude", "adjusted_for", "moves", "effect", "second_opinion", "sensitivity", "balance")
"""What a finding owes to its study alone."""


def small_table(seed):
    """A few hundred records, and what is said of them besides the outcome."""
    draw = np.random.default_rng([7, seed])
    n = int(draw.integers(120, 320))
    a, b = draw.integers(0, 3, n), draw.integers(0, 2, n)
    c = draw.normal(size=n) + 0.6 * a
    d = draw.random(n) < 1 / (1 + np.exp(-(c - 0.5)))
    e = draw.choice(5, n, p=[0.5, 0.3, 0.15, 0.03, 0.02])
    score = 0.6 * a + [b * 1.0, (a == 1) * (2 * b - 1.0), np.sin(2 * c)][seed % 3] + 0.7 * d - 1.2
    columns = {"ka": words(a, "a"), "kb": words(b, "b"), "kc": c.round(1), "kd": words(d, "d")}
    table = pd.DataFrame(columns | {"ke": words(e, "e") if seed % 2 else e * 10.0})
    if seed % 7 == 3:
        table["kf"] = table["ka"].map({"a0": "w", "a1": "v", "a2": "u"})
    if seed % 3 == 1:
        for name in ("ka", "kc", "kd"):
            table[name] = table[name].mask(draw.random(n) < 0.08)
    is_mean = seed % 5 == 4
    table["y"] = (
        (score + draw.normal(size=n)).round(2) if is_mean else outcome_of(draw, 1 / (1 + np.exp(-score)))
    )
    said = {"outcome": "y", "outcome_as": "mean"} if is_mean else {}
    if seed % 4 == 1:
        table, said = table.assign(person=np.arange(n) // 3), said | {"cluster": "person"}
    elif seed % 4 == 2:
        weight = draw.choice([1, 2, 5], n)
        table, said = table.assign(size=weight), said | {"weights": "size"}
        said |= {"weights_are": "sampling"} if seed % 8 == 2 else {}
    return table, said | KNOWN[seed % len(KNOWN)]


KNOWN = (
    {},
    {"tiers": "ka, kb < kc < kd"},
    {"tiers": "kb < ka", "before": ["ka"]},
    {"after": ["kd"]},
    {},
    {"never_adjust": ["kc"]},
    {"before": ["ka", "kb", "kc"]},
    {"adjust": ["ke"]},
    {"require": ["kc -> kd"]},
    {"forbid": ["kb -> y"]},
    {"max_length": 1, "reference": ["ka=a1"]},
)
"""What users say; eleven ways, so that each meets every sort of table."""


def plain(value):
    """As it stands in a file."""
    return json.loads(msgspec.json.encode(value))


@pytest.mark.parametrize("seed", range(N_TABLES))
def test_mine_and_test_make_one_study(seed):
    table, said = small_table(seed)
    found = mine(table, **said)
    n = 0
    for finding in found.findings:
        if len(finding.factors[0].columns) > 1:
            continue
        assert not finding.is_cause or shows_an_effect(finding), finding.name
        tested = asked(table, finding.name, **said).findings[0]
        if finding.effect is None:
            assert tested.verdict == finding.verdict, finding.name
            continue
        n += 1
        for part in STUDIED:
            check_same(plain(getattr(tested, part)), plain(getattr(finding, part)), f"{finding.name}.{part}")
    assert n


def test_each_of_two_copies_is_tested_as_the_one_that_stands_for_both():
    table, said = small_table(3)
    found = mine(table, **said)["ka"]
    assert {factor.name for factor in found.factors} == {"ka", "kf"}
    for name in ("ka", "kf"):
        tested = asked(table, name, **said).findings[0]
        risks = [sorted(level.risk[0] for level in one.effect.levels) for one in (tested, found)]
        check_same([tested.p, *risks[0]], [found.p, *risks[1]], name)
        assert tested.adjusted_for == found.adjusted_for


def test_what_is_said_to_come_after_the_outcome_is_not_studied_where_it_is_asked_about():
    table, _ = small_table(0)
    for exposure in ("kd", "kd=dTrue", "ka=a0 & kd=dTrue"):
        finding = asked(table, exposure, after=["kd"]).findings[0]
        assert (finding.verdict, finding.effect, finding.p) == ("after", None, None), exposure
