"""The commands and their options; what they do is loaded when one is called."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from causalrules.cli import completion
from causalrules.cli import options as o
from causalrules.cli.help_text import PATH, PICTURE, PICTURES, Commands, argument, option
from causalrules.cli.typed_settings import joined_lists
from causalrules.errors import SettingsError
from causalrules.lab_parts import lab_part


class InterruptedCommandError(Exception):
    """Ctrl-C, under a name that Click does not know and so cannot swallow."""


class _AllCommands(Commands):
    """All commands; Ctrl-C in any of them reaches `main`, which has a word for it."""

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            raise InterruptedCommandError from None


def _show_version(_context: Any, _option: Any, wanted: bool) -> None:
    if wanted:
        from causalrules.version import __version__

        print(f"causalrules {__version__}")
        raise click.exceptions.Exit


@click.group(cls=_AllCommands, context_settings={"help_option_names": ["-h", "--help"]})
@option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_show_version,
    help="Show the version.",
)
@completion.options
def app() -> None:
    """What causes this outcome? Each candidate in the table gets its own matched cohort study."""


_checkpoint = option(
    "--checkpoint",
    type=PATH,
    group="Engine",
    help="Folder to save progress to. After an interruption the same command resumes from there.",
)
_checkpoint_records = option(
    "--checkpoint-records",
    is_flag=True,
    group="Engine",
    help="Keep the coded records there too: then a table in files is not read again.",
)
_matched = option(
    "--matched",
    type=PATH,
    help="Write the records that were compared, with arm, stratum and weight: a CSV or Parquet file.",
)


@app.command()
@o.source
@o.outcomes_or_repeated
@_checkpoint
@_checkpoint_records
@o.takes(o.SETTINGS, o.PLAIN_OF_MINE, o.CUTS, o.KNOWLEDGE, o.PAPER, o.REPEAT, o.TABLE, o.FILES)
def mine(**asked: Any) -> None:
    """Find the causes of an outcome in a table."""
    from causalrules.cli.run import run_mine

    raise click.exceptions.Exit(run_mine(**asked))


@app.command("test")
@o.source
@o.outcomes_or_repeated
@o.exposure_or_repeated
@_matched
@o.takes(
    *(o.settings_but("max_length", "exposures"), o.PLAIN, o.KNOWLEDGE, o.PAPER, o.REPEAT, o.TABLE, o.FILES)
)
def test_one(
    source: str, outcome: tuple[str, ...], exposure: str, matched: Path | None, **options: Any
) -> None:
    """Test one hypothesis by a cohort study."""
    from causalrules.cli.run import run_test

    run_test(source, outcome, exposure, matched, options)


@app.command("table1")
@o.source
@o.one_outcome_or_repeated
@o.exposure_or_repeated
@option(
    "--describe",
    multiple=True,
    metavar="A,B,…",
    help="Columns to describe. [default: all that take part except exposure and outcome]",
)
@option(
    "--numbers",
    default="auto",
    help="mean (SD), median (IQR), or auto: the median where a number is skewed.",
)
@option(
    *("--output", "-o"),
    type=PATH,
    help="File to write: .docx, .xlsx, .tex, .md or .html. [default: the terminal]",
)
@o.takes(o.settings_but("max_length", "exposures"), o.KNOWLEDGE, o.PAPER, o.REPEAT, o.TABLE)
def describe_groups(
    source: str,
    outcome: tuple[str, ...],
    exposure: str,
    describe: tuple[str, ...],
    numbers: str,
    output: Path | None,
    **options: Any,
) -> None:
    """Table 1 of a paper: exposed and unexposed records before and after matching."""
    from causalrules.cli.run import run_table1

    run_table1(source, o.only_one(outcome), exposure, joined_lists(describe), numbers, output, options)


@app.command()
@o.source
@o.one_outcome
@option(
    "--methods",
    multiple=True,
    metavar="A,B,…",
    group="Method",
    help="Methods to run: default, or cr-cs with the paper's protocol (always runs); association, "
    "non-redundant, optimal, ccc, ccu, pc-select, hiton-pc; cr-pa, cdt, ml-hiton-pc; hill-climbing, miic "
    "(with causalrules-lab[peers]); or the short names that head the table. [the first eight]",
)
@option("--max-seconds", default=60.0, group="Engine", help="Seconds after which a method is stopped.")
@o.takes(
    o.settings_but("direction", "holdout", "explain", "weights", *o.FURTHER),
    {name: one for name, one in o.PAPER.items() if name != "bootstrap"},
    o.TABLE,
    o.TWO_FILES,
)
def compare(
    source: str, outcome: tuple[str, ...], methods: tuple[str, ...], max_seconds: float, **options: Any
) -> None:
    """Find causes by this method and by other published methods, side by side."""
    lab_part("cli.compare").run_compare(
        source, o.only_one(outcome), joined_lists(methods), max_seconds, options
    )


_saved_result = argument("result", type=PATH, help="A result that mine or test wrote with --json.")
_which_outcome = option("--outcome", default="", help=o.WHICH_OUTCOME)


@app.command()
@_saved_result
@option(*("--output", "-o", "--html"), type=PATH, help="HTML file to write: the report as a web page.")
@option("--docx", type=PATH, help=o.FILES["docx"].help)
@option("--xlsx", type=PATH, help=o.FILES["xlsx"].help)
@option("--tex", type=PATH, help=o.FILES["tex"].help)
@option("--csv", type=PATH, help=o.FILES["csv"].help)
@option("--parquet", type=PATH, help=o.FILES["parquet"].help)
@option("--format", help="Show it: table, json, csv or markdown. [default: table, if no file is written]")
@_which_outcome
@option("--table", metavar="SOURCE", help="The table that the result was made from; needed for Table 1.")
def report(result: Path, output: Path | None, outcome: str, table: str | None, **files: Any) -> None:
    """Show a saved result again, or write it as a web page, tables, or a draft of a paper."""
    from causalrules.cli.output import Files
    from causalrules.cli.views import run_report

    run_report(result, Files(html=output, **files), outcome, table)


@app.command()
@_saved_result
@argument("factor", default="", help="A column of it, columns that act together ('sex & age'), or a pattern.")
@option("--all", "everything", is_flag=True, help="Show all that was found, not one screen.")
@_which_outcome
def show(result: Path, factor: str, everything: bool, outcome: str) -> None:
    """Show the answer of a saved result, or all that it says of one column."""
    from causalrules.cli.views import run_show

    run_show(result, factor, everything=everything, outcome=outcome)


@app.command()
@argument("first", type=PATH, help="A result that mine or test wrote with --json.")
@argument("second", type=PATH, help="A later one, such as next month's.")
@option("--format", "shown", default="table", help="table, json, csv or markdown.")
@_which_outcome
def diff(first: Path, second: Path, shown: str, outcome: str) -> None:
    """Show what changed between two saved results; ends with 0 if the same rules are causal, else 1."""
    from causalrules.cli.diff import run_diff

    raise click.exceptions.Exit(run_diff(first, second, shown, outcome))


@app.command()
@_saved_result
@option(
    *("--output", "-o"),
    type=PATH,
    help="File to write: .docx, .tex, .md or .html. [default: the terminal]",
)
@_which_outcome
def methods(result: Path, output: Path | None, outcome: str) -> None:
    """Write methods and results in sentences, with references, from a saved result."""
    from causalrules.cli.views import run_methods

    run_methods(result, output, outcome)


@app.command("knowledge")
@argument("source", type=PATH, help="A file of background knowledge: TOML, Tetrad or DAGitty.")
@option(
    *("--output", "-o"),
    type=PATH,
    required=True,
    help="File to write: .toml, .txt for Tetrad or .dag for DAGitty.",
)
@option("--outcome", default="", help="Column of the outcome, for Tetrad's tiers and DAGitty's roles.")
def convert_knowledge(source: Path, output: Path, outcome: str) -> None:
    """Convert a file of background knowledge into another format."""
    from causalrules.cli.views import run_knowledge

    run_knowledge(source, output, outcome)


@app.command("explore")
@argument("source", type=PATH, default=Path(), help="A table, or a folder of tables. [default: this folder]")
@option("--port", default=0, show_default=False, help="Local port to listen on. [default: a free one]")
@option("--browser/--no-browser", default=True, help="Show the page in the browser.")
def explore_tables(source: Path, port: int, browser: bool) -> None:
    """Explore a table in the browser: mine, test hypotheses, compare. Only this machine can open it."""
    from causalrules.cli.views import run_explore

    run_explore(source, port, open_browser=browser)


@app.command()
@_saved_result
@argument("kind", type=PICTURE, help=f"{', '.join(PICTURES[:-1])} or {PICTURES[-1]}.")
@option(*("--output", "-o"), type=PATH, required=True, help="PNG, SVG or HTML file to write.")
@option(
    "--rule",
    default="",
    help="For pictures of one rule: the rule, e.g. 'smoker=yes', or its number on the page. [default: 1]",
)
@option("--all", "every", is_flag=True, help="For forest: also rules that are not causal.")
@_which_outcome
def plot(result: Path, kind: str, output: Path, rule: str, every: bool, outcome: str) -> None:
    """Draw a picture of a saved result."""
    from causalrules.cli.views import run_plot

    run_plot(result, kind, output, rule, every=every, outcome=outcome)


@app.command("warm-up")
def warm_up_kernels() -> None:
    """Compile the inner loops now instead of during the first run; once after an installation or update."""
    from causalrules.warm_up import compile_kernels

    compile_kernels()


@app.command()
@option("--method", default="default", help="default or plain: whose results.")
def schema(method: str) -> None:
    """Print the JSON Schema of saved results."""
    import json

    from causalrules.asked_settings import METHODS

    if method not in METHODS:
        raise SettingsError.choice("method", METHODS, method)
    if method == "plain":
        from causalrules.words.result_files import result_schema
    else:
        from causalrules.domain.result_schema import result_schema
    print(json.dumps(result_schema(), indent=2))


@app.command()
@argument("kind", default="", help="What to simulate: hospital, network, …; --list shows all.")
@option(*("--output", "-o"), type=PATH, help="CSV or Parquet file to write.")
@option("--records", type=int, help="Number of records. [default: depends on the kind]")
@option("--seed", default=o.SETTINGS["seed"].default, help="Same seed, same table.")
@option(
    *("--set", "parameters"),
    multiple=True,
    metavar="NAME=VALUE",
    help="A parameter of the kind, e.g. --set n_nodes=40; repeatable.",
)
@option("--truth", type=PATH, help="Write the truth as JSON.")
@option("--list", "list_kinds", is_flag=True, help="Show the kinds and their parameters, and stop.")
def simulate(
    kind: str,
    output: Path | None,
    records: int | None,
    seed: int,
    parameters: tuple[str, ...],
    truth: Path | None,
    list_kinds: bool,
) -> None:
    """Write a table whose causes are known, and print them."""
    from causalrules.cli import make_tables

    if list_kinds:
        make_tables.list_kinds()
    else:
        make_tables.run_simulate(kind, output, records, seed, parameters, truth)


@app.group("datasets", cls=Commands)
def data_sets() -> None:
    """The paper's eight data sets."""


