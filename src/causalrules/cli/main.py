"""Commands, and the one place where errors become exit codes."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

import typer
from typer.core import TyperGroup

from causalrules.cli import options as o
from causalrules.cli.help_text import App
from causalrules.cli.plain_signs import use_plain_signs_where_needed
from causalrules.errors import (
    CausalRulesError,
    CheckpointOfAnotherRunError,
    ConditionError,
    ExposureError,
    OutputNameError,
    PortError,
    ResultMissingError,
    SettingsError,
    SourceMissingError,
    UnknownColumnError,
    UnknownDataSetError,
    UnknownRuleError,
    UnknownValueError,
)

USAGE_MISTAKES = (
    SettingsError,
    UnknownColumnError,
    UnknownValueError,
    ConditionError,
    ExposureError,
    SourceMissingError,
    UnknownDataSetError,
    OutputNameError,
    PortError,
    ResultMissingError,
    UnknownRuleError,
    CheckpointOfAnotherRunError,
)
INTERRUPTED = 130


class _InterruptedError(Exception):
    """Ctrl-C, under a name that Typer does not know and so cannot swallow."""


class _Commands(TyperGroup):
    """All commands; Ctrl-C in any of them reaches `main`, which has a word for it."""

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            raise _InterruptedError from None


app = App(
    name="causalrules",
    cls=_Commands,
    help="What causes this outcome? Each candidate in the table gets its own matched cohort study.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,  # plain help: Rich would double the time it takes to appear
    context_settings={"help_option_names": ["-h", "--help"]},
)

data_sets = App(
    name="datasets",
    help="The paper's eight data sets.",
    no_args_is_help=True,
    rich_markup_mode=None,
)
app.add_typer(data_sets)


def _open_closed_streams() -> None:
    """A service may start us with a standard stream closed: then it is empty, or says nothing to nobody."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115 - until the end


def main() -> None:
    """Run the command line; a mistake gets one message, never a traceback."""
    _open_closed_streams()
    use_plain_signs_where_needed()
    try:
        app()
    except CausalRulesError as error:
        _stop(error.told(o.as_option), 2 if isinstance(error, USAGE_MISTAKES) else 1)
    except (_InterruptedError, KeyboardInterrupt):
        _stop("interrupted; nothing was written.", INTERRUPTED)
    except BrokenPipeError:
        # The reader of our output has gone; keep Python from complaining again at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)
    except OSError as error:
        _stop(f"could not finish: {error.strerror or error}.", 1)
    except MemoryError:
        _stop("the table does not fit into memory. Use fewer columns (--only) or a sample of the records.", 1)


def _stop(message: str, code: int) -> None:
    print(f"causalrules: {message}", file=sys.stderr)
    sys.exit(code)


def _show_version(wanted: bool) -> None:
    if wanted:
        from causalrules.version import __version__

        print(f"causalrules {__version__}")
        raise typer.Exit


@app.callback()
def _root(
    version: bool = typer.Option(
        False, "--version", help="Show the version.", is_eager=True, callback=_show_version
    ),
) -> None:
    """The command itself; its help is that of the application."""


@app.command()
@o.takes(o.SETTINGS, o.KNOWLEDGE, o.PAPER, o.REPEAT, o.TABLE, o.FILES)
def mine(
    source: o.Source,
    outcome: o.OutcomesOrRepeated = None,
    checkpoint: Path | None = typer.Option(
        None,
        help="Folder to save progress to. After an interruption the same command resumes from there.",
        rich_help_panel="Engine",
    ),
    checkpoint_records: bool = typer.Option(
        False,
        "--checkpoint-records",
        help="Keep the coded records there too: then a table in files is not read again.",
        rich_help_panel="Engine",
    ),
    **options: Any,
) -> None:
    """Find the causes of an outcome in a table."""
    from causalrules.cli.run import run_mine

    assert outcome is not None  # it was refused, or is a saved result's
    raise typer.Exit(run_mine(source, outcome, checkpoint, options, keeps_records=checkpoint_records))


@app.command("test")
@o.takes(o.settings_but("max_length", "exposures"), o.KNOWLEDGE, o.PAPER, o.REPEAT, o.TABLE, o.FILES)
def test_one(
    source: o.Source,
    outcome: o.OutcomesOrRepeated = None,
    exposure: o.ExposureOrRepeated = None,
    matched: Path | None = typer.Option(
        None,
        help="Write the records that were compared, with arm, stratum and weight: a CSV or Parquet file.",
    ),
    **options: Any,
) -> None:
    """Test one hypothesis by a cohort study."""
    from causalrules.cli.run import run_test

    assert outcome is not None  # both were refused, or are a saved result's
    assert exposure is not None
    run_test(source, outcome, exposure, matched, options)


