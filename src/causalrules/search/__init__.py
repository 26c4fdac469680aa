"""The search: hypotheses, each put to its study."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from causalrules.domain import Settings
    from causalrules.domain.progress import Progress, Stopwatch
    from causalrules.engines.contract import Opened
    from causalrules.search.search_run import SearchRun

__all__ = ["make_search"]


def make_search(
    opened: Opened, settings: Settings, watch: Stopwatch, on_progress: Callable[[Progress], None]
) -> SearchRun:
    """The search that the settings ask for: by default contrasts, with items or columns the paper's.

    Only that one is loaded: together they are a quarter of the package.
    """
    if settings.is_sampled:
        from causalrules.search.sampled_search import searched_as_population, with_population_mean

        opened = searched_as_population(with_population_mean(opened), settings.threads)
    if settings.controls == "auto":
        from causalrules.search.contrast_search import ContrastSearch

        return ContrastSearch(opened, settings, watch, on_progress)
    from causalrules.search.paper_search import PaperSearch

    return PaperSearch(opened, settings, watch, on_progress)
