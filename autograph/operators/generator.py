"""Generators of the user in converted code: a converted loop over one runs its code in the form that hands items over.

    for x in count(n):        # while a stager is tracing, `count(n)` is a PushedGenerator
        total += x            # its code is converted, and runs this body for each item: its own loops can be staged

Everything else that is done with it (`next`, `send`, `zip`, code that is not converted) is done with the generator that
Python makes, and so is the loop if the generator cannot be converted that way (converters/generator.py), or has begun.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import partial
from types import FunctionType, GeneratorType
from typing import Any, Final

from autograph import logs
from autograph.conversion import generator_template_of
from autograph.errors import ConversionError, StagingError
from autograph.operators.consumer import Consumer, refusal_in_its_loop
from autograph.operators.left import refusal_to_go_on
from autograph.operators.pulled import making
from autograph.operators.stager import WHILE_TRACING, tracing_stager
from autograph.options import ConversionOptions
from autograph.template import bind

__all__ = ["PushedGenerator", "call_generator"]


def call_generator(
    function: FunctionType, args: tuple[Any, ...], kwargs: dict[str, Any], options: ConversionOptions,
    name: str | None = None, is_repeatable: bool = False,
) -> Any:  # fmt: skip
    """`function(*args, **kwargs)` of a generator function that may be converted, while a stager is tracing.

    is_repeatable: nothing has changed where it is begun once more, for its first item was asked for in vain.
    """
    generator = function(*args, **kwargs)  # refuses wrong arguments; runs nothing yet
    again = partial(function, *args, **kwargs) if is_repeatable else None
    push = partial(_pushing, function, args, kwargs, options)
    return PushedGenerator(generator, push, name or function.__qualname__, again)


def _pushing(
    function: FunctionType, args: tuple[Any, ...], kwargs: dict[str, Any], options: ConversionOptions, stoppable: bool
) -> Callable[[Consumer], None]:
    """The converted form: what runs the generator's code for a consumer. Raises ConversionError."""
    made = bind(generator_template_of(function, options, stoppable), function)

    def push(consumer: Consumer) -> None:
        made(consumer, *args, **kwargs)

    return push


class PushedGenerator:
    """A generator that has not begun, and the way to its converted form. It looks like a generator of Python."""

    __slots__ = ("__weakref__", "_again", "_convert", "_generator", "_is_pushing", "_left", "_name")

    __ag_stager__: Final = WHILE_TRACING

    def __init__(
        self,
        generator: GeneratorType[Any, Any, Any],
        convert: Callable[[bool], Callable[[Consumer], None]],
        name: str,
        again: Callable[[], GeneratorType[Any, Any, Any]] | None = None,
    ) -> None:
        self._generator = generator
        self._convert = convert
        self._name = name
        self._again = again
        self._left = False  # perhaps before its end
        self._is_pushing = False

    __class__ = property(lambda self: GeneratorType)  # pyright: ignore[reportIncompatibleMethodOverride]  # isinstance believes it

    def __ag_push__(self, consumer: Consumer) -> None:
        self._check_not_left()
        push = self._converted(consumer)
        if push is None:
            try:
                consumer.each(_Items(self), consumer.body, str(consumer.options.get("iterate_names", "")))
            finally:
                del self  # also while an exception keeps this frame alive: the generator is closed where the loop ends
            return
        self._generator.close()  # nothing of it has run; it counts as gone through
        self._left, self._is_pushing = consumer.extra_test is not None, True
        try:
            push(consumer)
        except RecursionError as error:
            raise StagingError(
                f"the generator {self._name!r} goes through itself too often to be traced ({error}). Where a tensor"
                " decides how often it does, collect the items in a list that a recursive function returns"
            ) from None
        finally:
            self._is_pushing = False

    def _converted(self, consumer: Consumer) -> Callable[[Consumer], None] | None:
        if inspect.getgeneratorstate(self._generator) != inspect.GEN_CREATED:
            return None
        try:
            return self._convert(consumer.extra_test is not None)
        except ConversionError as error:
            logs.log(1, "%s runs as plain Python in a loop: %s", self._name, error)
            return None

    @property
    def can_be_pulled(self) -> bool:
        """Whether Python can go through it, item by item, as far as that is known."""
        return True

    @property
    def is_repeatable(self) -> bool:
        """See `call_generator`."""
        return self._again is not None

    def __ag_begin_again__(self) -> Callable[[], bool]:
        """Asked before an item is taken: what makes this as if it had not been, and says whether that can be."""
        fresh = inspect.getgeneratorstate(self._generator) == inspect.GEN_CREATED

        def begin_again() -> bool:
            if not fresh or self._again is None:
                return False
            self._generator = self._again()
            return True

        return begin_again

    def __ag_watched__(self) -> tuple[Any, ...]:
        return (self._generator,)

    def __ag_pulls__(self) -> Any:
        return self._generator

    def __iter__(self) -> PushedGenerator:
        return self

    def _check_not_left(self) -> None:
        if self._is_pushing:
            raise refusal_in_its_loop(f"the generator {self._name!r}")
        if self._left:
            raise refusal_to_go_on(f"the generator {self._name!r}")

    def __next__(self) -> Any:
        self._check_not_left()
        try:
            with making(tracing_stager.get(), f"the generator {self._name!r}", self._generator.gi_code):
                return next(self._generator)
        except Exception as error:
            self._explain(error)
            raise

    def _explain(self, error: Exception) -> None:
        tracer = tracing_stager.get()
        if tracer is not None and _root(type(error)) == _root(type(tracer)):
            error.add_note(
                f"The generator {self._name!r} ran as plain Python here, item by item. It is staged where a 'for'"
                " statement of converted code goes through it, if no 'yield' in it stands in 'try' or 'with' or gives a"
                " value."
            )

    def __getattr__(self, name: str) -> Any:
        return getattr(self._generator, name)


class _Items:
    """The items of a generator that Python runs."""

    __slots__ = ("__weakref__", "_generator")

    def __init__(self, generator: PushedGenerator) -> None:
        self._generator = generator

    def __iter__(self) -> _Items:
        return self

    def __next__(self) -> Any:
        return next(self._generator)

    def __ag_pulls__(self) -> Any:
        return self._generator


def _root(kind: type) -> str:
    """The package that a class belongs to."""
    return kind.__module__.partition(".")[0]
