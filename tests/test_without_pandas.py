"""Mining, the terminal and frames of other libraries need no pandas; what does names the extra."""

import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

NO_PANDAS = """
import sys


class NoPandas:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] == "pandas":
            raise ModuleNotFoundError("No module named 'pandas'", name="pandas")


sys.meta_path.insert(0, NoPandas())
"""

LIBRARY = """
import causalrules
from pyarrow import csv

patients = causalrules.simulate("hospital", n_records=800).table
csv.write_csv(patients, "patients.csv")
result = causalrules.mine(patients, "ill=yes", max_length=1)
assert causalrules.mine("patients.csv", "ill=yes", max_length=1).rules == result.rules
assert "severity" in result._repr_html_()
result.report("page.html")
assert result.to_frame(library="arrow").num_rows == result.to_frame(library="polars").height > 0
assert result.rules[0].mask(patients).to_pylist().count(True) == result.rules[0].exposed
mask = [value == "yes" for value in patients["ill"].to_pylist()]
again = causalrules.mine(patients.drop_columns(["ill"]).to_pydict(), mask, max_length=1)
assert again.rules == result.rules
table1 = causalrules.table1(patients, "ill=yes", "smoker=yes")
matching = causalrules.compare_matching(patients, "ill=yes", "smoker=yes")
methods = causalrules.compare(patients, "ill=yes", methods=["association"])
handed = result.to_dowhy()
assert table1.to_frame("arrow").num_rows and matching.to_frame("arrow").num_rows
assert methods.to_frame("arrow").num_rows and handed.data(patients, "arrow").num_rows == 800
assert result.matched(0, "patients.csv", "arrow").num_rows == result.matched(0, patients).num_rows
for needs_pandas in (
    result.to_frame,
    table1.to_frame,
    matching.to_frame,
    methods.to_frame,
    lambda: handed.data(patients),
    lambda: result.matched(0, "patients.csv"),
):
    try:
        needs_pandas()
    except causalrules.CausalRulesError as error:
        print(error)
"""


def without_pandas(program, folder):
    command = [sys.executable, "-c", NO_PANDAS + program]
    done = subprocess.run(command, capture_output=True, text=True, cwd=folder)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_only_frames_of_pandas_need_pandas(tmp_path):
    assert without_pandas(LIBRARY, tmp_path).splitlines() == 6 * [
        "a pandas data frame needs pandas, which is not installed. Install it with: "
        "pip install 'causalrules[pandas]'. Or ask for library='arrow', which needs nothing more."
    ]


COMMANDS = [
    "simulate hospital --records 800 -o patients.csv",
    "mine patients.csv --outcome ill=yes --csv rules.csv --parquet rules.parquet"
    " --json result.json --html page.html",
    "test patients.csv --outcome ill=yes --exposure smoker=yes --matched matched.csv",
    "table1 patients.csv --outcome ill=yes --exposure smoker=yes",
    "compare-matching patients.csv --outcome ill=yes --exposure smoker=yes",
    "report result.json --output again.html",
]


def test_the_terminal_needs_no_pandas(tmp_path):
    for command in COMMANDS:  # each in its own process, which a command may leave at once
        without_pandas(
            f"from causalrules.cli import main\nsys.argv = ['causalrules', *{command.split()}]\nmain()",
            tmp_path,
        )
    written = {path.name for path in tmp_path.iterdir()}
    assert {"rules.csv", "rules.parquet", "result.json", "page.html", "matched.csv", "again.html"} <= written


@pytest.fixture(scope="module")
def project():
    return tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text())["project"]


def test_pandas_is_an_extra(project):
    assert not [one for one in project["dependencies"] if one.startswith("pandas")]
    assert "pandas" in project["optional-dependencies"]["all"][0]
