"""How a kernel is compiled, and where the compiled code is kept for the next run."""

from __future__ import annotations

import os
import stat
import tempfile
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numba
from numba.core.caching import FunctionCache

if TYPE_CHECKING:
    from collections.abc import Callable


_numba_config: Any = numba.config


class _ForgivingCache(FunctionCache):
    """Compiled code on disk, as a convenience: what cannot be kept or read is compiled again."""

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        try:
            return super().load_overload(sig, target_context)
        except Exception:  # a damaged file can fail anywhere while it is being unpickled
            return None

    def save_overload(self, sig: Any, data: Any) -> None:
        try:
            super().save_overload(sig, data)
        except OSError:  # a full disk, or a folder that became read-only
            self.disable()


def kernel(function: Callable[..., Any], *, sums_in_any_order: bool = False) -> Any:
    """Compile on the first call, without the interpreter lock, and keep the code where that is possible.

    The code is kept beside the module, else in the user's cache folder (both
    are Numba's own choices), else in a private folder for temporary files. A
    service without any writable folder compiles at every start.

    Parameters
    ----------
    sums_in_any_order : bool
        Whether floating-point sums may be regrouped, for speed; their last digits may then differ
        between machines.
    """
    compiled: Any = numba.njit(nogil=True, fastmath=sums_in_any_order)(function)
    if _numba_config.DISABLE_JIT:
        return compiled
    compiled._cache = _cache_of(function) or compiled._cache
    return compiled


def _cache_of(function: Callable[..., Any]) -> _ForgivingCache | None:
    for last_resort in (False, True):
        if last_resort:
            _use_private_folder()
        try:
            return _ForgivingCache(function)
        except (RuntimeError, OSError):  # Numba found no folder that it can write to
            continue
    return None


@cache
def _use_private_folder() -> None:
    """Let Numba use a folder that nobody else can write to: compiled code is run, so it must be our own."""
    if not hasattr(os, "getuid"):
        return
    folder = Path(tempfile.gettempdir()) / f"causalrules-{os.getuid()}"
    try:
        folder.mkdir(mode=0o700, exist_ok=True)
        found = folder.lstat()
    except OSError:
        return
    is_ours = found.st_uid == os.getuid() and stat.S_IMODE(found.st_mode) == 0o700
    if is_ours and stat.S_ISDIR(found.st_mode):
        _numba_config.CACHE_DIR = str(folder)
