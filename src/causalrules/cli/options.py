"""The options of the terminal, their help and how they become settings."""

from __future__ import annotations

import inspect
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from causalrules.domain.settings import NAME_LISTS, Settings
from causalrules.errors import SettingsError

if TYPE_CHECKING:
    from collections.abc import Callable

DEFAULTS = Settings()

Source = Annotated[
    str, typer.Argument(help="CSV, TSV, Parquet, Arrow, JSON lines, C4.5 or ARFF file; - for standard input.")
]
Outcome = Annotated[str, typer.Option(help="Column and value whose causes are sought, e.g. 'income=>50K'.")]
Exposure = Annotated[str, typer.Option(help="The hypothesis, e.g. 'smoker=yes & sex=male'.")]


_ABOUT_EXACT_ON = "Columns on which partners agree whatever the distance: a,b"
ExactOn = Annotated[str, typer.Option(help=_ABOUT_EXACT_ON)]


class Choice(NamedTuple):
    """An option that several commands share: its type, default, help and spelling."""

    type: Any
    default: Any
    help: str
    names: tuple[str, ...] = ()


DIRECTION = {"direction": Choice(str, DEFAULTS.direction, "both, raises or lowers.")}
SUPPORT = {
    "min_support": Choice(
        float, DEFAULTS.min_support, "Share of the records with the outcome a pattern must exceed."
    ),
}
LENGTHS = {"max_length": Choice(int, DEFAULTS.max_length, "Most items in one pattern.")}
JUDGEMENT = {
    "confidence": Choice(
        float | None, None, "Judge each rule alone, by its interval at this confidence. [intervals: 0.95]"
    ),
    "min_odds_ratio": Choice(
        float | None, None, "Ask for an odds ratio above this instead of an interval above 1."
    ),
    "test": Choice(str, DEFAULTS.test, "matched-pairs, exact or mantel-haenszel."),
    "mid_p": Choice(bool, DEFAULTS.mid_p, "With --test exact: mid-p instead of the full tail.", ("--mid-p",)),
    "correction": Choice(str | None, None, "For many rules: none, bonferroni, holm, bh or by. [default: bh]"),
    "alpha": Choice(float, DEFAULTS.alpha, "Level that corrected p-values must not exceed."),
    "pairs": Choice(str, DEFAULTS.pairs, "expected (average over all pairings) or random."),
    "runs": Choice(int, DEFAULTS.runs, "Random pairings to draw."),
    "votes": Choice(int, DEFAULTS.votes, "Random pairings in which a rule must be causal."),
    "seed": Choice(int, DEFAULTS.seed, "Fixes every random choice."),
    "paper": Choice(bool, False, "The paper's protocol: random pairs, 3 runs, 2 votes.", ("--paper",)),
}
HOLDOUT = {
    "holdout": Choice(
        float, DEFAULTS.holdout, "Share of records kept aside to test what the others propose."
    ),
}
SCRUTINY = {
    "bootstrap": Choice(int, DEFAULTS.bootstrap, "Resampled tables to judge each causal rule by."),
    "explain": Choice(bool, DEFAULTS.explain, "Find what explains each rejected rule away.", ("--explain",)),
}
CONTROLS = {
    "epsilon": Choice(
        float | None,
        None,
        "Overlap in records up to which an item is exclusive. [default: minimum support]",
    ),
    "controls": Choice(
        str,
        DEFAULTS.controls,
        "Hold fixed: items (the paper's text), columns, or refined (what a network needs).",
    ),
}
MATCHING = {
    "matching": Choice(
        str,
        DEFAULTS.matching,
        "Who is compared: exact, jaccard, hamming, euclidean, mahalanobis, propensity or almost-exact.",
    ),
    "caliper": Choice(
        str | None, None, "Largest distance between partners, or none. [default: fits the way of matching]"
    ),
    "ratio": Choice(str, "1:1", "Most partners for each record of the smaller side, e.g. 1:3."),
    "replace": Choice(bool, DEFAULTS.replace, "A record may be the partner of several.", ("--replace",)),
    "optimal": Choice(
        bool,
        DEFAULTS.optimal,
        "Smallest sum of distances instead of the closest pairs first.",
        ("--optimal",),
    ),
}
EXACT_ON = {"exact_on": Choice(str, "", _ABOUT_EXACT_ON)}
COLUMNS = {
    "drop": Choice(str, "", "Columns to ignore: a,b"),
    "only": Choice(str, "", "The only columns to use: a,b"),
    "categorical": Choice(str, "", "Columns whose numbers are codes: a,b"),
    "numeric": Choice(str, "", "Columns to bin even if they have few values: a,b"),
    "bins": Choice(str, DEFAULTS.bins, "How numbers become items: mdl, quantile:4 or none."),
    "missing": Choice(
        str, ",".join(DEFAULTS.missing), "Texts that mean a missing value, besides null and empty."
    ),
    "max_values": Choice(int, DEFAULTS.max_values, "Leave out columns with more different values."),
    "columns": Choice(Path | None, None, "File with the column names of a table without header, one a line."),
    "delimiter": Choice(str | None, None, "Separator of a text table. [default: found by itself]"),
}
FILES = {
    "json": Choice(str | None, None, "Write the result as JSON; - for standard output."),
    "csv": Choice(Path | None, None, "Write all tested rules as CSV."),
    "parquet": Choice(Path | None, None, "Write all tested rules as Parquet."),
    "html": Choice(Path | None, None, "Write a page for people."),
    "format": Choice(
        str | None, None, "What standard output gets: table, json, csv or markdown. [default: table]"
    ),
}
TWO_FILES = {
    "json": Choice(str | None, None, "Write the comparison as JSON; - for standard output."),
    "csv": Choice(Path | None, None, "Write the causes by methods as CSV."),
}
CHECKPOINT = {
    "checkpoint": Choice(
        Path | None, None, "Folder to save progress to; the same command goes on from there after a kill."
    ),
}
RUNNING = {
    "engine": Choice(str, DEFAULTS.engine, "Where records are counted: auto, memory, streaming or spark."),
    "memory": Choice(
        str | None, None, "Memory that records may take, e.g. 512MiB. [default: half of what is free]"
    ),
    "threads": Choice(int | None, None, "Threads; never changes a result. [default: all cores]"),
    "quiet": Choice(bool, False, "No progress and no remarks.", ("--quiet", "-q")),
}


