"""Text with tensors in it: `f"{x:.2f}"` in staged code becomes the operation that makes the text when the graph runs.

format_value(x, "", ".2f")                    # one field: a string tensor
join_strings("", ["x = ", text, "!"])         # fields and text: string_format(x, parts=("x = ", ("", ".2f"), "!"))

A Python object that writes tensors as a part of itself (a list, a dataclass, `__str__`) is written by Python, once; the
graph puts the values in. What holds no symbolic tensor is text at once, as in Python. The text of a list or dict that
grows (`"[" + ", ".join([repr(item) for item in items]) + "]"`) is a loop of the graph.
"""

from __future__ import annotations

import sys
from collections import Counter, OrderedDict, defaultdict, deque
from collections.abc import Callable, Iterable
from typing import Any, Final

import numpy as np

from autograph.errors import StagingError
from autograph.operators.stager import PYTHON
from runtime.control_flow.branches.values import cond_values
from runtime.control_flow.builtins.characters import characters
from runtime.control_flow.builtins.zipping import map_
from runtime.control_flow.calls.chosen import ChosenFunction
from runtime.control_flow.lists.collecting import collected
from runtime.control_flow.lists.grown import Grown
from runtime.control_flow.lists.tensor_list import TensorList
from runtime.control_flow.objects.maybe_contents import MaybeContainer
from runtime.control_flow.objects.maybe_views import View
from runtime.control_flow.objects.ref_members import as_value
from runtime.control_flow.optional.bools import truth_of
from runtime.control_flow.optional.values import MaybeNone, is_none, presence
from runtime.control_flow.statement.subgraph import current_graph
from runtime.graph.location import here
from runtime.ops.records.record import REGISTRY
from runtime.ops.text.strings import text_in
from runtime.state.calling import call_converted
from runtime.tensor.convert import convert_to_tensor, make_constant
from runtime.tensor.eager import EagerTensor
from runtime.tensor.symbolic import OF_TEXTS, SymbolicTensor, text_class
from runtime.tensor.tensor import Tensor
from runtime.tensor.text import collecting, split

__all__ = ["format_value", "join_strings"]

RAISES_AS_PYTHON = True  # see runtime.control_flow.tries.raised

_CONSTANTS: Final = (bool, int, float, complex, str)


def format_value(value: Any, conversion: str, spec: Any) -> Any:
    """The text of a value: a str, or a string tensor where that depends on a symbolic tensor.

    conversion: as in an f-string ("", "r", "s", "a"), or "%" for a spec as in "%5.2f" % value. spec: str or such text.
    """
    if isinstance(spec, EagerTensor):
        spec = text_in(spec._array)
    if type(value) is SymbolicTensor:
        return (_of_tensor if value.or_bool is None else _of_number_or_bool)(value, conversion, spec)
    if isinstance(value, MaybeNone):
        return _of_maybe_none(value, conversion, spec)
    if isinstance(value, MaybeContainer):
        return _of_keys(value, conversion, spec)
    if isinstance(value, ChosenFunction):
        return value.each(lambda function: format_value(function, conversion, spec))
    if isinstance(value, TensorList | Grown) and (conversion or not spec) and conversion != "a":
        made = _text_of_grown(value)
        return made if spec in ("", "%s", "%r") else format_value(made, conversion.strip("rs"), spec)
    if isinstance(spec, Tensor):
        return _of_tensor(_constant(value), conversion, spec)
    if conversion and conversion != "%" and spec:  # of an object that may write tensors: first it, then its width
        return format_value(format_value(value, conversion, ""), "", spec)
    with collecting() as marks:
        written = PYTHON.format_value(value, conversion, spec)
    if not marks:
        return written
    pieces = split(written, marks)
    if pieces is None or (conversion == "%" and spec not in ("%s", "%r", "%a")):
        raise StagingError(
            f"the text of a value of type {type(value).__name__!r} depends on tensors in it, and is cut or padded"
            f" ({spec or 'in its own method'!r}): that cannot be staged. Format the tensors themselves."
        )
    return join_strings("", [piece if isinstance(piece, str) else format_value(*piece) for piece in pieces])


