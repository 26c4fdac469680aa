"""One hypothesis by several ways of matching."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from causalrules.domain.frame_libraries import in_library
from causalrules.errors import one_line

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa

    from causalrules.domain.data_summary import DataSummary
    from causalrules.domain.estimate import Estimate
    from causalrules.domain.frame_libraries import Library
    from causalrules.domain.rule import Direction, Rule
    from causalrules.domain.settings import Settings


DEFAULT_WAY = "default"
"""The study that `test` does: of whole columns, where the other ways hold items."""


@dataclass(frozen=True, slots=True)
class MatchedStudy:
    """One way of matching: its cohort study and the time it took, or why it could not be done."""

    method: str
    rule: Rule | None
    seconds: float
    problem: str = ""

    @property
    def odds_ratio(self) -> Estimate | None:
        """The odds ratio of the outcome itself, also where the exposure lowers it; None without pairs."""
        if self.rule is None or self.rule.pairs.n_pairs == 0:
            return None
        return of_the_outcome(self.rule.adjusted_odds_ratio, self.rule.direction)


@dataclass(frozen=True, slots=True, repr=False)
class MatchingComparison:
    """The cohort studies of one exposure, one for each way of matching.

    Parameters
    ----------
    data : DataSummary
        What the table was.
    settings : Settings
        What all ways have in common.
    exposure : str
        The hypothesis.
    studies : tuple of MatchedStudy
        One for each way.

    Examples
    --------
    >>> import causalrules
    >>> patients = causalrules.simulate("hospital", n_records=1000).table
    >>> compared = causalrules.compare_matching(patients, "ill=yes", "smoker=yes")
    >>> print(str(compared).splitlines()[1])
      exact: odds ratio 1.99 (1.36–2.91), 276 pairs, 0 + 0 unmatched
    >>> compared.to_frame("arrow").equals(compared.to_arrow()), compared.table.shape[0]
    (True, 8)
    >>> compared.held
    ('exercise', 'noise_6', 'severity', 'treatment')
    >>> compared.default.verdict
    'causal'
    """

    data: DataSummary
    settings: Settings
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
        """Columns of the items that all ways but the default hold; None where they hold different ones."""
        of_items = [study.rule for study in self.studies if study.rule and study.method != DEFAULT_WAY]
        controls = {frozenset(rule.controls) for rule in of_items}
        if len(controls) != 1:
            return None
        return tuple(dict.fromkeys(sorted(item.column for item in next(iter(controls)))))

    @property
    def default(self) -> Rule | None:
        """What `test` answers by itself; None where the paper's protocol was asked for."""
        return next((study.rule for study in self.studies if study.method == DEFAULT_WAY), None)

    @property
    def table(self) -> pd.DataFrame:
        """What `to_frame` gives, of pandas."""
        return self.to_frame()

    def to_arrow(self) -> pa.Table:
        """What `to_frame` gives, of Arrow."""
        import pyarrow as pa

        return pa.Table.from_pylist([_row(study) for study in self.studies])

    def __repr__(self) -> str:
        from causalrules.report.words.verdict_sentences import what_ways_hold

        lines = [f"{self.exposure} → {self.data.outcome}, by way of matching:"]
        return "\n".join(map(one_line, [*lines, *map(_line, self.studies), *what_ways_hold(self)]))

    def _repr_html_(self) -> str:
        from causalrules.report.notebook import matching_html

        return matching_html(self)


def of_the_outcome(estimate: Estimate, direction: Direction) -> Estimate:
    """An odds ratio of the outcome, from that of the direction's.

    Examples
    --------
    >>> from causalrules.domain import Estimate
    >>> of_the_outcome(Estimate(4.0, 2.0, 8.0), "lowers")
    Estimate(value=0.25, low=0.125, high=0.5)
    """
    return estimate if direction == "raises" else estimate.inverted()


def _line(study: MatchedStudy) -> str:
    odds, rule = study.odds_ratio, study.rule
    if rule is None or odds is None:
        return f"  {study.method}: {study.problem or 'no pairs'}"
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
            "mean_distance": _mean_distance(rule),
        }
    if study.odds_ratio is not None:
        row |= asdict(study.odds_ratio) | {"odds_ratio": study.odds_ratio.value}
        del row["value"]
    return row | {"seconds": study.seconds, "problem": study.problem}


def _mean_distance(rule: Rule) -> float | None:
    """Of partners: none where they agree on all that is held; unknown of strata of scores."""
    if rule.closeness is not None:
        return rule.closeness.mean_distance
    return 0.0 if rule.design is None or rule.design.matching == "exact" else None
