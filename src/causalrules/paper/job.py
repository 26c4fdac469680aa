"""The paper's procedure, from a source to its result."""

from __future__ import annotations

from dataclasses import dataclass
from time import perf_counter
from typing import TYPE_CHECKING, Any, get_args

from causalrules.domain.progress import Stopwatch, ignore_progress
from causalrules.errors import MissingPackageError
from causalrules.job import Job, in_labels
from causalrules.paper.matching_comparison import MatchedStudy, MatchingComparison
from causalrules.paper.result import PaperResult
from causalrules.paper.search import PaperSearch
from causalrules.paper.settings import MatchingChoice, PaperSettings
from causalrules.warm_up import warm_up

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from causalrules.domain.progress import Progress
    from causalrules.engines.contract import Opened
    from causalrules.paper.rule import PaperRule

_COUNTED = ("candidates", "frequent", "associations", "causal", "rejected", "untestable")
_VERDICT_ORDER = {"causal": 0, "rejected": 1, "untestable": 2}


@dataclass(frozen=True, slots=True, kw_only=True)
class PaperJob(Job[PaperResult]):
    """A question that the paper's procedure answers."""

    settings: PaperSettings

    @staticmethod
    def search(
        opened: Opened, settings: PaperSettings, watch: Stopwatch, on_progress: Callable[[Progress], None]
    ) -> PaperSearch:
        """Algorithm 1 in each direction, as often as pairs are drawn."""
        return PaperSearch(opened, settings, watch, on_progress)

    def found(self, search: Any, facts: dict[str, Any]) -> PaperResult:
        """Rules, the strongest causal ones first."""
        by_length = search.by_length.items()
        return PaperResult(
            **facts,
            tested=tuple(sorted(search.rules, key=_strongest_first)),
            by_length={length: {name: counts[name] for name in _COUNTED} for length, counts in by_length},
        )

    @property
    def toy_settings(self) -> PaperSettings:
        """Controls and the way of matching are what kernels differ in."""
        return PaperSettings(controls=self.settings.controls, matching=self.settings.matching)

    def compare_matching(self, exposure: str, exact_on: Sequence[str] = ()) -> MatchingComparison:
        """Put one hypothesis to a cohort study by every way of matching.

        Partners agree on the columns of `exact_on` in any case. All ways hold
        the same controls, and start from the coded table, so the times can be
        compared. A way whose package is not installed is named with the
        reason.
        """
        with self._opened(exposure) as search:
            asked = in_labels(search, exposure)
            search.test(asked)  # what the first way would prepare for all others
            studies = tuple(
                _matched_study(search.opened, search.settings.with_matching(method, tuple(exact_on)), asked)
                for method in get_args(MatchingChoice)
            )
            return MatchingComparison(search.opened.vocabulary.summary, self.settings, exposure, studies)


def _matched_study(opened: Opened, settings: PaperSettings, exposure: str) -> MatchedStudy:
    """One way of matching, timed from the coded table on."""
    method = settings.matching
    search = PaperJob.search(opened, settings, Stopwatch(), ignore_progress)
    try:
        warm_up(PaperJob.search, PaperSettings(controls=settings.controls, matching=method))
        started = perf_counter()
        search.test(exposure)
    except MissingPackageError as error:
        return MatchedStudy(method, None, 0.0, str(error))
    return MatchedStudy(method, search.rules[0], perf_counter() - started)


def _strongest_first(rule: PaperRule) -> tuple[int, float, str, str]:
    fair = rule.fair_odds_ratio if rule.direction == "raises" else rule.fair_odds_ratio.inverted()
    text = " & ".join(map(str, rule.pattern))
    return _VERDICT_ORDER[rule.verdict], -fair.low, text, rule.direction
