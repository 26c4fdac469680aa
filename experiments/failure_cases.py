"""How the program does on the sixteen kinds of table that misled it, and on effects that are known.

Run ``python -m experiments.failure_cases --tables 20 --cases 1,2 --label today``; further settings as in
``--settings controls=columns test=exact``. Each cell is written to
``experiments/results/failure_cases_<label>.csv`` once it is done, and is not measured again by a later run
with the same label, settings and at most as many tables: a long run may be stopped and resumed.
"""

from __future__ import annotations

import argparse
import ast
import csv
import math
import resource
import signal
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from functools import partial
from multiprocessing import get_context
from time import perf_counter
from typing import TYPE_CHECKING, Any

from experiments import RESULTS
from experiments.failure_cells import CELLS, Cell
from experiments.failure_measures import Answers

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

COLUMNS = (
    "case",
    "cell",
    "counted",
    "share",
    "low",
    "high",
    "target",
    "reached",
    "tables",
    "answered",
    "errors",
    "error",
    "seconds_a_table",
    "settings",
)


def measure_table(
    cell: Cell, settings: dict[str, Any], seconds: float, seed: int
) -> tuple[list[float | str | None], float]:
    """One value for each measure, the text of an error where there was one; and the seconds it took."""
    answers = Answers(cell.make(seed, **cell.parameters), {**cell.settings, **settings})
    started, values = perf_counter(), []
    for measure in cell.measures:
        try:
            with _at_most(seconds):
                values.append(measure.take(answers))
        except Exception as error:  # counted, shown, and no reason to stop a run of hours
            values.append(f"{type(error).__name__}: {error}".splitlines()[0][:100])
    return values, perf_counter() - started


def measure_cell(
    cell: Cell,
    tried: Sequence[tuple[list[float | str | None], float]],
    settings: str,
) -> list[dict[str, Any]]:
    """Rows of the result, one for each measure."""
    seconds = sum(took for _, took in tried) / len(tried)
    rows = []
    for measure, values in zip(cell.measures, zip(*(found for found, _ in tried), strict=True), strict=True):
        errors = [value for value in values if isinstance(value, str)]
        numbers = [float(value) for value in values if value is not None and not isinstance(value, str)]
        share, low, high = wilson(numbers) if measure.is_share else mean_and_limits(numbers)
        row = (
            *(cell.case, cell.name, measure.name, *(f"{n:.4f}" for n in (share, low, high))),
            *(measure.target, reached(measure.target, share, low, high), len(values), len(numbers)),
            *(len(errors), "; ".join(dict.fromkeys(errors)), f"{seconds:.2f}", settings),
        )
        rows.append(dict(zip(COLUMNS, row, strict=True)))
    return rows


def wilson(hits: Sequence[float]) -> tuple[float, float, float]:
    """A share with Wilson's 95 % interval.

    Examples
    --------
    >>> [round(number, 3) for number in wilson([1, 0, 0, 0, 0, 0, 0, 0, 0, 0])]
    [0.1, 0.018, 0.404]
    """
    if not hits:
        return math.nan, math.nan, math.nan
    n, z = len(hits), 1.959964
    share = sum(hits) / n
    middle = (share + z**2 / (2 * n)) / (1 + z**2 / n)
    half = z / (1 + z**2 / n) * math.sqrt(share * (1 - share) / n + z**2 / (4 * n**2))
    return share, max(0.0, middle - half), min(1.0, middle + half)


def mean_and_limits(values: Sequence[float]) -> tuple[float, float, float]:
    """A mean with its normal 95 % interval."""
    n = len(values)
    if n < 2:
        return (values[0] if values else math.nan), math.nan, math.nan
    mean = sum(values) / n
    half = 1.959964 * math.sqrt(sum((value - mean) ** 2 for value in values) / (n - 1) / n)
    return mean, mean - half, mean + half


def reached(target: str, share: float, low: float, high: float) -> str:
    """Whether a target is reached: by the number itself; missed only if its interval excludes the target.

    Examples
    --------
    >>> reached("<= 0.05", 0.2, 0.1, 0.3), reached(">= 0.95", 0.9, 0.7, 1)
    ('no', 'unclear')
    """
    if not target or math.isnan(share):
        return ""
    sign, limit = target.split()[0], float(target.split()[1])
    low, high = (share if math.isnan(number) else number for number in (low, high))
    if sign == "within":
        is_reached, is_missed = abs(share) <= limit, low > limit or high < -limit
    elif sign == "<=":
        is_reached, is_missed = share <= limit, low > limit
    else:
        is_reached, is_missed = share >= limit, high < limit
    # Where none or all of the tables are wanted, a single exception misses the target.
    is_missed |= not is_reached and limit in (0.0, 1.0)
    return "yes" if is_reached else "no" if is_missed else "unclear"


