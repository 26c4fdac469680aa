"""Without causalrules-lab its commands say in a sentence what to install; all else works."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import causalrules

SOURCE = Path(causalrules.__file__).parents[1]
INSTALL = "needs the package causalrules-lab: pip install causalrules-lab."


@pytest.fixture(scope="module")
def packages(tmp_path_factory):
    """Everything that is installed but the lab, as Python would find it had nobody installed that."""
    folder = tmp_path_factory.mktemp("packages")
    for place in filter(os.path.isdir, map(Path, sys.path)):
        if place.name in ("site-packages", "dist-packages"):
            for path in place.iterdir():
                if not path.name.startswith(("causalrules_lab", "_causalrules_lab", "__pycache__")):
                    try:
                        (folder / path.name).symlink_to(path)
                    except FileExistsError:
                        continue
                    except OSError as error:
                        pytest.skip(f"no links on this system: {error}")
    return folder


@pytest.fixture
def python(packages, tmp_path):
    """Run Python without the lab: -S keeps it from reading where editable installs are."""

    def run(*arguments):
        paths = os.pathsep.join(map(str, (SOURCE, packages)))
        done = subprocess.run(
            [sys.executable, "-S", *arguments],
            env={**os.environ, "PYTHONPATH": paths},
            cwd=tmp_path,
            capture_output=True,
            text=True,
            check=False,
        )
        return done.returncode, done.stdout, done.stderr

    return run


COMMANDS = {
    "compare t.csv --outcome ill=yes": "`compare`",
    "reproduce stability": "`reproduce`",
    "reproduce --list": "`reproduce`",
    "datasets list": "`datasets`",
    "datasets get adult": "`datasets`",
    "simulate network -o t.csv": "every kind but `hospital`",
    "simulate V8-2K -o t.csv": "every kind but `hospital`",
}


@pytest.mark.parametrize("typed", COMMANDS)
def test_a_command_of_the_lab_says_what_to_install(python, tmp_path, typed):
    said = f"causalrules: {COMMANDS[typed]} {INSTALL}\n"
    assert python("-m", "causalrules", *typed.split()) == (1, "", said)
    assert list(tmp_path.iterdir()) == []


def test_the_hospital_is_simulated_and_the_list_names_the_lab(python, tmp_path):
    code, out, err = python("-m", "causalrules", "simulate", "hospital", "-o", "t.csv", "--records", "50")
    assert (code, err) == (0, "")
    assert out.startswith("50 patients in t.csv. What was planted (outcome: ill=yes):")
    assert len((tmp_path / "t.csv").read_text().splitlines()) == 51
    code, out, _ = python("-m", "causalrules", "simulate", "--list")
    assert code == 0
    assert out.startswith("hospital: ")
    assert out.endswith("Further kinds come with the package causalrules-lab: pip install causalrules-lab\n")


FROM_PYTHON = """
from causalrules import *
import causalrules

patients = simulate("hospital", n_records=50).table
for needs_the_lab in (
    lambda: compare(patients, "ill=yes"),
    lambda: simulate("network"),
    lambda: datasets.get("adult"),
):
    try:
        needs_the_lab()
    except causalrules.CausalRulesError as error:
        print(error)
"""


def test_functions_of_the_lab_say_what_to_install(python):
    code, out, err = python("-c", FROM_PYTHON)
    assert (code, err) == (0, "")
    parts = ("`compare`", "every kind but `hospital`", "`datasets`")
    assert out.splitlines() == [f"{part} {INSTALL}" for part in parts]
