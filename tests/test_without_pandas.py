"""Mining, reports and frames of other libraries need no pandas; what does names the extra."""

import subprocess
import sys

PROGRAM = """
import sys


class NoPandas:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] == "pandas":
            raise ModuleNotFoundError("No module named 'pandas'", name="pandas")


sys.meta_path.insert(0, NoPandas())
import causalrules

patients = causalrules.simulate("hospital", n_records=800).table
result = causalrules.mine(patients, "ill=yes", max_length=1)
assert "severity" in result._repr_html_()
result.report("page.html")
assert result.to_frame(library="arrow").num_rows == result.to_frame(library="polars").height > 0
assert result.rules[0].mask(patients).to_pylist().count(True) == result.rules[0].exposed
mask = [value == "yes" for value in patients["ill"].to_pylist()]
again = causalrules.mine(patients.drop_columns(["ill"]).to_pydict(), mask, max_length=1)
assert again.rules == result.rules
try:
    result.to_frame()
except causalrules.CausalRulesError as error:
    print(error)
"""


def test_only_frames_of_pandas_need_pandas(tmp_path):
    done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "pip install 'causalrules[pandas]'" in done.stdout
