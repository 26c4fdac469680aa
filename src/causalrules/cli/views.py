"""Commands that show what is there: a page or a picture of a saved result, and the explorer."""

from __future__ import annotations

import logging
import sys
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from causalrules.domain import Result
from causalrules.domain.answers import Answers
from causalrules.errors import SettingsError
from causalrules.saved_results import asked_in, is_plain
from causalrules.words.result import Result as PlainResult

if TYPE_CHECKING:
    from pathlib import Path

    from causalrules.cli.output import Files
    from causalrules.paper.result import PaperResult

_OF_THE_RESULT = ("forest", "funnel")
_OF_ONE_RULE = ("love", "sensitivity", "strata", "together", "subgroups", "dose")


def load_result(path: Path, outcome: str) -> Result:
    """A saved result of the default method; of several outcomes in one file the one that is named."""
    result = _loaded(path, outcome)
    if not isinstance(result, Result):
        whose = "--method plain" if is_plain(result) else "the paper's procedure"
        raise SettingsError.saying(
            "result", f"{path.name} is a result of {whose}: causalrules report shows it."
        )
    return result


def _loaded(path: Path, outcome: str) -> Result | PaperResult | PlainResult:
    answers = Answers.load(path)
    if outcome or len(answers) > 1:
        if not outcome:
            known = ", ".join(answers.outcomes)
            raise SettingsError.saying(
                "outcome", f"the file has several outcomes; choose with --outcome: {known}"
            )
        return answers[outcome]
    return answers[0]


def run_report(path: Path, files: Files, outcome: str = "", table: str | None = None) -> None:
    """Write files from a saved result; where none is asked for, show it as `mine` or `test` did.

    `table` is what the result was made from; with it there is Table 1.
    """
    from causalrules.read import read_table

    files.check()
    answers = Answers.load(path)
    if len(answers) > 1 and not outcome and not files.show_one_outcome:
        files.write_answers(answers)
        if files.is_shown:
            files.show_answers(answers)
        return
    result = _loaded(path, outcome)
    if is_plain(result):
        files.check_for(asked_in(result).settings)
    files.write(result, None if table is None else lambda: read_table(table), _say)
    if table is None and any(files.documents.values()) and isinstance(result, Result):
        _say("There is no Table 1 in it, which needs the records: --table SOURCE adds it.")
    if files.is_shown:
        files.show(result)


def run_show(path: Path, factor: str, *, everything: bool, outcome: str = "") -> None:
    """Show the answer of a saved result, or all that it says of one factor."""
    from causalrules.cli.output import Files, print_answer
    from causalrules.report.answer.card import card_lines
    from causalrules.report.answer.one_screen import answer_lines

    result = _loaded(path, outcome)
    if isinstance(result, PlainResult):
        file = str(path)
        lines = (
            card_lines(result, result[factor])
            if factor
            else answer_lines(result, everything=everything, file=file)
        )
        print_answer(lines)
    elif factor or everything:
        name = "factor" if factor else "all"
        problem = f"{path.name} is a result of an earlier method, shown whole"
        raise SettingsError.saying(
            name, f"{problem}: leave out {factor or '--all'}, or run it with --method plain."
        )
    else:
        Files().show(result)


def run_methods(path: Path, output: Path | None, outcome: str = "") -> None:
    """Write methods and results in sentences, to a file or to standard output."""
    from causalrules.cli.output import print_data, save_document

    if output is not None:
        from causalrules.errors import OutputNameError
        from causalrules.publish.write_document import ENDINGS, check_document_name

        if output.suffix.lower() == ".xlsx":
            raise OutputNameError(output, "a text", [one for one in ENDINGS if one != ".xlsx"])
        check_document_name(output)
    article = load_result(path, outcome).methods()
    if output is not None:
        save_document(article, output, _say)
    else:
        print_data(f"{article}\n")


def run_plot(path: Path, kind: str, output: Path, rule: str, *, every: bool, outcome: str = "") -> None:
    """Draw one picture of a saved result."""
    from causalrules.files.whole_file import check_writable
    from causalrules.report.pictures import check_picture_name

    if kind == "flow":
        _draw_flow(path, output, rule, outcome, every=every)
        return
    if kind not in _OF_THE_RESULT + _OF_ONE_RULE:
        raise SettingsError.choice("the kind of picture", (*_OF_THE_RESULT, *_OF_ONE_RULE, "flow"), kind)
    if rule and kind in _OF_THE_RESULT:
        raise SettingsError.saying(
            "rule", f"{kind} shows all rules; leave out --rule, or draw {_OF_ONE_RULE[0]}"
        )
    if every and kind != "forest":
        raise SettingsError.saying("all", f"--all is for forest; {kind} has no use for it")
    check_picture_name(output)
    check_writable(output)
    result = load_result(path, outcome)
    draw = getattr(result.plot, kind)
    arguments: list[Any] = [result.tested] if every else []
    if kind in _OF_ONE_RULE and (
        rule or kind not in ("together", "dose")
    ):  # these find the first rule that has it themselves
        arguments = [_named(rule, result)]
    draw(*arguments).save(output)


def _draw_flow(path: Path, output: Path, rule: str, outcome: str, *, every: bool) -> None:
    """Draw who took part in a rule's study; that needs no package for pictures, unless it is a PNG."""
    from causalrules.files.whole_file import check_writable
    from causalrules.report.pictures import check_picture_name

    if every:
        raise SettingsError.saying("all", "--all is for forest; flow has no use for it")
    check_picture_name(output)
    check_writable(output)
    result = load_result(path, outcome)
    result.flow(_named(rule, result)).save(output)


def _named(rule: str, result: Result) -> str | int:
    """The text of a rule, or its place in the list; people count from 1, as the page does."""
    if rule and not rule.isdecimal():
        return rule
    number = int(rule or 1)
    if result.tested and not 1 <= number <= len(result.tested):
        n_rules = len(result.tested)
        raise SettingsError("rule", f"a name, or a number from 1 to {n_rules} as on the page", number)
    return number - 1


def run_explore(source: Path, port: int, *, open_browser: bool) -> None:
    """Serve the explorer until Ctrl-C: its address to standard output, the rest to standard error."""
    from causalrules.explorer import explore
    from causalrules.report.words.formatting import printable

    logging.basicConfig(format="causalrules: %(message)s", level=logging.WARNING, stream=sys.stderr)

    def announce(url: str) -> None:
        _say(f"The explorer of {printable(str(source.resolve()))} is open, for this machine only, at")
        print(url, flush=True)
        _say("Whoever has this address can read these tables. Ctrl-C closes it.")

    with suppress(KeyboardInterrupt):
        explore(source, port=port, open_browser=open_browser, on_open=announce)
    _say("The explorer is closed; uploaded tables are removed.")


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def run_knowledge(source: Path, output: Path, outcome: str) -> None:
    """Write what is known in another format, and say what that has no place for."""
    from causalrules.domain import Settings
    from causalrules.files.whole_file import whole_file
    from causalrules.read.knowledge_files import read_knowledge, written_knowledge

    settings = Settings.from_options(**read_knowledge(source))
    written = written_knowledge(settings, output, outcome)
    with whole_file(output) as unfinished:
        unfinished.write_text(written.text, encoding="utf-8")
    if written.left_out:
        names = ", ".join(written.left_out)
        print(f"{output.name} has no place for {names}; they were left out.", file=sys.stderr)
