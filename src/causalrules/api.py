"""The functions people call from Python."""

from __future__ import annotations

import logging
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Unpack, overload

from causalrules.domain import Settings
from causalrules.domain.progress import ignore_progress
from causalrules.domain.settings import SettingsOptions
from causalrules.errors import SettingsError
from causalrules.job import Job

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Sequence

    from causalrules.domain import Result
    from causalrules.domain.answers import Answers
    from causalrules.domain.matching_comparison import MatchingComparison
    from causalrules.domain.progress import Progress


@overload
def mine(
    table: Any,
    outcome: str,
    *,
    columns: Sequence[str] | None = None,
    delimiter: str | None = None,
    on_progress: Callable[[Progress], None] | None = None,
    checkpoint: str | os.PathLike[str] | None = None,
    knowledge: str | os.PathLike[str] | None = None,
    **settings: Unpack[SettingsOptions],
) -> Result: ...
@overload
def mine(
    table: Any,
    outcome: Sequence[str],
    *,
    columns: Sequence[str] | None = None,
    delimiter: str | None = None,
    on_progress: Callable[[Progress], None] | None = None,
    checkpoint: str | os.PathLike[str] | None = None,
    knowledge: str | os.PathLike[str] | None = None,
    **settings: Unpack[SettingsOptions],
) -> Answers: ...
def mine(
    table: Any,
    outcome: str | Sequence[str],
    *,
    columns: Sequence[str] | None = None,
    delimiter: str | None = None,
    on_progress: Callable[[Progress], None] | None = None,
    checkpoint: str | os.PathLike[str] | None = None,
    knowledge: str | os.PathLike[str] | None = None,
    **settings: Unpack[SettingsOptions],
) -> Result | Answers:
    """Find what causes an outcome.

    Association rules are the hypotheses; each is put to a cohort study that
    compares matched records.

    Parameters
    ----------
    table : path, '-', or data frame
        CSV/TSV, Parquet, Arrow, JSON lines, C4.5 or ARFF, also gzipped;
        standard input; or a pandas, Polars, PyArrow or Spark data frame.
    outcome : str or sequence of str
        Column and value, as in ``"income=>50K"``, or any pattern: ``"bmi>=30"``. A list asks
        about several, and a column in it without a value about every value; the table is read once, and
        `Answers` come back.
    columns : sequence of str, optional
        Names for a text file without a header.
    delimiter : str, optional
        Found by itself when not given.
    on_progress : callable, optional
        Called with a `Progress` after each cohort study.
    checkpoint : str or path, optional
        A folder to save to what was counted: the same call after a crash
        goes on from there, with the same result. A folder with other data or settings
        is refused.
    knowledge : str or path, optional
        A file with roles, tiers and arrows, besides those among the settings.
    **settings
        Anything in `Settings`: ``max_length=3``, ``min_support=0.01``, …

    Returns
    -------
    Result
        ``.rules`` is a data frame of all rules tested, ``.causal`` the
        causal ones.

    Examples
    --------
    Coffee drinkers seem to fall ill more often, but only because they smoke:

    >>> import pandas as pd
    >>> import causalrules
    >>> people = pd.DataFrame(
    ...     [("yes", "yes", "ill")] * 80 + [("yes", "yes", "well")] * 80
    ...     + [("yes", "no", "ill")] * 20 + [("yes", "no", "well")] * 20
    ...     + [("no", "yes", "ill")] * 4 + [("no", "yes", "well")] * 36
    ...     + [("no", "no", "ill")] * 16 + [("no", "no", "well")] * 144,
    ...     columns=["smokes", "coffee", "health"],
    ... )
    >>> result = causalrules.mine(people, outcome="health=ill", direction="raises")
    >>> result.rules[["rule", "verdict", "odds_ratio", "fair_odds_ratio"]].round(1)
             rule   verdict  odds_ratio  fair_odds_ratio
    0  smokes=yes    causal         9.0              9.0
    1  coffee=yes  rejected         3.3              1.0
    """
    if not isinstance(outcome, str):
        if checkpoint is not None:
            raise SettingsError("checkpoint", "left out where several outcomes are asked about", checkpoint)
        return _job(table, "", columns, delimiter, on_progress, settings, knowledge).answers(outcome)
    job = _job(table, outcome, columns, delimiter, on_progress, settings, knowledge)
    if checkpoint is not None:
        from causalrules.engines.remember import Checkpoint

        job = replace(job, checkpoint=Checkpoint(checkpoint))
    return job.mine()


