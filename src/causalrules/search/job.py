"""The default method: each candidate of the table as a contrast of whole columns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from causalrules.domain import Result, Rule, Settings
from causalrules.job import Job

if TYPE_CHECKING:
    from collections.abc import Callable

    from causalrules.domain.progress import Progress, Stopwatch
    from causalrules.engines.contract import Opened
    from causalrules.search.contrast_search import ContrastSearch

_COUNTED = (
    *("candidates", "frequent", "associations"),
    *("causal", "rejected", "untestable", "possible", "consequence"),
)
_VERDICT_ORDER = {"causal": 0, "possible": 1, "consequence": 2, "rejected": 3, "untestable": 4}


@dataclass(frozen=True, slots=True, kw_only=True)
class DefaultJob(Job[Result]):
    """A question that the default method answers."""

    settings: Settings

    @staticmethod
    def search(
        opened: Opened, settings: Settings, watch: Stopwatch, on_progress: Callable[[Progress], None]
    ) -> ContrastSearch:
        """The search among contrasts."""
        from causalrules.search.contrast_search import ContrastSearch

        if settings.is_sampled:
            from causalrules.search.sampled_search import searched_as_population, with_population_mean

            opened = searched_as_population(with_population_mean(opened), settings.threads)
        return ContrastSearch(opened, settings, watch, on_progress)

    def found(self, search: Any, facts: dict[str, Any]) -> Result:
        """Rules, the strongest causal ones first, and what was asked to catch the run out."""
        by_length = search.by_length.items()
        return Result(
            **facts,
            tested=tuple(sorted(search.rules, key=_strongest_first)),
            by_length={length: {name: counts[name] for name in _COUNTED} for length, counts in by_length},
            negative_controls=search.negative_controls,
            placebo=search.placebo,
        )

    @property
    def toy_settings(self) -> Settings:
        """The way of matching is what kernels differ in."""
        return Settings(matching=self.settings.matching)


def _strongest_first(rule: Rule) -> tuple[int, float, str, str]:
    text = " & ".join(map(str, rule.pattern))
    strength = rule.fair_odds_ratio if rule.mean is None else rule.strength
    return _VERDICT_ORDER[rule.verdict], -strength.low, text, rule.direction
