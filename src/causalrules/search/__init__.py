"""The search: hypotheses, each put to its study."""

from __future__ import annotations

from typing import TYPE_CHECKING

from causalrules.search.contrast_search import ContrastSearch
from causalrules.search.sampled_search import searched_as_population
from causalrules.search.search import Search

if TYPE_CHECKING:
    from collections.abc import Callable

    from causalrules.domain import Settings
    from causalrules.domain.progress import Progress
    from causalrules.domain.stopwatch import Stopwatch
    from causalrules.engines.contract import Opened

__all__ = ["ContrastSearch", "Search", "make_search"]


def make_search(
    opened: Opened, settings: Settings, watch: Stopwatch, on_progress: Callable[[Progress], None]
) -> Search | ContrastSearch:
    """The search that the settings ask for: by default contrasts, with items or columns the paper's."""
    kind = ContrastSearch if settings.controls == "auto" else Search
    if settings.is_sampled:
        opened = searched_as_population(opened, settings.threads)
    return kind(opened, settings, watch, on_progress)
