"""The notebook of the examples runs, and shows what it should, without scripts and offline."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

NOTEBOOK = Path(__file__).parents[1] / "examples" / "first_hour.ipynb"

EXECUTE = """
import sys
import nbformat
from nbclient import NotebookClient

notebook = nbformat.read(sys.argv[1], as_version=4)
NotebookClient(notebook, timeout=600, resources={"metadata": {"path": sys.argv[2]}}).execute()
nbformat.write(notebook, sys.argv[3])
"""


@pytest.fixture(scope="module")
def outputs(tmp_path_factory):
    """Source and outputs of each cell; in a process of its own, since a kernel leaves loops and sockets."""
    folder = tmp_path_factory.mktemp("notebook")
    command = [sys.executable, "-c", EXECUTE, str(NOTEBOOK), str(folder), str(folder / "done.ipynb")]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    cells = json.loads((folder / "done.ipynb").read_text(encoding="utf-8"))["cells"]
    return {"".join(cell["source"]): cell["outputs"] for cell in cells if cell["cell_type"] == "code"}


def shown(outputs, beginning):
    """The HTML of the cell that begins so."""
    (found,) = (cell for source, cell in outputs.items() if source.startswith(beginning))
    return "".join("".join(one["data"]["text/html"]) for one in found if "text/html" in one.get("data", {}))


def printed(outputs, beginning):
    (found,) = (cell for source, cell in outputs.items() if source.startswith(beginning))
    return "".join("".join(one.get("text", one.get("data", {}).get("text/plain", ""))) for one in found)


def test_a_result_is_its_answer_with_a_picture(outputs):
    html = shown(outputs, "result = causalrules.mine")
    assert "5 causal rules (4 findings) for ill=yes" in html
    assert "smoker=yes or smoker_copy=yes" in html
    assert html.count("<svg") == 1


def test_a_rejected_test_is_explained(outputs):
    html = shown(outputs, "causalrules.test(")
    assert "treatment=new: rejected" in html
    assert "Why not: what is held, one more at a time" in html
    assert "+ severity=high" in html


def test_a_rule_and_a_comparison_are_shown(outputs):
    assert "How the study was done" in shown(outputs, "rule = result.find")
    assert "mahalanobis" in shown(outputs, "causalrules.compare_matching")


def test_differences_and_graphs_are_printed(outputs):
    assert "smoker_copy=yes (not tested in the second)" in printed(outputs, "known = ")
    assert "True\npdag {" in printed(outputs, "result.report")  # of some it is not known what came first


def test_an_error_ends_with_its_sentence(outputs):
    (error,) = outputs['causalrules.mine(patients, outcome="il=yes")']
    assert error["ename"] == "UnknownColumnError"
    assert len(error["traceback"]) == 1
    assert "Did you mean 'ill'?" in error["traceback"][0]


def test_only_the_one_mistake_is_one(outputs):
    assert sum(one["output_type"] == "error" for cell in outputs.values() for one in cell) == 1


def test_nothing_is_fetched_or_run_by_the_page(outputs):
    pages = "".join("".join(one["data"].get("text/html", "")) for cell in outputs.values() for one in cell
                    if "data" in one)  # fmt: skip
    ours = re.sub(r"<style scoped>.*?</style>", "", pages, flags=re.DOTALL)  # pandas styles its tables
    assert not re.search(r"<script|<link|<style|<iframe|\bon\w+=|javascript:", ours)
    assert set(re.findall(r"https?://[^\"<\s]+", ours)) <= {"http://www.w3.org/2000/svg"}
