"""The functions people call from Python."""

from __future__ import annotations

import os
import warnings
from contextlib import nullcontext
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal, Unpack, overload

from causalrules.asked_settings import refuse_further
from causalrules.domain import Result
from causalrules.domain.progress import ignore_progress
from causalrules.domain.settings import SettingsOptions
from causalrules.errors import SettingsError
from causalrules.lab_parts import lab_part
from causalrules.python_job import (
    MethodChoice,
    RunBefore,
    asked_method,
    explaining_outcomes,
    job_of,
    outcome_of,
    result_of,
    several_outcomes,
)
from causalrules.saved_results import asked_in

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from causalrules.domain.answers import Answers
    from causalrules.domain.progress import Progress
    from causalrules.paper.matching_comparison import MatchingComparison
    from causalrules.publish.table_one import NumbersChoice, TableOne
    from causalrules.words.result import Result as PlainResult


@overload
def mine(
    table: Any,
    outcome: Any = None,
    *,
    method: Literal["plain"],
    y: Any = None,
    settings: RunBefore = None,
    columns: Sequence[str] | None = None,
    delimiter: str | None = None,
    on_progress: Callable[[Progress], None] | None = None,
    knowledge: str | os.PathLike[str] | None = None,
    reference: str | Sequence[str] = ...,
    **options: Unpack[SettingsOptions],
) -> PlainResult: ...
@overload
def mine(
    table: Any,
    outcome: list[str] | tuple[str, ...],
    *,
    settings: RunBefore = None,
    columns: Sequence[str] | None = None,
    delimiter: str | None = None,
    on_progress: Callable[[Progress], None] | None = None,
    checkpoint: str | os.PathLike[str] | None = None,
    checkpoint_records: bool = False,
    knowledge: str | os.PathLike[str] | None = None,
    **options: Unpack[SettingsOptions],
) -> Answers: ...
@overload
def mine(
    table: Any,
    outcome: Any = None,
    *,
    y: Any = None,
    settings: RunBefore = None,
    columns: Sequence[str] | None = None,
    delimiter: str | None = None,
    on_progress: Callable[[Progress], None] | None = None,
    checkpoint: str | os.PathLike[str] | None = None,
    checkpoint_records: bool = False,
    knowledge: str | os.PathLike[str] | None = None,
    **options: Unpack[SettingsOptions],
) -> Result: ...
def mine(
    table: Any,
    outcome: Any = None,
    *,
    y: Any = None,
    settings: RunBefore = None,
    columns: Sequence[str] | None = None,
    delimiter: str | None = None,
    on_progress: Callable[[Progress], None] | None = None,
    checkpoint: str | os.PathLike[str] | None = None,
    checkpoint_records: bool = False,
    knowledge: str | os.PathLike[str] | None = None,
    method: MethodChoice | None = None,
    reference: str | Sequence[str] = (),
    **options: Unpack[SettingsOptions],
) -> Result | PlainResult | Answers:
    """Find what causes an outcome.

    Association rules are the hypotheses; each is put to a cohort study that
    compares matched records.

    Parameters
    ----------
    table : path, '-', list of paths, data frame, dict or array
        Any file that docs/sources.md lists; a list of such files, or a pattern of
        names (``"part-*.csv"``); standard
        input; a pandas, Polars, PyArrow or Spark data frame; a lazy one of
        Polars, DuckDB, ibis or Dask, which is read in batches; anything that
        hands over Arrow (``__arrow_c_stream__``); a dict of columns; or a NumPy
        array with ``columns``.
    outcome : str, list of str, series, array or mask
        Column and value, as in ``"income=>50K"``, or any pattern: ``"bmi>=30"``.
        Or one value a record: ``df["bmi"] >= 30``. A series takes the place of
        the column that it is named after. A list of texts asks about several outcomes, and a column in it
        without a value about every value; the table is read once, and `Answers` come back.
    y : series, array or mask, optional
        The outcome as values, by scikit-learn's name for it, instead of `outcome`.
    settings : Settings, Result or path of a saved result, optional
        What a run before was asked: it is asked again, with the options given here changed. A result
        also knows its outcome.
    columns : sequence of str, optional
        Names for a text file without a header, or for an array.
    delimiter : str, optional
        Detected when not given.
    on_progress : callable, optional
        Called with a `Progress` after each cohort study; a notebook shows a bar without it.
    checkpoint : str or path, optional
        A folder to save to what was counted: the same call after a crash
        resumes from there, with the same result. A folder with other data or settings
        is refused.
    checkpoint_records : bool
        Whether the coded records are kept there too, so that a table in files is not read again.
    knowledge : str or path, optional
        A file with roles, tiers and arrows, besides those among the settings.
    method : {'default', 'plain'}, optional
        ``'plain'``: one study and one line for each column; the result is that of docs/plain.md. By
        default that of `settings`, or ``'default'``.
    reference : str or list of str
        Of ``method='plain'``: levels that others are compared with, as in ``"rx=Obs"``.
    **options
        Anything in `Settings`: ``max_length=3``, ``min_support=0.01``, …

    Returns
    -------
    Result
        ``.findings`` is what to report, ``.rules`` holds all rules tested,
        ``.causal`` the causal ones; ``.to_frame()`` makes a data frame of them.

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
    >>> result.to_frame()[["rule", "verdict", "crude_odds_ratio", "adjusted_odds_ratio"]].round(1)
             rule   verdict  crude_odds_ratio  adjusted_odds_ratio
    0  smokes=yes    causal               9.0                  8.9
    1  coffee=yes  rejected               3.3                  1.0

    The outcome may be a mask, and a run can be repeated from its result:

    >>> again = causalrules.mine(people, outcome=people["health"] == "ill", settings=result.settings)
    >>> [rule.name for rule in again.causal]
    ['smokes=yes']
    """
    outcome = outcome_of(outcome, y)
    several = several_outcomes(outcome)
    if on_progress is not None and not callable(on_progress):
        raise SettingsError("on_progress", "a function that takes a Progress", on_progress)
    if checkpoint_records and checkpoint is None:
        raise SettingsError("checkpoint_records", "left out without a checkpoint", checkpoint_records)
    if several and checkpoint is not None:
        raise SettingsError("checkpoint", "left out where several outcomes are asked about", checkpoint)
    given = options | asked_method(method, reference=reference)
    job = job_of(table, several[0] if several else outcome, columns, delimiter, settings, given, knowledge)
    refuse_further(job.settings, several=several, checkpoint=checkpoint)
    if several:
        answers: Answers = replace(job, on_progress=on_progress or ignore_progress).answers(several)
        return answers
    if checkpoint is not None:
        from causalrules.engines.checkpoint import Checkpoint

        job = replace(job, checkpoint=Checkpoint(checkpoint, keeps_records=checkpoint_records))
    from causalrules.report.notebook_progress import showing_progress

    shown = showing_progress() if on_progress is None else nullcontext(on_progress)
    with shown as show, explaining_outcomes(outcome, settings):
        result: Result = replace(job, on_progress=show).mine()
        return result


