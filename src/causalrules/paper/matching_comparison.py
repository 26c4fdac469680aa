"""One hypothesis by several ways of matching."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from causalrules.domain.frame_libraries import in_library
from causalrules.domain.sentences import listed
from causalrules.errors import one_line
from causalrules.report.words.formatting import interval, number

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa

    from causalrules.domain.data_summary import DataSummary
    from causalrules.domain.estimate import Estimate
    from causalrules.domain.frame_libraries import Library
    from causalrules.paper.rule import PaperRule
    from causalrules.paper.settings import PaperSettings
    from causalrules.publish.document import Document


_LEGEND = (
    "worst, mean: standardised differences between exposed and unexposed over all other items; "
    "above 0.25 is much, and a bias the estimate carries.",
    "unmatched: records of either arm without a comparable one; the estimate does not apply to them.",
)


@dataclass(frozen=True, slots=True)
class MatchedStudy:
    """One way of matching: its cohort study and the time it took, or why it could not be done."""

    method: str
    rule: PaperRule | None
    seconds: float
    problem: str = ""

    @property
    def odds_ratio(self) -> Estimate | None:
        """The odds ratio; None where it could not be tested."""
        is_tested = self.rule is not None and self.rule.verdict != "untestable"
        return self.rule.adjusted_odds_ratio if self.rule is not None and is_tested else None


@dataclass(frozen=True, slots=True, repr=False)
class MatchingComparison:
    """The cohort studies of one exposure, one for each way of matching.

    Parameters
    ----------
    data : DataSummary
        What the table was.
    settings : PaperSettings
        What all ways have in common.
    exposure : str
        The hypothesis.
    studies : tuple of MatchedStudy
        One for each way.

    Examples
    --------
    >>> import causalrules
    >>> patients = causalrules.simulate("hospital", n_records=1000).table
    >>> compared = causalrules.paper.compare_matching(
    ...     patients, "ill=yes", "smoker=yes", pairs="expected"
    ... )
    >>> print(str(compared).splitlines()[1])
      exact: odds ratio 1.99 (1.36–2.91), 276 pairs, 0 + 0 unmatched
    >>> compared.to_frame("arrow").equals(compared.to_arrow()), compared.table.shape[0]
    (True, 7)
    >>> compared.held
    ('exercise', 'noise_6', 'severity', 'treatment')
    """

    data: DataSummary
    settings: PaperSettings
    exposure: str
    studies: tuple[MatchedStudy, ...]

    def to_frame(self, library: Library = "pandas") -> Any:
        """One row for each way of matching, as a data frame.

        Parameters
        ----------
        library : {'pandas', 'polars', 'arrow'}
            Whose data frame it is.
        """
        return in_library(self.to_arrow(), library)

    @property
    def held(self) -> tuple[str, ...] | None:
        """Columns of the items that all ways hold; None where they hold different ones."""
        controls = {frozenset(study.rule.controls) for study in self.studies if study.rule}
        if len(controls) != 1:
            return None
        return tuple(dict.fromkeys(sorted(item.column for item in next(iter(controls)))))

    @property
    def table(self) -> pd.DataFrame:
        """What `to_frame` gives, of pandas."""
        return self.to_frame()

    def to_arrow(self) -> pa.Table:
        """What `to_frame` gives, of Arrow."""
        import pyarrow as pa

        return pa.Table.from_pylist([_row(study) for study in self.studies])

    def __repr__(self) -> str:
        lines = [f"{self.exposure} → {self.data.outcome}, by way of matching:"]
        return "\n".join(map(one_line, [*lines, *map(_line, self.studies), self.what_is_held]))

    def _repr_html_(self) -> str:
        from causalrules.publish.text_formats import html_of

        return html_of(self.document.blocks)

    @property
    def what_is_held(self) -> str:
        """Whether all ways of matching hold the same, and what."""
        if self.held is None:
            return "The ways do not hold the same controls."
        if not self.held:
            return (
                "No way holds anything: no other item is associated with the outcome and can be held fixed."
            )
        return f"All ways hold the same controls, items of {listed(self.held)}, as the paper chooses them."

    @property
    def document(self) -> Document:
        """One row for each way of matching, the crude odds ratio first; and how to read it."""
        from causalrules.publish.document import Document, Line, Listing, Sheet

        level = f"{100 * self.settings.confidence:g} % interval"
        first = next((study.rule for study in self.studies if study.rule), None)
        lines = []
        if first is not None and first.balance is not None:
            before, crude = first.balance, first.odds_ratio
            imbalance = number(before.worst_before), f"{before.mean_before:.3f}"
            lines.append(Line("(crude)", ("", "", *imbalance, number(crude.value), interval(crude))))
        lines += [Line(study.method, _cells(study)) for study in self.studies]
        problems = [f"{study.method}: {study.problem}" for study in self.studies if study.problem]
        title = f"{self.exposure} → {self.data.outcome}, by way of matching"
        columns = ("matching", "pairs", "unmatched", "worst", "mean", "odds ratio", level)
        sheet = Sheet(title="Ways of matching", columns=columns, lines=tuple(lines), name="Matching")
        return Document(title, (sheet, Listing((*problems, self.what_is_held, *_LEGEND))))


def _cells(study: MatchedStudy) -> tuple[str, ...]:
    rule, odds = study.rule, study.odds_ratio
    if rule is None:
        return ("–", "", "", "", "", "")
    lost = f"{rule.doubts.unmatched_exposed:,} + {rule.doubts.unmatched_unexposed:,}"
    cells: tuple[str, ...] = ("", "", "untestable", "")
    if odds is not None and rule.balance is not None:
        imbalance = number(rule.balance.worst_after), f"{rule.balance.mean_after:.3f}"
        cells = (*imbalance, number(odds.value), interval(odds))
    return (f"{rule.n_pairs:,.0f}", lost, *cells)


def _line(study: MatchedStudy) -> str:
    odds, rule = study.odds_ratio, study.rule
    if rule is None or odds is None:
        return f"  {study.method}: {study.problem or 'untestable'}"
    unmatched = f"{rule.doubts.unmatched_exposed:,.0f} + {rule.doubts.unmatched_unexposed:,.0f} unmatched"
    return (
        f"  {study.method}: odds ratio {odds.value:.2f} ({odds.low:.2f}–{odds.high:.2f}), "
        f"{rule.pairs.n_pairs:,.0f} pairs, {unmatched}"
    )


def _row(study: MatchedStudy) -> dict[str, Any]:
    numbers = dict.fromkeys(
        (
            "direction",
            "verdict",
            "pairs",
            "unmatched_exposed",
            "unmatched_unexposed",
            "worst_imbalance",
            "mean_imbalance",
            "mean_distance",
            "odds_ratio",
            "low",
            "high",
        )
    )
    row: dict[str, Any] = {"matching": study.method, **numbers}
    rule = study.rule
    if rule is not None:
        row |= {
            "direction": rule.direction,
            "verdict": rule.verdict,
            "pairs": rule.pairs.n_pairs,
            "unmatched_exposed": rule.doubts.unmatched_exposed,
            "unmatched_unexposed": rule.doubts.unmatched_unexposed,
        }
    if rule is not None and rule.balance is not None and rule.pairs.n_pairs > 0:
        row |= {
            "worst_imbalance": rule.balance.worst_after,
            "mean_imbalance": rule.balance.mean_after,
            "mean_distance": 0.0 if rule.closeness is None else rule.closeness.mean_distance,
        }
    if study.odds_ratio is not None:
        row |= asdict(study.odds_ratio) | {"odds_ratio": study.odds_ratio.value}
        del row["value"]
    return row | {"seconds": study.seconds, "problem": study.problem}
