"""What the commands do: run the pipeline, show progress, write and print."""

from __future__ import annotations

import json
import sys
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any

from rich.console import Console

from causalrules.cli.show import print_data, show
from causalrules.domain.progress import Progress, ignore_progress
from causalrules.errors import SourceError, one_line
from causalrules.files.whole_file import check_writable, whole_file
from causalrules.job import Job
from causalrules.report.markdown import mining_markdown, study_markdown
from causalrules.report.table_files import check_csv_name, write_csv, write_parquet, write_table
from causalrules.report.terminal.comparison_tables import HEADINGS, matching_report, methods_report
from causalrules.report.terminal.hypothesis import study_report
from causalrules.report.terminal.mining import mining_report

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from causalrules.cli.request import Files, Request
    from causalrules.domain import DataSummary, Result
    from causalrules.engines.remember import Checkpoint

_INTERRUPTED = 130


def run_mine(request: Request) -> int:
    """Mine and report; the exit code says whether the run was finished or interrupted."""
    request.files.check()
    talk = _talk(request)
    checkpoint = _checkpoint(request.checkpoint, talk)
    with _progress(talk) as on_progress:
        studies = _StudiesSeen(on_progress)
        job = _job(request, on_progress=studies.see, on_interrupt="keep", checkpoint=checkpoint)
        result = job.mine()
    if checkpoint is not None:
        _remark_on_checkpoint(talk, request.checkpoint, studies, interrupted=result.interrupted)
    if result.interrupted and not result.tested:
        if checkpoint is not None:
            return _INTERRUPTED
        raise KeyboardInterrupt  # there is nothing to write
    _remark(talk, result.data)
    _write(request.files, result)
    show(request.files.shown, result, mining_report, mining_markdown)
    if result.interrupted:
        talk.print(f"Interrupted: {len(result.tested)} rules were tested before; the result holds these.")
    return _INTERRUPTED if result.interrupted else 0


class _StudiesSeen:
    """How many cohort studies there were, and how many of them were taken from a checkpoint."""

    def __init__(self, show: Callable[[Progress], None]) -> None:
        self._show = show
        self._last: dict[tuple[str, int], Progress] = {}

    def see(self, progress: Progress) -> None:
        """Note how far a level is, and show it."""
        self._last[progress.direction, progress.length] = progress
        self._show(progress)

    @property
    def n_tested(self) -> int:
        return sum(progress.tested for progress in self._last.values())

    @property
    def n_remembered(self) -> int:
        return sum(progress.remembered for progress in self._last.values())


def _checkpoint(folder: Path | None, talk: Console) -> Checkpoint | None:
    if folder is None:
        return None
    from causalrules.engines.remember import Checkpoint

    return Checkpoint(
        folder, on_trouble=lambda text: talk.print(one_line(text), style="yellow", markup=False)
    )


def _remark_on_checkpoint(
    talk: Console, folder: Path | None, studies: _StudiesSeen, *, interrupted: bool
) -> None:
    if studies.n_remembered:
        of_all = f"{studies.n_remembered:,} of {studies.n_tested:,} cohort studies"
        talk.print(one_line(f"Resumed from {folder}: {of_all} were taken from there."), markup=False)
    if interrupted:
        talk.print(one_line(f"Saved in {folder}: the same command goes on from there."), markup=False)


def run_test(request: Request, exposure: str) -> None:
    """Test one hypothesis and report."""
    request.files.check()
    result = _job(request).test(exposure)
    _remark(_talk(request), result.data)
    _write(request.files, result)
    show(request.files.shown, result, study_report, study_markdown)


def run_compare_matching(
    request: Request, exposure: str, exact_on: tuple[str, ...], csv: Path | None, picture: Path | None
) -> None:
    """Test one hypothesis by every way of matching and report."""
    if csv is not None:
        check_csv_name(csv)
    if picture is not None:
        from causalrules.report.pictures import check_picture_name

        check_picture_name(picture)
    for path in (csv, picture):
        if path is not None:
            check_writable(path)
    comparison = _job(request).compare_matching(exposure, exact_on)
    _remark(_talk(request), comparison.data)
    if csv is not None:
        write_table(comparison.to_arrow(), csv)
    if picture is not None:
        from causalrules.report.pictures import save
        from causalrules.report.pictures.balance_plots import matching_chart

        save(matching_chart(comparison), picture)
    Console(highlight=False).print(matching_report(comparison))


def run_compare(request: Request, methods: tuple[str, ...], max_seconds: float) -> None:
    """Run the search and the baselines on one table and report."""
    request.files.check()
    from causalrules.lab.baselines import code_table, compare_on

    settings = request.settings
    names = _read_names(request.columns)
    table = code_table(request.source, request.outcome, names, request.delimiter, settings)
    _remark(_talk(request), table.summary)
    by_heading = {heading: name for name, heading in HEADINGS.items()}
    named = (by_heading.get(name, name) for name in methods)
    chosen = [name for name in named if name != "cr-cs"] if methods else None
    comparison = compare_on(table, settings, methods=chosen, max_seconds=max_seconds)
    files = request.files
    if files.csv is not None:
        write_table(comparison.to_arrow(), files.csv)
    text = json.dumps(comparison.to_dict(), ensure_ascii=False, allow_nan=False)
    if files.json == "-":
        print_data(text + "\n")
        return
    if files.json is not None:
        with whole_file(files.json) as unfinished:
            unfinished.write_text(text, encoding="utf-8")
    Console(highlight=False).print(methods_report(comparison))


def _job(request: Request, **more: Any) -> Job:
    return Job(
        source=request.source,
        outcome=request.outcome,
        settings=request.settings,
        columns=_read_names(request.columns),
        delimiter=request.delimiter,
        on_remark=partial(_talk(request).print, style="yellow", markup=False),
        **more,
    )


def _talk(request: Request) -> Console:
    return Console(stderr=True, highlight=False, quiet=request.quiet)


def _write(files: Files, result: Result) -> None:
    """Write the files that were asked for."""
    if files.json not in (None, "-"):
        result.save(str(files.json))
    if files.csv is not None:
        write_csv(result, files.csv)
    if files.parquet is not None:
        write_parquet(result, files.parquet)
    if files.html is not None:
        from causalrules.report.page.html import write_html

        write_html(result, files.html)


def _read_names(path: Path | None) -> list[str] | None:
    """Column names, one a line."""
    if path is None:
        return None
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise SourceError(path, str(error), "Give a text file with one column name a line.") from error
    return [line.strip() for line in text.splitlines() if line.strip()]


def _remark(talk: Console, data: DataSummary) -> None:
    for note in data.notes:
        talk.print(one_line(note), style="yellow", markup=False)


@contextmanager
def _progress(talk: Console) -> Iterator[Callable[[Progress], None]]:
    """A bar for each level and direction on a terminal; nothing elsewhere."""
    if talk.quiet or not sys.stderr.isatty():
        yield ignore_progress
        return
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bar

    columns: list[Any] = [
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("rules tested"),
        TimeRemainingColumn(),
    ]
    with Bar(*columns, console=talk, transient=True) as bar:
        tasks: dict[tuple[str, int], Any] = {}
        reading = bar.add_task("reading and preparing", total=None)

        def show(progress: Progress) -> None:
            bar.update(reading, visible=False)
            key = (progress.direction, progress.length)
            if key not in tasks:
                tasks[key] = bar.add_task("", total=progress.to_test)
            description = f"{progress.direction}, length {progress.length}"
            if progress.remembered:
                description += f" ({progress.remembered:,} from the checkpoint)"
            bar.update(tasks[key], completed=progress.tested, description=description)

        yield show
