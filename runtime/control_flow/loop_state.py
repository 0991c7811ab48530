"""The state of a staged loop: which leaves of which variables are carried as tensors, of which type.

    i = 0; x = ones([2]); f = math.sin        i: weak int32 scalar, x: float32 (2,), f: fixed (must not change)
    while i < n: i += 1; x = step(f, x)

A variable that has no value before the loop gets one when the body has been traced and its type is known: it is carried
beside a flag "is defined", starting from zeros. Types widen as the body shows: a literal's dtype to that of the tensor
that replaces it, shapes to what holds before and after an iteration.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from runtime import nest
from runtime.control_flow.merge import TENSOR_LIKE, called, common_dtype, is_weak, zeros_of
from runtime.control_flow.optional import View, restore, view
from runtime.control_flow.subgraph import current_graph
from runtime.dtypes import DType, bool_, string
from runtime.graph.graph import Graph
from runtime.ops.record import REGISTRY
from runtime.shapes import TensorShape
from runtime.tensor.convert import adopt, convert_to_tensor
from runtime.tensor.symbolic import SymbolicTensor
from runtime.tensor.tensor import Tensor

__all__ = ["Leaf", "Variable", "variable_of"]


@dataclass(eq=False)
class Leaf:
    """One tensor of the state, or (`fixed`) a Python object that the loop only passes through."""

    initial: Any
    dtype: DType = bool_
    shape: TensorShape = field(default_factory=lambda: TensorShape([]))
    weak: bool = False
    fixed: bool = False
    invariant: TensorShape | None = None

    def start(self) -> SymbolicTensor:
        """The value before the first iteration, as a tensor of the graph around the loop."""
        # A Python float goes straight to the dtype that the loop found out: as a float32 it would have lost digits.
        value = self.initial if type(self.initial) is float else convert_to_tensor_weakly(self.initial)
        return current_graph().localize(adopt(value, self.dtype, "loop"), "loop")

    def parameter(self, graph: Graph, name: str) -> Any:
        """What the traced code sees: an input of the graph, or the fixed object itself."""
        return self.initial if self.fixed else graph.placeholder(self.dtype, self.shape, name, self.weak)

    def widen(self, name: str, result: Any) -> bool:
        """Takes in the value after an iteration. True if the type changed, so that the body must be traced again."""
        if self.fixed and self._becomes_text(result):
            self.dtype, self.weak, self.fixed = string, True, False
            return True
        if self.fixed:
            self._check_fixed(name, result)
            return False
        if not isinstance(result, TENSOR_LIKE):
            what = "None" if result is None else f"a Python object of type {type(result).__name__}"
            raise TypeError(f"{called(name)} is {what} at the end of the iteration, but a tensor before the loop")
        if not isinstance(result, Tensor):
            result = convert_to_tensor_weakly(result)
        dtype = self._widened_dtype(name, result)
        shape = self._widened_shape(name, result)
        changed = dtype is not self.dtype or shape != self.shape
        self.weak = self.weak and (dtype is self.dtype or is_weak(result))
        self.dtype, self.shape = dtype, shape
        return changed

    def _becomes_text(self, result: Any) -> bool:
        """A Python string that another one replaces becomes a tensor; one that stays is still a Python string."""
        if not isinstance(self.initial, str | bytes):
            return False
        return isinstance(result, Tensor) or (isinstance(result, str | bytes) and result != self.initial)

    def _widened_dtype(self, name: str, result: Any) -> DType:
        def message(*_: DType) -> str:
            return (
                f"{called(name)} has dtype {self.dtype.name} before the loop, but dtype {result.dtype.name} after one"
                " iteration; use runtime.cast"
            )

        if self.weak and not is_weak(result):
            return common_dtype([result, _weak_model(self.dtype)], message)
        if not self.weak and is_weak(result):
            common_dtype([_strong_model(self.dtype), result], message)
            return self.dtype
        if self.weak:
            return common_dtype([_weak_model(self.dtype), result], message)
        if result.dtype is not self.dtype:
            raise TypeError(message())
        unchanged: DType = self.dtype
        return unchanged

    def _widened_shape(self, name: str, result: Any) -> TensorShape:
        found = result._shape if isinstance(result, SymbolicTensor) else result.shape
        if found.is_subtype_of(self.shape):
            return self.shape
        if self.invariant is not None:
            raise ValueError(
                f"{called(name)} has shape {found} after one iteration, which does not conform with the shape invariant"
                f" {self.invariant}."
            )
        return self.shape.relax_with(found)

    def _check_fixed(self, name: str, result: Any) -> None:
        if result is self.initial or (type(result) is type(self.initial) and _equal(result, self.initial)):
            return
        if self.initial is None:
            raise TypeError(
                f"{called(name)} is not allowed to be None before the loop: it is a value after one iteration"
            )
        raise TypeError(
            f"{called(name)} is a Python object of type {type(self.initial).__name__} before the loop and another one"
            " ({}) after an iteration; only tensors and numbers can change in a loop over tensors".format(
                type(result).__name__
            )
        )


@dataclass(eq=False)
class Variable:
    """One variable of the loop: its structure, its leaves, and the flag that says whether it is defined."""

    name: str
    model: Any
    leaves: list[Leaf]
    defined: Leaf | None
    """None: surely defined."""
    placeholder: Any
    absent: bool = False
    """True: it has no value before the loop, and no type yet."""

    def parameters(self, graph: Graph) -> Any:
        """The value that the traced code sees."""
        if self.absent:
            return self.placeholder
        leaves = [leaf.parameter(graph, _node_name(self.name)) for leaf in self.leaves]
        value = nest.pack_sequence_as(self.model, leaves)
        if self.defined is None:
            return value
        return restore(View(self.defined.parameter(graph, "defined"), value, self.placeholder))

    @property
    def carried(self) -> list[Leaf]:
        """The leaves that are inputs of the loop's graphs, in order; the flag is last."""
        leaves = [leaf for leaf in self.leaves if not leaf.fixed]
        return leaves + [self.defined] if self.defined is not None else leaves

    def widen(self, result: Any) -> bool:
        """Takes in the value after an iteration. True if a type changed."""
        seen = view(result)
        if self.absent:
            return False
        if self.defined is None and seen.defined is not True:
            raise ValueError(f"{called(self.name)} has a value before the loop, but may have none after one iteration")
        if seen.defined is False:
            return False
        changed = False
        for leaf, r in zip(self.leaves, self.flat(seen.value), strict=True):
            changed |= leaf.widen(self.name, r)
        return changed

    def flat(self, value: Any) -> list[Any]:
        """The leaves of a value after an iteration. Raises TypeError if its structure differs."""
        if (value is None) != (self.model is None):
            if self.model is None:
                raise TypeError(
                    f"{called(self.name)} is not allowed to be None before the loop: it is a value after one iteration"
                )
            raise TypeError(f"{called(self.name)} is None at the end of the iteration, but a value before the loop")
        try:
            nest.assert_same_structure(self.model, value)
        except (TypeError, ValueError) as error:
            raise TypeError(
                f"{called(self.name)} does not have the same nested structure after one iteration.\n\n{error}"
            ) from None
        leaves: list[Any] = nest.flatten(value)
        return leaves

    def define(self, value: Any) -> None:
        """Gives a variable that had no value before the loop the type that the body gave it."""
        self.model = value
        self.leaves = [_late_leaf(leaf) for leaf in nest.flatten(value)]
        self.defined = Leaf(False)
        self.absent = False

    def next_leaves(self, result: Any, parameters: Sequence[SymbolicTensor], late: bool) -> list[SymbolicTensor]:
        """The tensors after an iteration, for `carried`. `late`: where the body gave no value, the old one stays."""
        seen = view(result)
        if self.absent:
            return []
        if seen.defined is False:
            return list(parameters)
        graph = current_graph()
        values = [
            graph.localize(adopt(r, leaf.dtype, self.name), self.name)
            for leaf, r in zip(self.leaves, self.flat(seen.value), strict=True)
            if not leaf.fixed
        ]
        if self.defined is None:
            return values
        if not late or seen.defined is True:
            return [*values, graph.localize(convert_to_tensor(seen.defined), self.name)]
        flag = graph.localize(seen.defined, self.name)
        where, either = REGISTRY["where"], REGISTRY["logical_or"]
        kept = [where(flag, new, old) for new, old in zip(values, parameters[:-1], strict=True)]
        return [*kept, either(flag, parameters[-1])]

    def final(self, outputs: Sequence[SymbolicTensor]) -> Any:
        """The value after the loop, from the outputs that belong to `carried`."""
        if self.absent:
            return self.placeholder
        remaining = iter(outputs)
        leaves = [leaf.initial if leaf.fixed else _output(leaf, next(remaining)) for leaf in self.leaves]
        value = nest.pack_sequence_as(self.model, leaves)
        if self.defined is None:
            return value
        return restore(View(next(remaining), value, self.placeholder))