def _of_number_or_bool(number: SymbolicTensor, conversion: str, spec: Any) -> Any:
    flag = current_graph().recording.localize(number.or_bool, "a text")
    texts = [lambda value=value: [_of_tensor(value, conversion, spec)] for value in (truth_of(number), number)]
    return cond_values(flag, texts[0], texts[1], ["the text of a value"])[0]


def _of_maybe_none(value: MaybeNone, conversion: str, spec: Any) -> Any:
    """The text of None or of the value, whichever it is at run time."""
    flag = is_none(value)
    if isinstance(flag, bool):
        return format_value(None if flag else presence(value).value, conversion, spec)
    nothing, something = None, presence(value).value
    texts = [lambda: [format_value(nothing, conversion, spec)], lambda: [format_value(something, conversion, spec)]]
    return cond_values(flag, texts[0], texts[1], ["the text of a value"])[0]


def _of_keys(value: MaybeContainer, conversion: str, spec: Any) -> Any:
    """The text of a dict of which only the run knows what keys it has."""
    if spec not in ("", "%s", "%r") or conversion == "a":
        raise StagingError(
            f"the text of {value.called!r} depends on a tensor, and is cut or padded ({spec!r}): write it without"
        )
    if type(value.like) is set:
        return _text_of_grown(value)
    if type(value.like) is not dict:
        raise StagingError(
            f"the text of {value.called!r}, of class {type(value.like).__name__}, depends on a tensor{here()}: write it"
            " as a dict, dict(...)"
        )
    shown = lambda pair: join_strings("", [f"{pair[0]!r}: ", format_value(pair[1], "r", "")])
    return join_strings("", ["{", join_strings(", ", collected(map_(shown, View(value, "items")))), "}"])


def _of_tensor(tensor: Any, conversion: str, spec: Any) -> Any:
    if text_class(tensor) is bytes:
        raise StagingError(
            f"bytes of which a tensor decides which they are become part of a text{here()}: decode them, or make the"
            " text, where they are known"
        )
    is_text = tensor.dtype.family == "string" and tensor.shape.rank == 0
    if getattr(tensor, "of_array", False) and not conversion.startswith("n"):
        conversion = f"n{conversion}"
    if is_text and isinstance(spec, str) and (conversion, spec) in (("", ""), ("s", ""), ("%", "%s")):
        return tensor
    if isinstance(spec, str):
        _try(tensor, conversion.removeprefix("n"), spec)
        return REGISTRY["string_format"]([tensor], parts=((conversion, spec),))
    return REGISTRY["string_format"]([tensor, spec], parts=((conversion, None),))


def _try(tensor: Any, conversion: str, spec: str) -> None:
    """Raise now what Python raises for every value of this dtype and rank: `f"{x:d}"` of a float."""
    rank = tensor.shape.rank
    is_text = tensor.dtype.family == "string"
    if conversion not in ("", "%"):
        PYTHON.format_value("", "", spec)
    elif spec and rank is not None and (rank == 0 or not conversion):
        sample: Any = np.zeros((1,) * rank, tensor.dtype.numpy)
        sample = sample if rank else "" if is_text else sample.item()
        PYTHON.format_value(sample, conversion, spec)


def _constant(value: Any) -> Any:
    """A Python value whose spec is a tensor."""
    if isinstance(value, EagerTensor):
        return value
    if type(value) not in _CONSTANTS:
        raise StagingError(
            f"a format spec that depends on a tensor is for numbers and text; got a value of type"
            f" {type(value).__name__!r}: make a text of it first, f'{{x}}'"
        )
    if isinstance(value, str):
        return convert_to_tensor(value)
    return make_constant(np.asarray(value))  # in full width: a float is written with all its digits


