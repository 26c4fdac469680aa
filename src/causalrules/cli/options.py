"""The options of the terminal: settings as `Settings` declares them, and a few of its own."""

from __future__ import annotations

from dataclasses import fields
from functools import partial, wraps
from typing import TYPE_CHECKING, Any, NamedTuple

import click
from click.core import ParameterSource

from causalrules.asked_settings import METHODS, said_first
from causalrules.cli import help_text
from causalrules.cli.help_text import PATH
from causalrules.cli.typed_settings import make_settings
from causalrules.domain.further_settings import FurtherSettings
from causalrules.domain.plain_settings import OWN, PlainSettings
from causalrules.domain.question_settings import ColumnSettings, KnowledgeSettings, SearchSettings
from causalrules.domain.resource_settings import ResourceSettings
from causalrules.domain.setting_fields import REPEATED, Kind, kinds_of, option_of
from causalrules.domain.settings import GROUPS, Settings
from causalrules.errors import Setting, SettingsError, in_python, quoted
from causalrules.paper.settings import PaperSettings

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from dataclasses import Field
    from pathlib import Path

source = help_text.argument(
    "source",
    type=click.Path(readable=False),
    help="A file (text, Parquet, Excel, SPSS, Stata, SAS, a database, …), a folder or 'pattern*' of "
    "files, an address (s3://, https://, postgresql://, …), or - for standard input.",
)
_OUTCOME = "The event to explain, e.g. 'income=>50K', 'bmi>=30' or 'risk=high|medium'"
_OUTCOMES = (
    f"{_OUTCOME}; a column without a value asks about each of its values, unless they "
    "are yes and no. Repeatable: one answer for each."
)
ONCE = ("exposure", "against", "tiers", "cluster", "weights", "matched_set", "knowledge")
"""Options that decide the answer and are one thing: of two, the last must not silently win."""


def _the_only_one(_context: Any, parameter: Any, given: tuple[Any, ...]) -> Any:
    """What was given, or nothing; several are refused."""
    if len(given) > 1:
        raise SettingsError.saying(
            parameter.name,
            Setting(parameter.name, is_subject=True),
            f" must be given once; it is {' and '.join(quoted(str(one)) for one in given)}.",
        )
    return given[0] if given else None


_question = partial(help_text.option, group="Question")
_exposure = partial(
    _question,
    "--exposure",
    multiple=True,
    callback=_the_only_one,
    help="The hypothesis, e.g. 'smoker=yes & age>=60'.",
)
one_outcome_or_repeated = _question("--outcome", multiple=True, help=f"{_OUTCOME}.")
one_outcome = _question("--outcome", multiple=True, required=True, help=f"{_OUTCOME}.")
outcomes_or_repeated = _question("--outcome", multiple=True, help=_OUTCOMES)
exposure = _exposure(required=True)
exposure_or_repeated = _exposure()
WHICH_OUTCOME = "Which outcome, written as in the file, if the file has several."


class Option(NamedTuple):
    """An option that several commands share: type, default, help, spelling, and the sign for its value.

    `choices` are what a shell completes; `group` is the heading that it stands under in the help. A
    tuple as default means that the option may be repeated; lists then add up.
    """

    type: Any
    default: Any
    help: str
    names: tuple[str, ...] = ()
    metavar: str | None = None
    choices: tuple[str, ...] = ()
    group: str = "Output"
    hidden: bool = False


def _option(field: Field[Any], kind: Kind, default: Any) -> Option:
    """A setting as an option; lists are texts with commas, what may be a number or a word is a text."""
    about: str = field.metadata["help"]
    if field.metadata["unset"]:
        about = f"{about} [default: {field.metadata['unset']}]"
    if field.name == "ratio":
        return Option(str, "1:1", about, metavar="1:K")
    if kind.type is bool:
        return Option(bool, default, about, (option_of(field.name),))
    if field.name in REPEATED:
        return Option(str, (), f"{about} Repeatable.", metavar="COLUMN=CUTS")
    if field.name == "missing":
        about = f"{about} Repeatable. [default: {','.join(default)}]"
        return Option(str, (), about, metavar="A,COLUMN=B,…")
    if kind.type is tuple:
        return Option(str, (",".join(default),) if default else (), about, metavar="A,B,…")
    if kind.choices and kind.type is str:
        about = f"{', '.join(kind.choices[:-1])} or {kind.choices[-1]}. {about}"
    type_ = str if kind.choices else kind.type
    spelled = option_of(field.name)
    names = () if spelled == f"--{field.name.replace('_', '-')}" else (spelled,)
    return Option(type_, default, about, names, choices=kind.choices)


