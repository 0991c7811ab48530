"""Joining the values that a variable has at the end of each branch into the value after the branches.

    if x > 0: y = 1          main: the literal 1        the literal adopts float32, the cond gets an output,
    else:     y = x          else: a float32 tensor     y is that output

Rules, leaf by leaf of the variable's structure: the same Python value or tensor everywhere stays what it is; tensors
and numbers become an output of the cond, in one dtype (literals adopt the tensors'); a variable without a value in
some branch becomes `MaybeUndefined`; anything else is an error that names the variable.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from enum import Enum
from functools import partial
from typing import Any, Final

import numpy as np

from autograph.errors import StagingTypeError, StagingValueError
from runtime import structures as nest
from runtime.config import literals_are_strict
from runtime.control_flow.branches.known import known_value
from runtime.control_flow.calls.chosen import ChosenFunction, choices_of, number_in
from runtime.control_flow.optional.values import NONE, Untyped, View, is_absent, maybe_none, presence, restore, view
from runtime.control_flow.statement.subgraph import with_graph
from runtime.dtypes import DType, float64, variant
from runtime.graph.graph import Graph
from runtime.ops.list_value import EMPTY, boxed
from runtime.ops.record import REGISTRY
from runtime.shapes import TensorShape
from runtime.state.variable import Variable, present_value, stands_for
from runtime.tensor.convert import adopt, constant, make_constant
from runtime.tensor.literals import KIND_ORDER, literal_dtype, weak_dtype
from runtime.tensor.symbolic import SymbolicTensor
from runtime.tensor.tensor import Tensor

__all__ = [
    "KEYED", "LITERALS", "MISSING", "TENSOR_LIKE", "Merger", "called", "common_dtype", "is_of_array", "is_returned",
    "is_weak", "zeros_of",
]  # fmt: skip

LITERALS: Final = (bool, int, float, complex, str, bytes, np.generic, np.ndarray)
"""Python values that can be tensors."""

TENSOR_LIKE: Final = (Tensor, *LITERALS)


class _Missing:
    def __repr__(self) -> str:
        return "MISSING"


MISSING: Final = _Missing()
"""A leaf in a branch that gives the variable no value."""

GROWING: Final[list[tuple[Callable[..., bool], Callable[..., Any]]]] = []
"""Whether values are lists of several lengths, and what makes one that grows of each: put here by `replaced_lists`."""

KEYED: Final[list[Callable[[Sequence[Any]], Sequence[Any]]]] = []
"""What gives dicts of several keys all of these: put here by `maybe_contents`."""

Resolver = Callable[[Sequence[SymbolicTensor]], Any]


@dataclass
class Merger:
    """Collects the outputs that branches must have. `predicate` is that of a cond with two branches, else None."""

    graphs: Sequence[Graph]
    labels: Sequence[str]
    predicate: SymbolicTensor | None = None
    columns: list[list[SymbolicTensor]] = field(default_factory=list)
    """One row an output, one tensor a branch."""

    def merge(self, name: str, values: Sequence[Any]) -> Resolver:
        """Joins one variable. The result makes its value from the outputs of the finished operation."""
        views = [view(v) for v in values]
        if all(v.defined is False for v in views):
            placeholder = views[0].placeholder
            return lambda outputs: placeholder
        if all(v.defined is True for v in views):
            return self._value(name, [v.value for v in views], "")
        if ("." in name or "[" in name) and not all(v.defined is True or is_absent(v.placeholder) for v in views):
            lacking = next(label for v, label in zip(views, self.labels, strict=True) if v.defined is not True)
            raise StagingValueError(
                f"{called(name)} must also be initialized in the {lacking} branch, or before the `if`: whether it is"
                " there may not depend on a tensor"
            )
        placeholder = next(v.placeholder for v in views if v.placeholder is not None)
        defined = self._leaf(name, [v.defined for v in views])
        value = self._value(name, [MISSING if v.defined is False else v.value for v in views], "")
        return lambda outputs: restore(View(defined(outputs), value(outputs), placeholder))

    def _value(self, name: str, values: Sequence[Any], path: str) -> Resolver:
        """Joins values, or the parts at `path` of values, some of which may be None or (MISSING) not there."""
        seen = [None if v is MISSING else presence(v) for v in values]
        flags = [MISSING if s is None else s.present for s in seen]
        known = [flag for flag in flags if flag is not MISSING]
        if all(flag is True for flag in known):
            return self._structure(name, values, path)
        if all(s is None or s.value is NONE for s in seen):
            nothing = next((v for v in values if isinstance(v, Untyped)), None)
            return lambda outputs: nothing
        present = self._leaf(name, flags)
        value = self._structure(name, [MISSING if s is None or s.value is NONE else s.value for s in seen], path)
        return lambda outputs: maybe_none(value(outputs), present(outputs))

    def _structure(self, name: str, values: Sequence[Any], path: str) -> Resolver:
        structures = [i for i, v in enumerate(values) if v is not MISSING and nest.is_nested(v)]
        if not structures:
            return self._leaf(name, values)
        values = self._agreeing(self._growing(name, values))
        model = values[structures[0]]
        steps = [step for step, _ in nest.children(model)]
        columns: list[list[Any]] = [[] for _ in steps]
        for i, value in enumerate(values):
            labels = tuple(self.labels[j] for j in sorted((i, structures[0])))
            parts = [MISSING] * len(steps) if value is MISSING else self._parts(name, model, value, path, labels)
            for column, part in zip(columns, parts, strict=True):
                column.append(part)
        made = [self._value(name, column, path + step) for step, column in zip(steps, columns, strict=True)]
        return lambda outputs: nest.rebuild(model, [part(outputs) for part in made])

    def _growing(self, name: str, values: Sequence[Any]) -> Sequence[Any]:
        """Lists of several lengths as lists that grow in the graph."""
        for lengths_differ, as_growing in GROWING:
            if lengths_differ(*(v for v in values if v is not MISSING)):
                pairs = zip(self.graphs, values, strict=True)
                return [v if v is MISSING else with_graph(graph, partial(as_growing, name, v)) for graph, v in pairs]
        for with_all_keys in KEYED:
            made = iter(with_all_keys([v for v in values if v is not MISSING]))
            values = [v if v is MISSING else next(made) for v in values]
        return values

    def _agreeing(self, values: Sequence[Any]) -> Sequence[Any]:
        """Lists that grow, with elements of one type in all branches, where there is one."""
        present = [v for v in values if v is not MISSING]
        kind = type(present[0])
        if not hasattr(kind, "_nest_as") or any(type(v) is not kind for v in present):
            return values
        wanted = kind._nest_joined(present)
        pairs = zip(self.graphs, values, strict=True)
        return [v if v is MISSING else with_graph(graph, partial(v._nest_as, wanted)) for graph, v in pairs]

    def _parts(self, name: str, model: Any, value: Any, path: str, labels: Sequence[str]) -> list[Any]:
        """The parts of a structure, in the order of those of `model`. Raises TypeError where it is another one."""
        try:
            return [part for _, part, _ in nest.corresponding(model, value, path)]
        except (TypeError, ValueError) as error:
            raise StagingTypeError(
                f"{called(name)} must have the same nested structure in the {' and '.join(labels)} branches:"
                f"\n\n{error}"
            ) from None

    def _leaf(self, name: str, leaves: Sequence[Any]) -> Resolver:
        leaves = [self._known(leaf, i) for i, leaf in enumerate(leaves)]
        present = [leaf for leaf in leaves if leaf is not MISSING]
        if all(_same(leaf, present[0]) for leaf in present):
            same = present[0]
            tensor = same.index if isinstance(same, ChosenFunction) else same
            if not (isinstance(tensor, SymbolicTensor) and tensor.op.graph in self.graphs):
                return lambda outputs: same
        if self.predicate is not None and len(present) == 2 and all(type(leaf) is bool for leaf in leaves):
            predicate = self.predicate if leaves[0] else REGISTRY["logical_not"](self.predicate)
            return lambda outputs: predicate
        if any(isinstance(leaf, Variable) for leaf in present):
            pairs = zip(self.graphs, leaves, strict=True)
            read = self._leaf(name, [with_graph(graph, partial(present_value, leaf)) for graph, leaf in pairs])
            return lambda outputs: _known_as(name, read(outputs), present)
        if not all(isinstance(leaf, TENSOR_LIKE) for leaf in present):
            if (functions := choices_of(present)) is not None:
                return self._choice(name, leaves, functions)
            raise StagingTypeError(self._object_message(name, present))
        dtype = common_dtype(present, lambda a, b: self._dtype_message(name, leaves, a, b))
        column = [
            with_graph(graph, lambda leaf=leaf, graph=graph: _convert(graph, leaf, dtype, present))  # type: ignore[misc]
            for graph, leaf in zip(self.graphs, leaves, strict=True)
        ]
        self.columns.append(column)
        position = len(self.columns) - 1
        weak = all(map(is_weak, present))
        of_array = is_of_array(present)

        def output(outputs: Sequence[SymbolicTensor]) -> SymbolicTensor:
            outputs[position].weak = weak
            outputs[position].of_array = of_array
            return outputs[position]

        return output

    def _choice(self, name: str, leaves: Sequence[Any], functions: tuple[Callable[..., Any], ...]) -> Resolver:
        """Joins functions that differ: the number of the one that it is becomes an output."""
        numbers = [
            MISSING if leaf is MISSING else with_graph(graph, lambda leaf=leaf: number_in(leaf, functions))  # type: ignore[misc]
            for graph, leaf in zip(self.graphs, leaves, strict=True)
        ]
        index = self._leaf(name, numbers)
        return lambda outputs: ChosenFunction(index(outputs), functions)

    def _known(self, leaf: Any, branch: int) -> Any:
        """Inside the branches of `if p`, p itself is known, and what follows from it."""
        if self.predicate is None or not isinstance(leaf, SymbolicTensor) or not leaf.dtype.is_bool:
            return leaf
        known = known_value(leaf, self.graphs[branch])
        return leaf if known is None else known

    def _dtype_message(self, name: str, leaves: Sequence[Any], a: DType, b: DType) -> str:
        where = [(label, _dtype_of(leaf)) for label, leaf in zip(self.labels, leaves, strict=True)]
        first = next(label for label, dtype in where if dtype is a)
        second = next((label for label, dtype in where if dtype is b), first)
        return (
            f"{called(name)} has dtype {a.name} in the {first} branch, but dtype {b.name} in the {second} branch;"
            " use runtime.cast in one of them"
        )

    def _object_message(self, name: str, present: Sequence[Any]) -> str:
        shown = ", ".join(
            f"{_kind(leaf)} in the {label} branch"
            for leaf, label in zip(present, self.labels, strict=False)
        )
        return (
            f"{called(name)} is a Python object that differs between the branches ({shown}); after a condition on a"
            " tensor only tensors and numbers can differ: use the same object in all branches, or a Python condition"
        )


def _known_as(name: str, tensor: Any, values: Sequence[Any]) -> Any:
    stands_for(tensor, name, values)
    return tensor


def called(name: str) -> str:
    """A variable's name for a message."""
    return "the value that the function returns" if is_returned(name) else repr(name)


