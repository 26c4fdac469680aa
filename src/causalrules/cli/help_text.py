"""What ``--help`` shows: options in groups that follow the question, and examples to copy."""

from __future__ import annotations

import shlex
from functools import partial
from pathlib import Path
from typing import Any

import click

GROUPS = ("Question", "Source", "Columns", "Knowledge", "Method", "Output", "Engine")
"""The headings of options, in the order in which a person meets the choices."""

COMMAND_GROUPS = {
    "Ask": ("mine", "test", "explore", "compare-matching", "compare", "paper"),
    "Show and publish": ("show", "report", "plot", "diff", "table1", "methods"),
    "Data and set-up": ("simulate", "datasets", "reproduce", "knowledge", "schema", "warm-up"),
}
"""The headings of commands, in the order in which a person needs them."""

FIRST_STEPS = (
    "causalrules simulate hospital -o patients.csv  # its causes are known",
    "causalrules mine patients.csv --outcome ill=yes",
    "causalrules test patients.csv --outcome ill=yes --exposure treatment=new",
    "causalrules mine --help",
)
_LONGEST_ABOUT = 200

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
    "show": (
        "causalrules show result.json",
        "causalrules show result.json age",
    ),
    "report": (
        "causalrules report result.json",
        "causalrules report result.json --output report.html --csv rules.csv",
    ),
    "diff": (
        "causalrules diff october.json november.json",
        "causalrules diff october.json november.json --format csv > changes.csv",
    ),
    "table1": (
        "causalrules table1 patients.csv --outcome ill=yes --exposure treatment=new",
        "causalrules table1 patients.csv --outcome ill=yes --exposure treatment=new -o table1.docx",
    ),
    "methods": (
        "causalrules methods result.json",
        "causalrules methods result.json --output methods.docx",
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
    "warm-up": (
        "causalrules warm-up",
        "causalrules warm-up  # in a Dockerfile: RUN causalrules warm-up",
    ),
    "schema": (
        "causalrules schema",
        "causalrules schema > result.schema.json",
    ),
    "simulate": (
        "causalrules simulate hospital --output patients.csv",
        "causalrules simulate network --set n_nodes=40 --seed 7 --output network.csv --truth truth.json",
    ),
    "datasets list": (
        "causalrules datasets list",
        "causalrules datasets list | grep census",
    ),
    "datasets get": (
        "causalrules datasets get adult",
        "causalrules datasets get german --output german.parquet --from downloads",
    ),
    "reproduce": (
        "causalrules reproduce mushroom-examples",
        "causalrules reproduce rule-counts stability --from downloads --to results",
    ),
    "paper mine": (
        "causalrules paper mine patients.csv --outcome ill=yes",
        "causalrules paper mine patients.csv --outcome ill=yes --controls columns --pairs expected",
    ),
    "paper test": (
        "causalrules paper test patients.csv --outcome ill=yes --exposure treatment=new",
        "causalrules paper test patients.csv --outcome ill=yes --exposure treatment=new --matching jaccard",
    ),
    "paper compare-matching": (
        "causalrules paper compare-matching patients.csv --outcome ill=yes --exposure treatment=new",
        "causalrules paper compare-matching patients.csv --outcome ill=yes --exposure smoker=yes --csv a.csv",
    ),
    "paper reproduce": (
        "causalrules paper reproduce mushroom-examples",
        "causalrules paper reproduce rule-counts stability --from downloads --to results",
    ),
}
"""Two ways to call each command, the plain one first."""


PATH = click.Path(path_type=Path, readable=False)
"""A file or folder, which need not be there yet; the shell completes its name."""


PICTURES = ("dose", "forest", "funnel", "love", "sensitivity", "strata", "subgroups", "together", "flow")
"""The kinds of pictures that a result can be drawn as."""


class _PictureKind(click.types.StringParamType):
    """The kind of a picture; where none is given, all are named."""

    def get_missing_message(self, param: click.Parameter, ctx: Any) -> str:  # noqa: ARG002 - Click asks so
        """What to choose from."""
        return f"Choose from {', '.join(PICTURES[:-1])} or {PICTURES[-1]}."


