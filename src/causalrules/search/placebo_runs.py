"""Placebo runs: the whole run again on tables with a permuted outcome, and how often it finds something.

The outcome is permuted within strata, each of which keeps as many records with it. All other
associations of the table stay as they are, and only the effect is gone.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from causalrules.cohort.score_design import deciles
from causalrules.cohort.study_records import RowsBeside
from causalrules.cohort.study_rows import Control
from causalrules.domain import Estimate
from causalrules.domain.falsification import Placebo
from causalrules.domain.unique_rows import UniqueRows, number_combinations
from causalrules.engines.contract import Opened
from causalrules.kernels.special_functions import betaincinv

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from causalrules.domain import Rule, Settings
    from causalrules.encode import Vocabulary
    from causalrules.search.contrast_study import ContrastStudy


def placebo_of_mining(
    opened: Opened, settings: Settings, mine: Callable[[Opened, Settings], Sequence[Rule]]
) -> Placebo:
    """How often mining finds a causal rule of columns other than those that the outcome was permuted within.

    Parameters
    ----------
    opened : Opened
        The table.
    settings : Settings
        Of the run: how many tables, the seed, and the columns to adjust for.
    mine : callable
        The rules that mining finds in a table.
    """
    within = tuple(settings.knowledge_about([c.name for c in opened.vocabulary.held_columns]).adjust)

    def strata_of(rows: UniqueRows) -> NDArray[np.int64]:
        return _strata_by(within, opened.vocabulary, rows)

    def finds_any(table: Opened) -> bool:
        causal = [rule for rule in mine(table, _once(settings)) if rule.verdict == "causal"]
        return any({item.column for item in rule.pattern} - set(within) for rule in causal)

    return _placebo(opened, settings, strata_of, finds_any, within)


def placebo_of_study(
    opened: Opened,
    settings: Settings,
    study: ContrastStudy,
    test: Callable[[Opened, Settings], Sequence[Rule]],
) -> Placebo:
    """How often one hypothesis is causal where the outcome was permuted within the strata of its study.

    Parameters
    ----------
    opened, settings
        The table, and the settings of the run.
    study : ContrastStudy
        Of the hypothesis.
    test : callable
        The rule that the test makes of a table.
    """

    def strata_of(rows: UniqueRows) -> NDArray[np.int64]:
        everything = RowsBeside.of(opened.engine, study.columns, study.arms, rows.columns.tolist())
        strata = np.full(rows.n_rows, -1, np.int64)
        strata[rows.find(everything.codes)] = study.compared.stratum[everything.row]
        return strata

    def is_causal(table: Opened) -> bool:
        return any(rule.verdict == "causal" for rule in test(table, _once(settings)))

    held = tuple(column.name for column in study.held)
    return _placebo(opened, settings, strata_of, is_causal, held)


def _placebo(
    opened: Opened,
    settings: Settings,
    strata_of: Callable[[UniqueRows], NDArray[np.int64]],
    finds_any: Callable[[Opened], bool],
    within: tuple[str, ...],
) -> Placebo:
    rows = opened.engine.unique_rows(np.arange(len(opened.vocabulary.first_item) - 1))
    strata = strata_of(rows)
    n_found = 0
    for run in range(settings.placebo):
        chance = np.random.default_rng([settings.seed, run])
        permuted = replace(rows, counts=permute_outcome(rows.counts, strata, chance))
        n_found += finds_any(opened.with_records(permuted, settings.threads))
    share = _clopper_pearson(n_found, settings.placebo, settings.confidence)
    return Placebo(runs=settings.placebo, with_causal=n_found, share=share, within=within)


def _once(settings: Settings) -> Settings:
    """The settings of one further run, without what would only be shown."""
    return replace(settings, placebo=0, by=(), explain=False)


def permute_outcome(
    counts: NDArray[np.int64], strata: NDArray[np.int64], chance: np.random.Generator
) -> NDArray[np.int64]:
    """Permute the outcome within strata; records of stratum -1 keep theirs.

    Parameters
    ----------
    counts : int64[n, 2]
        How often each distinct record occurs without and with the outcome.
    strata : int64[n]
        From 0, or -1.

    Examples
    --------
    >>> counts = np.array([[3, 1], [0, 4], [5, 5]])
    >>> permuted = permute_outcome(counts, np.array([0, 0, -1]), np.random.default_rng(0))
    >>> permuted.sum(axis=1).tolist(), int(permuted[:2, 1].sum()), permuted[2].tolist()
    ([4, 4, 10], 5, [5, 5])
    """
    permuted = counts.copy()
    n_records = counts.sum(axis=1)
    order = np.argsort(strata, kind="stable")
    ends = np.flatnonzero(np.diff(strata[order], append=strata.max(initial=-1) + 1)) + 1
    for start, end in zip(np.append(0, ends[:-1]), ends, strict=True):
        members = order[start:end]
        if strata[members[0]] < 0:
            continue
        n_with = int(counts[members, 1].sum())
        drawn = chance.multivariate_hypergeometric(n_records[members], n_with, method="marginals")
        permuted[members] = np.column_stack([n_records[members] - drawn, drawn])
    return permuted


def _strata_by(names: Sequence[str], vocabulary: Vocabulary, rows: UniqueRows) -> NDArray[np.int64]:
    """Records that agree on these columns, numbers by tenths."""
    held = [column for column in vocabulary.held_columns if column.name in names]
    n_records = rows.counts.sum(axis=1)
    codes = [
        deciles(Control(one.name, rows.codes[one.place].astype(np.int32), one.n_codes, one.values), n_records)
        if one.is_number
        else rows.codes[one.place].astype(np.int64)
        for one in held
    ]
    return number_combinations(codes, rows.n_rows)


def _clopper_pearson(found: int, runs: int, confidence: float) -> Estimate:
    tail = (1 - confidence) / 2
    low = float(betaincinv(found, runs - found + 1, tail)) if found else 0.0
    high = float(betaincinv(found + 1, runs - found, 1 - tail)) if found < runs else 1.0
    return Estimate(found / runs, low, high)