@data_sets.command("list")
def list_data_sets() -> None:
    """Show the data sets and their outcomes."""
    lab_part("cli.datasets").list_data_sets()


@data_sets.command("get")
@argument("name", help="One of those that list shows.")
@option(*("--output", "-o"), type=PATH, help="CSV or Parquet file to write. [default: NAME.csv]")
@option(
    *("--from", "from_dir"),
    type=PATH,
    help="Folder with the published files; nothing is downloaded then.",
)
def get_data_set(name: str, output: Path | None, from_dir: Path | None) -> None:
    """Fetch a data set once, check it, and write it as a table."""
    lab_part("cli.datasets").get_data_set(name, output, from_dir)


@app.group("paper", cls=Commands)
def paper() -> None:
    """The protocol of the paper, exactly: Algorithm 1, its ways of matching, its experiments made again."""


@paper.command("mine")
@o.source
@o.outcomes_or_repeated
@_checkpoint
@_checkpoint_records
@o.takes(o.of_the_paper_but(), o.CUTS, o.KNOWLEDGE, o.REPEAT, o.TABLE, o.FILES, base=o.AS_THE_PAPER)
def mine_as_the_paper(**asked: Any) -> None:
    """Find causal rules by Algorithm 1: random pairs, three runs, two votes, each rule judged alone."""
    from causalrules.cli.run import run_mine

    raise click.exceptions.Exit(run_mine(**asked))