@app.command("table1")
@o.takes(
    o.settings_but("max_length", "exposures", "explain", "bootstrap", "direction", *o.FURTHER),
    o.KNOWLEDGE,
    o.PAPER,
    o.TABLE,
)
def describe_groups(
    source: o.Source,
    outcome: o.OneOutcome,
    exposure: o.Exposure,
    describe: str = typer.Option(
        "",
        help="Columns to describe. [default: all that take part except exposure and outcome]",
        metavar="A,B,…",
    ),
    numbers: str = typer.Option(
        "auto", help="mean (SD), median (IQR), or auto: the median where a number is skewed."
    ),
    output: Path | None = typer.Option(
        None,
        "--output",
        "-o",
        help="File to write: .docx, .xlsx, .tex, .md or .html. [default: the terminal]",
    ),
    **options: Any,
) -> None:
    """Describe exposed and unexposed records before and after matching (Table 1 of a paper)."""
    from causalrules.cli.run import run_table1

    run_table1(source, o.only_one(outcome), exposure, o.split_list(describe), numbers, output, options)


@app.command("compare-matching")
@o.takes(
    o.settings_but(
        *("max_length", "explain", "bootstrap"),
        *("matching", "caliper", "ratio", "replace", "optimal", "exact_on"),
        *o.FURTHER,
    ),
    o.PAPER,
    o.TABLE,
)
def compare_matching(
    source: o.Source,
    outcome: o.OneOutcome,
    exposure: o.Exposure,
    exact_on: str = typer.Option(
        "", help=o.SETTINGS["exact_on"].help, metavar="A,B,…", rich_help_panel="Method"
    ),
    csv: Path | None = typer.Option(None, help="Write the table as CSV.", rich_help_panel="Output"),
    picture: Path | None = typer.Option(
        None, help="Draw it: a PNG, SVG or HTML file.", rich_help_panel="Output"
    ),
    **options: Any,
) -> None:
    """Test one hypothesis by every way of matching, side by side."""
    from causalrules.cli.run import run_compare_matching

    run_compare_matching(source, o.only_one(outcome), exposure, o.split_list(exact_on), csv, picture, options)


@app.command()
@o.takes(
    o.settings_but("direction", "holdout", "explain", "bootstrap", *o.FURTHER), o.PAPER, o.TABLE, o.TWO_FILES
)
def compare(
    source: o.Source,
    outcome: o.OneOutcome,
    methods: str = typer.Option(
        "",
        help="Methods to run: default, or cr-cs with the paper's protocol (always runs); association, "
        "non-redundant, optimal, ccc, ccu, pc-select, hiton-pc; cr-pa, cdt, ml-hiton-pc; hill-climbing, miic "
        "(with the extra peers); or the short names that head the table. [the first eight]",
        rich_help_panel="Method",
    ),
    max_seconds: float = typer.Option(
        60.0, help="Seconds after which a method is stopped.", rich_help_panel="Engine"
    ),
    **options: Any,
) -> None:
    """Find causes by this method and by other published methods, side by side."""
    from causalrules.cli.run import run_compare

    run_compare(source, o.only_one(outcome), o.split_list(methods), max_seconds, options)


@app.command()
def report(
    result: Path = typer.Argument(help="A result that mine or test wrote with --json."),
    output: Path | None = typer.Option(
        None, "--output", "-o", help="HTML file to write: the report as a web page."
    ),
    docx: Path | None = typer.Option(None, help=o.FILES["docx"].help),
    xlsx: Path | None = typer.Option(None, help=o.FILES["xlsx"].help),
    tex: Path | None = typer.Option(None, help=o.FILES["tex"].help),
    outcome: str = typer.Option("", help=o.WHICH_OUTCOME),
    table: str | None = typer.Option(
        None, metavar="SOURCE", help="The table that the result was made from; needed for Table 1."
    ),
) -> None:
    """Make a web page, or what a paper needs, from a saved result."""
    from causalrules.cli.views import run_report

    run_report(result, output, {".docx": docx, ".xlsx": xlsx, ".tex": tex}, outcome, table)


