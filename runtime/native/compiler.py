"""From the text of an LLVM module to machine code in this process, by llvmlite: the extra `native`.

    code = compile_module(text)
    code.call(number, array)                # a tuple of results, or None
"""

from __future__ import annotations

import functools
import hashlib
import os
import sys
import threading
from typing import Any

import numpy as np

from autograph import __version__
from runtime.native import cache
from runtime.native.builtin import Definition
from runtime.native.loops import loops_in
from runtime.native.objects import addresses, check_layout

__all__ = ["Code", "compile_module", "engine_of"]

_lock = threading.Lock()
if hasattr(os, "register_at_fork"):  # a child must not begin with a lock that nobody opens
    os.register_at_fork(before=_lock.acquire, after_in_parent=_lock.release, after_in_child=_lock.release)


class Code:
    """Machine code; the memory is given back when nobody holds its function."""

    def __init__(self, engine: Any) -> None:
        definition = Definition(engine.get_function_address("call"), engine)
        self.call = definition.function(definition)
        """The region as a builtin function of Python: see runtime.native.builtin."""


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
    if missing := check_layout():
        raise ImportError(f"machine code does not know the arrays of this numpy: {missing}")
    for name, address in addresses().items():
        llvm.add_symbol(name, address)


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
    """Machine code of a module, from the cache on disk or made now."""
    return Code(engine_of(text))


def engine_of(text: str) -> Any:
    """What holds the machine code of a module in this process."""
    import llvmlite.binding as llvm

    with _lock:
        machine = _machine()
        for name, address in loops_in(text).items():
            llvm.add_symbol(name, address)
        engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), machine)
        engine.add_object_file(llvm.ObjectFileRef.from_data(object_code(text)))
        engine.finalize_object()
        return engine


def object_code(text: str) -> bytes:
    """The object file of a module."""
    key = hashlib.sha256(f"{_environment()}\n{text}".encode()).digest()
    code = cache.load(key)
    if code is None:
        code = _machine().emit_object(optimized(text))
        cache.store(key, code)
    return code


@functools.cache
def _environment() -> str:
    """What object code depends on beside the text: this package, LLVM, numpy, Python and the processor."""
    import llvmlite
    import llvmlite.binding as llvm

    processor = f"{llvm.get_process_triple()} {llvm.get_host_cpu_name()} {llvm.get_host_cpu_features().flatten()}"
    llvm_version = ".".join(map(str, llvm.llvm_version_info))
    return f"{__version__} {llvmlite.__version__} {llvm_version} {np.__version__} {sys.version} {processor}"