@paper.command("test")
@o.source
@o.outcomes_or_repeated
@o.exposure_or_repeated
@o.takes(
    *(o.of_the_paper_but("max_length", "exposures"), o.KNOWLEDGE, o.REPEAT, o.TABLE, o.FILES),
    base=o.AS_THE_PAPER,
)
def test_as_the_paper(source: str, outcome: tuple[str, ...], exposure: str, **options: Any) -> None:
    """Put one rule to the paper's cohort study, whether it is an association or not."""
    from causalrules.cli.run import run_test

    run_test(source, outcome, exposure, None, options)


@paper.command("compare-matching")
@o.source
@o.one_outcome
@o.exposure
@option("--exact-on", multiple=True, metavar="A,B,…", group="Method", help=o.OF_THE_PAPER["exact_on"].help)
@option("--adjust", multiple=True, hidden=True)
@option("--csv", type=PATH, group="Output", help="Write the table as CSV.")
@option("--picture", type=PATH, group="Output", help="Draw it: a PNG, SVG or HTML file.")
@o.takes(
    o.of_the_paper_but(
        *("max_length", "explain", "bootstrap", "weights"),
        *("matching", "caliper", "ratio", "replace", "optimal", "exact_on"),
    ),
    o.TABLE,
    base=o.AS_THE_PAPER,
)
def compare_matching(
    source: str,
    outcome: tuple[str, ...],
    exposure: str,
    exact_on: tuple[str, ...],
    adjust: tuple[str, ...],
    csv: Path | None,
    picture: Path | None,
    **options: Any,
) -> None:
    """Put one rule to the paper's study by every way of matching; --only names the columns to match on."""
    from causalrules.cli.run import run_compare_matching

    if adjust:  # people look for it here
        raise SettingsError.saying(
            "adjust",
            "compare-matching holds items of the columns that take part: choose these by --only, the "
            "exposure's among them, instead of --adjust.",
        )
    run_compare_matching(source, o.only_one(outcome), exposure, joined_lists(exact_on), csv, picture, options)


@paper.command("schema")
def schema_of_the_paper() -> None:
    """Print the JSON Schema of results of the paper's procedure."""
    import json

    from causalrules.paper.result import paper_schema

    print(json.dumps(paper_schema(), indent=2))


@app.command()
@argument("names", nargs=-1, help="Experiments to run; --list shows them. [default: all]")
@option(
    *("--from", "from_dir"),
    type=PATH,
    help="Folder with the published data sets. [default: $CAUSALRULES_DATA, or they are fetched once]",
)
@option("--to", type=PATH, help="Folder to write to: Markdown, CSV and figures. [default: the terminal]")
@option("--list", "listed", is_flag=True, help="Show the experiments and how long they take, and stop.")
def reproduce(names: tuple[str, ...], from_dir: Path | None, to: Path | None, listed: bool) -> None:
    """Make the tables and figures of the paper again, beside what it prints."""
    reproduction = lab_part("cli.reproduce")
    if listed:
        reproduction.list_experiments()
    else:
        reproduction.run_reproduce(names, from_dir, to)


paper.add_command(reproduce)
app.add_command(compare_matching)  # its name before the paper had a group of its own
