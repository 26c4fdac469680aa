"""What is each part of the method worth? Each is switched off, on the same few kinds of tables.

Run ``python -m experiments.plain_ablation [--method plain] [--tables 20]`` or ``make ablation``.
A switch names an attribute of a module, as ``package.module:NAME``, and what stands in its place while the
part is off; it has to be the attribute that is read, in the module that reads it. A part worth nothing goes.
"""

from __future__ import annotations

import argparse
import sys
from contextlib import contextmanager
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple

from experiments.plain_calibration import GROUPS, line_of, one_row, one_table
from experiments.plain_methods import METHODS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

KINDS = (
    "step",
    "number within category",
    "6 x 6 cells",
    "product",
    "40 values",
    "4 numbers",
    "many weak",
    "small",
    "rare outcome",
)
ROWS = (
    "smoker, tar: order unknown",
    "a pair acts by being equal",
    "F1: network of 20 columns, n 2,000",
    "nothing false: 30 columns of noise",
)
MEASURES = ("null", "power", "difference", "odds_ratio", "bias", "rows", "seconds")


class Switch(NamedTuple):
    """One part of the method, and how it is switched off."""

    name: str
    place: str
    without: Any


SWITCHES: dict[str, tuple[Switch, ...]] = {
    "old": (Switch("all in one stratum", "causalrules.cohort.stratify:MOST_LEFT", 1e9),),
    "plain": (Switch("products of controls", "causalrules.estimate.products:MOST_PRODUCTS", 0),),
}
"""By method; the first line printed is the method whole."""


@contextmanager
def switched_off(switch: Switch | None) -> Iterator[None]:
    """The method without one part.

    Examples
    --------
    >>> import math
    >>> with switched_off(Switch("circles", "math:pi", 3)):
    ...     math.pi
    3
    >>> round(math.pi, 2)
    3.14
    """
    if switch is None:
        yield
        return
    module_name, _, name = switch.place.partition(":")
    module = import_module(module_name)
    whole = getattr(module, name)
    setattr(module, name, switch.without)
    try:
        yield
    finally:
        setattr(module, name, whole)


def worth(
    method: str, n_tables: int, kinds: Sequence[str] = KINDS, rows: Sequence[str] = ROWS
) -> list[float]:
    """The measures of a method as it is now, over all kinds and rows."""
    null, power, both = [], [], []
    for name in kinds:
        for effect, found in ((1.0, null), (GROUPS["known"][name].effect, power)):
            tried = [one_table("known", name, effect, method, seed) for seed in range(n_tables)]
            found.append(line_of(("known", name, f"{effect:g}", method), tried))
    both = null + power
    by_row = [
        line_of(("rows", name, "", method), [one_row(name, method, seed) for seed in range(n_tables)])
        for name in rows
    ]
    return [
        *(mean(null, "found"), mean(power, "found")),
        *(mean(both, name) for name in ("covered_difference", "covered_odds_ratio", "bias_log_odds")),
        *(mean(by_row, "right"), mean(both + by_row, "seconds")),
    ]


def mean(lines: Sequence[dict[str, Any]], name: str) -> float:
    """Of the lines that have it."""
    values = [float(line[name]) for line in lines if line[name] != ""]
    return sum(values) / len(values) if values else float("nan")


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the measures of the whole method, and by how much each switch changes them."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--method", choices=METHODS, default="plain")
    parser.add_argument("--tables", type=int, default=20)
    parser.add_argument("--switches", default="", help="names, with commas between; all if not given")
    asked = parser.parse_args(arguments)
    wanted = [name.strip() for name in asked.switches.split(",") if name.strip()]
    switches = [switch for switch in SWITCHES[asked.method] if not wanted or switch.name in wanted]
    print(f"{'':<28}" + "".join(f"{name:>12}" for name in MEASURES))
    whole = worth(asked.method, asked.tables)
    print(f"{'whole':<28}" + "".join(f"{value:>12.3f}" for value in whole), flush=True)
    for switch in switches:
        with switched_off(switch):
            without = worth(asked.method, asked.tables)
        changes = [after - before for before, after in zip(whole, without, strict=True)]
        print(f"{switch.name:<28}" + "".join(f"{change:>+12.3f}" for change in changes), flush=True)
    if not switches:
        print("Nothing is switched off: experiments/plain_ablation.py has no switch for it.", file=sys.stderr)


if __name__ == "__main__":
    main()
