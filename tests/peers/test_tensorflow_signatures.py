"""The public names that TensorFlow has too are called as there: the same parameters, in the same order.

Defaults count where both are numbers, bools or None; what a parameter that TensorFlow alone has is for, and why it is
missing here, `LEFT_OUT` and `OTHERWISE` say. A row that nothing needs any more fails.
"""

from __future__ import annotations

import inspect
import types
from collections.abc import Container, Iterable, Iterator
from typing import Any, Final

import tensorflow as tf

import runtime

MODULES: Final = (
    "", "autograph", "autograph.experimental", "bitwise", "config", "data", "debugging", "image", "io", "linalg",
    "math", "nest", "nn", "ragged", "random", "sets", "sparse", "strings", "summary",
)  # fmt: skip

LEFT_OUT: Final[dict[str, str]] = {
    "layout": "of tensors that several devices share",
    "bad_indices_policy": "indices that do not fit are always refused",
    "grad_a": "for quantised products",
    "grad_b": "for quantised products",
    "dim": "an older name of axis",
    "experimental_implements": "a hint for TensorFlow's own compilers",
    "experimental_attributes": "a hint for TensorFlow's own compilers",
    "experimental_follow_type_hints": "withdrawn by TensorFlow",
    "synchronous": "a hint for TensorFlow's threads",
    "use_unbounded_threadpool": "a hint for TensorFlow's threads",
    "use_pybind11_proto": "about TensorFlow's files",
    "flush_mode": "about the library that TensorFlow compresses with",
    "input_buffer_size": "about the library that TensorFlow compresses with",
    "output_buffer_size": "about the library that TensorFlow compresses with",
    "window_bits": "about the library that TensorFlow compresses with",
    "compression_method": "about the library that TensorFlow compresses with",
    "mem_level": "about the library that TensorFlow compresses with",
    "compression_strategy": "about the library that TensorFlow compresses with",
}
"""Parameters that are nowhere here, and what they are for."""

OTHERWISE: Final[dict[str, str]] = {
    "DType": "nobody makes one",
    "Graph.as_graph_def": "there is one format",
    "Graph.unique_name": "the name is always taken",
    "RaggedTensor": "nobody makes one but by from_row_splits and its like",
    "data.Dataset": "nobody makes one but by from_tensors and its like",
    "data.Dataset.shuffle": "None stands for True",
    "data.Iterator": "nobody makes one but by iter()",
    "summary.SummaryWriter": "nobody makes one but by create_file_writer",
    "summary.create_file_writer": "there are no devices to write from",
}
"""Names that are called in another way, and why."""

SIMPLE: Final = (bool, int, float, str, types.NoneType)
"""The types of defaults that are compared."""


def names_of(modules: Iterable[str]) -> Iterator[tuple[str, Any, Any]]:
    """Public functions, classes and methods of both: name, TensorFlow's, ours."""
    for module in modules:
        theirs, ours = tf, runtime
        for part in module.split(".") if module else ():
            theirs, ours = getattr(theirs, part), getattr(ours, part)
        for name in dir(theirs):
            if name.startswith("_") or not hasattr(ours, name):
                continue
            a, b = getattr(theirs, name), getattr(ours, name)
            full = f"{module}.{name}" if module else name
            if isinstance(a, types.ModuleType) or not (callable(a) and callable(b)):
                continue
            if isinstance(a, type) and issubclass(a, BaseException):
                continue
            yield full, a, b
            if isinstance(a, type) and isinstance(b, type):
                shared = [k for k in dir(a) if not k.startswith("_") and callable(getattr(b, k, None))]
                yield from ((f"{full}.{k}", getattr(a, k), getattr(b, k)) for k in shared if callable(getattr(a, k)))


def only_theirs(theirs: Any, ours: Any) -> set[str]:
    """The names of the parameters that are not here."""
    return {p.name for p in parameters_of(theirs) or ()} - {p.name for p in parameters_of(ours) or ()}


def parameters_of(function: Any) -> list[inspect.Parameter] | None:
    try:
        return list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):
        return None


def difference(theirs: Any, ours: Any) -> str | None:
    """Where a call that TensorFlow understands means something else here."""
    theirs_all, ours_all = parameters_of(theirs), parameters_of(ours)
    if theirs_all is None or ours_all is None:
        return None
    if any(p.kind in (p.VAR_KEYWORD, p.VAR_POSITIONAL) for p in theirs_all):
        return None  # it does not say itself what it takes
    return difference_of(theirs_all, ours_all, LEFT_OUT)


def difference_of(
    theirs_all: list[inspect.Parameter], ours_all: list[inspect.Parameter], left_out: Container[str]
) -> str | None:
    """Where the parameters that both name are not the same; left_out: those of TensorFlow that do not count."""
    is_label = {p.name: p.default is not p.empty for p in theirs_all}.get("name", False)
    wanted = [p for p in theirs_all if p.name not in left_out and not (is_label and p.name == "name")]
    found = {p.name: p for p in ours_all}
    missing = [p.name for p in wanted if p.name not in found]
    if missing:
        return f"misses {missing}"
    order = [p.name for p in ours_all if p.name in {q.name for q in wanted}]
    if order != [p.name for p in wanted]:
        return f"the order is {order}, not {[p.name for p in wanted]}"
    required = [p.name for p in ours_all if p.default is p.empty and p.kind not in (p.VAR_KEYWORD, p.VAR_POSITIONAL)]
    more = [n for n in required if n not in {p.name for p in wanted if p.default is p.empty}]
    if more:
        return f"wants {more}, which TensorFlow does not"
    if is_label and "name" not in found:
        return "misses name"
    other = [
        f"{p.name}={found[p.name].default!r} for {p.default!r}"
        for p in wanted
        if type(p.default) in SIMPLE and type(found[p.name].default) in SIMPLE
        if (p.default or None) != (found[p.name].default or None)  # None, False and "" all say no
    ]
    return f"other defaults: {', '.join(other)}" if other else None


def test_public_names_are_called_as_in_tensorflow() -> None:
    rows = list(names_of(MODULES))
    found = {name: why for name, a, b in rows if (why := difference(a, b)) is not None}
    new = {name: why for name, why in found.items() if name not in OTHERWISE}
    assert not new
    assert sorted(OTHERWISE) == sorted(found), "a row that is not needed any more"
    used = {name for _, a, b in rows for name in only_theirs(a, b) if name in LEFT_OUT}
    assert sorted(LEFT_OUT) == sorted(used), "a parameter that is not needed any more"
