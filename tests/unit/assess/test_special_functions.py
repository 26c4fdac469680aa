"""SciPy's functions are SciPy's, whichever way they were imported; nobody else notices."""

import ast
import subprocess
import sys

import pytest

VALUES = {
    "betainc": (3.0, 4.5, 0.3),
    "betaincinv": (3.0, 4.5, 0.3),
    "betainccinv": (3.0, 4.5, 0.3),
    "betaln": (3.0, 4.5),
    "chdtrc": (3.0, 4.5),
    "erfc": (1.3,),
    "gammaincc": (3.0, 4.5),
    "ndtri": (0.3,),
    "stdtr": (3.0, 0.4),
    "stdtrit": (3.0, 0.4),
    "xlogy": (3.0, 0.4),
}
ALONE = "from causalrules.kernels import special_functions as ours"
BESIDE_A_THREAD = f"""
from threading import Event, Thread
stop = Event()
Thread(target=stop.wait).start()
{ALONE}
stop.set()
"""

KEPT_ELSEWHERE = f"""
import importlib
found = importlib.import_module

def not_there(name):
    if name.endswith("_ufuncs"):
        raise ImportError(name)
    return found(name)

importlib.import_module = not_there
{ALONE}
"""


def run(program):
    told = (
        f"import sys\n{program}\n"
        "was_loaded = 'scipy.special' in sys.modules\n"
        "import scipy.optimize, scipy.special as theirs, scipy.stats\n"
        f"values = {VALUES}\n"
        "same = [getattr(ours, name)(*at) == getattr(theirs, name)(*at) for name, at in values.items()]\n"
        "print((was_loaded, bool(all(same)), float(scipy.stats.norm.cdf(0))))"
    )
    done = subprocess.run([sys.executable, "-c", told], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return ast.literal_eval(done.stdout)


@pytest.mark.parametrize(
    ("program", "is_loaded"), [(ALONE, False), (BESIDE_A_THREAD, True), (KEPT_ELSEWHERE, True)]
)
def test_they_are_scipys_and_scipy_can_be_loaded_afterwards(program, is_loaded):
    assert run(program) == (is_loaded, True, 0.5)
