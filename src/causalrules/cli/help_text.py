"""What ``--help`` shows: options in groups that follow the question, and examples to copy."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import typer
from typer.core import TyperCommand

if TYPE_CHECKING:
    from collections.abc import Callable

GROUPS = ("Question", "Columns", "Knowledge", "Method", "Output", "Engine")
"""The headings of options, in the order in which a person meets the choices."""

_NAMES = {
    "Question": "outcome exposure",
    "Columns": "columns delimiter sheet query table labels bad_lines decimal thousands day_first",
    "Knowledge": "knowledge",
    "Method": "repeated paper",
    "Output": "quiet json csv plain_csv parquet html docx xlsx tex format matched picture",
    "Engine": "checkpoint max_seconds",
}
_GROUP_BY_NAME = {name: group for group, names in _NAMES.items() for name in names.split()}
"""Of options that are no settings."""

EXAMPLES = {
    "mine": (
        "causalrules mine patients.csv --outcome ill=yes",
        "causalrules mine people.csv --outcome 'bmi>=30' --after drug --json result.json --html report.html",
    ),
    "test": (
        "causalrules test patients.csv --outcome ill=yes --exposure treatment=new",
        "causalrules test people.csv --outcome ill --exposure 'smoker=yes & age>=60' --adjust age,sex",
    ),
    "compare-matching": (
        "causalrules compare-matching patients.csv --outcome ill=yes --exposure treatment=new",
        "causalrules compare-matching patients.csv --outcome ill=yes --exposure treatment=new --csv ways.csv",
    ),
    "compare": (
        "causalrules compare patients.csv --outcome ill=yes",
        "causalrules compare patients.csv --outcome ill=yes --methods association,pc-select --max-length 1",
    ),
    "report": (
        "causalrules report result.json --output report.html",
        "causalrules report results/monday.json -o pages/monday.html",
    ),
    "knowledge": (
        "causalrules knowledge roles.toml --output tiers.txt --outcome cancer",
        "causalrules knowledge graph.dag --output roles.toml",
    ),
    "explore": (
        "causalrules explore patients.csv",
        "causalrules explore folder_of_tables --port 8100 --no-browser",
    ),
    "plot": (
        "causalrules plot result.json forest --output forest.png",
        "causalrules plot result.json love --rule smoker=yes --output balance.svg",
    ),
    "schema": (
        "causalrules schema",
        "causalrules schema > result.schema.json",
    ),
    "simulate": (
        "causalrules simulate hospital --output patients.csv",
        "causalrules simulate network --set n_nodes=40 --seed 7 --output network.csv --truth truth.json",
    ),
    "list": (
        "causalrules datasets list",
        "causalrules datasets list | grep census",
    ),
    "get": (
        "causalrules datasets get adult",
        "causalrules datasets get german --output german.parquet --from downloads",
    ),
}
"""Two ways to call each command, the plain one first."""


def heading_of(parameter: Any) -> str:
    """The heading under which an argument or an option stands."""
    if parameter.param_type_name == "argument":
        return "Arguments"
    panel: str | None = getattr(parameter, "rich_help_panel", None)
    return panel or _GROUP_BY_NAME.get(parameter.name, "Options")


def completing(choices: tuple[str, ...]) -> Callable[[str], list[str]]:
    """What the shell asks while somebody types: the choices that begin in this way."""

    def complete(incomplete: str) -> list[str]:
        return [choice for choice in choices if choice.startswith(incomplete)]

    return complete


class GroupedCommand(TyperCommand):
    """A command whose help has its options in groups, and examples at the end.

    Typer shows groups only through Rich, which would double the time that help takes to appear.
    """

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write the arguments, then the options under their headings."""
        sections: dict[str, list[tuple[str, str]]] = {"Arguments": [], **{name: [] for name in GROUPS}}
        for parameter in self.get_params(ctx):
            shown = parameter.get_help_record(ctx)
            if shown is not None:
                sections.setdefault(heading_of(parameter), []).append(shown)
        for heading, records in sections.items():
            if records:
                with formatter.section(heading):
                    formatter.write_dl(records)

    def format_epilog(self, ctx: Any, formatter: Any) -> None:
        """Write the examples, each on a line that can be copied whole."""
        examples = EXAMPLES.get(ctx.info_name, ())
        if examples:
            with formatter.section("Examples"):
                for example in examples:
                    formatter.write(f"{'':>{formatter.current_indent}}{example}\n")


class App(typer.Typer):
    """An application all of whose commands show their help in groups."""

    def command(self, name: str | None = None, **settings: Any) -> Callable[[Any], Any]:
        """Register a command."""
        settings.setdefault("cls", GroupedCommand)
        return super().command(name, **settings)
