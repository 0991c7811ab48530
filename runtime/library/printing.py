"""`runtime.print`: prints values while a graph runs, where Python's print would show what is known while tracing.

    runtime.print("step", i, {"loss": loss})        # step 3 {'loss': 0.25}

In a graph it becomes one ordered operation; text and Python values are fixed when it is recorded.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np

from runtime import structures as nest
from runtime.control_flow.optional.values import MaybeNone, presence
from runtime.ops.records.terms import Term
from runtime.ops.text import output
from runtime.tensor.convert import is_tensor

__all__ = ["print_"]


def print_(
    *inputs: Any,
    output_stream: Any = None,
    summarize: int = 3,
    sep: str = " ",
    end: str = "\n",
    name: str | None = None,
) -> None:
    """Prints the inputs: tensors by value, nested lists, tuples and dicts as Python writes them, the rest by str().

    output_stream: sys.stderr (default), sys.stdout, "file://path" (text is added at its end), what has a method
    `write`, or a function such as `logging.info` that takes the text without the last line's end. summarize: elements
    shown at each end of an axis; -1 shows all.
    """
    maybe = next((leaf for leaf in nest.flatten(inputs) if isinstance(leaf, MaybeNone)), None)
    if maybe is not None:
        from runtime.control_flow.functions import cond  # a module of the trace, which is here by now

        def print_with(value: Any) -> None:
            known = nest.map_structure(lambda leaf: value if leaf is maybe else leaf, inputs)
            print_(*known, output_stream=output_stream, summarize=summarize, sep=sep, end=end, name=name)

        seen = presence(maybe)
        cond(seen.present, lambda: print_with(seen.value), lambda: print_with(None))
        return
    values: list[Any] = []
    texts: list[str | None] = []
    for position, item in enumerate(inputs):
        texts.append(sep if position else "")
        texts += [item] if isinstance(item, str) else _template(item, values)
    output.print_(
        values, parts=_joined([*texts, end]), summarize=summarize, stream=_stream(output_stream), name=name
    )


def _template(item: Any, values: list[Any]) -> Iterator[str | None]:
    """The text of an input in pieces; a tensor is None, and is added to `values`."""
    if is_tensor(item) or isinstance(item, np.ndarray):
        values.append(item)
        yield None
    elif hasattr(type(item), "__ag_print__"):
        for piece in item.__ag_print__():
            yield from [piece] if isinstance(piece, str) else _template(piece, values)
    elif isinstance(item, Mapping):
        yield "{"
        yield from _listed([(f"{key!r}: ", item[key]) for key in item], values)
        yield "}"
    elif isinstance(item, tuple) and (fields := getattr(item, "_fields", None)) is not None:
        yield f"{type(item).__name__}("
        yield from _listed([(f"{field}=", part) for field, part in zip(fields, item, strict=True)], values)
        yield ")"
    elif isinstance(item, list | tuple):
        yield "[" if isinstance(item, list) else "("
        yield from _listed([("", part) for part in item], values)
        yield "]" if isinstance(item, list) else ",)" if len(item) == 1 else ")"
    else:
        yield str(item)


def _listed(items: list[tuple[str, Any]], values: list[Any]) -> Iterator[str | None]:
    for position, (label, part) in enumerate(items):
        yield f"{', ' if position else ''}{label}"
        yield from [repr(part)] if isinstance(part, str | bytes) else _template(part, values)


def _joined(pieces: list[str | None]) -> tuple[str | None, ...]:
    """Neighbouring texts as one."""
    result: list[str | None] = []
    for piece in pieces:
        if piece is not None and result and result[-1] is not None:
            result[-1] += piece
        elif piece != "":
            result.append(piece)
    return tuple(result)


def _stream(stream: Any) -> str | Term:
    """A stream as an attribute of the operation."""
    for name in output.STREAMS:
        if stream in (getattr(sys, name), getattr(sys, f"__{name}__"), name):
            return name
    if stream is None:
        return "stderr"
    if isinstance(stream, str) and stream.startswith(output.FILE):
        return stream
    if hasattr(stream, "write"):
        return _named(stream, lambda text: _flushed(stream, text))
    if callable(stream):
        return _named(stream, lambda text: stream(text.removesuffix("\n")))
    raise ValueError(
        f"output_stream must be sys.stderr, sys.stdout, {output.FILE + 'path'!r}, an object with a method `write` or a"
        f" function of text; got {stream!r}"
    )


def _named(stream: Any, write: Callable[[str], object]) -> Term:
    kind = type(stream)
    return Term("python", (kind.__module__, getattr(stream, "__qualname__", kind.__qualname__)), write)


def _flushed(stream: Any, text: str) -> None:
    stream.write(text)
    flush = getattr(stream, "flush", None)
    if flush is not None:
        flush()


output.PUBLIC["print"] = print_