@overload
def test(
    table: Any,
    outcome: Any = None,
    exposure: str | None = None,
    *,
    method: Literal["plain"],
    y: Any = None,
    settings: RunBefore = None,
    columns: Sequence[str] | None = None,
    delimiter: str | None = None,
    knowledge: str | os.PathLike[str] | None = None,
    reference: str | Sequence[str] = ...,
    against: str | None = ...,
    **options: Unpack[SettingsOptions],
) -> PlainResult: ...
@overload
def test(
    table: Any,
    outcome: list[str] | tuple[str, ...],
    exposure: str | None = None,
    *,
    settings: RunBefore = None,
    columns: Sequence[str] | None = None,
    delimiter: str | None = None,
    knowledge: str | os.PathLike[str] | None = None,
    **options: Unpack[SettingsOptions],
) -> Answers: ...
@overload
def test(
    table: Any,
    outcome: Any = None,
    exposure: str | None = None,
    *,
    y: Any = None,
    settings: RunBefore = None,
    columns: Sequence[str] | None = None,
    delimiter: str | None = None,
    knowledge: str | os.PathLike[str] | None = None,
    **options: Unpack[SettingsOptions],
) -> Result: ...
def test(
    table: Any,
    outcome: Any = None,
    exposure: str | None = None,
    *,
    y: Any = None,
    settings: RunBefore = None,
    columns: Sequence[str] | None = None,
    delimiter: str | None = None,
    knowledge: str | os.PathLike[str] | None = None,
    method: MethodChoice | None = None,
    reference: str | Sequence[str] = (),
    against: str | None = None,
    **options: Unpack[SettingsOptions],
) -> Result | PlainResult | Answers:
    """Put one hypothesis to a cohort study, whether or not mining would have proposed it.

    Parameters
    ----------
    table, outcome, y, settings, columns, delimiter, knowledge, method, reference, **options
        As in `mine`.
    exposure : str
        The pattern, as in ``"smoker=yes & 18.5<=bmi<25"``; with ``method="plain"`` also a column, as in
        ``"age"``. The result of a test, given as `settings`, knows its own.
    against : str, optional
        Of ``method='plain'``: the level to compare with, as in ``"rx=Obs"``; records of others are left
        out.

    Returns
    -------
    Result
        With one rule; `Answers` where several outcomes were given.

    Examples
    --------
    >>> import causalrules
    >>> patients = causalrules.simulate("hospital", n_records=2000).table
    >>> result = causalrules.test(patients, "ill=yes", "smoker=yes", adjust=["severity", "exercise"])
    >>> rule = result.rules[0]
    >>> rule.verdict, rule.direction, rule.design.held
    ('causal', 'raises', ('exercise', 'severity'))
    """
    outcome = outcome_of(outcome, y)
    before = result_of(settings)
    if exposure is None and before is not None:
        exposure = asked_in(before).exposure
    if exposure is None:
        raise SettingsError("exposure", "a pattern such as 'smoker=yes'", exposure)
    if not isinstance(exposure, str):
        raise SettingsError("exposure", "a text such as 'smoker=yes & age>60'", type(exposure).__name__)
    several = several_outcomes(outcome)
    asked = several[0] if several else outcome
    given = options | asked_method(method, reference=reference, against=against)
    job = job_of(table, asked, columns, delimiter, before or settings, given, knowledge)
    refuse_further(job.settings, several=several)
    if several:
        answers: Answers = job.answers(several, exposure)
        return answers
    with explaining_outcomes(outcome, before):
        result: Result = job.test(exposure)
        return result


