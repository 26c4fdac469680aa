"""Every kind of error survives a journey to another process, and speaks the words of each face."""

import importlib
import inspect
import pickle
import pkgutil
import re

import pytest

import causalrules
from causalrules import errors
from causalrules.errors import (
    CausalRulesError,
    CheckpointError,
    NothingToMineError,
    OutcomeError,
    Setting,
    SettingsError,
    SourceMissingError,
    UnknownColumnError,
    in_python,
)

GIVEN = {  # what the constructors are called with, by the name of the parameter
    "role": "outcome",
    "available": ["death", "age"],
    "known": ["adult", "german"],
    "nearby": ["a.csv"],
    "counts": {"yes": 3, "no": 4},
    "left_out": {"id": "it is constant"},
    "endings": (".csv", ".parquet"),
    "differences": ["seed: 1 there, 2 here"],
    "n_values": 7,
    "place": 3,
    "most": 2,
    "port": 80,
    "found": 1.5,
}


def kinds_of(kind):
    yield kind
    for special in kind.__subclasses__():
        yield from kinds_of(special)


def example_of(kind):
    wanted = [one for one in inspect.signature(kind).parameters.values() if one.default is one.empty]
    return kind(*(GIVEN.get(one.name, f"some {one.name}") for one in wanted))


def all_kinds():
    for module in pkgutil.walk_packages(causalrules.__path__, "causalrules."):
        if ".explorer" in module.name:  # the only package with a kind of its own
            importlib.import_module(module.name)
    return sorted(set(kinds_of(CausalRulesError)), key=lambda kind: kind.__name__)


@pytest.mark.parametrize("kind", all_kinds(), ids=lambda kind: kind.__name__)
def test_every_kind_survives_pickling(kind):
    error = example_of(kind)
    copy = pickle.loads(pickle.dumps(error))
    assert type(copy) is kind
    assert str(copy) == str(error) != ""
    assert (copy.args, vars(copy)) == (error.args, vars(error))


@pytest.mark.parametrize("kind", all_kinds(), ids=lambda kind: kind.__name__)
def test_every_kind_is_imported_from_one_place_and_stands_in_its_tree(kind):
    if kind.__module__.startswith("causalrules.explorer"):
        return
    assert kind.__module__ == "causalrules.errors"  # as a traceback names it
    assert getattr(errors, kind.__name__) is kind
    assert kind.__name__ in errors.__all__
    assert re.search(rf"\b{kind.__name__}\b", errors.__doc__)


@pytest.mark.parametrize(
    "error",
    [
        SettingsError.unknown("bin", ["bins"]),
        SettingsError.choice("pairs", ["random"], "some"),
        SettingsError.saying("rule", "leave it out"),
        CheckpointError.in_use("folder", "77"),
    ],
    ids=str,
)
def test_errors_made_in_other_ways_survive_too(error):
    copy = pickle.loads(pickle.dumps(error))
    assert (str(copy), vars(copy)) == (str(error), vars(error))


def in_a_terminal(setting):
    return f"--{setting.name}" + ("" if setting.value is None else f" {setting.value}")


@pytest.mark.parametrize(
    ("error", "for_python", "for_a_terminal"),
    [
        (
            SettingsError("bins", "a text", 5),
            "bins must be a text; it is 5.",
            "--bins must be a text; it is 5.",
        ),
        (
            OutcomeError(
                "allow more with ", Setting("memory"), " or use ", Setting("matching", "exact"), "."
            ),
            "allow more with memory= or use matching='exact'.",
            "allow more with --memory or use --matching exact.",
        ),
        (
            UnknownColumnError("drop", "agee", ["age"]),
            "drop column 'agee' is not among the table's one column. Did you mean 'age'?",
            "--drop column 'agee' is not among the table's one column. Did you mean 'age'?",
        ),
        (
            UnknownColumnError("outcome", "zz", ["age"]),
            *["outcome column 'zz' is not among the table's one column. There is: 'age'."] * 2,
        ),
    ],
)
def test_a_text_names_a_setting_in_the_words_of_the_face(error, for_python, for_a_terminal):
    assert str(error) == error.in_words(in_python) == for_python
    assert error.in_words(in_a_terminal) == for_a_terminal


def test_signs_in_data_are_not_taken_for_settings():
    text = "{bins} --bins %s"
    assert text in OutcomeError(f"the value {text} is odd").in_words(in_a_terminal)


def test_hints_are_given_once_where_no_column_is_left():
    error = NothingToMineError({"age": "it has no cut (MDL)"})
    assert str(error).startswith("no column is left to look for causes in ('age': it has no cut (MDL)). Use")
    assert "--" not in str(error)


def test_a_source_can_be_called_by_the_name_that_people_know():
    error = SourceMissingError("/scratch/7f.csv", ["b.csv"])
    told = error.renamed("my table.csv")
    assert type(told) is SourceMissingError
    assert str(told) == str(error).replace("/scratch/7f.csv", "my table.csv") == told.args[0]
    assert (told.source, error.source) == ("my table.csv", "/scratch/7f.csv")


def test_a_threshold_that_is_offered_has_few_digits():
    counts = {repr(0.0009971197838286045 + place): 1 for place in range(-20, 21)}
    assert "'bmi>=0.0009971'" in str(errors.NoValueError("outcome", "bmi", counts))
    whole = {str(place): 1 for place in range(1960, 2001)}
    assert "'year>=1980'" in str(errors.NoValueError("outcome", "year", whole))
