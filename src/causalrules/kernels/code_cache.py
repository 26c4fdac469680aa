"""Compiled code on disk, which is loaded without its compiler.

Numba, when it loads a kernel, gets ready to compile others: it loads all that its compiler knows, and SciPy's
BLAS with it, compiles its runtime anew, and parses the kernel's intermediate code, into which another
kernel could be linked. That takes far longer than to run a small table. Here only the machine code is
loaded; the compiler loads the rest itself where it is called after all.
"""

from __future__ import annotations

import sys
from functools import cache
from typing import Any

import numba.core.runtime._nrt_python as runtime
from llvmlite import binding as llvm
from numba.core.caching import CompileResultCacheImpl, FunctionCache
from numba.core.codegen import JITCodeLibrary
from numba.core.environment import Environment, lookup_environment

from causalrules.kernels.compiled import announce_compiling


class _CachedKernel(CompileResultCacheImpl):
    """What the cache holds of a kernel.

    Each of Numba's own functions inside of it has an environment: the names of the module that it is
    written in. Compiled code has no use for them, but Numba would load the module, and much of the compiler
    with it.
    """

    def reduce(self, cres: Any) -> Any:
        *rest, environments = super().reduce(cres)
        return *rest, [(one.env_name, one.globals["__name__"], one.consts) for one in environments]

    def rebuild(self, target_context: Any, payload: Any) -> Any:
        *rest, environments = payload
        return super().rebuild(target_context, (*rest, tuple(_environment(*one) for one in environments)))


def _environment(name: str, module: str, constants: list[Any]) -> Any:
    known = lookup_environment(name)
    if known is None:
        known = Environment(vars(sys.modules[module]) if module in sys.modules else {"__name__": module})
        known.consts[:] = constants
        known.env_name = name
        Environment._memo[name] = known
    return known


class CodeCache(FunctionCache):
    """The compiled code of one kernel, as a convenience: what cannot be written or read is compiled again."""

    _impl_class = _CachedKernel

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """The cached code, or None: then it is compiled."""
        try:
            _register_runtime_symbols()
            target_context.codegen()._library_class = _Library
            cached = self._load_overload(sig, target_context)
        except Exception:  # a damaged file can fail anywhere while it is being unpickled
            cached = None
        if cached is None:
            announce_compiling()
        return cached

    def save_overload(self, sig: Any, data: Any) -> None:
        """Write a kernel's code, unless the disk is full or became read-only."""
        try:
            super().save_overload(sig, data)
        except OSError:
            self.disable()


@cache
def _register_runtime_symbols() -> None:
    """Cached code calls Numba's runtime (arrays are allocated there) by these names."""
    for name, address in runtime.c_helpers.items():
        llvm.add_symbol(name if name.startswith("_") else f"NRT_{name}", address)


class _Library(JITCodeLibrary):
    """Machine code of a kernel, and its intermediate code, parsed when the compiler asks for it."""

    _unparsed: bytes | None = None

    @classmethod
    def _unserialize(cls, codegen: Any, state: Any) -> Any:
        name, kind, data = state
        if kind != "object":
            return super()._unserialize(codegen, state)
        self = codegen.create_library(name)
        machine_code, self._unparsed = data
        self.enable_object_caching()
        self._set_compiled_object(machine_code)
        self._finalize_final_module()
        return self

    def get_pointer_to_function(self, name: str) -> int:
        """Address of a function; of unparsed code only the linker knows the names."""
        if self._unparsed is None:
            return int(super().get_pointer_to_function(name))
        return int(self._codegen._engine.get_function_address(name))

    def _get_module_for_linking(self) -> Any:
        if self._unparsed is not None:
            self._shared_module, self._unparsed = llvm.parse_bitcode(self._unparsed), None
            self._codegen._engine._load_defined_symbols(self._shared_module)
        return super()._get_module_for_linking()
