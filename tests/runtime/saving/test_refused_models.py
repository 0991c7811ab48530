"""What cannot be saved is an error before anything is written; it names the function, the reason and the line."""

import inspect
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import runtime as tf
from runtime.graph.graph import Graph
from runtime.ops.flow.control import switch_node
from tests.runtime.comparing import plain
from tests.runtime.saving.models import FILE, Model, holder, trace_of

outside = tf.Variable(1.0, name="outside")
rows = tf.data.Dataset.range(3)


class Thing:
    """What a graph does not hold."""


def uses_a_variable_that_is_no_part(x: Any) -> Any:
    y = x * 2
    return y + outside  # here


def uses_one_in_a_branch(x: Any) -> Any:
    if x > 0:
        return x + outside  # here
    return x


def calls_python(x: Any) -> Any:
    return tf.py_function(lambda v: v, [x], tf.float32)  # here


def holds_a_dataset(x: Any) -> Any:
    for row in rows:  # here
        x += tf.cast(row, tf.float32)
    return x


def raises_an_object(x: Any) -> Any:
    if x > 0:
        raise ValueError(THING)  # here
    return x


def prints_to_an_object(x: Any) -> Any:
    tf.print(x, output_stream=print)  # here
    return x


def returns_a_tensor_array(x: Any) -> Any:
    return tf.TensorArray(tf.float32, size=1).write(0, x)


THING = Thing()


@pytest.mark.parametrize(
    ("function", "words"),
    [
        (uses_a_variable_that_is_no_part, "uses the Variable 'outside:0'"),
        (uses_one_in_a_branch, "uses the Variable 'outside:0'"),
        (calls_python, "calls Python code, the py_function"),
        (holds_a_dataset, "holds a Range of runtime.data"),
        (raises_an_object, "Thing object"),
        (prints_to_an_object, "prints to"),
        (returns_a_tensor_array, "returns an object of type TensorArray"),
    ],
)
def test_a_trace_that_cannot_be_saved_names_its_line(
    function: Callable[..., Any], words: str, tmp_path: Path
) -> None:
    f = tf.function(function)
    f.get_concrete_function(tf.TensorSpec([], tf.float32))
    lines, start = inspect.getsourcelines(function)
    here = next((start + i for i, line in enumerate(lines) if "# here" in line), None)
    with pytest.raises(ValueError, match=words) as caught:
        tf.saved_model.save(holder(f=f), tmp_path / "model")
    assert str(caught.value).startswith(f"saved_model.save: {function.__name__}(x) cannot be saved: ")
    if here is not None:
        assert f"test_refused_models.py:{here} in {function.__name__}" in str(caught.value)
    assert not (tmp_path / "model").exists()


def test_an_argument_that_no_call_of_the_loaded_function_could_give(tmp_path: Path) -> None:
    f = tf.function(lambda x, thing: x)
    f(tf.constant(1), THING)
    with pytest.raises(ValueError, match="traced with an object of type Thing, which is not a part of what is saved"):
        tf.saved_model.save(holder(f=f), tmp_path)

    gone = Thing()
    trace = f.get_concrete_function(tf.constant(1), gone)
    del gone
    with pytest.raises(ValueError, match="traced with an object of type Thing, which does not exist any more"):
        tf.saved_model.save(holder(trace=trace), tmp_path)

    g = tf.function(lambda rows: next(iter(rows)))
    g(rows)
    with pytest.raises(ValueError, match="traced with an object of type Dataset"):
        tf.saved_model.save(holder(g=g), tmp_path)


def test_a_trace_that_depends_on_which_variable_it_is_given(tmp_path: Path) -> None:
    v = tf.Variable(1.0, name="v")
    known = {v.ref(): 5.0}
    f = tf.function(lambda variable, x: x * known[variable.ref()])
    assert plain(f(v, tf.constant(2.0))) == 10.0
    with pytest.raises(ValueError, match="depends on which Variable it was given"):
        tf.saved_model.save(holder(f=f, v=v), tmp_path)


def test_what_could_not_be_loaded_is_not_saved(tmp_path: Path) -> None:
    odd = tf.function(lambda x: x + 1, name="two\nlines")
    odd(tf.constant(1))
    with pytest.raises(ValueError, match="has control characters"):
        tf.saved_model.save(holder(odd=odd), tmp_path)

    tf.saved_model.save(holder(f=trace_of(nested(150, 1))), tmp_path)
    assert plain(tf.saved_model.load(tmp_path).f(tf.constant(7))) == [7]
    for graph, words in ((nested(250, 1), "nested more than 200 deep"), (nested(30, 2), "of 1000000 at the most")):
        with pytest.raises(ValueError, match=words):
            tf.saved_model.save(holder(f=trace_of(graph)), tmp_path)


def nested(depth: int, width: int) -> Graph:
    """A graph in a graph in a graph, each `width` times."""
    graph = Graph("innermost")
    graph.outputs = [graph.placeholder(tf.int32, [], "x")]
    for _ in range(depth):
        around = Graph("around")
        x = around.placeholder(tf.int32, [], "x")
        index = around.constant(np.array(0, np.int32))
        around.outputs = [around.add(switch_node, (index, x), {"branches": (graph,) * width}).outputs[0]]
        graph = around
    return graph


def test_what_was_saved_before_stays_when_saving_fails(tmp_path: Path) -> None:
    model = Model()
    tf.saved_model.save(model, tmp_path)
    before = (tmp_path / FILE).read_bytes()
    model.bad = tf.function(calls_python)
    model.bad(tf.constant(1.0))
    with pytest.raises(ValueError):
        tf.saved_model.save(model, tmp_path)
    assert (tmp_path / FILE).read_bytes() == before and os.listdir(tmp_path) == [FILE]
    assert plain(tf.saved_model.load(tmp_path)(tf.ones([1, 3]))) == [[6.0]]


def test_an_error_of_the_program_while_it_is_traced_for_saving_passes(tmp_path: Path) -> None:
    @tf.function(input_signature=[tf.TensorSpec([2], tf.float32)])
    def wrong(x):
        return tf.reshape(x, [3])

    with pytest.raises(tf.errors.InvalidArgumentError, match="reshape"):
        tf.saved_model.save(holder(f=wrong), tmp_path)
    assert os.listdir(tmp_path) == []


def test_files_are_used_only_where_that_is_allowed(tmp_path: Path) -> None:
    text, log = tmp_path / "words.txt", tmp_path / "log.txt"
    text.write_text("hello")
    read = tf.function(lambda path: tf.io.read_file(path))
    write = tf.function(lambda x: tf.print(x, output_stream=f"file://{log}"))
    read(tf.constant(str(text)))
    write.get_concrete_function(tf.constant(1))
    for name, function in (("read", read), ("write", write)):
        tf.saved_model.save(holder(f=function), tmp_path / name)
        with pytest.raises(tf.errors.FailedPreconditionError, match="allow_files=True"):
            tf.saved_model.load(tmp_path / name)
    options = tf.saved_model.LoadOptions(allow_files=True)
    assert plain(tf.saved_model.load(tmp_path / "read", options=options).f(tf.constant(str(text)))) == b"hello"
    tf.saved_model.load(tmp_path / "write", options=options).f(tf.constant(1))
    assert log.read_text() == "1\n"
