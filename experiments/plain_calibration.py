"""Old method and new one on the same tables of known truth: false alarms, power, coverage, bias, time.

Run ``python -m experiments.plain_calibration [--kinds "sine; step"] [--groups "known,sealed again,rows"]
[--tables 40] [--methods old,plain,crude,truth] [--processes 1] [--first-seed 0] [--to FILE]``. A line for
each kind, effect and method is printed and written to the CSV once it is done; lines of other runs stay.
``--page`` writes the tables of docs/method_evidence.md from the CSV. A share of 40 tables of 5 % is between
1 and 17 % by its 95 % interval, so single kinds tell little and all of a group together much.
"""

from __future__ import annotations

import argparse
import csv
import math
from concurrent.futures import ProcessPoolExecutor
from contextlib import nullcontext
from functools import partial
from pathlib import Path
from time import process_time
from typing import TYPE_CHECKING, Any

import numpy as np

from experiments import RESULTS, ROOT
from experiments.plain_kinds import KNOWN
from experiments.plain_methods import BOUNDS, METHODS, Judged
from experiments.plain_rows import ROWS
from experiments.sealed_kinds import SEALED, SEALED_AGAIN, SEALED_THIRD

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    Lines = dict[tuple[str, ...], dict[str, Any]]

FILE = RESULTS / "plain_calibration.csv"
PAGE = ROOT / "docs" / "method_evidence.md"
BEGIN, END = "<!-- plain_calibration -->", "<!-- end of plain_calibration -->"
GROUPS: dict[str, dict[str, Any]] = {
    "known": {kind.name: kind for kind in KNOWN},
    "sealed": {kind.name: kind for kind in SEALED},
    "sealed again": {kind.name: kind for kind in SEALED_AGAIN},
    "sealed third": {kind.name: kind for kind in SEALED_THIRD},
    "rows": {row.name: row for row in ROWS},
}
KEYS = ("group", "kind", "effect", "method")
COLUMNS = (
    *KEYS,
    *("tables", "errors", "found", "covered_difference", "covered_odds_ratio", "compared"),
    *("bias_log_odds", "right", "seconds", "error"),
)
ALPHA = 0.05


def one_table(group: str, kind: str, effect: float, method: str, seed: int) -> dict[str, Any]:
    """What a method says of one table, held against its truth."""
    known = GROUPS[group][kind].make(seed, effect)
    started = process_time()
    try:
        judged = BOUNDS[method](known) if method in BOUNDS else METHODS[method].study(known)[0]
    except Exception as error:  # counted, shown, and no reason to stop a run of hours
        return {"error": f"{type(error).__name__}: {error}".splitlines()[0][:100]}
    return {"seconds": process_time() - started, **compared(judged)}


def compared(judged: Judged) -> dict[str, Any]:
    """Whether it is significant, whether both intervals hold the truth, and the error of the log odds ratio.

    Examples
    --------
    >>> compared(Judged(0.01, (0.1, 0.0, 0.2), 0.05, (2.0, 1.5, 3.0), 1.0))["covered_odds_ratio"]
    False
    """
    said, odds = judged.difference, judged.odds_ratio
    found: dict[str, Any] = {"found": judged.p is not None and judged.p <= ALPHA}
    if said is not None and not math.isnan(said[0]):
        found["covered_difference"] = said[1] <= judged.true_difference <= said[2]
    if odds is not None and 0 < odds[0] < math.inf:
        found["covered_odds_ratio"] = odds[1] <= judged.true_odds_ratio <= odds[2]
        found["bias_log_odds"] = math.log(odds[0] / judged.true_odds_ratio)
    return found


def one_row(name: str, method: str, seed: int) -> dict[str, Any]:
    """Whether a method is right about one table of a row."""
    started = process_time()
    try:
        right = GROUPS["rows"][name].is_right(METHODS[method], seed)
    except Exception as error:  # what cannot be answered is not right, and shown
        return {"right": 0.0, "error": f"{type(error).__name__}: {error}".splitlines()[0][:100]}
    return {"seconds": process_time() - started, "right": None if right is None else float(right)}


