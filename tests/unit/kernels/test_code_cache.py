"""Compiled code from the disk: loaded without the compiler, and still there for it."""

import ast
import os
import subprocess
import sys

import pytest

pytestmark = pytest.mark.skipif("NUMBA_DISABLE_JIT" in os.environ, reason="nothing is compiled")

KERNELS = """
import numpy as np
from causalrules.kernels.compiled import kernel

@kernel
def squares(numbers):
    found = np.empty_like(numbers)
    for i in range(len(numbers)):
        found[i] = numbers[i] * numbers[i]
    return found

@kernel
def sum_of_squares(numbers):
    return squares(numbers).sum()

@kernel
def at(numbers, place):
    return numbers[place]

@kernel
def sum_of_two(numbers):
    return at(numbers, 1) + at(numbers, 2)
"""


@pytest.fixture
def run(tmp_path):
    """Call kernels one after the other in a new process; their answers, and which were loaded."""
    (tmp_path / "two_kernels.py").write_text(KERNELS)
    path = os.pathsep.join([str(tmp_path), *sys.path])
    environment = os.environ | {"PYTHONPATH": path, "NUMBA_CACHE_DIR": str(tmp_path / "kept")}

    def run(*names):
        program = (
            "import numpy as np, sys, two_kernels\n"
            "from causalrules.kernels.compiled import on_compiling\n"
            "numbers, told, compiling = np.arange(5), [], []\n"
            f"for kernel in [getattr(two_kernels, name) for name in {names}]:\n"
            "    with on_compiling(lambda: compiling.append(1)):\n"
            "        found = np.asarray(kernel(numbers)).tolist()\n"
            "    told.append((found, bool(kernel.stats.cache_hits)))\n"
            "    assert bool(compiling) != told[-1][1], 'compiled untold, or told without cause'\n"
            "    compiling.clear()\n"
            "print((told, [name for name in ('scipy.linalg', 'numba.np.arrayobj') if name in sys.modules]))"
        )
        done = subprocess.run(
            [sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
        return ast.literal_eval(done.stdout)

    run.folder = tmp_path / "kept"
    return run


def test_kept_code_is_loaded_without_the_compiler(run):
    assert run("squares")[0] == [([0, 1, 4, 9, 16], False)]
    assert run("squares") == ([([0, 1, 4, 9, 16], True)], [])


def test_a_kernel_is_compiled_with_kept_code_inside(run):
    run("squares")
    assert run("squares", "sum_of_squares")[0] == [([0, 1, 4, 9, 16], True), (30, False)]
    assert run("sum_of_squares", "squares")[0] == [(30, True), ([0, 1, 4, 9, 16], True)]


def test_numbers_that_are_written_out_share_one_compiled_code(run):
    assert run("sum_of_two")[0] == [(3, False)]
    kept = [file.name for file in run.folder.rglob("two_kernels.at-*.nbc")]
    assert len(kept) == 1
