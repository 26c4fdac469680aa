"""Where an answer goes: files, and standard output in the shape that was asked for."""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from rich.console import Console, Group

from causalrules.asked_settings import refuse_further
from causalrules.domain import Result
from causalrules.domain.plain_settings import PlainSettings
from causalrules.domain.progress import ignore_remark
from causalrules.errors import OutputNameError, Setting, SettingsError, one_line
from causalrules.files.whole_file import check_writable
from causalrules.report.answer.one_screen import answer_lines, styled
from causalrules.report.markdown import answers_markdown
from causalrules.report.table_files import check_csv_name, csv_bytes, write_csv, write_parquet
from causalrules.report.terminal.several_outcomes import answers_report
from causalrules.words.result import Result as PlainResult

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from pathlib import Path

    from rich.console import RenderableType

    from causalrules.domain.answers import Answers
    from causalrules.paper.result import PaperResult
    from causalrules.read import SourceTable
    from causalrules.report.answer.wording import Line

FORMATS = ("table", "json", "csv", "markdown")


@dataclass(frozen=True, slots=True, kw_only=True)
class Files:
    """Files asked for, and what standard output gets; ``-`` as JSON file means JSON there."""

    json: str | None = None
    csv: Path | None = None
    plain_csv: bool = False
    parquet: Path | None = None
    html: Path | None = None
    docx: Path | None = None
    xlsx: Path | None = None
    tex: Path | None = None
    format: str | None = None
    everything: bool = False

    @property
    def shown(self) -> str:
        """What standard output gets."""
        return self.format or ("json" if self.json == "-" else "table")

    def check(self) -> None:
        """Fail before the work if a file could not be written after it."""
        if self.shown not in FORMATS:
            raise SettingsError.choice("format", FORMATS, self.format)
        if self.json == "-" and self.shown != "json":
            raise SettingsError.saying(
                "format", f"--json - and --format {self.shown} both want standard output; give --json a file"
            )
        if self.csv is not None:
            check_csv_name(self.csv)
        check_documents(self.documents)
        for path in (None if self.json == "-" else self.json, self.csv, self.parquet, self.html):
            if path is not None:
                check_writable(path)

    @property
    def documents(self) -> dict[str, Path | None]:
        """Files for a paper, by the ending that their names must have."""
        return {".docx": self.docx, ".xlsx": self.xlsx, ".tex": self.tex}

    @property
    def is_shown(self) -> bool:
        """Whether a saved result goes to standard output: if that was asked for, or nothing else was."""
        files = (self.json, self.csv, self.parquet, self.html, *self.documents.values())
        return self.format is not None or not any(files)

    @property
    def describe_records(self) -> bool:
        """Whether a file was asked for in which Table 1 stands, so that records are looked at again."""
        return any((self.html, *self.documents.values()))

    def check_for(self, settings: Any) -> None:
        """Refuse what the method of these settings does not write, or what only another shows."""
        is_markdown = self.shown == "markdown"
        names = ("html", *(ending[1:] for ending in self.documents))
        asked = {name: getattr(self, name) for name in names}
        refuse_further(settings, **asked, format="markdown" if is_markdown else None)
        if self.everything and not isinstance(settings, PlainSettings):
            raise SettingsError.saying("all", "--all is for ", Setting("method", "plain"), "; leave it out.")

    def write(
        self,
        result: Any,
        table: Callable[[], SourceTable] | None = None,
        say: Callable[[str], object] = ignore_remark,
    ) -> None:
        """Write the files that were asked for; `table` reads the records again where they are at hand."""
        records = table() if table is not None and self.describe_records else None
        if self.json not in (None, "-"):
            result.save(str(self.json))
        if self.csv is not None:
            write_csv(result, self.csv, for_spreadsheets=not self.plain_csv)
        if self.parquet is not None:
            write_parquet(result, self.parquet)
        if self.html is not None:
            _write_page(result, self.html, records)
        write_documents(self.documents, result, records, say)

    @property
    def show_one_outcome(self) -> list[str]:
        """The files asked for that show one outcome only."""
        return [name for name in ("html", "docx", "xlsx", "tex") if getattr(self, name) is not None]

    def check_for_several(self) -> None:
        """Refuse what shows one outcome only, where there are several."""
        for name in self.show_one_outcome:
            problem = f"--{name} shows one outcome: save the answers with --json"
            raise SettingsError.saying(name, f"{problem}, then report --outcome OUTCOME")

    def write_answers(self, answers: Answers) -> None:
        """Write the files that were asked for, all outcomes in each."""
        if self.json not in (None, "-"):
            answers.save(str(self.json))
        if self.csv is not None:
            write_csv(answers, self.csv, for_spreadsheets=not self.plain_csv)
        if self.parquet is not None:
            write_parquet(answers, self.parquet)

    def show_answers(self, answers: Answers) -> None:
        """Print the answer of each outcome."""
        if self.shown == "json":
            print_data(json.dumps(answers.to_dict(), ensure_ascii=False, allow_nan=False) + "\n")
        elif self.shown == "csv":
            print_data(csv_bytes(answers, for_spreadsheets=False).decode())
        elif self.shown == "markdown":
            print_data(answers_markdown(answers, lambda result: reports_of(result)[1](result)))
        else:
            report, is_default = reports_of(answers[0])[0], isinstance(answers[0], Result)
            Console(highlight=False, emoji=False).print(
                answers_report(answers, report) if is_default else Group(*map(report, answers))
            )

    def show(self, result: Result | PaperResult | PlainResult) -> None:
        """Print the result: a table for people, or data for other programs."""
        if isinstance(result, PlainResult):
            self._show_plain(result)
            return
        as_table, as_markdown = reports_of(result)
        if self.shown == "json":
            print_data(json.dumps(result.to_dict(), ensure_ascii=False, allow_nan=False) + "\n")
        elif self.shown == "csv":
            print_data(csv_bytes(result, for_spreadsheets=False).decode())
        elif self.shown == "markdown":
            print_data(as_markdown(result) + "\n")
        else:
            Console(highlight=False, emoji=False).print(as_table(result))

    def _show_plain(self, result: PlainResult) -> None:
        """Print the answer of one screen, or data."""
        if self.shown == "json":
            print_data(result.to_json() + "\n")
        elif self.shown == "csv":
            print_data(csv_bytes(result, for_spreadsheets=False).decode())
        else:
            file = "" if self.json in (None, "-") else str(self.json)
            print_answer(answer_lines(result, everything=self.everything, file=file))


