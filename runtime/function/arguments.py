"""The arguments of one trace: from how a ConcreteFunction is called to the tensors for the inputs of its graph.

    square = pow.get_concrete_function(a=TensorSpec(None, float32), b=2)
    square(x)    square(a=x)    square(x, 2)      -> [x]
    square(x, 3)                                  -> TypeError: the trace is made for b=2

Python arguments are fixed in the trace: they may be left out, also before others (`evaluate(model, x)` is called as
`evaluate(x)`), and must be the same where they are given. Tensors go by position, by parameter or by the name of the
graph's input. No call is ambiguous: what can be read as the whole list of parameters is read so.
"""

from __future__ import annotations

import difflib
import inspect
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from runtime import structures as nest
from runtime.errors import SignatureError
from runtime.function.signature import as_tensor_of
from runtime.function.trace_protocol import Typed, with_parts
from runtime.function.trace_types import Inputs, ObjectKey, same
from runtime.function.words import a_tensor, in_words
from runtime.ndarrays.arguments import is_memory
from runtime.state.parameters import VariableSpec
from runtime.state.variable import Variable, present_value
from runtime.tensor.array_classes import check_plain
from runtime.tensor.spec import TensorSpec
from runtime.tensor.symbolic import SymbolicTensor
from runtime.tensor.tensor import Tensor

if TYPE_CHECKING:  # what traces is imported by the first trace
    from runtime.function.concrete import ConcreteFunction

__all__ = ["Arguments"]


