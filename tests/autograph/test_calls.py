"""What converted code does with the functions that it calls: converts them, runs them as they are, or refuses."""

from __future__ import annotations

import builtins
import collections
import colorsys
import contextlib
import functools
import textwrap
import types
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import pytest

import autograph
from autograph import operators as ag
from autograph.errors import ConversionWarning
from autograph.operators import call as call_module
from autograph.options import ConversionOptions

from .calling import Thing, call, calls_helper, is_converted, scope, user
from .recording_stager import RecordingStager


def test_the_users_functions_are_converted() -> None:
    assert call(user) == (True, 0, (), "k", {})
    assert call(user, 1, 2, key=3, z=4) == (True, 1, (2,), 3, {"z": 4})
    assert call(lambda x: (is_converted(), x), 3)[1] == 3


def test_methods_and_callable_objects_are_converted() -> None:
    thing = Thing()
    assert call(thing.method, 2) == (True, thing, 2)
    assert call(Thing.method, thing, x=2) == (True, thing, 2)
    assert call(thing.of_class, 2) == (True, Thing, 2)
    assert call(Thing.static, 2) == (True, 2)
    assert call(staticmethod(Thing.static), 2) == (True, 2)
    assert call(thing, 2) == (True, thing, 2)
    assert call(thing.wrapped) == (True, thing, 7)
    assert call(types.MethodType(thing, 5)) == (True, thing, 5)
    with pytest.raises(TypeError, match="'classmethod' object is not callable"):
        call(Thing.__dict__["of_class"])


def test_partial_objects_are_taken_apart() -> None:
    bound = functools.partial(functools.partial(user, 1, key=2), 3, z=4)
    assert call(bound, 5, key=6) == (True, 1, (3, 5), 6, {"z": 4})
    assert call(functools.partial(len, [1, 2])) == 2


def test_constructors_run_as_they_are() -> None:
    assert call(Thing).made is False
    assert call(collections.OrderedDict, [(1, 2)]) == {1: 2}
    with pytest.raises(TypeError, match="unexpected keyword"):
        call(Thing, x=1)


def test_what_cannot_be_called_raises_as_python() -> None:
    with pytest.raises(TypeError, match="^'int' object is not callable$"):
        call(3)
    with pytest.raises(TypeError, match="^'NoneType' object is not callable$"):
        call(None, 1)


def generator(n: int) -> Iterator[Any]:
    for i in range(n):
        yield is_converted(), i


async def coroutine(x: int) -> int:
    return x


def test_generators_and_coroutines_run_as_they_are() -> None:
    assert list(call(generator, 2)) == [(False, 0), (False, 1)]
    awaitable = call(coroutine, 3)
    with pytest.raises(StopIteration) as done:
        awaitable.send(None)
    assert done.value.value == 3


@functools.lru_cache
def cached(x: int) -> Any:
    return is_converted(), x


@functools.singledispatch
def dispatched(x: Any) -> Any:
    return is_converted(), x


@contextlib.contextmanager
def managed() -> Iterator[int]:
    yield 1


@functools.wraps(user)
def wrapping(*args: Any) -> Any:
    return is_converted(), user(*args)


def test_library_code_runs_as_it_is() -> None:
    assert call(cached, 1) == (False, 1)
    assert call(dispatched, 1) == (True, 1)  # the user's function inside; see test_wrappers
    assert call(colorsys.rgb_to_hsv, 1.0, 0.0, 0.0) == (0.0, 1.0, 1.0)
    with call(managed) as value:
        assert value == 1
    callees = call_module._callees_with(ag.STD)
    assert callees.decisions.get(colorsys.rgb_to_hsv.__code__) is call_module._FOR_USER


def test_a_wrapper_is_the_users_code_whatever_it_wraps() -> None:
    assert call(wrapping, 1) == (True, (True, 1, (), "k", {}))
    converted = autograph.to_graph(user)

    @functools.wraps(converted)
    def around(*args: Any) -> Any:
        return is_converted(), converted(*args)

    assert call(around, 1)[0] is True


def test_generated_code_is_not_converted_again() -> None:
    converted = autograph.to_graph(user)
    assert call(converted, 1) == (True, 1, (), "k", {})

    @ag.autograph_artifact
    def made_by_hand() -> bool:
        return is_converted()

    callees = call_module._callees_with(ag.STD)
    assert (call(made_by_hand), autograph.converted(made_by_hand)) == (True, made_by_hand)
    assert callees.decisions.get(made_by_hand.__code__) is call_module._ARTIFACT
    assert ag.autograph_artifact(len) is len