def line_of(key: tuple[str, ...], tried: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """The means of a cell; the seconds are the median."""
    errors = [one["error"] for one in tried if "error" in one]
    line = dict(zip(KEYS, key, strict=True)) | {"tables": len(tried), "errors": len(errors)}
    line["error"] = errors[0] if errors else ""
    for name in ("found", "covered_difference", "covered_odds_ratio", "bias_log_odds", "right"):
        values = [one[name] for one in tried if one.get(name) is not None]
        line[name] = f"{np.mean(values):.4f}" if values else ""
    line["compared"] = sum("covered_difference" in one for one in tried)
    seconds = [one["seconds"] for one in tried if "seconds" in one]
    line["seconds"] = f"{np.median(seconds):.3f}" if seconds else ""
    return line


def cells(
    group: str, kind: str, methods: Sequence[str]
) -> Iterable[tuple[tuple[str, ...], Callable[[int], dict[str, Any]], int]]:
    """Keys of the lines of a kind, what is measured of a table, and how many times fewer tables it gets."""
    thing = GROUPS[group][kind]
    if group == "rows":
        asked = [method for method in methods if method in METHODS]
        yield from (((group, kind, "", m), partial(one_row, kind, m), thing.slow) for m in asked)
        return
    for effect in (1.0, thing.effect):
        for method in methods:
            yield (group, kind, f"{effect:g}", method), partial(one_table, group, kind, effect, method), 1


def run(
    kinds: Sequence[str],
    groups: Sequence[str],
    methods: Sequence[str],
    seeds: range,
    file: Path,
    processes: int = 1,
) -> None:
    """Measure, print and write every line asked for."""
    unknown = set(kinds) - {kind for group in GROUPS.values() for kind in group}
    if unknown:
        raise SystemExit(f"There is no kind {', '.join(sorted(unknown))}.")
    with ProcessPoolExecutor(processes) if processes > 1 else nullcontext() as pool:
        for group in groups:
            for kind in GROUPS[group]:
                if kinds and kind not in kinds:
                    continue
                for key, measure, slow in cells(group, kind, methods):
                    some = seeds[: max(2, len(seeds) // slow)]
                    line = line_of(key, list((pool.map if pool else map)(measure, some)))
                    write(file, read(file) | {key: line})
                    print(" ".join(f"{line[column]!s:>6}" for column in COLUMNS), flush=True)


def read(file: Path) -> Lines:
    """The lines of earlier runs."""
    if not file.exists():
        return {}
    with file.open(newline="", encoding="utf-8") as text:
        return {tuple(line[key] for key in KEYS): line for line in csv.DictReader(text)}


def write(file: Path, lines: Lines) -> None:
    """All lines, those of a kind together and in the order of the kinds."""
    order = [(group, kind) for group, kinds in GROUPS.items() for kind in kinds]
    places = {pair: place for place, pair in enumerate(order)}
    file.parent.mkdir(parents=True, exist_ok=True)
    with file.open("w", newline="", encoding="utf-8") as text:
        writer = csv.DictWriter(text, COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(sorted(lines.values(), key=lambda one: _place(one, places)))


def _place(line: dict[str, Any], places: dict[tuple[str, str], int]) -> tuple[Any, ...]:
    place = places.get((line["group"], line["kind"]), len(places))
    return (place, float(line["effect"] or 0), line["method"])


def page(lines: Lines, text: str) -> str:
    """The page with its tables written anew between the marks; without marks they come last."""
    before, _, rest = text.partition(BEGIN)
    after = rest.partition(END)[2]
    return f"{before.rstrip()}\n\n{BEGIN}\n\n{section(list(lines.values()))}\n{END}\n{after.lstrip()}"


def section(lines: list[dict[str, Any]]) -> str:
    """Every kind with every method, those that fail too; first all kinds of a group together."""
    told = ["## The next method beside this one", "", INTRODUCTION, ""]
    for group in ("known", "sealed", "sealed again", "sealed third"):
        here = [line for line in lines if line["group"] == group]
        if not here:
            continue
        methods = [m for m in (*METHODS, *BOUNDS) if any(line["method"] == m for line in here)]
        told += [f"**Kinds: {group}**", "", *_table(_together(here) + here, methods), ""]
    rows = [line for line in lines if line["group"] == "rows"]
    methods = [m for m in METHODS if any(line["method"] == m for line in rows)]
    told += ["**Per cent of tables about which all is right, or F1**", "", f"| row | {' | '.join(methods)} |"]
    told += ["|---" * (len(methods) + 1) + "|"]
    for row in dict.fromkeys(line["kind"] for line in rows):
        by_method = {line["method"]: line for line in rows if line["kind"] == row}
        told += [f"| {row} | {' | '.join(_right(by_method.get(m)) for m in methods)} |"]
    return "\n".join(told) + "\n"


INTRODUCTION = """\
Written by `python -m experiments.plain_calibration --page` from experiments/results/plain_calibration.csv.
Per cent of tables: a null exposure found at 5 % / an effect found; then coverage of the 95 % intervals of
risk difference and odds ratio, with and without effect together, and the bias of the log odds ratio.
`study` is the new one's study with all other columns held, `truth` the same test told the expectations that
the tables were made with, `crude` adjusts for nothing. The old method's intervals are held against the
difference among the exposed and the odds ratio among records alike, the new one's against the marginal ones
of all records. Of four levels the old one is asked about the one that acts, of a number about its upper
half. Nobody who worked on the method had seen the sealed kinds when they were first measured. Those called
after trees and birds have been read since, and shaped it: that the outcome's own score is held was tried on
them. Only those called after fish are held out. Of the birds one sets a column called `years` aside as a time
of observation, with a note, and another confounds by the difference of two columns that are nearly equal."""


def _table(lines: list[dict[str, Any]], methods: Sequence[str]) -> list[str]:
    told = [f"| kind | {' | '.join(methods)} |", "|---" * (len(methods) + 1) + "|"]
    for kind in dict.fromkeys(line["kind"] for line in lines):
        cells = [_cell([one for one in lines if (one["kind"], one["method"]) == (kind, m)]) for m in methods]
        told.append(f"| {kind} | {' | '.join(cells)} |")
    return told


def _cell(lines: list[dict[str, Any]]) -> str:
    """Null found / effect found; difference covered, odds ratio covered; bias."""
    if not lines or all(line["errors"] == line["tables"] for line in lines):
        return "cannot" if lines else "not measured"
    found = {line["effect"] == "1": 100 * float(line["found"]) for line in lines if line["found"] != ""}
    told = f"{found.get(True, math.nan):.0f} / {found.get(False, math.nan):.0f}"
    covered = [_mean(lines, name, 100) for name in ("covered_difference", "covered_odds_ratio")]
    if not all(math.isnan(one) for one in covered):
        bias = _mean(lines, "bias_log_odds", 1)
        told += f"; {covered[0]:.0f}, {covered[1]:.0f}; {bias:+.2f}".replace("-", "−")
    errors = sum(int(line["errors"]) for line in lines)
    return told + (f" ({errors} errors)" if errors else "")


def _mean(lines: list[dict[str, Any]], name: str, times: float) -> float:
    values = [float(line[name]) for line in lines if line[name] != ""]
    return times * float(np.mean(values)) if values else math.nan


def _together(lines: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Means over the kinds that no method leaves unanswered, by method and by whether there is an effect."""
    unanswered = {line["kind"] for line in lines if line["errors"] == line["tables"]}
    answered = [line for line in lines if line["kind"] not in unanswered]
    made = []
    for method in dict.fromkeys(line["method"] for line in answered):
        for is_null in (True, False):
            here = [one for one in answered if (one["method"], one["effect"] == "1") == (method, is_null)]
            line = {name: _mean(here, name, 1) for name in COLUMNS if name not in (*KEYS, "error")}
            line = {name: "" if math.isnan(value) else value for name, value in line.items()}
            line |= {name: sum(int(one[name]) for one in here) for name in ("tables", "errors")}
            effect = "1" if is_null else "more"
            made.append({**line, "kind": "those that all answer", "method": method, "effect": effect})
    return made


def _right(line: dict[str, Any] | None) -> str:
    if line is None or line["right"] == "":
        return "not measured"
    if line["errors"] == line["tables"]:
        return f"cannot: {line['error'].partition(': ')[2].partition('.')[0]}"
    errors = f", {line['errors']} errors: {line['error']}" if int(line["errors"]) else ""
    return f"{100 * float(line['right']):.0f} ({line['tables']} tables){errors}"


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure what is asked for, or write the page."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--kinds", default="", help="names, with semicolons between; all if not given")
    parser.add_argument("--groups", default=",".join(GROUPS))
    parser.add_argument("--tables", type=int, default=40)
    parser.add_argument("--first-seed", type=int, default=0)
    parser.add_argument("--methods", default=",".join((*METHODS, *BOUNDS)))
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--to", type=Path, default=FILE)
    parser.add_argument("--page", action="store_true", help="write docs/method_evidence.md, measure nothing")
    asked = parser.parse_args(arguments)
    if asked.page:
        PAGE.write_text(page(read(asked.to), PAGE.read_text(encoding="utf-8")), encoding="utf-8")
        return
    kinds, groups, methods = (
        [name.strip() for name in text.split(mark) if name.strip()]
        for text, mark in ((asked.kinds, ";"), (asked.groups, ","), (asked.methods, ","))
    )
    seeds = range(asked.first_seed, asked.first_seed + asked.tables)
    run(kinds, groups, methods, seeds, asked.to, asked.processes)


if __name__ == "__main__":
    main()
