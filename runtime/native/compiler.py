"""From the text of an LLVM module to machine code in this process, by llvmlite: the extra `native`.

    code = compile_module(text)
    code.entry(arguments, results)          # a status
"""

from __future__ import annotations

import ctypes
import functools
import os
import threading
from typing import Any, Final

from runtime.native.builtin import PYTHON_FUNCTIONS, builtin_function
from runtime.native.loops import loops_in

__all__ = ["Code", "compile_module"]

_FROM_PYTHON: Final = ("PyEval_SaveThread", "PyEval_RestoreThread", "PyErr_CheckSignals", *PYTHON_FUNCTIONS)

_lock = threading.Lock()
if hasattr(os, "register_at_fork"):  # a child must not begin with a lock that nobody opens
    os.register_at_fork(before=_lock.acquire, after_in_parent=_lock.release, after_in_child=_lock.release)


class Code:
    """Machine code; the memory is given back when nobody holds it."""

    def __init__(self, engine: Any) -> None:
        self._engine = engine
        kind = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)
        self.entry = kind(engine.get_function_address("entry"))
        """(arguments, results), both the address of an array of words, to a status; raises what a signal raises."""
        self.dispose = ctypes.PYFUNCTYPE(None, ctypes.c_void_p)(engine.get_function_address("dispose"))
        """Frees an array that a run has made, by the address of its header."""
        self.call: Any = None
        """The machine code as a builtin function of Python, where it takes and gives numbers alone."""
        address = engine.get_function_address("call")
        if address:
            self.call, self._definition = builtin_function(address, engine)


def _machine() -> Any:
    """A description of this processor; an engine takes it over, so each needs its own."""
    import llvmlite.binding as llvm

    _initialize()
    features = llvm.get_host_cpu_features().flatten()
    target = llvm.Target.from_default_triple()
    return target.create_target_machine(cpu=llvm.get_host_cpu_name(), features=features, opt=3, jit=True)


@functools.cache
def _initialize() -> None:
    import llvmlite.binding as llvm

    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    for name in _FROM_PYTHON:
        llvm.add_symbol(name, _address(getattr(ctypes.pythonapi, name)))
    llvm.add_symbol("_Py_NoneStruct", id(None))


def _address(function: Any) -> int:
    address = ctypes.cast(function, ctypes.c_void_p).value
    assert address is not None
    return address


def optimized(text: str) -> Any:
    """The module, parsed, checked and optimised."""
    import llvmlite.binding as llvm

    machine = _machine()
    module = llvm.parse_assembly(text)
    module.verify()
    options = llvm.create_pipeline_tuning_options(speed_level=3)
    options.loop_vectorization = options.slp_vectorization = True
    builder = llvm.create_pass_builder(machine, options)
    builder.getModulePassManager().run(module, builder)
    return module


def compile_module(text: str) -> Code:
    """Machine code of a module."""
    import llvmlite.binding as llvm

    with _lock:
        module = optimized(text)
        for name, address in loops_in(text).items():
            llvm.add_symbol(name, address)
        engine = llvm.create_mcjit_compiler(module, _machine())
        engine.finalize_object()
        return Code(engine)