class Arguments:
    """What the parameters of a trace are made for: a TensorSpec for each input, Python values as they were."""

    def __init__(self, owner: ConcreteFunction, signature: inspect.Signature, specs: Mapping[str, Any]) -> None:
        self._owner = owner
        self.specs = dict(specs)
        self._signature = signature
        with_tensors = [p for n, p in signature.parameters.items() if has_spec(self.specs.get(n))]
        self._only_tensors = signature.replace(parameters=[_required(p) for p in with_tensors])
        self._names = [str(s.name) for v in self.specs.values() for s in nest.flatten(v) if has_spec(s)]

    @property
    def header(self) -> str:
        """Name and parameters of the trace, for messages."""
        return self._owner.header

    def tensors(self, args: Sequence[Any], kwargs: Mapping[str, Any]) -> list[Any]:
        """The tensors of a call, in the order of the graph's inputs.

        Raises SignatureError, which is a TypeError, a ValueError and an InvalidArgumentError, for missing, unexpected
        and other Python arguments, and for tensors of another dtype or shape.
        """
        return self.tensors_of(self._given(args, kwargs))

    def tensors_of(self, given: Mapping[str, Any]) -> Inputs:
        """The tensors of arguments by parameter. Raises SignatureError as `tensors` does."""
        tensors = Inputs()
        for parameter, spec in self.specs.items():
            if parameter in given:
                for tensor, array in self._matched(parameter, given[parameter], spec):
                    check_plain(array)
                    if is_memory(array) or hasattr(type(array), "__ag_traced_array__"):
                        tensors.arrays += ((len(tensors), array),)
                    elif isinstance(array, np.ndarray):
                        tensors.texts += (len(tensors),)
                    tensors.append(tensor)
            elif has_spec(spec):
                raise SignatureError(f"{self.header}: missing argument {parameter!r}, {_wanted(spec)}")
        self._check_aliases([t for t in tensors if isinstance(t, Variable)])
        return tensors

    def _check_aliases(self, variables: Sequence[Variable]) -> None:
        """Arguments that were one Variable in the trace are one, and those that were two are two."""
        known = [
            (repr(parameter) + (path and f" at {path}"), leaf)
            for parameter, spec in self.specs.items()
            for path, leaf in nest.flatten_with_paths(spec)
            if isinstance(leaf, VariableSpec)
        ]
        for i, (name, first) in enumerate(known):
            for j in range(i):
                other, second = known[j]
                same = variables[i]._memory is variables[j]._memory
                if same != (first.name == second.name):
                    was, now = ("two Variables", "one") if same else ("one Variable", "two")
                    raise SignatureError(
                        f"{self.header}: the arguments {other} and {name} were {was} when it was traced, and are {now}"
                        f" now ({in_words(variables[i])}); trace it for these with get_concrete_function"
                    )

    def _given(self, args: Sequence[Any], kwargs: Mapping[str, Any]) -> dict[str, Any]:
        """Values by parameter."""
        try:
            given = self._signature.bind_partial(*args, **kwargs).arguments
        except TypeError as error:
            return self._by_input(args, kwargs, error)
        try:
            for parameter, value in given.items():
                if not has_spec(self.specs[parameter]):
                    self._matched(parameter, value, self.specs[parameter])
        except TypeError as error:
            try:
                return self._only_tensors.bind(*args, **kwargs).arguments
            except TypeError:
                raise error from None
        return given

    def _by_input(self, args: Sequence[Any], kwargs: Mapping[str, Any], error: TypeError) -> dict[str, Any]:
        """A call that names inputs of the graph: `f(pair_0=x, pair_1=y)`."""
        unknown = [n for n in kwargs if n not in self._names and n not in self.specs]
        if unknown or len(args) > len(self._names) or not all(n in self._names for n in kwargs):
            known = [*self.specs, *(n for n in self._names if n not in self.specs)]
            close = difflib.get_close_matches(unknown[0], known, n=1) if unknown else []
            hint = f"; did you mean {close[0]!r}?" if close else ""
            if len(args) > len(self.specs):
                hint = f": {len(args)} were given, for {', '.join(map(repr, self.specs))}"
            raise SignatureError(f"{self.header}: {error}{hint}") from None
        values = dict(zip(self._names, args, strict=False))
        twice = [n for n in kwargs if n in values]
        values.update(kwargs)
        missing = [n for n in self._names if n not in values]
        if twice or missing:
            if twice:
                raise SignatureError(f"{self.header}: two values for {twice[0]!r}") from None
            raise SignatureError(f"{self.header}: missing argument {missing[0]!r}, {self._of(missing[0])}") from None
        return {
            parameter: nest.map_structure(lambda s: values[str(s.name)] if has_spec(s) else s, spec)
            for parameter, spec in self.specs.items()
            if has_spec(spec)
        }

    def _matched(self, parameter: str, value: Any, spec: Any) -> list[tuple[Any, Any]]:
        """The tensors of one argument, each with what was given. Everything else in it must be what it was."""
        try:
            leaves = nest.flatten_up_to(spec, with_parts(value))
        except (TypeError, ValueError):
            if not has_spec(spec):
                raise self._other_value(parameter, value, spec) from None
            raise SignatureError(
                f"{self.header}: argument {parameter!r} must look like {spec!r}, but is {in_words(value)}"
            ) from None
        tensors = []
        for leaf, (path, expected) in zip(leaves, nest.flatten_with_paths(spec), strict=True):
            if isinstance(expected, TensorSpec):
                tensors.append((self._fit(repr(parameter) + (path and f" at {path}"), leaf, expected), leaf))
            elif isinstance(expected, VariableSpec):
                tensors.append((self._variable(repr(parameter) + (path and f" at {path}"), leaf, expected), leaf))
            elif not same(leaf, expected):
                raise self._other_value(parameter, leaf, expected)
        return tensors

    def _other_value(self, parameter: str, value: Any, traced: Any) -> SignatureError:
        kind = traced.kind if isinstance(traced, ObjectKey) else type(traced).__name__
        if isinstance(traced, Typed):
            kind = "TraceType"
        return SignatureError(
            f"ConcreteFunction {self.header} was constructed with {kind} value {traced!r} in {parameter},"
            f" but was called with {type(value).__name__} value {value!r}."
        )

    def _variable(self, name: str, value: Any, spec: VariableSpec) -> Variable:
        if not spec.is_compatible_with(value):
            raise SignatureError(
                f"{self.header}: argument {name} was expected to be {in_words(spec)} but is {in_words(value)}"
            )
        return value

    def _fit(self, name: str, value: Any, spec: TensorSpec) -> Any:
        expected = f"{self.header}: argument {name} was expected to be"
        value = present_value(value) if hasattr(type(value), "__ag_traced_array__") else value
        if not isinstance(value, Tensor):
            try:
                value = as_tensor_of(value, spec.dtype)
            except (TypeError, ValueError) as error:
                raise SignatureError(f"{expected} {in_words(spec)} but is {in_words(value)}: {error}") from None
        if value.dtype is not spec.dtype:
            raise SignatureError(f"{expected} {a_tensor(spec)} but is {a_tensor(value)}")
        shape = value._shape if isinstance(value, SymbolicTensor) else value.shape
        if not shape.is_compatible_with(spec.shape):
            raise SignatureError(f"{expected} {in_words(spec)} but is {in_words(value)}")
        return value

    def _of(self, name: str) -> str:
        """What an input of the graph is, by its name."""
        leaves = [leaf for spec in self.specs.values() for leaf in nest.flatten(spec) if has_spec(leaf)]
        return next(in_words(leaf) for leaf in leaves if leaf.name == name)


def has_spec(value: Any) -> bool:
    """Whether there is a tensor in what a parameter was traced with."""
    return any(isinstance(leaf, TensorSpec | VariableSpec) for leaf in nest.flatten(value))


def _required(parameter: inspect.Parameter) -> inspect.Parameter:
    variadic = parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD)
    return parameter if variadic else parameter.replace(default=inspect.Parameter.empty)


def _wanted(spec: Any) -> str:
    return f"a structure like {spec!r}" if nest.is_nested(spec) else in_words(spec)
