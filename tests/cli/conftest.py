"""A way to run commands in this process, for the files that do not bring their own."""

import sys

import pytest

from causalrules.cli.main import main


@pytest.fixture
def run(monkeypatch, capsys):
    """Run a command in this process; its exit code and what it said."""

    def run(*arguments):
        monkeypatch.setattr(sys, "argv", ["causalrules", *map(str, arguments)])
        with pytest.raises(SystemExit) as stop:
            main()
        said = capsys.readouterr()
        return stop.value.code or 0, said.out, said.err

    return run


@pytest.fixture
def command(run, monkeypatch, tmp_path):
    """Run a command in an empty folder; its exit code and what it said."""
    monkeypatch.chdir(tmp_path)
    return run


@pytest.fixture
def refuse(command, tmp_path):
    """Run a command that must fail with one message and leave no file behind."""

    def refuse(code, *arguments):
        before = sorted(tmp_path.iterdir())
        found, out, err = command(*arguments)
        assert (found, out) == (code, ""), err
        assert err.startswith("causalrules: ")
        assert err.count("\n") == 1
        assert sorted(tmp_path.iterdir()) == before
        return err

    return refuse