def takes(*groups: dict[str, Choice]) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Let a command take these groups of options; it receives them as keyword arguments."""

    def decorate(command: Callable[..., None]) -> Callable[..., None]:
        own = inspect.signature(command, eval_str=True)
        parameters = [one for one in own.parameters.values() if one.kind is not one.VAR_KEYWORD]
        for name, choice in (entry for group in groups for entry in group.items()):
            option = typer.Option(*choice.names, help=choice.help)
            parameters.append(
                inspect.Parameter(
                    name,
                    inspect.Parameter.KEYWORD_ONLY,
                    default=choice.default,
                    annotation=Annotated[choice.type, option],
                )
            )

        def run(**values: Any) -> None:
            command(**values)

        run.__name__, run.__doc__ = command.__name__, command.__doc__
        run.__signature__ = own.replace(parameters=parameters)  # type: ignore[attr-defined]
        return run

    return decorate


def make_settings(options: dict[str, Any]) -> Settings:
    r"""Settings from the options as typed; lists are separated by commas (write \, for one in a name)."""
    known = DEFAULTS.to_dict()
    values = {name: value for name, value in options.items() if name in known}
    for name in NAME_LISTS:
        if name in values:
            values[name] = split_list(values[name])
    if "caliper" in values:
        values["caliper"] = _caliper(values["caliper"])
    if "ratio" in values:
        values["ratio"] = _ratio(values["ratio"])
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


def _caliper(text: str | None) -> float | str | None:
    if text in (None, "none"):
        return text
    try:
        return float(str(text))
    except ValueError:
        raise SettingsError("caliper", "a number of at least 0, or 'none'", text) from None


def _ratio(text: str) -> int:
    one, _, many = text.rpartition(":")
    if one not in ("", "1") or not many.isdecimal():
        raise SettingsError("ratio", "1:k with a whole number k, such as 1:3", text)
    return int(many)