PICTURE = _PictureKind()


class Argument(click.Argument):
    """An argument with a word on what it is; the oldest Click that is allowed has none."""

    def __init__(self, *names: Any, help: str, **settings: Any) -> None:  # noqa: A002 - Click's word
        self.about = help
        super().__init__(*names, **settings)

    def get_help_record(self, ctx: Any) -> tuple[str, str]:
        """The argument's name, and its help."""
        return self.make_metavar(ctx), self.about


class Option(click.Option):
    """An option that stands under a heading, and shows its default where it has one."""

    def __init__(self, *names: Any, group: str = "Options", **settings: Any) -> None:
        self.group = group
        default = settings.get("default")
        settings.setdefault("show_default", default not in (None, "", ()) and default is not False)
        super().__init__(*names, **settings)


argument = partial(click.argument, cls=Argument)
option = partial(click.option, cls=Option)


class GroupedCommand(click.Command):
    """A command whose help has its options in groups, and examples at the end."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Read the command line; of words that belong to nothing, say what they may have been meant for."""
        try:
            return super().parse_args(ctx, list(args))
        except click.UsageError as error:
            if type(error) is not click.UsageError:  # of an option or a value, which is named in it
                raise
            _, extra, _ = self.make_parser(ctx).parse_args(list(args))
            if not extra:
                raise
            raise click.UsageError(self._advice_on(extra, args), ctx) from None

    def _advice_on(self, extra: list[str], args: list[str]) -> str:
        told = "Not understood: " + ", ".join(map(shlex.quote, extra)) + "."
        known = {name for parameter in self.params for name in parameter.opts}
        asked = [name for name in ("--exposure", "--outcome") if name in known]
        if not asked:
            return told
        missing = [name for name in asked if not any(word.startswith(name) for word in args)]
        if len(extra) <= len(missing) and all("=" in word for word in extra):
            pairs = zip(missing[-len(extra) :], extra, strict=True)
            return f"{told} Did you mean {' '.join(f'{name} {shlex.quote(word)}' for name, word in pairs)}?"
        return f"{told} Names and values with spaces or signs are quoted, e.g. --outcome 'pay level>=3'."

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write the arguments, then the options under their headings."""
        sections: dict[str, list[tuple[str, str]]] = {"Arguments": [], **{name: [] for name in GROUPS}}
        for parameter in self.get_params(ctx):
            shown = parameter.get_help_record(ctx)
            if shown is not None:
                is_argument = isinstance(parameter, click.Argument)
                group = "Arguments" if is_argument else getattr(parameter, "group", "Options")
                sections.setdefault(group, []).append(shown)
        for heading, records in sections.items():
            if records:
                with formatter.section(heading):
                    formatter.write_dl(records)

    def format_epilog(self, ctx: Any, formatter: Any) -> None:
        """Write the examples, each on a line that can be copied whole."""
        examples = EXAMPLES.get(ctx.command_path.partition(" ")[2], ())
        if examples:
            with formatter.section("Examples"):
                for example in examples:
                    formatter.write(f"{'':>{formatter.current_indent}}{example}\n")


class Commands(click.Group):
    """Commands all of which show their help in groups, in the order in which a person needs them."""

    command_class = GroupedCommand

    def list_commands(self, ctx: Any) -> list[str]:  # noqa: ARG002 - Click asks so
        """The names of the commands, in the order in which they were declared."""
        return list(self.commands)

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write the commands under their headings, each with a whole sentence, and where to begin."""
        left = self.list_commands(ctx)
        for heading, names in {**COMMAND_GROUPS, "Commands": tuple(left)}.items():
            shown = [name for name in names if name in left]
            left = [name for name in left if name not in shown]
            if shown:
                with formatter.section(heading):
                    formatter.write_dl([(name, self._about(name)) for name in shown])
        if ctx.parent is None:
            with formatter.section("To begin"):
                for line in FIRST_STEPS:
                    formatter.write(f"{'':>{formatter.current_indent}}{line}\n")

    def _about(self, name: str) -> str:
        return self.commands[name].get_short_help_str(limit=_LONGEST_ABOUT)
