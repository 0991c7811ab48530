"""Short calls (`runtime.engine.short_calls`) as machine code: one builtin function for each, all with the same code.

    prefer(short_call)          # once there is machine code in the process

The code is that of a C function with the flag METH_O, which is given the tuple of arguments. It compares each argument
with what is written in words of memory: class, dtype and dims of its array; asks the guards; calls the plan, or the
region by itself where the plan is one region of arrays; and makes the tensor.
"""

from __future__ import annotations

import ctypes
import functools
import struct
from typing import Final

import numpy as np

from runtime.engine.short_calls import ARRAYS, MISSED, Call, Short, array_in, in_python, own_result, prefer
from runtime.native.builtin import BY_OBJECT, Definition
from runtime.native.caller_text import CALLER_TEXT, WORDS
from runtime.native.compiler import engine_of
from runtime.native.objects import TYPE
from runtime.tensor.eager import EagerTensor

__all__ = ["short_call"]

_KINDS: Final = {"names": 0, "attributes": 1, "code": 2, "cells": 3}


def short_call(call: Call) -> Short:
    """The short call of machine code, or that of Python where there can be none."""
    plain = np.ndarray in map(type, call.arguments)
    try:
        code = _code()
    except Exception:  # machine code is never needed
        prefer(in_python)
        return in_python(call)
    region = None if call.memories else getattr(call.plan, "alone", None)
    hold, tests, function = call.guards.hold, call.guards.tests(), call.plan.function
    others = [argument for argument in call.arguments if type(argument) not in ARRAYS]
    kept = (call._replace(arguments=others), MISSED, "hold", "function", region, function, hold, tests)
    first = {
        "arguments": len(call.arguments), "memories": len(call.memories), "missed": id(MISSED),
        "guards": id(call.guards), "hold": id(kept[2]), "plan": id(call.plan), "function": id(kept[3]),
        "tensor": id(EagerTensor), "place": _place(), "pack": id(call.pack) if call.pack is not None else 0,
        "own": id(own_result) if plain else 0, "region": id(region) if region is not None else 0, "known": id(function),
        "tests": -1 if tests is None else len(tests), "holding": id(hold),
    }  # fmt: skip
    words = [*map(first.__getitem__, WORDS), *map(id, call.memories)]
    for argument in call.arguments:
        if type(argument) not in ARRAYS:
            words += [0, id(argument)]
            continue
        array = array_in(argument)
        words += [id(type(argument)), id(array.dtype), array.ndim, *array.shape]
    for test in tests or ():
        words += [_KINDS[test.kind], id(test.holder), _key(test.key), id(test.value), id(test.find) if test.find else 0]
    dtypes = [array_in(argument).dtype for argument in call.arguments if type(argument) in ARRAYS]
    owner = struct.pack(f"{len(words)}q", *words), kept, dtypes, code
    made: Short = code.function(owner)
    return made


def _key(key: str | int) -> int:
    """As the machine code takes it: the address of a name, a place as it is."""
    return key if isinstance(key, int) else id(key)


@functools.cache
def _code() -> Definition:
    """The machine code, for all short calls; two threads that ask at once may get two, which live as long as those."""
    engine = engine_of(CALLER_TEXT)
    return Definition(engine.get_function_address("call"), engine, BY_OBJECT)


@functools.cache
def _place() -> int:
    """Where in an eager tensor its array is."""
    array = np.zeros(1)
    tensor = EagerTensor(array)
    words = range(TYPE + 8, EagerTensor.__basicsize__, 8)
    found = [at for at in words if ctypes.c_size_t.from_address(id(tensor) + at).value == id(array)]
    if len(found) != 1:
        raise ImportError("machine code does not find the array of a tensor")
    return found[0]