@app.command()
def methods(
    result: Path = typer.Argument(help="A result that mine or test wrote with --json."),
    output: Path | None = typer.Option(
        None, "--output", "-o", help="File to write: .docx, .tex, .md or .html. [default: the terminal]"
    ),
    outcome: str = typer.Option("", help=o.WHICH_OUTCOME),
) -> None:
    """Write methods and results in sentences, with references, from a saved result."""
    from causalrules.cli.views import run_methods

    run_methods(result, output, outcome)


@app.command("knowledge")
def convert_knowledge(
    source: Path = typer.Argument(help="A file of background knowledge: TOML, Tetrad or DAGitty."),
    output: Path = typer.Option(
        ..., "--output", "-o", help="File to write: .toml, .txt for Tetrad or .dag for DAGitty."
    ),
    outcome: str = typer.Option("", help="Column of the outcome, for Tetrad's tiers and DAGitty's roles."),
) -> None:
    """Convert a file of background knowledge into another format."""
    from causalrules.cli.views import run_knowledge

    run_knowledge(source, output, outcome)


@app.command("explore")
def explore_tables(
    source: Path = typer.Argument(
        Path(), help="A table, or a folder of tables. [default: this folder]", show_default=False
    ),
    port: int = typer.Option(0, help="Local port to listen on. [default: a free one]", show_default=False),
    browser: bool = typer.Option(True, "--browser/--no-browser", help="Show the page in the browser."),
) -> None:
    """Explore a table in the browser: mine, test hypotheses, compare. Only this machine can open it."""
    from causalrules.cli.views import run_explore

    run_explore(source, port, open_browser=browser)


@app.command()
def plot(
    result: Path = typer.Argument(help="A result that mine or test wrote with --json."),
    kind: str = typer.Argument(
        help="dose, forest, funnel, love, sensitivity, strata, subgroups, together or flow."
    ),
    output: Path = typer.Option(..., "--output", "-o", help="PNG, SVG or HTML file to write."),
    rule: str = typer.Option(
        "",
        help="For pictures of one rule: the rule, e.g. 'smoker=yes', or its number on the page. [default: 1]",
    ),
    every: bool = typer.Option(False, "--all", help="For forest: also rules that are not causal."),
    outcome: str = typer.Option("", help=o.WHICH_OUTCOME),
) -> None:
    """Draw a picture of a saved result."""
    from causalrules.cli.views import run_plot

    run_plot(result, kind, output, rule, every=every, outcome=outcome)


@app.command("warm-up")
def warm_up_kernels() -> None:
    """Compile what the first run would have to compile; once, after installing or updating."""
    from causalrules.warm_up import compile_kernels

    compile_kernels()


@app.command()
def schema() -> None:
    """Print the JSON Schema of saved results."""
    import json

    from causalrules.domain.result_schema import result_schema

    print(json.dumps(result_schema(), indent=2))


@app.command()
def simulate(
    kind: str = typer.Argument("", help="What to simulate: hospital, network, …; --list shows all."),
    output: Path | None = typer.Option(None, "--output", "-o", help="CSV or Parquet file to write."),
    records: int | None = typer.Option(None, help="Number of records. [default: depends on the kind]"),
    seed: int = typer.Option(o.SETTINGS["seed"].default, help="Same seed, same table."),
    parameters: list[str] = typer.Option(
        [], "--set", metavar="NAME=VALUE", help="A parameter of the kind, e.g. --set n_nodes=40; repeatable."
    ),
    truth: Path | None = typer.Option(None, help="Write the truth as JSON."),
    list_kinds: bool = typer.Option(False, "--list", help="Show the kinds and their parameters, and stop."),
) -> None:
    """Write a table whose causes are known, and print them."""
    from causalrules.cli import make_tables

    if list_kinds:
        make_tables.list_kinds()
    else:
        make_tables.run_simulate(kind, output, records, seed, parameters, truth)


@data_sets.command("list")
def list_data_sets() -> None:
    """Show the data sets and their outcomes."""
    from causalrules.cli import make_tables

    make_tables.list_data_sets()


@data_sets.command("get")
def get_data_set(
    name: str = typer.Argument(help="One of those that list shows."),
    output: Path | None = typer.Option(
        None, "--output", "-o", help="CSV or Parquet file to write. [default: NAME.csv]"
    ),
    from_dir: Path | None = typer.Option(
        None, "--from", help="Folder with the published files; nothing is downloaded then."
    ),
) -> None:
    """Fetch a data set once, check it, and write it as a table."""
    from causalrules.cli import make_tables

    make_tables.get_data_set(name, output, from_dir)
