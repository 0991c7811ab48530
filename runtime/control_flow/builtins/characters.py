"""A text that the graph makes as Python's `str`: `s[i]`, `s[a:b]`, `s * n`, and the methods of `str`.

    item(s, slice(None, None, -1))        # s[::-1]: text_call(s, call="slice", arguments=((None,), (None,), (-1,)))
    call("zfill", s, 8)                   # s.zfill(8)

A string tensor of rank 0 is meant. Arguments are Python's values, or tensors. Where the text is Python's and an
argument is a tensor (`"abc".find(s)`), the text becomes a tensor.
"""

from __future__ import annotations

from collections.abc import Callable
from types import NoneType
from typing import Any, Final

import numpy as np

from runtime.control_flow.lists.tensor_list import TensorList
from runtime.errors import of_the_trace
from runtime.ops.records.record import REGISTRY
from runtime.ops.text.calls import CALLS, PIECES, text_call, text_pieces
from runtime.ops.text.strings import text_in
from runtime.tensor.convert import as_operand, constant
from runtime.tensor.eager import EagerTensor
from runtime.tensor.literals import describe
from runtime.tensor.symbolic import OF_TEXTS, text_class
from runtime.tensor.tensor import REPEATED, Tensor

__all__ = ["OVERLOADS", "call", "characters", "is_text", "item"]

RAISES_AS_PYTHON = True  # see runtime.control_flow.tries.raised

_LITERALS: Final = (NoneType, bool, int, str)


def is_text(value: Any) -> bool:
    """Whether a value is a text: a string tensor of rank 0, which stands for no bytes."""
    is_one = isinstance(value, Tensor) and value.dtype.family == "string" and value.shape.rank == 0
    return is_one and text_class(value) is not bytes


def characters(value: Any) -> Any:
    """The characters of a text as a vector; every other value as it is."""
    return call("characters", value) if is_text(value) else value


def item(text: Any, key: Any) -> Any:
    """`text[key]` of a position or a slice; NotImplemented for what is an index of tensors alone (`...`)."""
    key = as_operand(key) if not isinstance(key, slice) else key
    if isinstance(key, slice):
        return call("slice", text, key.start, key.stop, key.step)
    if isinstance(key, int | np.integer) or (isinstance(key, Tensor) and key.shape.rank == 0):
        return call("item", text, key)
    return NotImplemented


def call(name: str, text: Any, *args: Any, **kwargs: Any) -> Any:
    """What the method of `str` gives, or the operation under that name in `runtime.ops.text.calls`.

    text: a tensor, or a str of Python's. A number that it gives adapts to the tensors beside it, as Python's do.
    """
    values, arguments = [constant(text) if isinstance(text, str) else text], []
    for value in (*args, *kwargs.values()):
        operand = _argument(name, value)
        values += [operand] if isinstance(operand, Tensor) else []
        arguments.append(() if isinstance(operand, Tensor) else (operand,))
    make = text_pieces if name in PIECES else text_call
    result = make(values, call=name, arguments=tuple(arguments), names=tuple(kwargs))
    given = values[1:] if isinstance(text, str) else values
    if hasattr(result, "weak") and not result.dtype.is_bool:
        is_pythons = all(getattr(value, "weak", False) for value in given if value.dtype.family == "string")
        result.weak = result.dtype.is_integer or is_pythons
    return result


def _argument(name: str, value: Any) -> Any:
    """An argument as a tensor, or as a value that is written into the graph."""
    value = as_operand(value)
    if isinstance(value, EagerTensor) and value.shape.rank == 0:
        value = text_in(value._array) if value.dtype.family == "string" else value._array[()]
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, Tensor):
        if value.shape.rank not in (0, None):
            raise of_the_trace(TypeError(f"{name!r} of a text takes single values; got one of shape {value.shape}"))
        return value
    known = value if isinstance(value, tuple) else (value,)
    if not all(isinstance(part, (*_LITERALS, tuple)) for part in known):
        raise of_the_trace(TypeError(
            f"{name!r} of a text that the graph makes takes text and numbers; got {describe(value)}, of type"
            f" {type(value).__name__!r}"
        ))
    return value


def _repeated(text: str, times: Tensor) -> Any:
    """`text * times`, as with an int."""
    if times.shape.rank != 0 or not (times.dtype.is_integer or times.dtype.is_bool) or not hasattr(times, "op"):
        return NotImplemented
    return call("repeat", text, times)


def _chr(code: Any) -> Any:
    """`chr(code)`: ValueError for what is no character."""
    if code.dtype.family not in ("int", "uint", "bool"):
        raise TypeError(f"an integer is needed for chr(); got a tensor of dtype {code.dtype.name}")
    code = REGISTRY["cast"](code, "int64")
    fits = REGISTRY["logical_and"](code >= 0, code < 0x110000)
    REGISTRY["check"](fits, message="chr() arg not in range(0x110000)", exception="ValueError")
    return REGISTRY["string_format"]([code], parts=(("", "c"),))


def _ord(character: Any) -> Any:
    if not is_text(character):
        raise TypeError(f"ord() expected string of length 1, but a tensor of dtype {character.dtype.name} found")
    return call("ord", character)


def _method(name: str) -> Callable[..., Any]:
    def method(text: Any, *args: Any, **kwargs: Any) -> Any:
        made = call(name, text, *args, **kwargs)
        if name not in PIECES:
            return made
        return TensorList(made) if PIECES[name][1] is None else tuple(REGISTRY["unstack"](made))

    return method


def _translate(text: Any, table: Any) -> Any:
    if type(table) is not dict:
        raise of_the_trace(TypeError("a text that the graph makes is translated by a dict, as str.maketrans gives it"))
    return call("translate", text, *table.items())


_METHODS: Final = {
    **{name: _method(name) for name in (*CALLS, *PIECES) if hasattr(str, name)}, "translate": _translate
}  # fmt: skip
OF_TEXTS.update(_METHODS, item=item, repeat=_method("repeat"))
REPEATED[str] = _repeated

OVERLOADS: Final[dict[Any, Callable[..., Any]]] = {
    chr: _chr, ord: _ord, **{getattr(str, name): method for name, method in _METHODS.items()}
}  # fmt: skip
"""The builtins of texts, and the methods of a Python text with a tensor among the arguments."""