def variable_of(name: str, value: Any, invariants: Sequence[tuple[Any, Any]] = ()) -> Variable:
    """The variable for a value before the loop. `invariants`: pairs (value before the loop, shape)."""
    seen = view(value)
    if seen.defined is False:
        return Variable(name, None, [], None, seen.placeholder, absent=True)
    leaves = [_leaf(name, leaf, invariants) for leaf in nest.flatten(seen.value)]
    flag = None if seen.defined is True else Leaf(seen.defined)
    return Variable(name, seen.value, leaves, flag, seen.placeholder)


def _leaf(name: str, value: Any, invariants: Sequence[tuple[Any, Any]]) -> Leaf:
    if not isinstance(value, TENSOR_LIKE) or isinstance(value, str | bytes):
        return Leaf(value, fixed=True)
    tensor = value if isinstance(value, Tensor) else convert_to_tensor_weakly(value)
    shape = tensor._shape if isinstance(tensor, SymbolicTensor) else tensor.shape
    initial = value if type(value) is float else tensor
    leaf = Leaf(initial, tensor.dtype, shape, is_weak(value) or is_weak(tensor))
    for owner, wanted in invariants:
        if owner is value:
            leaf.invariant = TensorShape(wanted)
            if not shape.is_subtype_of(leaf.invariant):
                raise ValueError(
                    f"{called(name)} has shape {shape} before the loop, which does not conform with the shape invariant"
                    f" {leaf.invariant}."
                )
            leaf.shape = leaf.invariant
    return leaf