_HEADINGS: dict[type, str] = {
    SearchSettings: "Question",
    ColumnSettings: "Columns",
    KnowledgeSettings: "Knowledge",
    ResourceSettings: "Engine",
}
"""Groups of settings whose heading is not `Method`."""


_KNOWN_BEFOREHAND = {"adjust": "Knowledge", "require": "Knowledge"}
_OF_THE_QUESTION = {"exposures": "Question", "outcome_as": "Question"}
_HEADING_OF = {
    **{one.name: _HEADINGS.get(group, "Method") for group in GROUPS for one in fields(group)},
    **_KNOWN_BEFOREHAND,
    **_OF_THE_QUESTION,
}
"""The heading of each setting; what to adjust for is knowledge, though studies have it."""

SETTINGS = {
    one.name: _option(one, kinds_of(Settings)[one.name], one.default)._replace(group=_HEADING_OF[one.name])
    for group in GROUPS
    for one in fields(group)
}
AS_THE_PAPER = PaperSettings.of_the_protocol()
OF_THE_PAPER = {
    one.name: _option(one, kinds_of(PaperSettings)[one.name], getattr(AS_THE_PAPER, one.name))._replace(
        group=_HEADING_OF.get(one.name, "Method")
    )
    for one in fields(PaperSettings)
}
"""The settings of the paper's procedure, with the defaults of its protocol."""

PAPER = {
    name: option._replace(hidden=True) for name, option in OF_THE_PAPER.items() if name not in SETTINGS
} | {
    "paper": Option(
        bool,
        False,
        "The paper's protocol, as in causalrules paper: random pairs, 3 runs, 2 votes, judged by interval.",
        ("--paper",),
        group="Method",
    ),
}
"""What leads from mine and test to the paper's procedure; its own options are shown there."""

PLAIN = {
    "method": Option(
        str,
        METHODS[0],
        "default, or plain: one study and one line for each column, causes first on one screen.",
        choices=METHODS,
        group="Method",
    ),
    **{
        one.name: _option(one, kinds_of(PlainSettings)[one.name], one.default)._replace(group="Question")
        for one in fields(PlainSettings)
        if one.name in OWN
    },
}
"""Which method of whole columns, and what only ``--method plain`` knows."""

PLAIN_OF_MINE = {name: one for name, one in PLAIN.items() if name != "against"}