def is_returned(name: str) -> bool:
    """Whether it is what `return` gives, which is kept in a variable that users never wrote: no iteration follows."""
    return name.startswith("retval_")


def common_dtype(leaves: Sequence[Any], message: Callable[[DType, DType], str]) -> DType:
    """The dtype in which tensors and literals meet. Raises TypeError with `message(a, b)` if they cannot."""
    strong = [leaf.dtype if isinstance(leaf, Tensor) else literal_dtype(leaf) for leaf in leaves if not is_weak(leaf)]
    weak = [leaf.dtype if isinstance(leaf, Tensor) else weak_dtype(leaf) for leaf in leaves if is_weak(leaf)]
    adapting = set(weak)
    if strong:
        target = strong[0]
        if target.is_integer and any(dtype.is_floating for dtype in weak) and not literals_are_strict():
            adapting.add(target)
            target = float64  # as where the two are added
    elif all(d.kind in KIND_ORDER for d in weak):
        target = max(weak, key=lambda d: (KIND_ORDER[d.kind], d.size))
    else:
        target = weak[0]
    for dtype in strong + weak:
        is_literal_fit = dtype in adapting and KIND_ORDER.get(dtype.kind, 9) <= KIND_ORDER.get(target.kind, -1)
        if dtype is not target and not is_literal_fit:
            raise StagingTypeError(message(target, dtype))
    return target


