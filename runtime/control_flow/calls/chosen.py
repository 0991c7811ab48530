"""A function that differs between branches: which one it is, is known when the graph runs.

    activation = relu if n > 0 else tanh      # ChosenFunction(index, (relu, tanh))
    activation(x)                             # both calls are traced, one runs

It can be called, and has a text: every function is called with the same arguments, and their results are
merged as those of branches are.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from typing import Any, Final

from autograph.operators.call import converted_call
from autograph.options import STANDARD_OPTIONS
from runtime.ops.records.record import REGISTRY
from runtime.tensor.convert import convert_to_tensor

__all__ = ["ChosenFunction", "choices_of", "number_in"]


class ChosenFunction:
    """One of `functions`, by the number `index`, an integer scalar tensor."""

    __slots__ = ("functions", "index")

    __ag_do_not_convert__: Final = True

    stager: Any = None  # set by runtime.control_flow.stager

    def __init__(self, index: Any, functions: tuple[Callable[..., Any], ...]) -> None:
        self.index = index
        self.functions = functions

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self.each(lambda function: converted_call(function, args, kwargs, None, options=STANDARD_OPTIONS))

    def each(self, operation: Callable[[Any], Any]) -> Any:
        """The result of an operation on the function that it is."""

        def from_place(number: int) -> Any:
            function = self.functions[number]
            if number == len(self.functions) - 1:
                return operation(function)
            chosen = REGISTRY["equal"](self.index, number)
            return self.stager.if_exp(chosen, lambda: operation(function), lambda: from_place(number + 1), repr(self))

        return from_place(0)

    @staticmethod
    def __ag_asked__(question: Callable[..., Any], args: tuple[Any, ...], kwargs: Any = None) -> Any:
        """What `type` or `isinstance` says of the function that it is."""
        chosen, *others = args
        return chosen.each(lambda function: question(function, *others))

    def __get__(self, instance: Any, owner: type | None = None) -> ChosenFunction:
        """In a class it is what the functions are there: methods."""
        found = tuple([f.__get__(instance, owner) if hasattr(type(f), "__get__") else f for f in self.functions])
        return self if all(map(operator.is_, found, self.functions)) else ChosenFunction(self.index, found)

    def __repr__(self) -> str:
        return " or ".join(getattr(f, "__qualname__", repr(f)) for f in self.functions)


def choices_of(values: Sequence[Any]) -> tuple[Callable[..., Any], ...] | None:
    """The functions among which the branches choose, each once; None where not all values are functions."""
    found: list[Callable[..., Any]] = []
    for value in values:
        if not callable(value) or isinstance(value, type):
            return None
        for function in value.functions if isinstance(value, ChosenFunction) else (value,):
            if not any(function is known for known in found):
                found.append(function)
    return tuple(found)


def number_in(value: Any, functions: Sequence[Callable[..., Any]]) -> Any:
    """Which of `functions` a value is: a number, or a tensor of the graph that is being recorded."""
    if not isinstance(value, ChosenFunction):
        return next(i for i, function in enumerate(functions) if function is value)
    numbers = [number_in(function, functions) for function in value.functions]
    return REGISTRY["gather"](convert_to_tensor(numbers), value.index)
