"""The options of a loop statement, as `set_loop_options` was given them: checked, and those that matter here.

    set_loop_options(maximum_iterations=10, shape_invariants=[(x, [None, 2]), ("y", [None])])
    set_loop_options(checkpoint_every=100)          # gradients of the loop need less memory; see checkpoints.py

A shape invariant names its variable by the tensor that it holds before the loop, or by its name; the invariant of a
structure is a structure of shapes, that of a ragged tensor a RaggedTensorSpec or its static shape.
`parallel_iterations` and `swap_memory` are hints that change nothing here.
"""

from __future__ import annotations

import operator
from collections.abc import Mapping, Sequence
from typing import Any

from autograph.directives import UNSPECIFIED
from autograph.errors import StagingTypeError, StagingValueError
from runtime import structures as nest
from runtime.control_flow.lattice.types import called
from runtime.control_flow.optional.values import inside_of
from runtime.dtypes import DType
from runtime.shapes import TensorShape
from runtime.tensor.spec import TensorSpec
from runtime.tensor.tensor import Tensor

__all__ = [
    "Invariants", "check_owners", "invariants_of", "invariants_of_parts", "is_length", "parts_of_invariant",
    "read_options", "shape_of_invariant",
]  # fmt: skip

Invariants = Sequence[tuple[Any, Any]]
"""Pairs (value before the loop, or name of the variable; shape)."""


def read_options(opts: Mapping[str, Any], names: Sequence[str]) -> tuple[Invariants, Any, Any]:
    """The shape invariants, the bound on the iterations, and every how many of them gradients save the state.

    Raises StagingTypeError or StagingValueError.
    """
    given = {name: value for name, value in opts.items() if value is not UNSPECIFIED}
    parallel = given.get("parallel_iterations")
    if parallel is not None and (not isinstance(parallel, int) or isinstance(parallel, bool) or parallel < 1):
        raise StagingValueError(f"set_loop_options: 'parallel_iterations' is a positive integer; got {parallel!r}")
    swap = given.get("swap_memory")
    if swap is not None and not isinstance(swap, bool):
        raise StagingTypeError(f"set_loop_options: 'swap_memory' is True or False; got {swap!r}")
    every = given.get("checkpoint_every")
    if every is not None and every is not False and not is_length(every):
        raise StagingValueError(
            f"set_loop_options: 'checkpoint_every' is a number of iterations, 1 or more, or True; got {every!r}"
        )
    return _invariants(given.get("shape_invariants"), names), _limit(given.get("maximum_iterations")), every


def is_length(every: Any) -> bool:
    """Whether that can be `checkpoint_every`: a number of iterations, or True for stretches that grow."""
    return every is True or (type(every) is int and every > 0)


def _limit(value: Any) -> Any:
    if isinstance(value, Tensor):
        dtype: DType = value.dtype
        if not dtype.is_integer or value.shape.rank not in (0, None):
            raise StagingTypeError(f"set_loop_options: 'maximum_iterations' is an integer scalar; got {value}")
        return value
    if value is None:
        return None
    try:
        return operator.index(value)
    except TypeError:
        raise StagingTypeError(f"set_loop_options: 'maximum_iterations' is an integer scalar; got {value!r}") from None


def _invariants(pairs: Any, names: Sequence[str]) -> Invariants:
    if pairs is None:
        return ()
    listed: list[Any] = list(pairs) if isinstance(pairs, list | tuple) else [None]
    if not all(isinstance(pair, list | tuple) and len(pair) == 2 for pair in listed):
        raise StagingTypeError(
            f"set_loop_options: 'shape_invariants' is a list of pairs (variable, shape); got {pairs!r}"
        )
    for owner, _ in listed:
        if isinstance(owner, str) and owner not in names:
            raise StagingValueError(
                f"set_loop_options: {owner!r} is no variable that the loop changes; those are {_listed(names)}"
            )
    return [(owner, shape) for owner, shape in listed]


def check_owners(invariants: Invariants, names: Sequence[str], values: Sequence[Any]) -> None:
    """Raises StagingValueError for an invariant of a value that no variable has before the loop."""
    held = {id(part) for part in nest.walked(values, _inside)}
    for owner, shape in invariants:
        if not isinstance(owner, str) and id(owner) not in held:
            raise StagingValueError(
                f"set_loop_options: the shape invariant {shape!r} is for {owner!r}, which no variable that the loop"
                f" changes holds before it; those are {_listed(names)}"
            )


def _inside(value: Any) -> Sequence[Any]:
    """The parts of a value, also of what may be None or undefined."""
    inner = inside_of(value)
    return nest.parts_if_nested(value) if inner is value else (inner,)


def parts_of_invariant(structure: Any, shapes: Any) -> list[tuple[Any, Any]]:
    """The parts of a structure before a loop, each with its invariant. Raises TypeError where there are others.

    Of a value that is made of several tensors it is a spec, or the static shape as it shows it.
    """
    parts = nest.children(structure)
    if hasattr(structure, "_nest_invariant") and not hasattr(type(shapes), "_nest_parts"):
        shapes = structure._nest_invariant(shapes)
    if not nest.is_nested(shapes) or [step for step, _ in nest.children(shapes)] != [step for step, _ in parts]:
        raise TypeError("the invariant has another structure")
    return [(part, shape) for (_, part), (_, shape) in zip(parts, nest.children(shapes), strict=True)]


def shape_of_invariant(given: Any) -> TensorShape:
    """The shape that an invariant of one tensor is, or that a spec has."""
    return given.shape if isinstance(given, TensorSpec) else TensorShape(given)


def _listed(names: Sequence[str]) -> str:
    return ", ".join(repr(name) for name in names if name.replace("_", "").isalnum()) or "none"


def invariants_of(name: str, value: Any, invariants: Invariants) -> Invariants:
    """Those invariants that can be of this variable, with its value in the place of its name."""
    return [
        (value if isinstance(owner, str) else owner, shape)
        for owner, shape in invariants
        if not isinstance(owner, str) or owner == name
    ]


def invariants_of_parts(name: str, structure: Any, invariants: Invariants) -> Invariants:
    """The invariants of the parts of a structure, by those of the structure."""
    found: list[tuple[Any, Any]] = []
    for _, shapes in (pair for pair in invariants if pair[0] is structure):
        try:
            found += parts_of_invariant(structure, shapes)
        except TypeError:
            raise StagingTypeError(
                f"{called(name)} does not have the same nested structure as its corresponding shape invariant"
                f" {shapes!r}."
            ) from None
    return found
