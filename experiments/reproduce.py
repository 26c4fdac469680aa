"""Every table and figure of the paper's Section 5, beside ours.

Run ``make reproduce``, or ``python -m experiments.reproduce [names…] [--from DIR]``
with a folder that holds the paper's data sets (or set ``CAUSALRULES_DATA``;
without either they are fetched once). Each entry writes a Markdown table, a CSV
file and, for figures, PNG and SVG into ``experiments/results``.
"""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING

from causalrules.errors import CausalRulesError
from experiments import (
    ROOT,
    adult_table,
    combined_causes,
    data_summary,
    matching_methods,
    neighbours,
    real_rules,
    rule_counts,
    stability,
    synthetic_causes,
    times,
)
from experiments.place import VARIABLE

if TYPE_CHECKING:
    from collections.abc import Callable

    from experiments.sheet import Sheet

RESULTS = ROOT / "experiments" / "results"


def matching(folder: Path | None) -> list[Sheet]:
    """The table of matching methods, whose module writes its own files."""
    matching_methods.run(folder or os.environ.get(VARIABLE))
    return []


EXPERIMENTS: dict[str, Callable[[Path | None], list[Sheet]]] = {
    "data-summary": data_summary.run,
    "rule-counts": rule_counts.run,
    "synthetic-causes": synthetic_causes.run,
    "neighbours": neighbours.run,
    "combined-causes": combined_causes.run,
    "rules-by-method": real_rules.by_method,
    "adult-rules": adult_table.run,
    "rules-by-length": real_rules.by_length,
    "mushroom-examples": real_rules.mushrooms,
    "stability": stability.run,
    "matching-methods": matching,
    "time-by-records": times.by_records,
    "time-by-variables": times.by_variables,
}
"""In the order of the paper."""


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m experiments.reproduce", description=__doc__.split("\n")[0]
    )
    parser.add_argument(
        "names", nargs="*", metavar="NAME", help=f"one of {', '.join(EXPERIMENTS)}; all if none"
    )
    parser.add_argument(
        "--from", dest="folder", type=Path, help=f"folder of the data sets [${VARIABLE}, or fetched]"
    )
    parser.add_argument("--to", type=Path, default=RESULTS, help="folder of the results")
    chosen = parser.parse_args(arguments)
    for name in chosen.names:
        if name not in EXPERIMENTS:
            parser.error(f"there is no experiment {name!r}; there are {', '.join(EXPERIMENTS)}")
    chosen.to.mkdir(parents=True, exist_ok=True)
    started = perf_counter()
    try:
        for name in chosen.names or EXPERIMENTS:
            start = perf_counter()
            sheets = EXPERIMENTS[name](chosen.folder)
            seconds = perf_counter() - start
            for sheet in sheets:
                sheet.write(chosen.to, seconds)
            print(f"{name}: {seconds:.0f} s", file=sys.stderr, flush=True)
    except CausalRulesError as error:
        print(f"reproduce: {error}", file=sys.stderr)
        return 1
    print(f"{perf_counter() - started:.0f} s in all; the results are in {chosen.to}", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