@contextmanager
def _at_most(seconds: float) -> Iterator[None]:
    """Give up, with an error, what takes longer."""

    def give_up(*_: object) -> None:
        raise TimeoutError(f"gave up after {seconds:g} s")

    before = signal.signal(signal.SIGALRM, give_up)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def _limit_memory(gibibytes: int) -> None:
    resource.setrlimit(resource.RLIMIT_AS, (gibibytes << 30, gibibytes << 30))


class Book:
    """The rows measured so far, in one CSV file."""

    def __init__(self, path: Path) -> None:
        self._path, self._rows = path, {}
        if path.exists():
            with path.open(newline="", encoding="utf-8") as file:
                for row in csv.DictReader(file):
                    self._rows.setdefault((int(row["case"]), row["cell"]), []).append(row)

    def has(self, cell: Cell, n_tables: int, settings: str) -> bool:
        """Whether every measure of a cell was taken, with these settings, on at least so many tables."""
        rows = self._rows.get((cell.case, cell.name), [])
        return {measure.name for measure in cell.measures} <= {
            row["counted"] for row in rows if row["settings"] == settings and int(row["tables"]) >= n_tables
        }

    def add(self, cell: Cell, rows: list[dict[str, Any]]) -> None:
        """Replace a cell's rows, and save."""
        self._rows[cell.case, cell.name] = rows
        places = {(other.case, other.name): place for place, other in enumerate(CELLS)}
        unfinished = self._path.with_suffix(".part")
        with unfinished.open("w", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
            writer.writeheader()
            for key in sorted(self._rows, key=lambda key: (key[0], places.get(key, len(places)))):
                writer.writerows(self._rows[key])
        unfinished.replace(self._path)


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure the cells asked for, one after the other."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--tables", type=int, default=20, help="tables a cell (slow cells have fewer)")
    parser.add_argument("--cases", default="", help="such as 1,2,16; 17 are known effects; all if not given")
    parser.add_argument("--label", default="default", help="names the file of results")
    parser.add_argument("--settings", nargs="*", default=[], metavar="NAME=VALUE")
    parser.add_argument("--first-seed", type=int, default=0)
    parser.add_argument("--seconds", type=float, default=300, help="give up a question after so long")
    parser.add_argument("--gibibytes", type=int, default=10, help="memory of a process, more is an error")
    parser.add_argument("--workers", type=int, default=1, help="processes")
    parser.add_argument("--to", type=type(RESULTS), default=RESULTS, help="folder of the results")
    asked = parser.parse_args(arguments)
    cases = {int(case) for case in asked.cases.split(",") if case}
    settings = {name: _value(text) for name, text in (entry.split("=", 1) for entry in asked.settings)}
    told = " ".join(asked.settings)
    book = Book(asked.to / f"failure_cases_{asked.label}.csv")
    with ProcessPoolExecutor(
        asked.workers, get_context("spawn"), initializer=_limit_memory, initargs=(asked.gibibytes,)
    ) as pool:
        for cell in CELLS:
            n_tables = max(2, asked.tables // cell.slow)
            if (cases and cell.case not in cases) or book.has(cell, n_tables, told):
                continue
            seeds = range(asked.first_seed, asked.first_seed + n_tables)
            tried = list(pool.map(partial(measure_table, cell, settings, asked.seconds), seeds))
            rows = measure_cell(cell, tried, told)
            book.add(cell, rows)
            for row in rows:
                print(_line(row), flush=True)


def _value(text: str) -> Any:
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError):
        return text


def _line(row: dict[str, Any]) -> str:
    interval = f"{float(row['share']):6.3f} ({float(row['low']):6.3f} to {float(row['high']):6.3f})"
    errors = f"  {row['errors']} errors: {row['error']}" if row["errors"] else ""
    return (
        f"{row['case']:>2}  {row['cell']:<44} {row['counted']:<42} {interval}  "
        f"{row['target']:<11} {row['reached']:<7} {row['answered']:>3} tables{errors}"
    )


if __name__ == "__main__":
    main()
