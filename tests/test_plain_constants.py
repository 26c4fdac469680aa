"""What decides is in one place, on one page, and each has an experiment that notices its absence."""

import ast
import re
import sys
from importlib import import_module
from itertools import pairwise
from pathlib import Path

import pytest

from causalrules.words import constants

ROOT = Path(__file__).resolve().parents[1]
PAGE = (ROOT / "docs" / "method_plain.md").read_text(encoding="utf-8")
NAMES = [name for name in vars(constants) if name.isupper()]
MOST, MOST_WORDS = 25, 800


def docstrings():
    """What stands below each constant."""
    body = ast.parse(Path(constants.__file__).read_text(encoding="utf-8")).body
    return {
        one.targets[0].id: text.value.value
        for one, text in pairwise(body)
        if isinstance(one, ast.Assign) and isinstance(text, ast.Expr)
    }


def table():
    """Of each constant on the page its numbers."""
    rows = re.findall(r"^`([A-Z_]+)`\|([^|]*)\|.+$", PAGE, re.MULTILINE)
    return {name: [float(number) for number in re.findall(r"\d+(?:\.\d+)?", value)] for name, value in rows}


def numbers(value):
    return [float(one) for one in (value if isinstance(value, tuple) else (value,))]


def test_few_constants_decide():
    assert len(NAMES) <= MOST
    assert set(docstrings()) == set(NAMES)


def test_the_method_fits_on_one_page():
    assert len(PAGE.split()) <= MOST_WORDS


def test_the_page_has_every_constant_as_it_is():
    assert table() == {name: numbers(getattr(constants, name)) for name in NAMES}


@pytest.fixture(scope="module")
def ablation():
    """Experiments are run from the project's folder; what is imported from there is forgotten."""
    sys.path.insert(0, str(ROOT))
    yield import_module("experiments.plain_ablation")
    sys.path.remove(str(ROOT))
    for name in [name for name in sys.modules if name.split(".")[0] == "experiments"]:
        del sys.modules[name]


@pytest.mark.parametrize("name", NAMES)
def test_an_experiment_notices_its_absence(name, ablation):
    named = re.search(r"\[([^\]]+)\]$", docstrings()[name])
    assert named is not None
    own = " ".join(named.group(1).split())
    assert own in ablation.GROUPS["known"] | ablation.GROUPS["rows"]
    switches = [one for one in ablation.SWITCHES["plain"] if one.place == f"{ablation.CONSTANTS}:{name}"]
    assert [one.own for one in switches] == [own]


def test_every_switch_has_its_place_and_its_tables(ablation):
    for switch in ablation.SWITCHES["plain"]:
        assert switch.own in ablation.GROUPS["known"] | ablation.GROUPS["rows"]
        module, _, path = switch.place.partition(":")
        with ablation.switched_off(switch):
            found = import_module(module)
            for name in path.split("."):
                found = getattr(found, name)
            assert found is switch.without


def test_the_table_of_the_ablation_is_written_between_its_marks(ablation):
    lines = [["whole", "5.0", "90.0", "95.0", "95.0", "0.01", "90.0", "", ""]]
    page = ablation.page(lines, "## Parts", "# A page\n\nText.\n")
    assert ablation.page(lines, "## Parts", page) == page
    assert page.startswith("# A page\n\nText.\n")
    assert "| whole | 5.0 |" in page