@overload
def study(
    table: Any,
    outcome: str,
    exposure: str,
    *,
    columns: Sequence[str] | None = None,
    delimiter: str | None = None,
    knowledge: str | os.PathLike[str] | None = None,
    **settings: Unpack[SettingsOptions],
) -> Result: ...
@overload
def study(
    table: Any,
    outcome: Sequence[str],
    exposure: str,
    *,
    columns: Sequence[str] | None = None,
    delimiter: str | None = None,
    knowledge: str | os.PathLike[str] | None = None,
    **settings: Unpack[SettingsOptions],
) -> Answers: ...
def study(
    table: Any,
    outcome: str | Sequence[str],
    exposure: str,
    *,
    columns: Sequence[str] | None = None,
    delimiter: str | None = None,
    knowledge: str | os.PathLike[str] | None = None,
    **settings: Unpack[SettingsOptions],
) -> Result | Answers:
    """Put one hypothesis to a cohort study, whether or not mining would have proposed it.

    Parameters
    ----------
    table, outcome, columns, delimiter, knowledge, **settings
        As in `mine`.
    exposure : str
        The pattern, as in ``"smoker=yes & 18.5<=bmi<25"``.

    Returns
    -------
    Result
        With one rule; `Answers` where several outcomes were given.
    """
    if not isinstance(outcome, str):
        return _job(table, "", columns, delimiter, None, settings, knowledge).answers(outcome, exposure)
    return _job(table, outcome, columns, delimiter, None, settings, knowledge).test(exposure)


def compare_matching(
    table: Any,
    outcome: str,
    exposure: str,
    *,
    columns: Sequence[str] | None = None,
    delimiter: str | None = None,
    **settings: Unpack[SettingsOptions],
) -> MatchingComparison:
    """Put one hypothesis to a cohort study by every way of matching.

    Parameters
    ----------
    table, outcome, exposure, columns, delimiter, **settings
        As in `study`, but for those of matching: each way has its own caliper, one partner a record.
        On the columns of ``exact_on`` partners agree whatever the distance.

    Returns
    -------
    MatchingComparison
        ``.table`` is a data frame with one row for each way.
    """
    given: dict[str, Any] = {**settings}
    for name in ("matching", "caliper", "ratio", "replace", "optimal"):
        if name in given:
            raise SettingsError(name, "left alone where ways of matching are compared", given[name])
    exact_on = settings.pop("exact_on", ())
    return _job(table, outcome, columns, delimiter, None, settings).compare_matching(
        exposure, (exact_on,) if isinstance(exact_on, str) else exact_on
    )


def _job(
    table: Any,
    outcome: str,
    columns: Sequence[str] | None,
    delimiter: str | None,
    on_progress: Callable[[Progress], None] | None,
    settings: SettingsOptions,
    knowledge: str | os.PathLike[str] | None = None,
) -> Job:
    options: dict[str, Any] = {**settings}
    if knowledge is not None:
        from causalrules.read.knowledge_files import read_knowledge, with_knowledge

        options = with_knowledge(options, read_knowledge(knowledge))
    return Job(
        source=table,
        outcome=outcome,
        settings=Settings.from_options(**options),
        columns=columns,
        delimiter=delimiter,
        on_progress=on_progress or ignore_progress,
        on_remark=logging.getLogger("causalrules").info,
    )
