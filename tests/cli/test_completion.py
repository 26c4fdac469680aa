"""Completion in the shell: what it offers, and how it is installed."""

import os
import subprocess
import sys

import pytest


def offered(*words):
    """What bash is offered for the last of these words."""
    line = ["causalrules", *words]
    asked = {
        "COMP_WORDS": " ".join(line),
        "COMP_CWORD": str(len(words)),
        "_CAUSALRULES_COMPLETE": "bash_complete",
    }
    program = "import sys; sys.argv = ['causalrules']; from causalrules.cli import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", program], env=os.environ | asked, capture_output=True, text=True, check=True
    )
    return done.stdout.split()


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("ex",), ["plain,explore"]),
        (("mine", "pat"), ["file,pat"]),  # the shell looks for files itself
        (("mine", "x.csv", "--html", "rep"), ["file,rep"]),
        (("mine", "x.csv", "--engine", "s"), ["plain,streaming", "plain,spark"]),
        (("mine", "x.csv", "--max-l"), ["plain,--max-length"]),
    ],
)
def test_commands_options_choices_and_files_are_offered(words, expected):
    assert offered(*words) == expected


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_it_is_installed_once(command, monkeypatch, tmp_path, shell):
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("SHELL", f"/usr/bin/{shell}")
    (tmp_path / f".{shell}rc").write_text("mine=1\n")
    code, _, said = command("--install-completion")
    assert code == 0
    (script,) = (path for path in tmp_path.rglob("causalrules.*") if path.is_file())
    assert str(script) in said
    assert f"_CAUSALRULES_COMPLETE={shell}_complete" in script.read_text()
    started = (tmp_path / f".{shell}rc").read_text()
    assert started.startswith("mine=1\n")
    assert (f"causalrules.{'sh' if shell == 'bash' else 'zsh'}" in started) == (shell != "fish")
    assert command("--install-completion")[0] == 0
    assert (tmp_path / f".{shell}rc").read_text() == started
    assert command("--show-completion")[1].strip() == script.read_text().strip()


def test_another_shell_is_told(refuse, monkeypatch):
    monkeypatch.setenv("SHELL", "/bin/tcsh")
    assert "Completion is for bash, zsh and fish" in refuse(2, "--show-completion")