def study(table: Any, outcome: Any, exposure: str, **options: Any) -> Result:
    """Put one hypothesis to a cohort study; an old name of `test`.

    Parameters
    ----------
    table, outcome, exposure, **options
        As in `test`.

    Examples
    --------
    >>> import causalrules
    >>> patients = causalrules.simulate("hospital", n_records=1000).table
    >>> causalrules.study(patients, "ill=yes", "smoker=yes", adjust="severity").rules[0].verdict
    'causal'
    """
    warnings.warn("causalrules.study is called causalrules.test now.", DeprecationWarning, stacklevel=2)
    result: Result = test(table, outcome, exposure, **options)
    return result


def table1(
    table: Any,
    outcome: Any,
    exposure: str,
    *,
    describe: Sequence[str] | None = None,
    numbers: NumbersChoice = "auto",
    columns: Sequence[str] | None = None,
    delimiter: str | None = None,
    knowledge: str | os.PathLike[str] | None = None,
    **settings: Unpack[SettingsOptions],
) -> TableOne:
    """Describe exposed and unexposed records before matching and after it, as Table 1 of a paper does.

    Parameters
    ----------
    table, outcome, exposure, columns, delimiter, knowledge, **settings
        As in `test`, whose study says who is matched.
    describe : sequence of str, optional
        Columns to describe; all that take part by default, but for those of exposure and outcome.
    numbers : {'auto', 'mean', 'median'}
        Mean (SD), median (IQR), or the second where a number is skewed.

    Returns
    -------
    TableOne
        ``.to_frame()`` is a data frame of all numbers, ``.save("table1.docx")`` writes Word, Excel, LaTeX,
        Markdown or HTML.

    Examples
    --------
    >>> import pandas as pd
    >>> import causalrules
    >>> people = pd.DataFrame(
    ...     [("yes", "old")] * 60 + [("yes", "young")] * 20 + [("no", "old")] * 40 + [("no", "young")] * 80,
    ...     columns=["smokes", "age"],
    ... ).assign(ill=["yes", "no"] * 100)
    >>> table = causalrules.table1(people, "ill=yes", "smokes=yes", adjust=["age"])
    >>> table.to_frame()[["value", "n, exposed before", "n, unexposed before", "n, unexposed after"]]
       value  n, exposed before  n, unexposed before  n, unexposed after
    0    old               60.0                 40.0                90.0
    1  young               20.0                 80.0                30.0
    """
    from causalrules.publish.table_one import table_one

    job = job_of(table, outcome, columns, delimiter, None, settings, knowledge).rereadable()
    result = job.test(exposure)
    return table_one(result, result.tested[0], job.table(), describe, numbers)


