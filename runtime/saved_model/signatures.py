"""The parameters of a Function, and its input_signature, as JSON and back.

    {"name": "step", "parameters": [["x", 1], ["training", 1, false]], "specs": [{"spec": [[null], "int32", "x"]}]}

A parameter is its name, its kind (that of `inspect.Parameter`) and perhaps its default.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from typing import Any, Final

from runtime.composite.ragged_spec import RaggedTensorSpec
from runtime.composite.sparse_tensor import SparseTensorSpec
from runtime.errors import FormatError, InvalidArgumentError
from runtime.function.loaded import stand_in
from runtime.function.signature import Signature
from runtime.graph.literals import DTYPES
from runtime.saved_model.values import Leaf, NotSavable, describe, described_dims, dims_of, text_of, value_of
from runtime.state.parameters import VariableSpec
from runtime.tensor.spec import TensorSpec

__all__ = ["SPEC_READERS", "describe_signature", "describe_spec", "signature_of"]



def describe_signature(signature: Signature, leaf: Leaf) -> Any:
    """The parameters of a Function, and its input_signature. `leaf` as that of `describe`."""
    parameters = []
    for parameter in signature.signature.parameters.values():
        described: list[Any] = [parameter.name, int(parameter.kind)]
        if parameter.default is not parameter.empty:
            try:
                described.append(describe(parameter.default, leaf))
            except NotSavable:
                described.append({"lost": type(parameter.default).__name__})
        parameters.append(described)
    specs = None if signature.specs is None else [describe(spec, describe_spec) for spec in signature.specs]
    return {"name": signature.name, "parameters": parameters, "specs": specs}


def describe_spec(spec: Any) -> Any:
    """A spec as JSON. Raises NotSavable."""
    if isinstance(spec, TensorSpec):
        return {"spec": [described_dims(spec.shape), spec.dtype.name, spec.name]}
    if isinstance(spec, VariableSpec):
        return {"variable_spec": [described_dims(spec.shape), spec.dtype.name, spec.trainable, spec.name]}
    if isinstance(spec, RaggedTensorSpec):
        flat = spec.flat_values_spec
        rows = None if not spec.ragged_rank else dict(spec._nest_parts())[".row_splits"].shape[0]
        splits = [spec.ragged_rank, spec.row_splits_dtype.name, rows]
        return {"ragged_spec": [described_dims(flat.shape), flat.dtype.name, *splits]}
    if isinstance(spec, SparseTensorSpec):
        return {"sparse_spec": [described_dims(spec.shape), spec.dtype.name]}
    raise NotSavable(f"a spec like {spec!r:.200} cannot be saved")


def signature_of(described: Any, leaves: Mapping[str, Callable[[Any], Any]]) -> Signature:
    """The signature that `describe_signature` was given. Raises FormatError."""
    name = text_of(described, "name")
    parameters = []
    try:
        for parameter, kind, *default in described["parameters"]:
            value = value_of(default[0], {**leaves, "lost": _Lost}) if default else inspect.Parameter.empty
            parameters.append(inspect.Parameter(parameter, inspect._ParameterKind(kind), default=value))
        function = stand_in(name, inspect.Signature(parameters))
        specs = described["specs"]
        given = None if specs is None else [value_of(spec, SPEC_READERS) for spec in specs]
        return Signature(function, False, given)
    except (TypeError, ValueError, LookupError, InvalidArgumentError) as error:
        raise FormatError(f"the parameters of {name!r:.80} cannot be read: {error}") from None


class _Lost:
    """Stands for a default that was an object which files do not hold: no trace was made with it."""

    def __init__(self, kind: Any) -> None:
        self._kind = kind

    def __repr__(self) -> str:
        return f"<the default, an object of type {self._kind!s:.80}, was not saved>"


def _tensor_spec(body: Any) -> TensorSpec:
    dims, dtype, name = body
    return TensorSpec(dims_of(dims), DTYPES[dtype], _name(name))


def _variable_spec(body: Any) -> VariableSpec:
    dims, dtype, trainable, name = body
    return VariableSpec(dims_of(dims), DTYPES[dtype], trainable is True, _name(name))


def _ragged_spec(body: Any) -> RaggedTensorSpec:
    dims, dtype, rank, splits, rows = body
    flat = dims_of(dims)
    if type(rank) is not int or not 0 <= rank <= 32:
        raise ValueError(f"{rank!r:.80} is no ragged_rank")
    made: Any = RaggedTensorSpec(None, DTYPES[dtype], 0, DTYPES[splits], TensorSpec(flat, DTYPES[dtype]))
    if rank == 0:
        return made
    made = made.flat_values_spec
    for level in reversed(range(rank)):
        made = RaggedTensorSpec.of_parts(made, TensorSpec([None if level else rows], DTYPES[splits]))
    return made


def _sparse_spec(body: Any) -> SparseTensorSpec:
    dims, dtype = body
    return SparseTensorSpec(dims_of(dims), DTYPES[dtype])


SPEC_READERS: Final[dict[str, Callable[[Any], Any]]] = {
    "ragged_spec": _ragged_spec,
    "sparse_spec": _sparse_spec,
    "spec": _tensor_spec,
    "variable_spec": _variable_spec,
}
"""What reads specs, by their words."""


def _name(name: Any) -> str | None:
    if name is not None and type(name) is not str:
        raise ValueError(f"{name!r:.80} is no name")
    return name
