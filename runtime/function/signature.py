"""Arguments in canonical form: every call of a Function, however it is written, becomes one tuple of values.

    f(1, b=2)   f(a=1, b=2)   f(1)  (with b=2 by default)      ->  {"a": 1, "b": 2}

With an input_signature Python and numpy values become tensors of the dtypes that it names; ndarrays stay arrays where
the function writes to them.
"""

from __future__ import annotations

import copy
import difflib
import inspect
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from runtime import structures as nest
from runtime.dtypes import DType
from runtime.errors import SignatureError
from runtime.function.foreign_arrays import as_ndarray, is_foreign
from runtime.function.leaves import SPECS
from runtime.function.words import in_words
from runtime.ndarrays.arguments import ArraySpec, as_array_of, is_memory, mark_of
from runtime.shapes import as_shape
from runtime.state.parameters import VariableSpec
from runtime.tensor.array_classes import check_plain
from runtime.tensor.convert import as_operand, convert_to_tensor
from runtime.tensor.eager import EagerTensor
from runtime.tensor.literals import to_array
from runtime.tensor.spec import TensorSpec
from runtime.tensor.symbolic import SymbolicTensor
from runtime.tensor.tensor import Tensor

__all__ = ["Signature", "as_tensor_of", "to_spec_or_array"]


