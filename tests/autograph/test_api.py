"""The public names: what they accept, what they return, what they refuse."""

from __future__ import annotations

import contextlib
import functools
import inspect
import os
from collections.abc import Callable, Iterator
from typing import Any

import pytest

import autograph
from autograph import errors
from autograph.api import AnyCallable
from autograph.errors import ConversionError, SourceUnavailableError, UnsupportedSyntaxError
from autograph.options import Feature


def absolute(x: int = 3, *, scale: int = 1) -> int:
    """The absolute value."""
    if x < 0:
        x = -x
    return x * scale


absolute.note = "kept"  # type: ignore[attr-defined]


class Model:
    def __init__(self, bias: int) -> None:
        self.bias = bias

    def method(self, x: int) -> int:
        return self.bias + x if x > 0 else 0

    @classmethod
    def of_class(cls, x: int) -> Any:
        return cls.__name__ if x else None

    @staticmethod
    def static(x: int) -> int:
        return x if x else -1

    def __call__(self, x: int) -> int:
        return self.bias * x


class Traced:
    """Stands for the functions of a runtime."""

    __ag_do_not_convert__ = True

    def __init__(self, python_function: Callable[..., Any]) -> None:
        self.python_function = python_function

    def __call__(self, *args: Any) -> Any:
        return "graph", self.python_function(*args)


def batches(n: int) -> Iterator[int]:
    yield from range(n)


def test_to_code_gives_readable_code_without_decorators() -> None:
    text = autograph.to_code(absolute)
    assert text.startswith("def tf__absolute(x: int=3, *, scale: int=1) -> int:\n")
    assert '"""The absolute value."""' in text
    assert "ag__.if_stmt(x < 0, if_body, else_body, get_state, set_state, ('x',), 1)" in text
    options = "recursive=True, user_requested=True, optional_features=(), internal_convert_user_code=True"
    assert f"ag__.FunctionScope('absolute', 'fscope', ag__.ConversionOptions({options}))" in text
    assert text.endswith("\n")
    assert autograph.to_code(absolute) == text
    assert autograph.to_code(autograph.convert()(absolute)) == text
    assert autograph.to_code(autograph.to_graph(absolute)) == text
    assert autograph.to_code(Traced(absolute)) == text
    assert autograph.to_code(functools.partial(absolute, 2)) == text


def test_options_are_seen_in_the_code() -> None:
    text = autograph.to_code(absolute, recursive=False, experimental_optional_features=Feature.EQUALITY_OPERATORS)
    assert "recursive=False" in text
    assert "optional_features=(ag__.Feature.EQUALITY_OPERATORS,)" in text
    compiles = compile(text, "<text>", "exec")
    assert compiles.co_names


def test_to_graph_keeps_what_python_shows_of_a_function() -> None:
    made = autograph.to_graph(absolute)
    assert (made(), made(-4), made(-4, scale=2)) == (3, 4, 8)
    assert inspect.signature(made) == inspect.signature(absolute)
    assert (made.__name__, made.__doc__, made.__wrapped__) == ("absolute", absolute.__doc__, absolute)  # type: ignore[attr-defined]
    assert made.note == "kept"  # type: ignore[attr-defined]
    assert inspect.getsource(made) == inspect.getsource(absolute)


def test_all_kinds_of_callables_are_converted() -> None:
    model = Model(10)
    assert autograph.to_graph(model.method)(1) == 11
    assert autograph.to_graph(model.method).__self__ is model  # type: ignore[attr-defined]
    assert autograph.to_graph(Model.method)(model, 1) == 11
    assert autograph.to_graph(Model.of_class)(1) == "Model"
    assert autograph.to_graph(Model.__dict__["of_class"]).__func__(Model, 1) == "Model"
    assert autograph.to_graph(Model.static)(0) == -1
    assert isinstance(autograph.to_graph(Model.__dict__["static"]), staticmethod)
    assert autograph.to_graph(model)(3) == 30
    assert autograph.to_graph(lambda x: x if x > 0 else -x)(-3) == 3
    bound = autograph.to_graph(functools.partial(absolute, scale=2))
    assert (bound(-3), bound.keywords) == (6, {"scale": 2})
    assert autograph.to_graph(Traced(absolute))(-3) == 3
    assert "tf____call__" in autograph.to_code(model)
    assert autograph.to_code(lambda x: x).startswith("tf__lam = lambda x: ")


def test_two_lambdas_on_a_line() -> None:
    first, second = (lambda x: x if x > 0 else 0), (lambda x: x if x > 0 else 1)
    assert (autograph.to_graph(first)(-1), autograph.to_graph(second)(-1)) == (0, 1)


