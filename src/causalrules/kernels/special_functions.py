"""SciPy's special functions, without what SciPy wraps around them.

`scipy.special` makes its functions fit for other array libraries, and loads NumPy's tests and its parser of
Fortran to do so: ten times as long as the compiled functions take, which are the same.
"""

from __future__ import annotations

import importlib
import sys
from pathlib import Path
from threading import active_count
from types import ModuleType
from typing import Any

import scipy

_PACKAGE = "scipy.special"


def _compiled_alone() -> Any:
    """The compiled functions, imported while their package is represented by an empty one.

    Nobody else may see the empty package: this is for a process that has one thread, as a command has
    when it starts.
    """
    empty = ModuleType(_PACKAGE)
    empty.__path__ = [str(Path(scipy.__path__[0]) / "special")]
    sys.modules[_PACKAGE] = empty
    try:
        return importlib.import_module(f"{_PACKAGE}._ufuncs")
    finally:
        del sys.modules[_PACKAGE]


def _functions() -> Any:
    if _PACKAGE not in sys.modules and active_count() == 1:
        try:
            return _compiled_alone()
        except ImportError:  # another SciPy keeps them elsewhere
            pass
    return importlib.import_module(_PACKAGE)


_found = _functions()
betainc, betaincinv, betainccinv = _found.betainc, _found.betaincinv, _found.betainccinv
betaln, gammaincc, xlogy = _found.betaln, _found.gammaincc, _found.xlogy
chdtrc, erfc, ndtri = _found.chdtrc, _found.erfc, _found.ndtri
stdtr, stdtrit, fdtrc = _found.stdtr, _found.stdtrit, _found.fdtrc