def print_answer(lines: Iterable[Line]) -> None:
    """Print lines that are as long as they are meant to be."""
    Console(highlight=False, emoji=False).print(styled(lines), soft_wrap=True, end="")


def reports_of(result: Result | PaperResult) -> tuple[Callable[..., RenderableType], Callable[..., str]]:
    """How results of this kind are shown to people: in the terminal, and as Markdown."""
    if not isinstance(result, Result):
        from causalrules.paper.report import markdown_report, terminal_report

        return terminal_report, markdown_report
    from causalrules.report.markdown import mining_markdown, study_markdown
    from causalrules.report.terminal.mining import mining_report
    from causalrules.report.terminal.study_report import study_report
    from causalrules.report.words.result_kinds import is_single_study

    return (study_report, study_markdown) if is_single_study(result) else (mining_report, mining_markdown)


def _write_page(result: Result | PaperResult, path: Path, records: SourceTable | None) -> None:
    """The report as a web page."""
    if not isinstance(result, Result):
        result.page(path)
        return
    from causalrules.publish.result_page import write_page

    write_page(result, path, records)


def check_documents(documents: Mapping[str, Path | None]) -> None:
    """Fail before the work if a file for a paper could not be written after it."""
    for ending, path in documents.items():
        if path is not None:
            from causalrules.publish.write_document import check_document_name

            if path.suffix.lower() != ending:
                raise OutputNameError(path, f"--{ending[1:]}", (ending,))
            check_document_name(path)


def write_documents(
    documents: Mapping[str, Path | None],
    result: Any,
    table: SourceTable | None = None,
    say: Callable[[str], object] = ignore_remark,
) -> None:
    """Write what a paper needs, as each kind of file that was asked for; `say` tells what was replaced."""
    wanted = [path for path in documents.values() if path is not None]
    if wanted:
        article = result.article(table)
        for path in wanted:
            save_document(article, path, say)


class _Saved(Protocol):
    """What is written as a document."""

    def save(self, path: Path) -> None:
        """Write it."""


def save_document(document: _Saved, path: Path, say: Callable[[str], object]) -> None:
    """Write a document, which people edit: that one was there already is said."""
    was_there = path.exists()
    document.save(path)
    if was_there:
        say(one_line(f"{path.name} was there already and is replaced."))


def print_data(text: str) -> None:
    """Data are UTF-8 wherever they go, as they are in files; on a terminal control characters are shown."""
    if sys.stdout.isatty():
        text = "".join(sign if sign in "\n\t" else one_line(sign) for sign in text)
    sys.stdout.flush()
    sys.stdout.buffer.write(text.encode())
    sys.stdout.buffer.flush()
