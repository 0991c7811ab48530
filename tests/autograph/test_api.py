"""The public names: what they accept, what they return, what they refuse."""

from __future__ import annotations

import contextlib
import functools
import inspect
import logging
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import autograph
from autograph import errors, logs
from autograph.api import AnyCallable
from autograph.errors import ConversionError, SourceUnavailableError, UnsupportedSyntaxError
from autograph.options import STANDARD_OPTIONS, ConversionOptions, Feature

ROOT = Path(autograph.__file__).parents[1]


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
        (3, ConversionError, "3 is a int, not something that can be called"),
        (functools.lru_cache(absolute), ConversionError, "__wrapped__"),
        (functools.partial(len), SourceUnavailableError, "no Python source"),
        (autograph.do_not_convert(absolute), ConversionError, "'absolute' is marked do_not_convert"),
        (batches, UnsupportedSyntaxError, "generator"),
        (eval("lambda x: x"), SourceUnavailableError, "<string>:1"),
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


def test_trace_prints(capsys: pytest.CaptureFixture[str]) -> None:
    autograph.trace("a", 1)
    assert capsys.readouterr().out == "a 1\n"


def test_set_loop_options_does_nothing_in_python() -> None:
    total = 0
    for i in range(3):
        autograph.set_loop_options(maximum_iterations=1, shape_invariants=[(total, None)])
        total += i
    assert total == 3
    assert autograph.experimental.set_loop_options is autograph.set_loop_options
    assert list(inspect.signature(autograph.set_loop_options).parameters) == [
        "parallel_iterations",
        "swap_memory",
        "maximum_iterations",
        "shape_invariants",
    ]


def test_options() -> None:
    assert ConversionOptions() == ConversionOptions(False, False, True, Feature.ALL)
    assert ConversionOptions(optional_features=None).features == ()  # type: ignore[arg-type]
    mixed = ConversionOptions(optional_features=(Feature.EQUALITY_OPERATORS, Feature.ASSERT_STATEMENTS))
    assert mixed == ConversionOptions(optional_features=[Feature.ASSERT_STATEMENTS, Feature.EQUALITY_OPERATORS])  # type: ignore[arg-type]
    assert hash(mixed) == hash(ConversionOptions(optional_features=mixed.features))
    assert mixed.uses(Feature.EQUALITY_OPERATORS) and not mixed.uses(Feature.BUILTIN_FUNCTIONS)
    everything = ConversionOptions(optional_features=Feature.ALL)
    assert [feature for feature in Feature if everything.uses(feature)] == [Feature.ALL, *Feature.all()]
    below = ConversionOptions(recursive=True, user_requested=True, optional_features=Feature.ALL).call_options()
    assert (below.recursive, below.user_requested, below.internal_convert_user_code) == (True, False, True)
    assert ConversionOptions(recursive=False).call_options().internal_convert_user_code is False
    assert STANDARD_OPTIONS.call_options() == STANDARD_OPTIONS
    assert Feature.all_but(Feature.BUILTIN_FUNCTIONS) == tuple(
        feature for feature in Feature.all() if feature is not Feature.BUILTIN_FUNCTIONS
    )
    assert Feature.all_but(Feature.all()) == ()


@pytest.mark.parametrize("feature", [Feature.LISTS, Feature.NAME_SCOPES])
def test_features_that_do_not_exist_are_refused(feature: Feature) -> None:
    with pytest.raises(ConversionError, match=f"{feature.name} is not available"):
        autograph.to_code(absolute, experimental_optional_features=(Feature.ASSERT_STATEMENTS, feature))
    with pytest.raises(TypeError, match="members of autograph.Feature"):
        autograph.to_code(absolute, experimental_optional_features="LISTS")  # type: ignore[arg-type]


def test_the_text_of_options_is_the_expression_that_makes_them() -> None:
    for features in ((), (Feature.ALL,), (Feature.ASSERT_STATEMENTS, Feature.BUILTIN_FUNCTIONS)):
        options = ConversionOptions(recursive=True, optional_features=features)
        assert eval(options.as_text(), {"ag__": autograph.operators}) == options


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


@pytest.fixture
def quiet(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(logs, "_settings", logs._Settings())
    monkeypatch.delenv("AUTOGRAPH_VERBOSITY", raising=False)


def fresh(scale: int) -> Callable[[int], int]:
    """A function that has never been converted under these options."""
    namespace: dict[str, Any] = {}
    text = f"def fresh(x):\n    return x * {scale}\n"
    import linecache

    linecache.cache[f"<fresh {scale}>"] = (len(text), None, text.splitlines(True), f"<fresh {scale}>")
    exec(compile(text, f"<fresh {scale}>", "exec"), namespace)
    function: Callable[[int], int] = namespace["fresh"]
    return function


def test_verbosity_levels(quiet: None, caplog: pytest.LogCaptureFixture, capsys: pytest.CaptureFixture[str]) -> None:
    caplog.set_level(logging.INFO, "autograph")
    autograph.to_graph(fresh(1))
    assert caplog.text == ""
    autograph.set_verbosity(1)
    autograph.to_graph(fresh(2))
    assert "converting fresh" in caplog.text and "tf__fresh" not in caplog.text
    autograph.set_verbosity(2)
    autograph.to_graph(fresh(3))
    assert "def tf__fresh(x):" in caplog.text and "def fresh(x):" not in caplog.text
    autograph.set_verbosity(3, alsologtostdout=True)
    assert capsys.readouterr().out == ""
    autograph.to_graph(fresh(4))
    assert "def fresh(x):" in caplog.text
    assert "def fresh(x):" in capsys.readouterr().out


@pytest.mark.parametrize(("value", "level"), [("2", 2), ("", 0), (" 1 ", 1), ("loud", 0)])
def test_verbosity_from_the_environment(
    quiet: None, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, value: str, level: int
) -> None:
    monkeypatch.setenv("AUTOGRAPH_VERBOSITY", value)
    assert logs.verbosity() == level
    assert ("AUTOGRAPH_VERBOSITY" in caplog.text) == (value == "loud")
    autograph.set_verbosity(1)
    assert logs.enabled(1) and not logs.enabled(2)


def run(program: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-W", "error", "-c", program],
        capture_output=True,
        text=True,
        check=True,
        env=os.environ | {"PYTHONPATH": str(ROOT)} | environment,
    )


def test_logs_go_to_standard_error_without_handlers() -> None:
    program = "import autograph, textwrap; autograph.to_graph(textwrap.dedent)"
    ran = run(program, AUTOGRAPH_VERBOSITY="1")
    assert ran.stderr == "autograph: converting dedent\n"
    assert ran.stdout == ""


def test_import_is_light() -> None:
    heavy = "numpy", "gast", "astunparse", "runtime", "logging", "autograph.pipeline", "autograph.cli", "sysconfig"
    ran = run(f"import sys, autograph; print([name for name in {heavy!r} if name in sys.modules])")
    assert ran.stdout == "[]\n"


def test_the_annotations_of_the_public_names_hold() -> None:
    assert AnyCallable.__bound__ is not None
    for name in autograph.__all__:
        assert hasattr(autograph, name)
