"""--settings RESULT.json asks again what a run was asked."""

import pytest
from click.testing import CliRunner

import causalrules
from causalrules.cli.commands import app
from causalrules.errors import ResultMissingError, SettingsError


def run(*arguments):
    return CliRunner().invoke(app, list(map(str, arguments)), catch_exceptions=False)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("repeat")
    run("simulate", "hospital", "-o", folder / "patients.csv", "--records", "2000")
    run("mine", folder / "patients.csv", "--outcome", "ill=yes", "--max-length", "1", "--adjust", "+severity",
        "--json", folder / "first.json")  # fmt: skip
    return folder


def test_a_run_is_repeated(folder):
    run("mine", folder / "patients.csv", "--settings", folder / "first.json", "--json", folder / "again.json")
    first, again = (causalrules.Result.load(folder / name) for name in ("first.json", "again.json"))
    assert again.settings == first.settings
    assert again.tested == first.tested
    assert again.data.outcome == first.data.outcome


def test_what_is_typed_changes_it(folder):
    changed = ("--alpha", "0.01", "--json", folder / "other.json")
    run("mine", folder / "patients.csv", "--settings", folder / "first.json", *changed)
    first, other = (causalrules.Result.load(folder / name) for name in ("first.json", "other.json"))
    assert other.settings == first.settings.changed(alpha=0.01)


def test_a_test_is_repeated_with_its_exposure(folder):
    asked = ("--outcome", "ill=yes", "--exposure", "smoker=yes", "--adjust", "severity")
    run("test", folder / "patients.csv", *asked, "--json", folder / "test.json")
    again = run("test", folder / "patients.csv", "--settings", folder / "test.json")
    assert again.output == run("test", folder / "patients.csv", *asked).output
    assert "smoker=yes: causal" in again.output


def test_what_brought_the_papers_procedure_is_told_first(folder):
    asked = {"max_length": 1, "bootstrap": 20}
    table = folder / "patients.csv"
    first = causalrules.mine(table, "ill=yes", **asked)
    assert first.data.notes[0].startswith("bootstrap (20) belongs to the paper's procedure")
    first.save(folder / "switched.json")
    for settings in (first, folder / "switched.json"):  # who repeats it asks for it by its name
        again = causalrules.mine(table, settings=settings)
        assert (again.tested, again.data.notes) == (first.tested, ())
    assert causalrules.mine(table, "ill=yes", controls="items", **asked).data.notes == ()


def test_without_a_result_the_outcome_must_be_said(folder):
    with pytest.raises(SettingsError, match="Missing option '--outcome'"):
        run("mine", folder / "patients.csv")
    with pytest.raises(ResultMissingError, match="first"):
        run("mine", folder / "patients.csv", "--settings", folder / "firts.json")