KNOWLEDGE = {
    "knowledge": Option(
        PATH, None, "File with roles, tiers and arrows: TOML, Tetrad or DAGitty.", group="Knowledge"
    ),
}
REPEAT = {
    "repeated": Option(
        PATH,
        None,
        "A result that --json wrote: asks about its outcome again, with its settings, except those given "
        "here.",
        ("--settings",),
        "RESULT.json",
        group="Question",
    ),
}
CUTS = {
    "cuts_from": Option(
        PATH,
        None,
        "A result that --json wrote, such as last month's: numbers are cut where it cut them, except the "
        "columns of --cut. They count as given beforehand, unless the outcome of these records would have "
        "them cut there too.",
        metavar="RESULT.json",
        group="Columns",
    ),
}
TABLE = {
    "columns": Option(
        PATH,
        None,
        "Text file with one column name per line, for a table without a header.",
        group="Columns",
    ),
    "delimiter": Option(str, None, "Separator of a text table. [default: detected]", group="Source"),
    "sheet": Option(
        str,
        None,
        "Sheet of a workbook, by name or number. [default: the first]",
        metavar="NAME",
        group="Source",
    ),
    "skip_rows": Option(
        int,
        0,
        "Lines of a text table, or rows of a sheet, above the one with the names, such as titles.",
        metavar="N",
        group="Source",
    ),
    "query": Option(str, None, "What to select from a database.", metavar="SQL", group="Source"),
    "table": Option(
        str,
        None,
        "Table of a database, read whole. [default: the only one]",
        metavar="NAME",
        group="Source",
    ),
    "labels": Option(
        str,
        "all",
        "Labels of an SPSS, Stata or SAS file that replace names and codes: all, values or none.",
        choices=("all", "values", "none"),
        group="Source",
    ),
    "bad_lines": Option(
        str,
        "error",
        "What to do with a line that has too many or too few values: error or skip.",
        choices=("error", "skip"),
        group="Source",
    ),
    "decimal": Option(
        str,
        ".",
        "Decimal separator in texts: a point or a comma. A sign of money beside a number is left out.",
        group="Source",
    ),
    "thousands": Option(
        str, "", "Thousands separator in texts. A sign of money beside a number is left out.", group="Source"
    ),
    "day_first": Option(
        bool,
        False,
        "Dates in texts are written like 31.12.2024 or 31/12/2024.",
        ("--day-first",),
        group="Source",
    ),
    "quiet": Option(bool, False, "Show no progress and no messages.", ("--quiet", "-q")),
}
FILES = {
    "json": Option(str, None, "Write the result as JSON; - for standard output."),
    "csv": Option(PATH, None, "Write all tested rules as CSV, safe to open in a spreadsheet."),
    "plain_csv": Option(
        bool,
        False,
        "With --csv: keep texts as they are, even those that a spreadsheet would take for a formula.",
        ("--plain-csv",),
    ),
    "parquet": Option(PATH, None, "Write all tested rules as Parquet."),
    "html": Option(PATH, None, "Write the report, a web page in one file."),
    "docx": Option(PATH, None, "Write methods, results, tables and STROBE checklist as a Word file."),
    "xlsx": Option(PATH, None, "Write all tables as an Excel file."),
    "tex": Option(PATH, None, "Write methods, results and tables as LaTeX."),
    "everything": Option(
        bool, False, "Of --method plain: show all that was found, not one screen.", ("--all",)
    ),
    "format": Option(
        str,
        None,
        "Format of standard output: table, json, csv or markdown. [default: table]",
        choices=("table", "json", "csv", "markdown"),
    ),
}
TWO_FILES = {
    "json": Option(str, None, "Write the comparison as JSON; - for standard output."),
    "csv": Option(PATH, None, "Write causes and methods as CSV."),
}
FURTHER = tuple(field.name for field in fields(FurtherSettings))
"""Settings of further questions, which only mine and test answer."""

OF_ONE_COMMAND = (
    "cuts_from",
    "outcome",
    "exposure",
    "matched",
    "checkpoint",
    "checkpoint_records",
    "methods",
    "max_seconds",
    "rule",
    "set",
    "port",
    "numbers",
)
"""Options that mistakes may be about and that are no settings."""


def only_one(outcomes: tuple[str, ...]) -> str:
    """The outcome of a command that knows one; the last of several must not silently win."""
    if len(outcomes) > 1:
        raise SettingsError("outcome", "given once here; mine and test take several", ", ".join(outcomes))
    return outcomes[0]


def settings_but(*left_out: str) -> dict[str, Option]:
    """All settings but these, which a command has no use for."""
    return {name: option for name, option in SETTINGS.items() if name not in left_out}


def of_the_paper_but(*left_out: str) -> dict[str, Option]:
    """The settings of the paper's procedure, but for these."""
    return {name: option for name, option in OF_THE_PAPER.items() if name not in left_out}


