"""The experiments by name, in the order of the paper."""

from __future__ import annotations

from dataclasses import dataclass
from difflib import get_close_matches
from importlib import import_module
from typing import TYPE_CHECKING

from causalrules.errors import SettingsError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from causalrules_lab.reproduction.sheet import Sheet


@dataclass(frozen=True, slots=True)
class Experiment:
    """One table or figure of the paper.

    Parameters
    ----------
    about : str
        What it shows.
    minutes : float
        How long it takes on two cores, about.
    place : str
        The function that makes it, as ``module:function``. It is loaded when it is run, so that a list of
        experiments loads no methods.
    """

    about: str
    minutes: float
    place: str

    def run(self, folder: Path | None) -> list[Sheet]:
        """Make its tables, with data sets from a folder; without one, they are fetched once."""
        module, _, function = self.place.partition(":")
        sheets: list[Sheet] = getattr(import_module(f"causalrules_lab.reproduction.{module}"), function)(
            folder
        )
        return sheets


EXPERIMENTS = {
    "data-summary": Experiment("the 32 data sets", 0.5, "data_summary:run"),
    "rule-counts": Experiment("numbers of association and causal rules", 1.5, "rule_counts:run"),
    "synthetic-causes": Experiment(
        "precision, recall and F1 on random networks, and the tests on these", 2, "synthetic_causes:run"
    ),
    "combined-causes": Experiment("known combined causes recovered", 1, "combined_causes:run"),
    "rules-by-method": Experiment("causes in real data by method", 0.5, "real_rules:by_method"),
    "adult-rules": Experiment("the rules of Adult, by method", 0.1, "adult_rules:run"),
    "rules-by-length": Experiment("causal rules of the real data sets by length", 4, "real_rules:by_length"),
    "mushroom-examples": Experiment("four combined rules of Mushroom", 0.1, "real_rules:mushrooms"),
    "stability": Experiment("three random runs, and two votes in three", 3, "stability:run"),
    "matching-methods": Experiment("rules by exact and by Jaccard matching", 1.5, "matching_methods:run"),
    "time-by-records": Experiment("seconds against records", 4, "run_times:by_records"),
    "dense-tables": Experiment("many causes for the size of the table", 5, "dense_tables:run"),
    "time-by-variables": Experiment("seconds against variables", 6, "run_times:by_variables"),
}


def chosen_experiments(names: Sequence[str]) -> dict[str, Experiment]:
    """The experiments of these names, all without any; another name is refused.

    Examples
    --------
    >>> list(chosen_experiments(["stability"]))
    ['stability']
    """
    for name in names:
        if name not in EXPERIMENTS:
            close = get_close_matches(name, EXPERIMENTS, n=1)
            hint = f" Did you mean {close[0]!r}?" if close else ""
            raise SettingsError.saying(
                "name", f"there is no experiment {name!r}; there are {', '.join(EXPERIMENTS)}.{hint}"
            )
    return {name: EXPERIMENTS[name] for name in names or EXPERIMENTS}
