"""The result of a run: the one truth that every report is a view of."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from causalrules.domain.data_summary import DataSummary, LeftOut
from causalrules.domain.decisions import Decision
from causalrules.domain.falsification import NegativeControl, Placebo
from causalrules.domain.finding import Finding, findings_of
from causalrules.domain.published_result import PublishedResult
from causalrules.domain.result_diff import ResultDiff
from causalrules.domain.result_files import entry_of, fields_in, pieces_of, read_as, read_entry
from causalrules.domain.rule import Rule, Verdict
from causalrules.domain.settings import Settings
from causalrules.domain.tested_rules import TestedRules
from causalrules.errors import one_line

if TYPE_CHECKING:
    import os
    from collections.abc import Iterator

    import pyarrow as pa

    from causalrules.domain.causal_graph import CausalGraph
    from causalrules.domain.frame_libraries import Library
    from causalrules.interchange.dowhy_model import DoWhyModel
    from causalrules.interchange.result_frames import Width
    from causalrules.report.pictures import Plots


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Result(TestedRules[Rule], PublishedResult):
    """Every association that was put to a cohort study, with what led to it.

    Parameters
    ----------
    settings : Settings
        All settings, also the defaults.
    data : DataSummary
        What the table was.
    tested : tuple of Rule
        All rules tested, strongest causal ones first.
    by_length : dict
        For each length: how many candidates, frequent patterns,
        associations, and rules by verdict.
    timings : dict
        Seconds spent in each part of the run.
    version, created : str
        Software version and time of the run.
    interrupted : bool
        The run was stopped early; rules not yet tested are absent.
    decisions : tuple of Decision
        Which statement of the user's decided what.
    not_studied : tuple of LeftOut
        Columns that take part but have no study of their own, and why; empty in files of earlier versions.
    negative_controls : tuple of NegativeControl
        Effects that cannot be, put to the same studies.
    placebo : Placebo, optional
        The same run on tables in which nothing causes the outcome.

    Examples
    --------
    >>> import causalrules
    >>> patients = causalrules.simulate("hospital", n_records=2000).table
    >>> result = causalrules.mine(patients, "ill=yes", max_length=1, drop=["drug_a", "smoker_copy"])
    >>> print(result.summary())  # doctest: +NORMALIZE_WHITESPACE
    3 causal rules for ill=yes among 4 associations tested (1 rejected, 0 untestable)
    in 2,000 records, 603 with the outcome.
    >>> for finding in result.findings:
    ...     print(finding)
    severity=high
    smoker=yes
    exercise=daily
    >>> len(result.rules), len(result.causal), result.n_by_verdict["rejected"]
    (4, 3, 1)
    >>> result.with_verdict("causal", "lowers")
    (<Rule exercise=daily: causal, lowers, odds ratio 0.57 (0.46–0.70)>,)
    """

    settings: Settings
    data: DataSummary
    tested: tuple[Rule, ...]
    by_length: dict[int, dict[str, int]]
    timings: dict[str, float]
    version: str
    created: str
    interrupted: bool = False
    decisions: tuple[Decision, ...] = ()
    not_studied: tuple[LeftOut, ...] = ()
    negative_controls: tuple[NegativeControl, ...] = ()
    placebo: Placebo | None = None

    @property
    def findings(self) -> tuple[Finding, ...]:
        """What to report: causal contrasts, combined causes, and groups that cannot be told apart."""
        return findings_of(self.causal)

    def to_frame(
        self, verdict: Verdict | None = None, library: Library = "pandas", columns: Width = "short"
    ) -> Any:
        """The tested rules as a data frame, one row a rule; numbers speak of the outcome itself.

        Where the mean of the outcome was asked for, `mean_difference` is the effect; odds and risks are those
        of being in its upper half.

        Parameters
        ----------
        verdict : {'causal', 'possible', 'consequence', 'rejected', 'untestable'}, optional
            Only rules of this verdict.
        library : {'pandas', 'polars', 'arrow'}
            Whose data frame it is.
        columns : {'short', 'all'}
            The usual columns, or these and all others that ``--csv`` writes.

        Examples
        --------
        >>> import causalrules
        >>> patients = causalrules.simulate("hospital", n_records=2000).table
        >>> result = causalrules.mine(patients, "ill=yes", max_length=1)
        >>> result.to_frame("causal", library="arrow").column_names[:6]
        ['rule', 'verdict', 'direction', 'arrow', 'grade', 'adjusted_odds_ratio']
        """
        from causalrules.interchange.result_frames import frame_of

        return frame_of(self, verdict, library, columns)

    def flat_table(self) -> pa.Table:
        """One row a rule with all of its numbers, the columns always of the same types."""
        from causalrules.report.table_files import flat_table

        return flat_table(self)

    def diff(self, other: Result) -> ResultDiff:
        """How another result differs from this one: rules, and what was asked.

        Examples
        --------
        >>> import causalrules
        >>> patients = causalrules.simulate("hospital", n_records=2000).table
        >>> result = causalrules.mine(patients, "ill=yes", max_length=1, drop=["drug_a", "smoker_copy"])
        >>> result.diff(causalrules.mine(patients, settings=result, after="severity"))
        causal in both: smoker=yes, exercise=daily
        causal only in the first: severity=high (consequence in the second)
        settings: after [] → ['severity']
        """
        return ResultDiff(self, other)

    def graph(self) -> CausalGraph:
        """What the result says about columns, as a graph: for networkx, Graphviz and DAGitty.

        Examples
        --------
        >>> import causalrules
        >>> patients = causalrules.simulate("hospital", n_records=2000).table
        >>> graph = causalrules.mine(patients, "ill=yes", max_length=1).graph()
        >>> [(edge.cause, edge.effect, edge.kind) for edge in graph.edges][:2]
        [('severity', 'ill', 'causal'), ('smoker', 'ill', 'causal')]
        """
        from causalrules.interchange.result_graph import graph_of

        return graph_of(self)

    def to_dowhy(self, rule: Rule | str | int = 0) -> DoWhyModel:
        """A rule's question as DoWhy asks it: treatment, outcome and common causes.

        Parameters
        ----------
        rule : Rule, str or int
            The rule, its text, or its place in ``rules``.

        Examples
        --------
        >>> import causalrules
        >>> patients = causalrules.simulate("hospital", n_records=2000).table
        >>> result = causalrules.mine(patients, "ill=yes", max_length=1)
        >>> result.to_dowhy("exercise=daily").common_causes
        ('smoker', 'smoker_copy', 'severity', 'drug_a', 'drug_b')
        """
        from causalrules.interchange.dowhy_model import dowhy_model_of

        return dowhy_model_of(self, self.find(rule))

    @property
    def plot(self) -> Plots:
        """Pictures, as in ``result.plot.forest().save("forest.png")``.

        Examples
        --------
        >>> import causalrules
        >>> patients = causalrules.simulate("hospital", n_records=1000).table
        >>> result = causalrules.mine(patients, "ill=yes", max_length=1)
        >>> type(result.plot.forest()).__name__
        'Picture'
        """
        from causalrules.report.pictures import Plots

        return Plots(self)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Result:
        """Read a result that `save` wrote, also in an earlier version; the example there does both."""
        return read_as(cls.from_dict, read_entry(path), path)

    def pieces(self) -> Iterator[str]:
        """The text of a file, a rule at a time."""
        return pieces_of(self)

    def to_dict(self) -> dict[str, Any]:
        """The result as it stands in a file: numbers of rules speak of the outcome itself.

        Examples
        --------
        >>> import causalrules
        >>> patients = causalrules.simulate("hospital", n_records=1000).table
        >>> result = causalrules.mine(patients, "ill=yes", max_length=1)
        >>> entry = result.to_dict()
        >>> entry["schema"], len(entry["rules"]) == len(result.rules)
        ('causalrules/2', True)
        >>> causalrules.Result.from_dict(entry) == result
        True
        """
        return entry_of(self)

    @classmethod
    def from_dict(cls, entry: dict[str, Any]) -> Result:
        """Read back what `to_dict` wrote, also in an earlier version."""
        return cls(**fields_in(entry))

    def __repr__(self) -> str:
        lines = [self.summary()]
        lines += [f"  first: {_shortened(note)}" for note in self.data.notes[:_MOST_NOTES]]
        if len(self.data.notes) > _MOST_NOTES:
            lines.append(f"  first: … and {len(self.data.notes) - _MOST_NOTES} more notes in .data.notes")
        shown = self.tested if len(self.tested) == 1 else self.causal
        lines += [_one_line(rule) for rule in shown[:20]]
        if len(self.causal) > 20:
            lines.append(f"  … and {len(self.causal) - 20} more in .rules")
        return "\n".join(map(one_line, lines))  # a name in the data must not command a terminal

    def _repr_html_(self) -> str:
        from causalrules.report.notebook import result_html

        return result_html(self)


_MOST_NOTES, _LONGEST_NOTE = 5, 120


def _shortened(note: str) -> str:
    """A note in one line; .data.notes has all of it."""
    return note if len(note) <= _LONGEST_NOTE else note[: _LONGEST_NOTE - 1].rstrip() + "…"


def _one_line(rule: Rule) -> str:
    odds, sign = rule.adjusted_odds_ratio, "×" if rule.direction == "raises" else "÷"
    does = f"{rule.direction} it" if rule.verdict == "causal" else f"({rule.verdict})"
    if rule.verdict == "causal" and rule.arrow == "undecided":
        does += ", if it comes before the outcome"
    if rule.mean is not None:
        found = rule.mean.difference
        told = f"mean difference {found.value:.3g} ({found.low:.3g} to {found.high:.3g})"
        return f"  {rule.name} {does}: {told}; crude {rule.mean.crude.value:.3g}"
    if rule.depends_on is not None:
        condition = does.removeprefix(f"{rule.direction} it")
        return f"  {rule.name} changes it{condition}: {rule.reason}"
    return (
        f"  {rule.name} {does}: odds {sign} {odds.value:.2f} ({odds.low:.2f}–{odds.high:.2f}), "
        f"{rule.pairs.n_pairs:,.0f} pairs; crude {_crude(rule.odds_ratio.value, sign)}"
    )


def _crude(ratio: float, sign: str) -> str:
    """The crude odds ratio after the sign of the adjusted one, or after the other one if it goes that way.

    Examples
    --------
    >>> _crude(2.64, "÷"), _crude(0.5, "÷"), _crude(1.5, "×")
    ('÷ 2.64', '× 2.00', '× 1.50')
    """
    if ratio >= 1 or ratio == 0:
        return f"{sign} {ratio:.2f}"
    return f"{'÷' if sign == '×' else '×'} {1 / ratio:.2f}"