def takes(
    *groups: dict[str, Option], base: PaperSettings | None = None
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Let a command take these groups of options; it receives them, and the settings as one value.

    Settings are made here, so that a mistake is reported before anything heavy is loaded. With a `base`,
    what is typed changes those settings.
    """
    shared = {name: option for group in groups for name, option in group.items()}

    def decorate(command: Callable[..., None]) -> Callable[..., None]:
        @wraps(command)
        def run(**values: Any) -> None:
            about = {*SETTINGS, *OF_THE_PAPER, *PAPER, *PLAIN, *KNOWLEDGE}
            typed = {name: values.pop(name) for name in shared if name in about}
            path = values.pop("repeated", None)
            before = base if path is None else _repeated(path, values)
            _keep_what_was_typed(typed)
            former = values.pop("cuts_from", None)
            if former is not None:
                typed["cut"] = _with_cuts_of(former, typed.get("cut", ()))
            _refuse_absent(values)
            settings = make_settings(typed, before)
            command(**values, settings=settings, said_first=said_first(typed, before))

        for name, option in reversed(shared.items()):
            _declared(name, option)(run)
        return run

    return decorate


def _declared(name: str, option: Option) -> Callable[[Any], Any]:
    """An option as Click wants it declared."""
    is_once = name in ONCE
    return help_text.option(
        name,
        *(option.names or (f"--{name.replace('_', '-')}",)),
        type=option.type,
        is_flag=option.type is bool,
        multiple=is_once or isinstance(option.default, tuple),
        callback=_the_only_one if is_once else None,
        default=() if is_once else option.default,
        help=option.help,
        metavar=option.metavar,
        group=option.group,
        shell_complete=_completing(option.choices) if option.choices else None,
        hidden=option.hidden,
    )


def _keep_what_was_typed(options: dict[str, Any]) -> None:
    """Take out what stands at its default: settings have their own, or those of a run before."""
    context = click.get_current_context()
    for name in list(options):
        if context.get_parameter_source(name) is not ParameterSource.COMMANDLINE:
            del options[name]


def _repeated(path: Path, values: dict[str, Any]) -> Settings | PaperSettings:
    """The settings of a saved result, whose question is asked again."""
    from causalrules.saved_results import asked_in, load

    asked = asked_in(load(path))
    context = click.get_current_context()
    for said in asked.read_as:
        option = TABLE.get(said.name)
        if option is not None and context.get_parameter_source(said.name) is not ParameterSource.COMMANDLINE:
            values[said.name] = said.value == "True" if option.type is bool else option.type(said.value)
    if not values["outcome"]:
        values["outcome"] = (asked.outcome,)
    if "exposure" in values and values["exposure"] is None:
        values["exposure"] = asked.exposure
    settings: Settings | PaperSettings = asked.settings
    return settings


def _with_cuts_of(path: Path, typed: Sequence[str]) -> tuple[str, ...]:
    """Cut points as typed, and of all other columns those of a saved result."""
    from causalrules.domain.cut_points import read_cuts
    from causalrules.saved_results import load

    kept = getattr(load(path).data, "cuts", ())
    if not kept:
        raise SettingsError("cuts_from", "a result in which numbers were cut", str(path))
    given = {read_cuts(text).column for text in typed}
    return (*typed, *(text for text in kept if read_cuts(text).column not in given))


def _refuse_absent(values: dict[str, Any]) -> None:
    for name, example in (("outcome", "'income=>50K'"), ("exposure", "'smoker=yes'")):
        if name in values and not values[name]:
            raise SettingsError.saying(name, f"Missing option '--{name}', e.g. --{name} {example}.")


def _completing(choices: tuple[str, ...]) -> Callable[[Any, Any, str], list[str]]:
    """What the shell asks while somebody types: the choices that begin in this way."""

    def complete(_context: Any, _option: Any, incomplete: str) -> list[str]:
        return [choice for choice in choices if choice.startswith(incomplete)]

    return complete


def as_option(setting: Setting) -> str:
    """A setting as people type it here; what is no option keeps its name.

    Examples
    --------
    >>> from causalrules.errors import Setting
    >>> as_option(Setting("bins", "quantile:4")), as_option(Setting("min_support", is_subject=True))
    ('--bins quantile:4', '--min-support')
    """
    if setting.name not in {*SETTINGS, *OF_THE_PAPER, *PLAIN, *TABLE, *FILES, *OF_ONE_COMMAND}:
        return in_python(setting)
    option = option_of(setting.name)
    return option if setting.value is None else f"{option} {setting.value}"
