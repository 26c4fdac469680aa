"""The verbs of the paper's procedure for Python; they ask as the default's do, by the paper's protocol."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from causalrules import api
from causalrules.errors import SettingsError
from causalrules.paper.settings import PaperSettings
from causalrules.python_job import job_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from causalrules.paper.matching_comparison import MatchingComparison
    from causalrules.paper.result import PaperResult
    from causalrules.python_job import RunBefore

_OF_A_WAY = ("matching", "caliper", "ratio", "replace", "optimal")


def mine(table: Any, outcome: Any = None, *, settings: RunBefore = None, **options: Any) -> PaperResult:
    """Find causal rules by Algorithm 1: random pairs, three runs, two votes, each rule judged alone.

    Parameters
    ----------
    table, outcome, **options
        As in `causalrules.mine`; settings are those of `PaperSettings`.
    settings : PaperSettings, PaperResult or path of a saved one, optional
        What a run before was asked; the paper's protocol by default.

    Examples
    --------
    >>> import causalrules
    >>> patients = causalrules.simulate("hospital", n_records=2000).table
    >>> result = causalrules.paper.mine(patients, "ill=yes", max_length=1, controls="columns")
    >>> [rule.name for rule in result.causal][:2]
    ['severity=high', 'severity=low']
    """
    return cast("PaperResult", api.mine(table, outcome, settings=_or_the_protocol(settings), **options))


def test(
    table: Any,
    outcome: Any = None,
    exposure: str | None = None,
    *,
    settings: RunBefore = None,
    **options: Any,
) -> PaperResult:
    """Put one rule to the paper's cohort study, whether it is an association or not.

    Parameters
    ----------
    table, outcome, exposure, **options
        As in `causalrules.test`; settings are those of `PaperSettings`.
    settings : PaperSettings, PaperResult or path of a saved one, optional
        What a run before was asked; the paper's protocol by default.

    Examples
    --------
    >>> import causalrules
    >>> patients = causalrules.simulate("hospital", n_records=2000).table
    >>> causalrules.paper.test(patients, "ill=yes", "treatment=new").rules[0].verdict
    'rejected'
    """
    return cast(
        "PaperResult", api.test(table, outcome, exposure, settings=_or_the_protocol(settings), **options)
    )


def compare_matching(
    table: Any,
    outcome: Any,
    exposure: str,
    *,
    columns: Sequence[str] | None = None,
    delimiter: str | None = None,
    **options: Any,
) -> MatchingComparison:
    """Put one rule to the paper's cohort study by every way of matching.

    Parameters
    ----------
    table, outcome, exposure, columns, delimiter, **options
        As in `test`, but for those of matching: each way has its own caliper, one partner a record.
        On the columns of ``exact_on`` partners agree whatever the distance.

    Returns
    -------
    MatchingComparison
        ``.table`` is a data frame with one row for each way.

    Examples
    --------
    >>> import causalrules
    >>> patients = causalrules.simulate("hospital", n_records=1000).table
    >>> compared = causalrules.paper.compare_matching(patients, "ill=yes", "smoker=yes")
    >>> [study.method for study in compared.studies][:3]
    ['exact', 'jaccard', 'hamming']
    """
    for name in _OF_A_WAY:
        if name in options:
            raise SettingsError(name, "left alone where ways of matching are compared", options[name])
    exact_on = options.pop("exact_on", ())
    job = job_of(table, outcome, columns, delimiter, PaperSettings.of_the_protocol(), options)
    compared: MatchingComparison = job.compare_matching(
        exposure, (exact_on,) if isinstance(exact_on, str) else exact_on
    )
    return compared


def _or_the_protocol(settings: RunBefore) -> RunBefore:
    return PaperSettings.of_the_protocol() if settings is None else settings
