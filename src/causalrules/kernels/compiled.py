"""How a kernel is compiled, and where the compiled code is kept for the next run.

Numba takes as long to load as all other packages together, so it is loaded by the first kernel that is
called: what ends before that (a mistake in the command, a page from a saved result) does without it.
"""

from __future__ import annotations

import os
import stat
import tempfile
from contextlib import contextmanager
from functools import cache, update_wrapper
from pathlib import Path
from threading import RLock
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


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
    return _Kernel(function, sums_in_any_order)


_making = RLock()

_listeners: list[Callable[[], None]] = []


@contextmanager
def on_compiling(listener: Callable[[], None]) -> Iterator[None]:
    """Call the listener for each kernel that has no kept code: the first run compiles for half a minute."""
    _listeners.append(listener)
    try:
        yield
    finally:
        _listeners.remove(listener)


def announce_compiling() -> None:
    """A kernel is compiled now."""
    for listener in _listeners:
        listener()


class _Kernel:
    """A function to be compiled; kernels may call each other, as Numba's own functions do."""

    def __init__(self, function: Callable[..., Any], sums_in_any_order: bool) -> None:
        self._sums_in_any_order = sums_in_any_order
        self._compiled: Any = None
        update_wrapper(self, function)

    def __call__(self, *arguments: Any) -> Any:
        return (self._compiled or self.compiled)(*arguments)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return getattr(self.compiled, name)

    def __reduce__(self) -> str:
        return str(self.__wrapped__.__name__)

    @property
    def compiled(self) -> Any:
        """Numba's function; the plain one where its compiler is switched off."""
        with _making:
            if self._compiled is None:
                self._compiled = _njit(self.__wrapped__, fastmath=self._sums_in_any_order)
        return self._compiled

    @property
    def _numba_type_(self) -> Any:
        """What Numba asks when another kernel calls this one."""
        return self.compiled._numba_type_


def _njit(function: Any, **options: Any) -> Any:
    import numba

    from causalrules.kernels.set_bits import register_with_numba

    register_with_numba()
    compiled: Any = numba.njit(nogil=True, **options)(function)
    config: Any = numba.config
    if not config.DISABLE_JIT:
        compiled.get_call_template = _whatever_the_number(compiled.get_call_template)
        compiled._cache = _cache_of(function) or compiled._cache
        compiled._compilation_chain_init_hook = _load_no_extensions
    return compiled


def _whatever_the_number(get_call_template: Callable[..., Any]) -> Callable[..., Any]:
    """Numba compiles a function anew for each number that is written out in a call of it; ours are not."""
    from numba.core.types import unliteral

    return lambda args, kws: get_call_template(tuple(map(unliteral, args)), kws)


def _load_no_extensions() -> None:
    """Numba asks every installed package whether it can teach it more; kernels need none of that."""


def _cache_of(function: Callable[..., Any]) -> Any:
    from causalrules.kernels.code_cache import CodeCache

    for last_resort in (False, True):
        if last_resort:
            _use_private_folder()
        try:
            return CodeCache(function)
        except (RuntimeError, OSError):  # Numba found no folder that it can write to
            continue
    return None


@cache
def _use_private_folder() -> None:
    """Let Numba use a folder that nobody else can write to: compiled code is run, so it must be our own."""
    import numba

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
        config: Any = numba.config
        config.CACHE_DIR = str(folder)