def compare_matching(table: Any, outcome: Any, exposure: str, **options: Any) -> MatchingComparison:
    """Put one hypothesis to the paper's cohort study by every way of matching; see `paper.compare_matching`.

    Parameters
    ----------
    table, outcome, exposure, **options
        As there, but pairs are averaged over all pairings.

    Examples
    --------
    >>> import causalrules
    >>> patients = causalrules.simulate("hospital", n_records=1000).table
    >>> compared = causalrules.compare_matching(patients, "ill=yes", "smoker=yes")
    >>> [study.method for study in compared.studies][:3]
    ['exact', 'jaccard', 'hamming']
    """
    from causalrules import paper

    found: MatchingComparison = paper.compare_matching(
        table, outcome, exposure, **({"pairs": "expected"} | options)
    )
    return found


def compare(
    table: Any,
    outcome: Any,
    *,
    methods: Sequence[str] | None = None,
    max_seconds: float | None = 60.0,
    columns: Sequence[str] | None = None,
    delimiter: str | None = None,
    **options: Unpack[SettingsOptions],
) -> Any:
    """Find causes by the search for causal rules and by other people's methods, side by side.

    The other methods come with the package causalrules-lab.

    Parameters
    ----------
    table, outcome, columns, delimiter, **options
        As in `mine`.
    methods : sequence of str, optional
        Such as ``["pc-select", "hiton-pc"]``; those of the paper by default.
    max_seconds : float, optional
        Time after which a method is stopped.

    Returns
    -------
    causalrules_lab.baselines.Comparison
        ``.rules`` is a data frame with one row for each cause.

    Examples
    --------
    >>> import causalrules
    >>> patients = causalrules.simulate("hospital", n_records=1000).table
    >>> compared = causalrules.compare(patients, "ill=yes", methods=["association"])
    >>> compared.methods
    ('default', 'association')
    """
    lab = lab_part("compare")
    job = job_of(table, outcome, columns, delimiter, None, options)
    coded = lab.code_table(job.source, job.outcome, job.settings)
    return lab.compare_on(coded, job.settings, methods=methods, max_seconds=max_seconds)


def explore(source: str | os.PathLike[str] = ".", *, port: int = 0, open_browser: bool = True) -> None:
    """Open the explorer of a table, or of a folder of tables, in the browser, until Ctrl-C.

    Parameters
    ----------
    source : path
        A table, or a folder.
    port : int
        Port of this machine to listen at; 0 finds a free one.
    open_browser : bool
        Whether to show the page in the browser; its address is printed in any case.

    Examples
    --------
    >>> causalrules.explore("patients.csv")  # doctest: +SKIP
    """
    from causalrules.explorer import explore as serve

    serve(os.fspath(source), port=port, open_browser=open_browser)