def test_not_recursive() -> None:
    options = ConversionOptions(recursive=False, optional_features=())
    assert ag.converted_call(user, (), None, scope(options))[0] is False
    stager = RecordingStager()
    assert str(ag.converted_call(len, (stager.symbol("x"),), None, scope(options))) == "len(x)"


def test_options_take_the_place_of_a_scope() -> None:
    requested = ConversionOptions(recursive=True, user_requested=True, optional_features=())
    assert ag.converted_call(user, (1,), {"key": 2}, options=requested) == (True, 1, (), 2, {})
    assert autograph.converted_call(user, (1,), None, None, requested)[0] is True
    with pytest.raises(ValueError, match="caller_fn_scope"):
        ag.converted_call(user, (), None)


def made_by_exec(text: str, **names: Any) -> Callable[..., Any]:
    namespace: dict[str, Any] = {"__name__": "made_by_exec", **names}
    exec(textwrap.dedent(text), namespace)
    function: Callable[..., Any] = namespace["helper"]
    return function


def calls_without_source(helper: Callable[..., Any], n: int) -> list[int]:
    return [helper(i) for i in range(n)]


def test_a_callee_without_source_runs_as_it_is_and_is_named_once() -> None:
    helper = made_by_exec("def helper(x): return x + 1 if x else 1")
    converted = autograph.to_graph(calls_without_source)
    with pytest.warns(ConversionWarning, match=r"'helper' runs as plain Python.*source") as caught:
        assert converted(helper, 3) == [1, 2, 3]
    assert len(caught) == 1
    assert caught[0].filename == __file__
    assert caught[0].lineno == calls_without_source.__code__.co_firstlineno + 1
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert converted(helper, 3) == [1, 2, 3]


def test_builtins_that_look_at_their_caller() -> None:
    def caller(x: int) -> Any:
        with ag.FunctionScope("caller", "fscope", ag.STD) as fscope:
            y = ag.Undefined("y")

            def if_body() -> Any:
                nonlocal y
                y = x + 1
                read = ag.converted_call
                return (
                    read(builtins.eval, ("x + y",), None, fscope),
                    read(builtins.locals, (), None, fscope),
                    read(builtins.vars, (), None, fscope),
                    read(builtins.dir, (), None, fscope),
                    read(builtins.globals, (), None, fscope) is globals(),
                    read(builtins.eval, ("a", {"a": 3}), None, fscope),
                    read(builtins.vars, (ag.STD.__class__,), None, fscope)["__doc__"],
                )

            return if_body()

    total, found, same, names, is_globals, given, doc = caller(1)
    assert total == 3
    assert {name: found[name] for name in ("x", "y")} == {"x": 1, "y": 2}
    assert not {"fscope", "ag__", "if_body"} & set(found)
    assert same.keys() == found.keys()
    assert set(names) == set(found)
    assert is_globals is True
    assert (given, doc) == (3, ConversionOptions.__doc__)


def test_errors_of_the_callee_pass_unchanged() -> None:
    problem = KeyError("x")

    def helper(x: int) -> None:
        raise problem

    with pytest.raises(KeyError) as caught:
        autograph.to_graph(calls_helper)(helper, 1)
    assert caught.value is problem
    assert caught.value.__cause__ is None and caught.value.__context__ is None
    names = [entry.name for entry in caught.traceback]
    assert names[1:] == ["calls_helper", "helper"]


def test_recursion() -> None:
    def factorial(n: int) -> int:
        if n < 2:
            return 1
        return n * factorial(n - 1)

    assert autograph.to_graph(factorial)(20) == factorial(20)


def test_a_function_that_changes_its_code_is_decided_again() -> None:
    def first() -> int:
        return 1

    def second() -> int:
        return 2

    assert call(first) == 1
    first.__code__ = second.__code__
    assert call(first) == 2


def test_a_converted_function_follows_the_code_and_the_defaults_of_its_original() -> None:
    def first(x: int = 1, *, y: int = 2) -> int:
        return x + y

    def second(x: int = 1, *, y: int = 2) -> int:
        return x * y + 10

    made = autograph.to_graph(first)
    assert made() == 3 and autograph.to_graph(first) is made
    first.__code__ = second.__code__
    assert autograph.to_graph(first)() == 12
    first.__defaults__, first.__kwdefaults__ = (5,), {"y": 3}
    assert autograph.to_graph(first)() == 25
