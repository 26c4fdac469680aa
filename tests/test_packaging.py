"""What is published and how: pinned versions, and workflows that call what the Makefile has."""

import re
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

HOME = Path(__file__).parents[1]
PROJECT = tomllib.loads((HOME / "pyproject.toml").read_text(encoding="utf-8"))["project"]
OLDEST = (HOME / "tests" / "oldest.txt").read_text(encoding="utf-8")


def asked_for():
    """Everything that `causalrules[all]` asks for."""
    extras = PROJECT["optional-dependencies"]
    names = re.search(r"\[(.*)\]", extras["all"][0])[1].split(",")
    texts = [*PROJECT["dependencies"], *(text for name in names for text in extras[name])]
    return [Requirement(text) for text in texts]


def pinned(text):
    """Versions by package; a package may have several, for several systems."""
    found = {}
    for name, version in re.findall(r"^([A-Za-z0-9._-]+)==([^\s;\\]+)", text, re.MULTILINE):
        found.setdefault(canonicalize_name(name), []).append(version)
    return found


@pytest.mark.parametrize("needed", asked_for(), ids=str)
def test_the_lock_has_a_version_that_is_allowed(needed):
    versions = pinned((HOME / "requirements.lock").read_text(encoding="utf-8")).get(
        canonicalize_name(needed.name)
    )
    assert versions, f"{needed.name} is not in requirements.lock: make lock"
    assert all(needed.specifier.contains(version) for version in versions), "make lock"


def test_every_locked_version_has_checksums_and_no_address():
    text = (HOME / "requirements.lock").read_text(encoding="utf-8")
    entries = [entry for entry in re.split(r"^(?=\S)", text, flags=re.MULTILINE) if "==" in entry]
    assert len(entries) > len(asked_for())
    assert all("--hash=sha256:" in entry for entry in entries)
    assert "://" not in text


def test_the_oldest_versions_are_those_that_are_allowed():
    """What is tested as oldest is what pyproject.toml says: no older, no newer."""
    tried = pinned(OLDEST)
    for text in PROJECT["dependencies"]:
        needed = Requirement(text)
        (version,) = tried[canonicalize_name(needed.name)]
        (bound,) = [one.version for one in needed.specifier if one.operator == ">="]
        assert Version(version) == Version(bound), needed.name


def test_the_lab_needs_the_version_beside_it():
    lab = tomllib.loads((HOME / "lab" / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert lab["version"] == PROJECT["version"]
    assert lab["dependencies"] == [f"causalrules=={PROJECT['version']}"]


CALLS = [HOME / ".ci" / "run", *sorted((HOME / ".github" / "workflows").glob("*.yml"))]


@pytest.mark.parametrize("path", CALLS, ids=lambda path: path.name)
def test_what_continuous_integration_calls_is_in_the_makefile(path):
    targets = set(re.search(r"\.PHONY: (.*)", (HOME / "Makefile").read_text())[1].split())
    text = path.read_text(encoding="utf-8")
    lines = [line for line in text.splitlines() if not line.lstrip().startswith("#")]
    calls = re.findall(r"\bmake (?:[A-Z]+=\S+ )*([a-z]+(?: [a-z]+)*)", "\n".join(lines))
    called = {target for call in calls for target in call.split()}
    assert called <= targets
    assert called or path.name == "codeql.yml"
