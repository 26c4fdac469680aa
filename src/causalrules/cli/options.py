"""The options of the terminal, their help and how they become settings."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from causalrules.domain.settings import Settings

DEFAULTS = Settings()

Source = Annotated[
    str, typer.Argument(help="CSV, TSV, Parquet, Arrow, JSON lines, C4.5 or ARFF file; - for standard input.")
]
Outcome = Annotated[str, typer.Option(help="Column and value whose causes are sought, e.g. 'income=>50K'.")]
Direction = Annotated[str, typer.Option(help="both, raises or lowers.")]
MaxLength = Annotated[int, typer.Option(help="Most items in one pattern.")]
MinSupport = Annotated[
    float, typer.Option(help="Share of the records with the outcome a pattern must exceed.")
]
Confidence = Annotated[
    float | None,
    typer.Option(help="Judge each rule alone, by its interval at this confidence. [intervals: 0.95]"),
]
Test = Annotated[str, typer.Option(help="matched-pairs, exact or mantel-haenszel.")]
MidP = Annotated[bool, typer.Option("--mid-p", help="With --test exact: mid-p instead of the full tail.")]
CorrectionChoice = Annotated[
    str | None,
    typer.Option("--correction", help="For many rules: none, bonferroni, holm, bh or by. [default: bh]"),
]
Alpha = Annotated[float, typer.Option(help="Level that corrected p-values must not exceed.")]
Holdout = Annotated[float, typer.Option(help="Share of records kept aside to test what the others propose.")]
Bootstrap = Annotated[int, typer.Option(help="Resampled tables to judge each causal rule by.")]
Explain = Annotated[bool, typer.Option("--explain", help="Find what explains each rejected rule away.")]
MinOddsRatio = Annotated[
    float | None, typer.Option(help="Ask for an odds ratio above this instead of an interval above 1.")
]
Pairs = Annotated[str, typer.Option(help="expected (average over all pairings) or random.")]
Runs = Annotated[int, typer.Option(help="Random pairings to draw.")]
Votes = Annotated[int, typer.Option(help="Random pairings in which a rule must be causal.")]
Seed = Annotated[int, typer.Option(help="Fixes every random choice.")]
Epsilon = Annotated[
    float | None,
    typer.Option(help="Overlap in records up to which an item is exclusive. [default: minimum support]"),
]
ControlsMode = Annotated[
    str, typer.Option("--controls", help="Hold fixed: items (the paper's text) or columns.")
]
Drop = Annotated[str, typer.Option(help="Columns to ignore: a,b")]
Only = Annotated[str, typer.Option(help="The only columns to use: a,b")]
Categorical = Annotated[str, typer.Option(help="Columns whose numbers are codes: a,b")]
Numeric = Annotated[str, typer.Option(help="Columns to bin even if they have few values: a,b")]
Bins = Annotated[str, typer.Option(help="How numbers become items: mdl, quantile:4 or none.")]
Missing = Annotated[str, typer.Option(help="Texts that mean a missing value, besides null and empty.")]
MaxValues = Annotated[int, typer.Option(help="Leave out columns with more different values.")]
Columns = Annotated[
    Path | None, typer.Option(help="File with the column names of a table without header, one a line.")
]
Delimiter = Annotated[str | None, typer.Option(help="Separator of a text table. [default: found by itself]")]
JsonFile = Annotated[
    str | None, typer.Option("--json", help="Write the result as JSON; - for standard output.")
]
CsvFile = Annotated[Path | None, typer.Option("--csv", help="Write all tested rules as CSV.")]
HtmlFile = Annotated[Path | None, typer.Option("--html", help="Write a page for people.")]
ParquetFile = Annotated[Path | None, typer.Option("--parquet", help="Write all tested rules as Parquet.")]
Paper = Annotated[bool, typer.Option("--paper", help="The paper's protocol: random pairs, 3 runs, 2 votes.")]
Engine = Annotated[str, typer.Option(help="Where records are counted: memory.")]
Threads = Annotated[int | None, typer.Option(help="Threads; never changes a result. [default: all cores]")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="No progress and no remarks.")]


def make_settings(options: dict[str, Any]) -> Settings:
    r"""Settings from the options as typed; lists are separated by commas (write \, for one in a name)."""
    known = DEFAULTS.to_dict()
    values = {name: value for name, value in options.items() if name in known}
    for name in ("drop", "only", "categorical", "numeric", "missing"):
        if name in values:
            values[name] = split_list(values[name])
    settings = Settings.from_options(**values)
    return settings.as_the_paper() if options.get("paper") else settings


def split_list(text: str) -> tuple[str, ...]:
    r"""Split at commas; a backslash takes the next character as it is.

    Examples
    --------
    >>> split_list(r"a, b,name\, first")
    ('a', 'b', 'name, first')
    """
    parts, current, escaped = [], "", False
    for character in text:
        if escaped:
            current, escaped = current + character, False
        elif character == "\\":
            escaped = True
        elif character == ",":
            parts.append(current)
            current = ""
        else:
            current += character
    return tuple(part.strip() for part in [*parts, current] if part.strip())
