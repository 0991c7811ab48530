"""Python code that runs each time that a graph does, and prints that go anywhere."""

import io
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import runtime
from runtime import errors


@pytest.mark.parametrize("staged", [False, True])
def test_runs_each_time_in_its_place_among_other_effects(staged: bool) -> None:
    seen: list[Any] = []
    v = runtime.Variable(1.0)

    def log(x: Any, y: Any) -> Any:
        seen.append((float(x), float(y), runtime.executing_eagerly()))
        v.assign_add(10.0)
        return x * 2, y > 0

    def f(x: Any) -> Any:
        before = v + 0
        v.assign_add(1.0)
        doubled, positive = runtime.py_function(log, [x, v], [runtime.float32, runtime.bool])
        for i in runtime.range(2):
            runtime.py_function(lambda i: seen.append(int(i)), [i], [])
        return before, doubled, positive, v + 0

    call = runtime.function(f) if staged else f
    x = runtime.constant(3.0)
    assert [t.numpy() for t in call(x)] == [1, 6, True, 12]
    assert [t.numpy() for t in call(x)] == [12, 6, True, 23]
    assert seen == [(3, 2, True), 0, 1, (3, 13, True), 0, 1]


@pytest.mark.parametrize("staged", [False, True])
def test_numpy_functions_see_arrays_that_they_cannot_change(staged: bool) -> None:
    stored = np.zeros(2, np.float32)

    def add(x: Any, n: Any) -> Any:
        assert type(x) is np.ndarray
        assert isinstance(n, np.int32)
        with pytest.raises(ValueError, match="read-only"):
            x[0] = 5
        stored[:] = x + n
        return stored

    def f(x: Any) -> Any:
        return runtime.numpy_function(add, [x, 1], runtime.float32)

    call = runtime.function(f) if staged else f
    first = call(runtime.constant([1.0, 2.0]))
    call(runtime.constant([5.0, 5.0]))
    assert first.numpy().tolist() == [2, 3]


def test_without_effects_it_is_left_out_where_nothing_needs_it() -> None:
    count: list[int] = []

    def f(x: Any) -> Any:
        runtime.numpy_function(lambda a: count.append(1) or a, [x], runtime.float32, stateful=False)
        runtime.numpy_function(lambda a: count.append(2) or a, [x], runtime.float32)
        return x

    runtime.function(f)(runtime.constant(1.0))
    assert count == [2]


WRONG: dict[str, tuple[Any, Any, str]] = {
    "nothing": (lambda x: None, runtime.float32, "returned None where Tout names float32"),
    "text": (lambda x: "a", runtime.float32, "returned no float32"),
    "dtype": (lambda x: runtime.cast(x, runtime.int32), runtime.float32, "returned no float32"),
    "number": (lambda x: (x, x), [runtime.float32], "returned 2 values, Tout names 1"),
}


@pytest.mark.parametrize("name", WRONG)
def test_results_must_be_what_was_promised(name: str) -> None:
    function, promised, words = WRONG[name]
    for staged in (False, True):
        call: Any = lambda x: runtime.py_function(function, [x], promised)
        with pytest.raises(errors.InvalidArgumentError, match=words):
            (runtime.function(call) if staged else call)(runtime.constant(1.0))


def test_what_it_raises_passes_with_the_line_and_can_be_caught_in_the_graph() -> None:
    def fail(x: Any) -> Any:
        raise KeyError("mine")

    @runtime.function
    def f(x: Any) -> Any:
        return runtime.py_function(fail, [x], runtime.float32)

    with pytest.raises(KeyError, match="mine") as caught:
        f(runtime.constant(1.0))
    assert "test_python_functions.py" in "".join(caught.value.__notes__)

    @runtime.function
    def g(x: Any) -> Any:
        try:
            y = runtime.py_function(fail, [x], runtime.float32)
            y.set_shape([])
        except KeyError:
            y = x + 100.0
        return y

    assert g(runtime.constant(1.0)).numpy() == 101


def test_a_graph_read_from_its_text_says_that_it_holds_no_code() -> None:
    @runtime.function
    def f(x: Any) -> Any:
        return runtime.py_function(lambda x: x, [x], runtime.float32)

    graph = f.get_concrete_function(runtime.constant(1.0)).graph
    text = graph.as_text()
    assert "py_function(%x) {function=python(" in text
    from runtime.engine.plan import compile_plan

    plan = compile_plan(runtime.Graph.from_text(text))
    with pytest.raises(RuntimeError, match="holds no code"):
        plan.run([np.float32(1.0)])


@pytest.mark.parametrize("staged", [False, True])
def test_prints_go_to_any_stream(staged: bool, tmp_path: Path) -> None:
    out, lines, path = io.StringIO(), [], tmp_path / "log.txt"
    v = runtime.Variable([1.0, 2.0, 3.0, 4.0, 5.0])

    def f(x: Any) -> None:
        runtime.print("a", x, output_stream=out)
        runtime.print("b", {"v": v, "n": [x, (1, "t")]}, output_stream=lines.append, summarize=1)
        runtime.print("c", v, output_stream=f"file://{path}", sep="-")

    call = runtime.function(f) if staged else f
    call(runtime.constant(1))
    call(runtime.constant(2))
    assert out.getvalue() == "a 1\na 2\n"
    assert lines == [f"b {{'v': [1 ... 5], 'n': [{n}, (1, 't')]}}" for n in (1, 2)]
    assert path.read_text() == "c-[1 2 3 4 5]\n" * 2


def test_a_stream_must_take_text() -> None:
    with pytest.raises(ValueError, match="output_stream"):
        runtime.print(1, output_stream=5)
    runtime.print("", output_stream=sys.stdout)