def test_converted_functions_are_made_once_while_they_are_in_use() -> None:
    made = autograph.to_graph(absolute)
    assert autograph.to_graph(absolute) is made
    assert autograph.converted(absolute) is made
    assert autograph.to_graph(made) is made
    assert autograph.to_graph(absolute, recursive=False) is not made
    assert autograph.converted(made) is made


@pytest.mark.parametrize(
    ("entity", "kind", "message"),
    [
        (len, SourceUnavailableError, "no Python source"),
        ([].append, SourceUnavailableError, "no Python source"),
        (print, SourceUnavailableError, "convert the Python function that calls it"),
        (Model, ConversionError, "class; convert its methods"),
        (3, ConversionError, "3 cannot be called, so there is nothing to convert; it is of type int"),
        (functools.lru_cache(absolute), ConversionError, "__wrapped__"),
        (functools.partial(len), SourceUnavailableError, "no Python source"),
        (autograph.do_not_convert(absolute), ConversionError, "'absolute' is marked do_not_convert"),
        (batches, UnsupportedSyntaxError, "generator"),
        (eval("lambda x: x or 1"), SourceUnavailableError, "<string>:1"),
    ],
)
def test_what_cannot_be_converted_is_refused(entity: Any, kind: type[Exception], message: str) -> None:
    for function in (autograph.to_graph, autograph.to_code):
        with pytest.raises(kind, match=message) as caught:
            function(entity)
        assert isinstance(caught.value, ConversionError)


def test_converted_leaves_alone_what_is_to_run_as_it_is() -> None:
    marked = autograph.do_not_convert(absolute)
    traced = Traced(absolute)
    assert autograph.converted(marked) is marked
    assert autograph.converted(traced) is traced
    assert autograph.converted(os.path.join, user_requested=False) is os.path.join
    assert autograph.converted(absolute, user_requested=False, optional_features=Feature.ALL)(-1) == 1


def test_convert_decorates_functions_and_methods() -> None:
    class Net:
        @autograph.convert()
        def method(self, x: int) -> int:
            return x if x > 0 else -x

        @autograph.convert(recursive=True)
        @staticmethod
        def static(x: int) -> int:
            return absolute(x)

        @autograph.convert(recursive=True, optional_features=Feature.ALL, user_requested=True)
        @classmethod
        def of_class(cls, x: int) -> Any:
            return cls, x == 1

    assert (Net().method(-2), Net.static(-2), Net.of_class(1)) == (2, 2, (Net, True))
    assert Net.method.__name__ == "method"
    assert list(inspect.signature(Net.method).parameters) == ["self", "x"]


def test_convert_without_parentheses_is_an_error_at_once() -> None:
    with pytest.raises(TypeError, match=r"write @autograph.convert\(\) above 'absolute'"):
        autograph.convert(absolute)  # type: ignore[arg-type]


def test_convert_converts_at_the_first_call_and_refuses_then() -> None:
    decorated = autograph.convert()(batches)
    with pytest.raises(UnsupportedSyntaxError, match="generator"):
        decorated(3)
    with pytest.raises(ConversionError, match="class"):
        autograph.convert()(Model)


def test_convert_enters_its_context_around_each_call() -> None:
    log: list[str] = []

    @contextlib.contextmanager
    def context() -> Iterator[None]:
        log.append("enter")
        yield
        log.append("leave")

    def note(x: int) -> int:
        log.append(f"call {x}")
        return x

    class Again(contextlib.AbstractContextManager[None]):
        def __enter__(self) -> None:
            log.append("enter")

        def __exit__(self, *error: Any) -> None:
            log.append("leave")

    assert autograph.convert(conversion_ctx=Again())(note)(1) == 1
    assert log == ["enter", "call 1", "leave"]


def test_every_error_is_documented_with_a_failing_example_and_its_repair() -> None:
    for name in errors.__all__:
        doc = getattr(errors, name).__doc__
        assert "Repair:" in doc, name
        assert "Fails:" in doc or "Causes it:" in doc, name
        assert getattr(autograph, name) is getattr(errors, name)


def test_errors_can_be_pickled() -> None:
    import pickle

    for error in (
        UnsupportedSyntaxError("'yield'", "f.py", 3, "reason", "Remedy."),
        errors.SourceSyntaxError("bad", "f.py", 3, 1, "def"),
        errors.StaleSourceError("stale"),
    ):
        again = pickle.loads(pickle.dumps(error))
        assert (type(again), str(again)) == (type(error), str(error))


def test_the_annotations_of_the_public_names_hold() -> None:
    assert AnyCallable.__bound__ is not None
    for name in autograph.__all__:
        assert hasattr(autograph, name)
