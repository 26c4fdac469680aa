"""What is each part of the method worth? Each is switched off, on the same few kinds of tables.

Run ``python -m experiments.plain_ablation [--method plain] [--tables 10] [--page]`` or ``make ablation``.
A switch names an attribute of a module, as ``package.module:NAME``, what stands in its place while the part
is off, and the kind or row of `experiments.plain_calibration` that is made for it; it has to be the attribute
that is read, in the module that reads it. A part worth nothing goes. ``--page`` writes the table into
docs/method_evidence.md.
"""

from __future__ import annotations

import argparse
import sys
from contextlib import contextmanager
from dataclasses import replace
from functools import cache
from importlib import import_module
from math import inf, nan
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from experiments.plain_calibration import GROUPS, PAGE, line_of, one_row, one_table
from experiments.plain_methods import METHODS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

BEGIN, END = "<!-- plain_ablation -->", "<!-- end of plain_ablation -->"
KINDS = ("step", "6 x 6 cells", "product", "4 numbers", "many weak", "small", "rare outcome")
ROWS = (
    "smoker, tar: order unknown",
    "F1: network of 20 columns, n 500",
    "nothing false: 30 columns of noise",
)
MEASURES = ("null", "power", "difference", "odds ratio", "bias", "rows", "seconds")
CONSTANTS = "causalrules.words.constants"


class Switch(NamedTuple):
    """One part of the method, how it is switched off, and the kind or row that was made for it."""

    name: str
    place: str
    without: Any
    own: str = ""


def _constant(name: str, constant: str, without: Any, own: str) -> Switch:
    return Switch(name, f"{CONSTANTS}:{constant}", without, own)


@cache
def _original(place: str) -> Any:
    """What stands in a place while nothing is switched off."""
    holder, name = _found(place)
    return getattr(holder, name)


def _everybody_alike(group: Any, k: int, of_outcome: Any) -> Any:
    """What the controls say of the outcome; of the levels nothing."""
    found = _original("causalrules.estimate.study:expected")(group, k, of_outcome)
    share = np.bincount(group.level, group.mass, k) / group.mass.sum()
    return replace(found, chances=np.tile(share, (len(group.level), 1)))


def _flat(score: Any, mass: Any) -> Any:
    """A score of which nothing is told."""
    return _original("causalrules.estimate.expected:term_of_score")(np.zeros(len(score)), mass)


def _pairs_only(parts: Any, residuals: Any, size: int) -> Any:
    """No set of three columns."""
    wanted = _original("causalrules.estimate.expected:wanted_products")
    return wanted(parts, residuals, size) if size == 2 else []


SWITCHES: dict[str, tuple[Switch, ...]] = {
    "old": (Switch("all in one stratum", "causalrules.cohort.stratify:MOST_LEFT", 1e9, "4 numbers"),),
    "plain": (
        _constant("leaks are set aside", "LEAK_SHARE", 2.0, "the outcome in other words"),
        _constant("copies enter as one", "NEARLY", 0.0, "copies are told once"),
        _constant("12 columns side by side", "WINDOW", 7, "F1: network of 40 columns, n 2,000"),
        _constant("what is linked keeps a place", "LINKED", inf, "a pair acts by being equal"),
        _constant("p_link decides", "LIKELY", 0.0, "nothing false: 30 columns of noise"),
        Switch("rivals", "causalrules.walk:Walk._rivals", lambda *_: (), "F1: network of 20 columns, n 500"),
        _constant("one in ten beforehand", "BEFOREHAND", (1.0, 0.5), "F1: network of 20 columns, n 500"),
        _constant("effects are small", "EFFECT_VARIANCE", 16.0, "F1: network of 20 columns, n 500"),
        Switch(
            "products of pairs", "causalrules.estimate.expected:wanted_products", lambda *_: [], "product"
        ),
        Switch(
            "products of three",
            "causalrules.estimate.expected:wanted_products",
            _pairs_only,
            "three columns at once",
        ),
        Switch(
            "the outcome's own score", "causalrules.estimate.expected:term_of_score", _flat, "four of eight"
        ),
        Switch("the model of x", "causalrules.estimate.study:expected", _everybody_alike, "40 values"),
        _constant("ten parts of a number", "BINS", 3, "product"),
        _constant("cubic products", "DEGREE", 1, "product"),
        _constant("quarters in threes", "QUARTERS", 2, "three numbers at once"),
        _constant("steps of numbers", "STEPS", 0, "step"),
        _constant("curves of numbers", "KNOTS", (0.05, 0.95), "U shape"),
        _constant("less shrunk", "LESS_SHRUNK", 1.0, "saw-tooth"),
        _constant("rare values are one", "RARE", 0.0, "40 values"),
        _constant("ten records a level", "LEAST_RECORDS", 1, "small"),
        _constant("what acts together", "BEYOND_DOUBT", -1.0, "a pair acts by being equal"),
        _constant("does harm", "LEAST_HARM", 1.0, "many weak"),
        _constant("five events a column", "EVENTS_PER_COLUMN", inf, "many weak"),
        _constant("plausible levels only", "PLAUSIBLE", 0.0, "4 numbers, n 500"),
        _constant("what leaves nobody is free", "COMPARABLE", (0.0, 0.0), "copies are told once"),
        _constant("complete records", "COMPLETE", (50, 2.0), "values missing"),
        _constant("four added records", "ADDED", 0.0, "rare outcome"),
        Switch(
            "the larger variance",
            "causalrules.estimate.sums:less_significant",
            lambda shown, _: shown,
            "rare outcome",
        ),
        _constant("Γ in the grade", "GAMMA", (0.0, 0.0), "grades: a hidden cause"),
        _constant("balance in the grade", "IMBALANCE", (9.0, 9.0), "grades: a hidden cause"),
    ),
}
"""By method; the first line printed is the method whole."""


