"""``python -m experiments.commands_page`` writes docs/reference/commands.md from the options themselves."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from causalrules.cli.commands import app
from causalrules.cli.help_text import EXAMPLES, GROUPS

if TYPE_CHECKING:
    from collections.abc import Iterator

PAGE = Path(__file__).parent.parent / "docs" / "reference" / "commands.md"
_HEAD = """# Commands

What `causalrules --help` and `causalrules COMMAND --help` say, on one page. Lists are separated by commas
(`\\,` for a comma in a name). Quote what holds `<`, `>`, `|` or `&`. `causalrules --install-completion`
teaches your shell to complete commands, options and their choices.
Written by `python -m experiments.commands_page`.
"""


def page() -> str:
    """The page, a section for each command."""
    return _HEAD + "".join(_section(path, command) for path, command in _commands(app))


def _commands(group: Any, before: str = "") -> Iterator[tuple[str, Any]]:
    for name, command in group.commands.items():
        path = f"{before}{name}"
        if hasattr(command, "commands"):
            yield from _commands(command, f"{path} ")
        else:
            yield path, command


def _section(path: str, command: Any) -> str:
    arguments = [one for one in command.params if one.param_type_name == "argument"]
    usage = " ".join(["causalrules", path, *(one.name.upper() for one in arguments), "[OPTIONS]"])
    text = f"\n## {path}\n\n{command.help}\n\n```sh\n{usage}\n```\n"
    if arguments:
        rows = "".join(f"| `{one.name.upper()}` | {_escaped(one.about)} |\n" for one in arguments)
        text += f"\n| argument | meaning |\n|---|---|\n{rows}"
    for heading in (*GROUPS, "Options"):
        text += _table(heading, [one for one in command.params if _heading(one) == heading])
    examples = "\n".join(EXAMPLES.get(path, ()))
    return text + (f"\nExamples:\n\n```sh\n{examples}\n```\n" if examples else "")


def _heading(parameter: Any) -> str | None:
    is_shown = parameter.param_type_name != "argument" and not parameter.hidden
    return parameter.group if is_shown else None


def _table(heading: str, options: list[Any]) -> str:
    if not options:
        return ""
    rows = "".join(f"| {_names(one)} | {_default(one)} | {_escaped(one.help or '')} |\n" for one in options)
    return f"\n**{heading}**\n\n| option | default | meaning |\n|---|---|---|\n{rows}"


def _names(option: Any) -> str:
    return ", ".join(f"`{name}`" for name in (*option.opts, *option.secondary_opts))


def _default(option: Any) -> str:
    if option.required:
        return "must be given"
    return f"`{option.default}`" if option.show_default else ""


def _escaped(text: str) -> str:
    """A text as a cell of a table holds it."""
    return " ".join(text.split()).replace("|", "\\|").replace("<", "&lt;")


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