class Signature:
    """The parameters of a Python function, and the specs that its tensors must follow, if any."""

    def __init__(self, function: Any, skip_first: bool, input_signature: Any) -> None:
        self.name = getattr(function, "__name__", type(function).__name__)
        signature, self._claimed = _signature_of(function)
        parameters = list(signature.parameters.values())
        self.signature = signature.replace(parameters=parameters[1:] if skip_first else parameters)
        parameters = list(self.signature.parameters.values())
        plain = all(p.kind is p.POSITIONAL_OR_KEYWORD for p in parameters)
        self._plain = [p.name for p in parameters] if plain else None
        self._defaults = {p.name: p.default for p in parameters if p.default is not p.empty}
        self.specs = self._check_specs(input_signature)

    def _check_specs(self, input_signature: Any) -> tuple[Any, ...] | None:
        if input_signature is None:
            return None
        if not isinstance(input_signature, list | tuple):
            raise TypeError(f"input_signature is a list or tuple of TensorSpec; got {input_signature!r}")
        for spec in nest.flatten(list(input_signature)):
            if not isinstance(spec, SPECS):
                raise TypeError(
                    f"input_signature of {self.name!r} may only hold TensorSpec and VariableSpec; got {spec!r}"
                )
        positional = [
            p for p in self.signature.parameters.values() if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)
        ]
        takes_more = any(p.kind is p.VAR_POSITIONAL for p in self.signature.parameters.values())
        if len(input_signature) > len(positional) and not takes_more:
            raise SignatureError(
                f"input_signature of {self.name!r} has {len(input_signature)} entries,"
                f" the function takes {len(positional)} arguments"
            )
        return tuple(input_signature)

    def bind(self, args: Sequence[Any], kwargs: Mapping[str, Any]) -> dict[str, Any]:
        """Values by parameter, with defaults, in the order of the signature. Raises TypeError as Python does."""
        quick = self._bind_quickly(args, kwargs)
        if quick is not None:
            return quick
        try:
            bound = self.signature.bind(*args, **kwargs)
        except TypeError as error:
            hint = "; set __signature__ on the wrapper around it if it takes other arguments" if self._claimed else ""
            found = f"{error}{self._too_many(str(error), args)}{self._unknown(str(error), kwargs)}"
            raise TypeError(f"{self.name}(): {found}{hint}") from None
        bound.apply_defaults()
        return bound.arguments

    def _too_many(self, error: str, args: Sequence[Any]) -> str:
        """How many arguments there were, where an error is about that."""
        if error != "too many positional arguments":
            return ""
        parameters = self.signature.parameters.values()
        names = [repr(p.name) for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
        return f": {len(args)} were given, for {', '.join(names) or 'none'}"

    def _unknown(self, error: str, kwargs: Mapping[str, Any]) -> str:
        """The names of arguments that there are no parameters of, where an error is about another thing."""
        parameters = self.signature.parameters
        if any(p.kind is p.VAR_KEYWORD for p in parameters.values()):
            return ""
        unknown = [name for name in kwargs if name not in parameters]
        near = [match for name in unknown for match in difflib.get_close_matches(name, parameters, 1)]
        hint = f"; did you mean {' and '.join(map(repr, near))}?" if near else ""
        others = [repr(name) for name in unknown if repr(name) not in error]
        return (f", and got unexpected ones: {', '.join(others)}" if others else "") + hint

    def _bind_quickly(self, args: Sequence[Any], kwargs: Mapping[str, Any]) -> dict[str, Any] | None:
        """As `bind`, for plain parameters and a call without mistakes; None for all others."""
        names = self._plain
        if names is None or len(args) + len(kwargs) > len(names):
            return None
        given = dict(zip(names, args, strict=False))
        if len(args) == len(names):
            return given
        found = 0
        for name in names[len(args) :]:
            if name in kwargs:
                given[name] = kwargs[name]
                found += 1
            elif name in self._defaults:
                given[name] = self._defaults[name]
            else:
                return None
        return given if found == len(kwargs) else None

    def split(self, arguments: Mapping[str, Any]) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """The canonical values as positional and keyword arguments for the Python function."""
        bound = inspect.BoundArguments(self.signature, dict(arguments))
        return bound.args, bound.kwargs

    def conform(
        self, args: Sequence[Any], kwargs: Mapping[str, Any], convert: Callable[[Any, Any], Any] | None = None
    ) -> dict[str, Any]:
        """As `bind`, with the tensors of the input_signature converted and checked. Raises SignatureError.

        convert: makes of a value what satisfies a spec; a tensor by default. Raises TypeError or ValueError.
        """
        convert = _to_spec if convert is None else convert
        if self.specs is None:
            return self.bind(args, kwargs)
        arguments = self.bind(args, kwargs)
        if self._plain is not None and len(self._plain) >= len(self.specs):
            whole = list(arguments.values())
            for name, spec in zip(self._plain, self.specs, strict=False):
                arguments[name] = self._conform(name, arguments[name], spec, whole, convert)
            return arguments
        given, keywords = self.split(arguments)
        names = self._names()
        if len(given) < len(self.specs):
            raise SignatureError(
                f"{self.name}() takes {len(self.specs)} arguments by its input_signature; {len(given)} were given:"
                f" {names[len(given)]!r}, {in_words(self.specs[len(given)])}, is missing"
            )
        conformed = [self._conform(*one, given, convert) for one in zip(names, given, self.specs, strict=False)]
        return self.bind([*conformed, *given[len(self.specs) :]], keywords)

    def _names(self) -> list[str]:
        """What the arguments of the input_signature are called: `x`, `rest[0]`."""
        parameters = self.signature.parameters.values()
        names = [p.name for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
        others = [p.name for p in parameters if p.kind is p.VAR_POSITIONAL]
        return names + [f"{name}[{i}]" for name in others for i in range(len(self.specs or ()) - len(names))]

    def _conform(
        self, name: str, value: Any, spec: Any, args: Sequence[Any], convert: Callable[[Any, Any], Any]
    ) -> Any:
        try:
            leaves = nest.flatten_up_to(spec, value)
        except (TypeError, ValueError):
            raise self._mismatch(repr(name), value, f"a structure like {spec!r}", args) from None
        leaves = [as_ndarray(leaf, name) if is_foreign(leaf) else leaf for leaf in leaves]
        tensors = []
        for leaf, (path, wanted) in zip(leaves, nest.flatten_with_paths(spec), strict=True):
            try:
                tensors.append(convert(leaf, wanted))
            except (TypeError, ValueError):
                raise self._mismatch(repr(name) + path, leaf, in_words(wanted), args) from None
        return nest.pack_sequence_as(spec, tensors)

    def _mismatch(self, name: str, value: Any, wanted: str, args: Sequence[Any]) -> SignatureError:
        shown = ",\n    ".join(str(a) for a in args)
        specs = ",\n    ".join(map(repr, self.specs or ()))
        return SignatureError(
            f"Python inputs incompatible with input_signature of {self.name!r}: the argument {name} is"
            f" {in_words(value)}, but the signature asks for {wanted}.\n  inputs: (\n    {shown})\n"
            f"  input_signature: (\n    {specs})."
        )

    def spec_values(self) -> list[Any]:
        """The input_signature as arguments for a trace: each spec named after its parameter, unless it has a name."""
        return [_named(spec, name) for spec, name in zip(self.specs or (), self._names(), strict=False)]

    def specified(self, arguments: dict[str, Any]) -> dict[str, Any]:
        """The arguments with the specs of the input_signature, if there is one, in the place of tensors: there is one
        trace for all, and one for ndarrays."""
        if self.specs is None:
            return arguments
        args, kwargs = self.split(arguments)
        specs = self.spec_values()
        given = nest.flatten_up_to(specs, list(args[: len(specs)]))
        first: dict[int, Any] = {}  # what is one Variable or array in two places is one in the trace, too
        leaves = []
        for leaf, spec in zip(given, nest.flatten(specs), strict=True):
            spec = ArraySpec(spec, mark_of(leaf)) if is_memory(leaf) else spec
            leaves.append(spec if type(spec) is TensorSpec else first.setdefault(id(leaf), spec))
        return self.bind([*nest.pack_sequence_as(specs, leaves), *args[len(specs) :]], kwargs)


def _named(spec: Any, name: str) -> Any:
    if isinstance(spec, TensorSpec):
        return TensorSpec(spec.shape, spec.dtype, spec.name or name)
    if isinstance(spec, VariableSpec):
        return VariableSpec(spec.shape, spec.dtype, spec.trainable, spec.name or name)
    return nest.map_structure(_of_its_own, spec)


def _of_its_own(leaf: Any) -> Any:
    """A VariableSpec that stands in several places stands for a Variable in each: which are the same, the call says."""
    return copy.copy(leaf) if isinstance(leaf, VariableSpec) else leaf


def _signature_of(function: Any) -> tuple[inspect.Signature, bool]:
    """The parameters of a function, and whether they are those of the function that a wrapper says it stands for."""
    try:
        own = inspect.signature(function, follow_wrapped=False)
    except ValueError:  # an object that only what it stands for can tell of: another Function
        try:
            return inspect.signature(function), False
        except ValueError:
            raise TypeError(
                f"the parameters of {function!r} are not known, because it is not written in Python; decorate a Python"
                " function that calls it"
            ) from None
    if all(p.kind in (p.VAR_POSITIONAL, p.VAR_KEYWORD) for p in own.parameters.values()):
        followed = inspect.signature(function)
        return followed, followed != own
    return own, False


def as_tensor_of(value: Any, dtype: DType) -> Any:
    """A Python value or ndarray that is an argument as a tensor. Raises TypeError or ValueError."""
    if isinstance(value, list | tuple):  # there may be tensors in it
        return convert_to_tensor(value, dtype)
    return EagerTensor(to_array(value, dtype))


def _to_spec(value: Any, spec: Any) -> Any:
    """The value as a tensor (or the Variable) that satisfies the spec. Raises TypeError or ValueError."""
    if isinstance(spec, VariableSpec):
        if not spec.is_compatible_with(value):
            raise ValueError
        return value
    if isinstance(value, TensorSpec):
        if not value.is_subtype_of(spec):
            raise ValueError
        return value
    value = as_operand(value)
    if not isinstance(value, Tensor):
        value = as_tensor_of(value, spec.dtype)
    shape = value._shape if isinstance(value, SymbolicTensor) else value.shape
    if value.dtype is not spec.dtype or not shape.is_compatible_with(spec.shape):
        raise ValueError
    assert isinstance(value, EagerTensor | SymbolicTensor)
    return value


def to_spec_or_array(value: Any, spec: Any) -> Any:
    """As a tensor that satisfies the spec, but arrays stay what they are. Raises TypeError or ValueError."""
    is_traced = hasattr(type(value), "__ag_traced_array__")
    if not (is_traced or isinstance(value, np.ndarray)) or isinstance(spec, VariableSpec):
        return _to_spec(value, spec)
    if not is_memory(value):
        _to_spec(value, spec)
        return value
    check_plain(value)
    value = as_array_of(value, spec.dtype)
    if not as_shape(value.shape).is_compatible_with(spec.shape):
        raise ValueError
    return value