def _late_leaf(value: Any) -> Leaf:
    if not isinstance(value, TENSOR_LIKE):
        return Leaf(value, fixed=True)
    tensor = value if isinstance(value, Tensor) else convert_to_tensor_weakly(value)
    shape = tensor._shape if isinstance(tensor, SymbolicTensor) else tensor.shape
    zeros = zeros_of(tensor.dtype, shape)
    return Leaf(zeros, tensor.dtype, shape.relax_with(zeros._shape), is_weak(value) or is_weak(tensor))


def convert_to_tensor_weakly(value: Any) -> Any:
    """The tensor of a literal, which still adapts to other tensors; tensors as they are."""
    if isinstance(value, Tensor):
        return value
    tensor = convert_to_tensor(value)
    if isinstance(tensor, SymbolicTensor):
        tensor.weak = is_weak(value)
    return tensor


def _output(leaf: Leaf, tensor: SymbolicTensor) -> SymbolicTensor:
    tensor.weak = leaf.weak
    return tensor


def _weak_model(dtype: DType) -> Any:
    return {"bool": False, "float": 0.0, "complex": 0j, "string": ""}.get(dtype.kind, 0)


def _strong_model(dtype: DType) -> Any:
    return zeros_of(dtype, TensorShape([]))


def _node_name(name: str) -> str:
    return "".join(c if c.isalnum() or c == "_" else "_" for c in name) or "state"


def _equal(a: Any, b: Any) -> bool:
    try:
        return bool(a == b)
    except Exception:
        return False
