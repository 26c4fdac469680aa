"""Completion in the shell: bash, zsh and fish ask the command itself what may follow."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

import click

from causalrules.cli.help_text import option
from causalrules.errors import SettingsError

NAME = "causalrules"

_PLACES = {
    "bash": (".bash_completions/causalrules.sh", ".bashrc", "source ~/.bash_completions/causalrules.sh"),
    "zsh": (".zfunc/causalrules.zsh", ".zshrc", "source ~/.zfunc/causalrules.zsh"),
    "fish": (".config/fish/completions/causalrules.fish", None, ""),
}
"""For each shell: where the script goes, and the line that its start-up file needs to find it there."""


def options(command: Any) -> Any:
    """Let the whole command take ``--install-completion`` and ``--show-completion``."""
    for name, act, about in (
        ("--show-completion", _show, "Show completion for the current shell, to copy it."),
        ("--install-completion", _install, "Install completion for the current shell."),
    ):
        command = option(
            name, is_flag=True, is_eager=True, expose_value=False, callback=_only_if_asked(act), help=about
        )(command)
    return command


def _only_if_asked(act: Any) -> Any:
    def call(context: Any, _option: Any, wanted: bool) -> None:
        if wanted:
            act(context.command)
            raise click.exceptions.Exit

    return call


def _shell() -> str:
    name = Path(os.environ.get("SHELL", "")).stem
    if name not in _PLACES:
        raise SettingsError.saying("SHELL", f"Completion is for bash, zsh and fish; the shell is {name!r}.")
    return name


def _script(command: Any, shell: str) -> str:
    from click.shell_completion import get_completion_class

    makes = get_completion_class(shell)
    assert makes is not None  # Click knows all of ours
    return makes(command, {}, NAME, f"_{NAME.upper()}_COMPLETE").source()


def _show(command: Any) -> None:
    print(_script(command, _shell()))


def _install(command: Any) -> None:
    shell = _shell()
    place, start_up, line = _PLACES[shell]
    path = Path.home() / place
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(_script(command, shell))
    if start_up is not None:
        started = Path.home() / start_up
        before = started.read_text() if started.exists() else ""
        if line not in before:
            started.write_text(f"{before.rstrip()}\n{line}\n".lstrip())
    print(f"{shell} completion installed in {path}. It works in the next shell.", file=sys.stderr)