def join_strings(separator: Any, pieces: Iterable[Any]) -> Any:
    """`separator.join(pieces)`; both may be string tensors of rank 0, and how many pieces there are may be staged."""
    pieces = characters(pieces)
    if isinstance(pieces, Tensor) and pieces.dtype.family == "string" and pieces.shape.rank == 1:
        return REGISTRY["string_join"](pieces, separator)
    if not isinstance(pieces, list | tuple):
        pieces = collected(pieces)
    if isinstance(pieces, TensorList):
        texts = pieces.stack()
        if texts.dtype.family != "string":
            raise TypeError(f"sequence item 0: expected str instance, a tensor of dtype {texts.dtype.name} found")
        joined = REGISTRY["string_join"](texts, separator)
        if isinstance(joined, SymbolicTensor):
            joined.weak = pieces.known("join").leaves[0].weak and getattr(separator, "weak", type(separator) is str)
        return joined
    values: list[Any] = []
    parts: list[Any] = []
    for position, piece in enumerate(pieces):
        for item in (separator, piece) if position and (not isinstance(separator, str) or separator) else (piece,):
            _add(as_value(item), position, values, parts)
    if not values:
        return "".join(parts)
    if parts == [("", "")] and values[0].dtype.family == "string" and values[0].shape.rank == 0:
        return values[0]  # text is its own text
    return REGISTRY["string_format"](values, parts=_joined(parts))


def _add(item: Any, position: int, values: list[Any], parts: list[Any]) -> None:
    if isinstance(item, str):
        parts.append(item)
    elif not isinstance(item, Tensor) or item.dtype.family != "string" or item.shape.rank not in (0, None):
        found = f"a tensor of dtype {item.dtype.name}" if isinstance(item, Tensor) else type(item).__name__
        raise TypeError(f"sequence item {position}: expected str instance, {found} found")
    elif text_class(item) is bytes:
        raise TypeError(f"sequence item {position}: expected str instance, bytes found")
    elif isinstance(item, EagerTensor):
        parts.append(text_in(item._array))
    elif (field := _field(item)) is not None:
        values += field.inputs
        parts += field.attributes["parts"]
    else:
        values.append(item)
        parts.append(("", ""))


def _field(tensor: Any) -> Any:
    """The operation of one formatted value, which may as well be a part of the whole text; else None."""
    operation = tensor.op
    if operation.type != "string_format" or operation.graph is not current_graph():
        return None
    return operation if len(operation.attributes["parts"]) == 1 else None


def _joined(parts: list[Any]) -> tuple[Any, ...]:
    """Neighbouring texts as one."""
    result: list[Any] = []
    for part in parts:
        if isinstance(part, str) and result and isinstance(result[-1], str):
            result[-1] += part
        elif part != "":
            result.append(part)
    return tuple(result)


OF_TEXTS["join"] = join_strings


# -- lists, dicts and deques that grow, of which only the run knows what they hold


def _text_of_grown(value: Any) -> Any:
    """`repr(value)`. Raises StagingError for sets, of which only the run knows in which order Python shows them."""
    kind = type(value.like) if isinstance(value, Grown | MaybeContainer) else list
    if kind is not defaultdict and kind not in _TEXTS:
        raise StagingError(
            f"the text of a {kind.__name__} is made{here()} whose members are only known when the graph runs, and with"
            " them the order in which Python shows them: write a list of them, sorted(...)"
        )
    if kind is defaultdict:
        return f"defaultdict({value.like.default_factory!r}, " + call_converted(_of_dict, value) + ")"
    return call_converted(_TEXTS[kind], value)


def _of_list(items: Any) -> str:
    return "[" + ", ".join([repr(item) for item in items]) + "]"


def _of_dict(items: Any) -> str:
    return "{" + ", ".join([f"{key!r}: {value!r}" for key, value in items.items()]) + "}"


def _of_counter(counts: Any) -> str:
    if len(counts) == 0:
        return "Counter()"
    return "Counter({" + ", ".join([f"{key!r}: {count!r}" for key, count in counts.most_common()]) + "})"


def _of_ordered_dict(items: Any) -> str:
    if len(items) == 0:
        return "OrderedDict()"
    if sys.version_info >= (3, 12):
        return "OrderedDict({" + ", ".join([f"{key!r}: {value!r}" for key, value in items.items()]) + "})"
    return "OrderedDict([" + ", ".join([f"({key!r}, {value!r})" for key, value in items.items()]) + "])"


def _of_deque(items: Any) -> str:
    end = ")" if items.maxlen is None else f", maxlen={items.maxlen})"
    return "deque([" + ", ".join([repr(item) for item in items]) + "]" + end


_TEXTS: Final[dict[type, Callable[[Any], str]]] = {
    list: _of_list, dict: _of_dict, Counter: _of_counter, OrderedDict: _of_ordered_dict, deque: _of_deque,
}  # fmt: skip
