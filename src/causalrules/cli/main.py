"""Commands, and the one place where errors become exit codes."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import typer

from causalrules.cli import options as o
from causalrules.errors import (
    CausalRulesError,
    ExposureError,
    SettingsError,
    SourceMissingError,
    UnknownColumnError,
    UnknownValueError,
)

USAGE_MISTAKES = (SettingsError, UnknownColumnError, UnknownValueError, ExposureError, SourceMissingError)
INTERRUPTED = 130

app = typer.Typer(
    name="causalrules",
    help="What causes this outcome? Association rules are the hypotheses; each gets a matched cohort study.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,  # plain help: Rich would double the time it takes to appear
    context_settings={"help_option_names": ["-h", "--help"]},
)


def main() -> None:
    """Run the command line; a mistake gets one message, never a traceback."""
    try:
        app()
    except CausalRulesError as error:
        _stop(str(error), 2 if isinstance(error, USAGE_MISTAKES) else 1)
    except KeyboardInterrupt:
        _stop("interrupted before anything was finished.", INTERRUPTED)
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
def mine(
    source: o.Source,
    outcome: o.Outcome,
    direction: o.Direction = o.DEFAULTS.direction,
    max_length: o.MaxLength = o.DEFAULTS.max_length,
    min_support: o.MinSupport = o.DEFAULTS.min_support,
    confidence: o.Confidence = None,
    min_odds_ratio: o.MinOddsRatio = o.DEFAULTS.min_odds_ratio,
    test: o.Test = o.DEFAULTS.test,
    mid_p: o.MidP = o.DEFAULTS.mid_p,
    correction: o.CorrectionChoice = None,
    alpha: o.Alpha = o.DEFAULTS.alpha,
    holdout: o.Holdout = o.DEFAULTS.holdout,
    bootstrap: o.Bootstrap = o.DEFAULTS.bootstrap,
    explain: o.Explain = o.DEFAULTS.explain,
    pairs: o.Pairs = o.DEFAULTS.pairs,
    runs: o.Runs = o.DEFAULTS.runs,
    votes: o.Votes = o.DEFAULTS.votes,
    seed: o.Seed = o.DEFAULTS.seed,
    epsilon: o.Epsilon = o.DEFAULTS.epsilon,
    controls: o.ControlsMode = o.DEFAULTS.controls,
    drop: o.Drop = "",
    only: o.Only = "",
    categorical: o.Categorical = "",
    numeric: o.Numeric = "",
    bins: o.Bins = o.DEFAULTS.bins,
    missing: o.Missing = ",".join(o.DEFAULTS.missing),
    max_values: o.MaxValues = o.DEFAULTS.max_values,
    columns: o.Columns = None,
    delimiter: o.Delimiter = None,
    json: o.JsonFile = None,
    csv: o.CsvFile = None,
    parquet: o.ParquetFile = None,
    html: o.HtmlFile = None,
    paper: o.Paper = False,
    engine: o.Engine = o.DEFAULTS.engine,
    threads: o.Threads = None,
    quiet: o.Quiet = False,
) -> None:
    """Find the causes of an outcome in a table."""
    settings = o.make_settings(locals())
    from causalrules.cli.run import Outputs, run_mine

    code = run_mine(
        source, outcome, settings, columns, delimiter, Outputs(json, csv, parquet, html), quiet=quiet
    )
    raise typer.Exit(code)


@app.command()
def report(
    result: Path = typer.Argument(help="A result that mine or test wrote with --json."),
    output: Path = typer.Option(..., "--output", "-o", help="HTML file to write."),
) -> None:
    """Make a page for people from a saved result."""
    from causalrules.domain import Result
    from causalrules.report.html import write_html

    write_html(Result.load(result), output)


@app.command()
def simulate(
    kind: str = typer.Argument(help="What to simulate: hospital (patients whose illness has known causes)."),
    output: Path = typer.Option(..., "--output", "-o", help="CSV or Parquet file to write."),
    records: int = typer.Option(10_000, help="Number of records."),
    seed: int = typer.Option(o.DEFAULTS.seed, help="Same seed, same table."),
) -> None:
    """Write a table whose causes are known, and print them."""
    from causalrules.cli.run import run_simulate

    run_simulate(kind, output, records, seed)


@app.command("test")
def test_one(
    source: o.Source,
    outcome: o.Outcome,
    exposure: str = typer.Option(..., help="The hypothesis, e.g. 'smoker=yes & sex=male'."),
    direction: o.Direction = o.DEFAULTS.direction,
    min_support: o.MinSupport = o.DEFAULTS.min_support,
    confidence: o.Confidence = None,
    min_odds_ratio: o.MinOddsRatio = o.DEFAULTS.min_odds_ratio,
    test: o.Test = o.DEFAULTS.test,
    mid_p: o.MidP = o.DEFAULTS.mid_p,
    correction: o.CorrectionChoice = None,
    alpha: o.Alpha = o.DEFAULTS.alpha,
    holdout: o.Holdout = o.DEFAULTS.holdout,
    bootstrap: o.Bootstrap = o.DEFAULTS.bootstrap,
    explain: o.Explain = o.DEFAULTS.explain,
    pairs: o.Pairs = o.DEFAULTS.pairs,
    runs: o.Runs = o.DEFAULTS.runs,
    votes: o.Votes = o.DEFAULTS.votes,
    seed: o.Seed = o.DEFAULTS.seed,
    epsilon: o.Epsilon = o.DEFAULTS.epsilon,
    controls: o.ControlsMode = o.DEFAULTS.controls,
    drop: o.Drop = "",
    only: o.Only = "",
    categorical: o.Categorical = "",
    numeric: o.Numeric = "",
    bins: o.Bins = o.DEFAULTS.bins,
    missing: o.Missing = ",".join(o.DEFAULTS.missing),
    max_values: o.MaxValues = o.DEFAULTS.max_values,
    columns: o.Columns = None,
    delimiter: o.Delimiter = None,
    json: o.JsonFile = None,
    csv: o.CsvFile = None,
    parquet: o.ParquetFile = None,
    html: o.HtmlFile = None,
    paper: o.Paper = False,
    engine: o.Engine = o.DEFAULTS.engine,
    threads: o.Threads = None,
    quiet: o.Quiet = False,
) -> None:
    """Put one hypothesis to a cohort study."""
    settings = o.make_settings(locals())
    from causalrules.cli.run import Outputs, run_test

    run_test(
        source,
        outcome,
        exposure,
        settings,
        columns,
        delimiter,
        Outputs(json, csv, parquet, html),
        quiet=quiet,
    )