def is_weak(leaf: Any) -> bool:
    """Whether a leaf adapts to the dtype of others: Python literals, and symbolic tensors that came from them."""
    if isinstance(leaf, SymbolicTensor):
        return leaf.weak
    return type(leaf) in (bool, int, float, complex, str, bytes)


def is_of_array(leaves: Iterable[Any]) -> bool:
    """Whether what is one of these leaves is a number of an array: one of them is such, the others are Python's."""
    found = False
    for leaf in leaves:
        of_array = isinstance(leaf, np.generic) or (isinstance(leaf, SymbolicTensor) and leaf.of_array)
        if not of_array and not is_weak(leaf):
            return False
        found = found or of_array
    return found


def zeros_of(dtype: DType, shape: TensorShape) -> Any:
    """Zeros (empty strings, an empty list) of a shape; a dimension that is not known has size 0."""
    if dtype is variant:
        return make_constant(boxed(EMPTY))
    sizes = tuple(d or 0 for d in shape.dims or ())
    if dtype.kind == "string":
        return constant(np.full(sizes, b"", object))
    return constant(np.zeros(sizes, dtype.numpy))


def _convert(graph: Graph, leaf: Any, dtype: DType, present: Sequence[Any]) -> SymbolicTensor:
    if leaf is MISSING:
        model = next((p for p in present if isinstance(p, Tensor)), None)
        shape = TensorShape([]) if model is None else model._shape if isinstance(model, SymbolicTensor) else model.shape
        leaf = zeros_of(dtype, shape)
    found = graph.recording.localize(adopt(leaf, dtype, "branch"), graph.name)
    graph.recording.tracing.writes.note_array(found, leaf)
    return found


def _dtype_of(leaf: Any) -> DType | None:
    if leaf is MISSING:
        return None
    return leaf.dtype if isinstance(leaf, Tensor) else literal_dtype(leaf)


def _same(a: Any, b: Any) -> bool:
    if a is b:
        return True
    if isinstance(a, Tensor | np.ndarray) or isinstance(b, Tensor | np.ndarray) or type(a) is not type(b):
        return False
    if isinstance(a, float | complex):
        return repr(a) == repr(b)  # 0.0 and -0.0 differ, nan is itself
    try:
        return bool(a == b)
    except Exception:
        return False


def _kind(leaf: Any) -> str:
    """What a leaf is, in words: a member of an enumeration by its name, of other objects the class."""
    if isinstance(leaf, Tensor):
        return "tensor"
    return str(leaf) if isinstance(leaf, Enum) else type(leaf).__name__
