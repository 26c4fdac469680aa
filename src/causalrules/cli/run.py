"""What the commands do: run the pipeline, show progress, write and print."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from functools import partial
from typing import TYPE_CHECKING, Any

from rich.console import Console

from causalrules.asked_settings import job_for, refuse_further
from causalrules.cli.output import Files, save_document
from causalrules.cli.progress_bar import StudiesSeen, progress_bar
from causalrules.domain.plain_settings import PlainSettings
from causalrules.domain.progress import how_far
from causalrules.errors import NoValueError, Setting, SettingsError, SourceError, one_line
from causalrules.files.whole_file import check_writable
from causalrules.read.table_at import TableAt
from causalrules.report.answer.sentences import sentence
from causalrules.report.table_files import check_csv_name, check_table_name, write_table
from causalrules.saved_results import is_plain

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from causalrules.domain import Item
    from causalrules.engines.checkpoint import Checkpoint

_INTERRUPTED = 130


@dataclass(frozen=True, slots=True)
class Request:
    """What was typed: the job, where its answer goes, and where to talk about it."""

    job: Any
    files: Files
    talk: Console

    @classmethod
    def of(cls, source: str, outcome: str | Item, options: dict[str, Any]) -> Request:
        """From the options of a command, with everything that can be checked before the work."""
        files = Files(**{file.name: options[file.name] for file in fields(Files) if file.name in options})
        files.check()
        files.check_for(options["settings"])
        talk = Console(stderr=True, highlight=False, quiet=options["quiet"])
        job = job_for(options["settings"])(
            source=_located(source, options),
            outcome=outcome,
            settings=options["settings"],
            said_first=options["said_first"],
            on_remark=partial(talk.print, style="yellow", markup=False),
        )
        return cls(job, files, talk)

    def say(self, text: str) -> None:
        """Talk about it in one line, unless all is to be quiet."""
        self.talk.print(text, markup=False)

    def remark(self, result: Any) -> None:
        """Say what was noticed in the data."""
        notes = map(sentence, result.notes) if is_plain(result) else result.data.notes
        for note in notes:
            self.talk.print(one_line(note), style="yellow", markup=False)


def run_mine(
    source: str,
    outcome: Sequence[str | Item],
    checkpoint: Path | None,
    checkpoint_records: bool,
    **options: Any,
) -> int:
    """Mine and report; the exit code says whether the run was finished or interrupted."""
    if checkpoint_records and checkpoint is None:
        raise SettingsError("checkpoint_records", "left out without a checkpoint", checkpoint_records)
    settings = options["settings"]
    refuse_further(settings, several=outcome, checkpoint=checkpoint, checkpoint_records=checkpoint_records)
    request = Request.of(source, outcome[0], options)
    if len(outcome) > 1:
        return _answer(request, outcome, checkpoint)
    try:
        return _mine_one(request, checkpoint, checkpoint_records)
    except NoValueError as error:
        if _must_name_a_value(error, request):
            raise
        return _answer(request, outcome, checkpoint)


def _must_name_a_value(error: NoValueError, request: Request) -> bool:
    """Whether a column alone is no outcome here: not every value of it can be asked about."""
    is_one = isinstance(request.job.settings, PlainSettings) or bool(request.files.show_one_outcome)
    return error.role != "outcome" or is_one


def _mine_one(request: Request, folder: Path | None, keeps_records: bool) -> int:
    """Mine for one outcome and report."""
    files, talk = request.files, request.talk
    checkpoint = _checkpoint(folder, keeps_records, talk)
    with progress_bar(talk) as on_progress:
        studies = StudiesSeen(on_progress)
        job = replace(request.job, on_progress=studies.see, on_interrupt="keep", checkpoint=checkpoint)
        result = job.mine()
    if checkpoint is not None:
        _remark_on_checkpoint(talk, folder, studies, interrupted=result.interrupted)
    if result.interrupted and not (is_plain(result) or result.tested):
        if checkpoint is not None:
            return _INTERRUPTED
        raise KeyboardInterrupt  # there is nothing to write
    _remark_on(result, request)
    files.write(result, job.table if job.has_records_at_hand else None, request.say)
    files.show(result)
    if result.interrupted:
        talk.print(f"Interrupted: {how_far(result)}; the result holds these.")
    return _INTERRUPTED if result.interrupted else 0


def _checkpoint(folder: Path | None, keeps_records: bool, talk: Console) -> Checkpoint | None:
    if folder is None:
        return None
    from causalrules.engines.checkpoint import Checkpoint

    return Checkpoint(
        folder,
        on_trouble=lambda text: talk.print(one_line(text), style="yellow", markup=False),
        keeps_records=keeps_records,
    )


def _remark_on_checkpoint(
    talk: Console, folder: Path | None, studies: StudiesSeen, *, interrupted: bool
) -> None:
    if studies.n_remembered:
        of_all = f"{studies.n_remembered:,} of {studies.n_tested:,} cohort studies"
        talk.print(one_line(f"Resumed from {folder}: {of_all} were taken from there."), markup=False)
    if interrupted:
        talk.print(one_line(f"Saved in {folder}: the same command resumes from there."), markup=False)


def _answer(request: Request, outcomes: Sequence[str | Item], folder: Path | None, exposure: str = "") -> int:
    """Ask about several outcomes, and report on each."""
    if folder is not None:
        raise SettingsError("checkpoint", "left out where several outcomes are asked about", folder)
    request.files.check_for_several()
    with progress_bar(request.talk) as on_progress:
        job = replace(request.job, on_progress=on_progress, on_interrupt="keep")
        answers = job.answers(outcomes, exposure)
    for result in answers:
        _remark_on(result, request)
    request.files.write_answers(answers)
    request.files.show_answers(answers)
    return _INTERRUPTED if any(result.interrupted for result in answers) else 0


def run_test(
    source: str,
    outcomes: Sequence[str | Item],
    exposure: str,
    matched: Path | None,
    options: dict[str, Any],
) -> None:
    """Test one hypothesis, on one outcome or on several, and report.

    `matched` is where the records that were compared go, if anywhere.
    """
    refuse_further(options["settings"], several=outcomes, matched=matched)
    request = Request.of(source, outcomes[0], options)
    if matched is not None:
        _refuse_of_items(request.job.settings, "matched")
        check_table_name(matched)
        check_writable(matched)
    if matched is not None or any(request.files.documents.values()):
        request = replace(request, job=request.job.rereadable())
    if len(outcomes) > 1:
        _test_several(request, outcomes, exposure, matched)
        return
    try:
        result = request.job.test(exposure)
    except NoValueError as error:
        if _must_name_a_value(error, request):
            raise
        _test_several(request, outcomes, exposure, matched)
        return
    _remark_on(result, request)
    if matched is not None:
        from causalrules.publish.matched_frame import matched_table, with_numbers

        records = matched_table(result, result.tested[0], request.job.table())
        is_text = matched.suffix.lower() == ".csv"
        write_table(records if is_text else with_numbers(records, request.job.settings.missing), matched)
    is_at_hand = any(request.files.documents.values()) or request.job.has_records_at_hand
    request.files.write(result, request.job.table if is_at_hand else None, request.say)
    request.files.show(result)


def _test_several(
    request: Request, outcomes: Sequence[str | Item], exposure: str, matched: Path | None
) -> None:
    if matched is not None:
        raise SettingsError("matched", "left out where several outcomes are asked about", matched)
    _answer(request, outcomes, None, exposure)


def run_table1(
    source: str,
    outcome: str,
    exposure: str,
    describe: tuple[str, ...],
    numbers: str,
    output: Path | None,
    options: dict[str, Any],
) -> None:
    """Describe the records of a study; to a file by its ending, else to standard output."""
    request = Request.of(source, outcome, options)
    from causalrules.publish.table_one import NUMBERS, table_one
    from causalrules.publish.terminal_sheet import sheet_report
    from causalrules.publish.write_document import check_document_name

    chosen = next((one for one in NUMBERS if one == numbers), None)
    if chosen is None:
        raise SettingsError.choice("numbers", NUMBERS, numbers)
    if output is not None:
        check_document_name(output)
    _refuse_of_items(request.job.settings, "paper")
    job = request.job.rereadable()
    result = job.test(exposure)
    request.remark(result)
    table = table_one(result, result.tested[0], job.table(), describe or None, chosen)
    if output is not None:
        save_document(table, output, request.say)
    else:
        console = Console(highlight=False, emoji=False)
        console.print(sheet_report(table.sheet, console.width))


def run_compare_matching(
    source: str,
    outcome: str,
    exposure: str,
    exact_on: tuple[str, ...],
    csv: Path | None,
    picture: Path | None,
    options: dict[str, Any],
) -> None:
    """Test one hypothesis by every way of matching and report."""
    request = Request.of(source, outcome, options)
    if csv is not None:
        check_csv_name(csv)
    if picture is not None:
        from causalrules.report.pictures import check_picture_name

        check_picture_name(picture)
    for path in (csv, picture):
        if path is not None:
            check_writable(path)
    comparison = request.job.compare_matching(exposure, exact_on)
    request.remark(comparison)
    if csv is not None:
        write_table(comparison.to_arrow(), csv)
    if picture is not None:
        from causalrules.paper.matching_plot import matching_chart
        from causalrules.report.pictures import save

        save(matching_chart(comparison), picture)
    from causalrules.paper.report import in_terminal

    Console(highlight=False, emoji=False).print(in_terminal(comparison.document))


def _refuse_of_items(settings: Any, asked: str) -> None:
    """The paper's studies hold items, record by record of a pair: they have no table of matched records."""
    if not settings.holds_columns:
        raise SettingsError.saying(
            asked,
            Setting(asked, is_subject=True),
            ": matched records and Table 1 are those of studies of whole columns; the paper's procedure has "
            "none. Leave one of the two out.",
        )


def _read_names(path: Path | None) -> tuple[str, ...] | None:
    """Column names, one on each line."""
    if path is None:
        return None
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise SourceError(path, str(error), "Give a text file with one column name on each line.") from error
    return tuple(line.strip() for line in text.splitlines() if line.strip())


def _remark_on(result: Any, request: Request) -> None:
    """Remarks on the data, unless the report opens with them."""
    if request.files.shown not in ("table", "markdown"):
        request.remark(result)


_ABOUT_A_TABLE = (
    "delimiter",
    "sheet",
    "query",
    "table",
    "labels",
    "skip_rows",
    "bad_lines",
    "decimal",
    "thousands",
    "day_first",
)


def _located(source: str, options: dict[str, Any]) -> str | TableAt:
    """The source, with what was said about how its table is written there."""
    names = _read_names(options["columns"])
    at = TableAt(source, names, **{name: options[name] for name in _ABOUT_A_TABLE})
    return source if at == TableAt(source) else at