def _found(place: str) -> tuple[Any, str]:
    """Who has the attribute, and its name."""
    module_name, _, path = place.partition(":")
    *holders, name = path.split(".")
    holder: Any = import_module(module_name)
    for one in holders:
        holder = getattr(holder, one)
    return holder, name


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
    holder, name = _found(switch.place)
    whole = _original(switch.place)
    setattr(holder, name, switch.without)
    try:
        yield
    finally:
        setattr(holder, name, whole)


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


def own_worth(method: str, n_tables: int, own: str) -> str:
    """Of a kind, null exposures and effects found; of a row how often all is right; in per cent."""
    if own in GROUPS["rows"]:
        return f"{100 * worth(method, n_tables, (), (own,))[5]:.0f}"
    null, power, *_ = worth(method, n_tables, (own,), ())
    return f"{100 * null:.0f} / {100 * power:.0f}"


def mean(lines: Sequence[dict[str, Any]], name: str) -> float:
    """Of the lines that have it."""
    values = [float(line[name]) for line in lines if line[name] != ""]
    return sum(values) / len(values) if values else nan


INTRODUCTION = """\
## Each part of the next method, switched off

Written by `{command}`:
{tables} tables of {kinds} kinds with and without effect, and of {rows} rows. First the method whole, then
by how much it changes without each part: null exposures found at 5 %, effects found, differences and odds
ratios covered, in points; the bias of the log odds ratio; rows right, in points. Beside it the kind (null
exposures / effects found) or row that was made for the part, whole → without, in per cent. There a single
table is {one:.0f} points: this tells what a part is for, not what it is worth to a decimal."""


def cells_of(values: Sequence[float], *, is_change: bool) -> list[str]:
    """As they are printed: shares in points, the bias to two places, seconds to three."""
    sign = "+" if is_change else ""
    forms = (".1f", ".1f", ".1f", ".1f", ".2f", ".1f", ".3f")
    times = (100, 100, 100, 100, 1, 100, 1)
    told = [f"{t * value:{sign}{form}}" for value, form, t in zip(values, forms, times, strict=True)]
    return [text.replace("-", "−") for text in told]


def page(lines: Sequence[Sequence[str]], introduction: str, text: str) -> str:
    """The page with the table between its marks; without marks it comes last."""
    before, _, rest = text.partition(BEGIN)
    after = rest.partition(END)[2]
    told = [f"| {' | '.join(line)} |" for line in (("", *MEASURES[:-1], "made for it", ""), *lines)]
    told.insert(1, "|---" * (len(MEASURES) + 2) + "|")
    body = "\n".join([introduction, "", *told])
    return f"{before.rstrip()}\n\n{BEGIN}\n\n{body}\n\n{END}\n{after.lstrip()}"


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the measures of the whole method, and by how much each switch changes them."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--method", choices=METHODS, default="plain")
    parser.add_argument("--tables", type=int, default=10)
    parser.add_argument("--switches", default="", help="names, with semicolons between; all if not given")
    parser.add_argument("--page", action="store_true", help="write the table into docs/method_evidence.md")
    asked = parser.parse_args(arguments)
    wanted = [name.strip() for name in asked.switches.split(";") if name.strip()]
    switches = [switch for switch in SWITCHES[asked.method] if not wanted or switch.name in wanted]
    print(f"{'':<28}" + "".join(f"{name:>12}" for name in MEASURES))
    whole = worth(asked.method, asked.tables)
    lines = [["whole", *cells_of(whole, is_change=False)[:-1], "", ""]]
    print(f"{'whole':<28}" + "".join(f"{cell:>12}" for cell in cells_of(whole, is_change=False)), flush=True)
    of_own = {own: own_worth(asked.method, asked.tables, own) for own in {one.own for one in switches} if own}
    for switch in switches:
        with switched_off(switch):
            without = worth(asked.method, asked.tables)
            own = own_worth(asked.method, asked.tables, switch.own) if switch.own else ""
        changes = [after - before for before, after in zip(whole, without, strict=True)]
        cells = cells_of(changes, is_change=True)
        change = f"{of_own[switch.own]} → {own}" if switch.own else ""
        lines.append([switch.name, *cells[:-1], switch.own, change])
        print(
            f"{switch.name:<28}" + "".join(f"{c:>12}" for c in cells), f" {switch.own}: {change}", flush=True
        )
    if not switches:
        print("Nothing is switched off: experiments/plain_ablation.py has no switch for it.", file=sys.stderr)
    if asked.page:
        command = f"python -m experiments.plain_ablation --tables {asked.tables} --page"
        introduction = INTRODUCTION.format(
            command=command, tables=asked.tables, kinds=len(KINDS), rows=len(ROWS), one=100 / asked.tables
        )
        PAGE.write_text(page(lines, introduction, PAGE.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main()
