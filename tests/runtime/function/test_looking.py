"""What a Function tells and forgets: numbers of traces, clearing them, text of its graphs and plans; pickling."""

from __future__ import annotations

import gc
import inspect
import pickle
import weakref
from typing import Any

import pytest

import runtime as tf
from runtime.graph.equality import graph_equal

t = tf.constant


@tf.function
def increment(x: Any) -> Any:
    """One more."""
    return x + 1


def decrement(x: Any) -> Any:
    return x - 1


lower_by_one = tf.function(decrement)


class Scale:
    def __init__(self, factor: int) -> None:
        self.factor = factor

    @tf.function
    def scale(self, x: Any) -> Any:
        """Scaled."""
        return x * self.factor

    @staticmethod
    @tf.function
    def twice(x: Any) -> Any:
        return x * 2

    renamed = tf.function(lambda self, x: x - self.factor)

    class Inner:
        @tf.function
        def add(self, x: Any) -> Any:
            return x + 10


def test_cache_info_counts_traces() -> None:
    rate = 1

    @tf.function
    def f(x: Any) -> Any:
        return x * rate

    assert f.cache_info() == (0, 0, 0)
    f(t(1))
    f(t(1.0))
    f(t(2))
    assert f.cache_info() == (2, 2, 0)
    rate = 2
    assert f(t(3)).numpy() == 6
    info = f.cache_info()
    assert (info.traces, info.made, info.retraced) == (3, 3, 1), "the trace for rate 1 is kept"
    rate = 1
    assert f(t(3)).numpy() == 3
    assert f.cache_info() == (3, 3, 1)


def test_cache_clear_drops_all_traces_and_what_they_hold() -> None:
    weight = tf.Variable(2.0)
    seen = []

    @tf.function
    def f(x: Any) -> Any:
        seen.append(weight)
        return x * weight

    concrete = f.get_concrete_function(t(3.0))
    first = weakref.ref(weight)
    del seen[:]
    weight = tf.Variable(5.0)
    assert f(t(3.0)).numpy() == 15
    assert f.cache_info().traces == 2
    del seen[:]
    graph = weakref.ref(concrete.graph)
    f.cache_clear()
    assert f.cache_info() == (0, 2, 1)
    assert concrete(t(3.0)).numpy() == 6, "what is held elsewhere goes on"
    del concrete
    gc.collect()
    assert graph() is None and first() is None
    assert f(t(3.0)).numpy() == 15
    assert f.cache_info() == (1, 3, 1) and len(seen) == 1


def test_cache_clear_of_a_method() -> None:
    two, three = Scale(2), Scale(3)
    before = Scale.scale.cache_info().made
    for thing in (two, three):
        thing.scale(t(1))
    assert two.scale.cache_info() == three.scale.cache_info() == (1, 1, 0)
    assert Scale.scale.cache_info().made == before + 2
    two.scale.cache_clear()
    assert two.scale.cache_info().traces == 0 and three.scale.cache_info().traces == 1
    Scale.scale.cache_clear()
    assert three.scale.cache_info().traces == Scale.scale.cache_info().traces == 0
    assert three.scale(t(2)).numpy() == 6


def test_a_function_that_clears_its_own_traces_while_it_is_traced() -> None:
    rate = 1
    clear = [False]

    @tf.function
    def f(x: Any) -> Any:
        if clear[0]:
            f.cache_clear()
        return x * rate

    f(t(1))
    clear[0] = True
    rate = 4
    assert [f(t(2)).numpy() for _ in range(2)] == [8, 8]
    assert f(t(2.0)).numpy() == 8
    assert f.cache_info().traces >= 1


def test_lower_shows_each_stage_without_running() -> None:
    ran = []

    @tf.function
    def f(x: Any, n: int = 3) -> Any:
        tf.py_function(lambda: ran.append(1), [], [])
        return x + 0 * n + 1

    lowered = f.lower(tf.TensorSpec([None], tf.float32))
    assert lowered.as_text() == str(lowered) == lowered.graph.as_text()
    assert lowered.as_text().startswith("graph f(%x: float32[?]) -> (%Identity)")
    assert lowered.as_text("optimized") == lowered.optimized_graph.as_text()
    assert lowered.as_text("plan").startswith("def f(")
    assert lowered.compile() is f.get_concrete_function(tf.TensorSpec([None], tf.float32))
    assert ran == []
    again = tf.Graph.from_text(increment.lower(t(1)).as_text())
    assert graph_equal(again, increment.lower(t(1)).graph)
    with pytest.raises(ValueError, match="no stage 'hlo' to show; stages are 'graph', 'optimized', 'plan'"):
        lowered.as_text("hlo")


def test_doc_and_signature_of_methods() -> None:
    thing = Scale(2)
    assert thing.scale.__doc__ == "Scaled." and thing.scale.__name__ == "scale"
    assert str(inspect.signature(thing.scale)) == "(x: 'Any') -> 'Any'"
    assert str(inspect.signature(Scale.scale)) == "(self, x: 'Any') -> 'Any'"
    assert thing.scale.__wrapped__(4) == 8
    assert increment.__module__ == __name__ and increment.__qualname__ == "increment"


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_functions_are_pickled_by_reference(protocol: int) -> None:
    for function in (increment, lower_by_one, Scale.scale, Scale.twice, Scale.Inner.add):
        assert pickle.loads(pickle.dumps({"f": [function]}, protocol))["f"][0] is function


def test_methods_are_pickled_with_their_object() -> None:
    thing = Scale(3)
    scale, renamed = pickle.loads(pickle.dumps([thing.scale, thing.renamed]))
    assert scale(t(5)).numpy() == 15 and renamed(t(5)).numpy() == 2
    assert scale.cache_info() == (1, 1, 0)
    assert pickle.loads(pickle.dumps(Scale.Inner().add))(t(1)).numpy() == 11


def test_what_has_neither_a_name_nor_a_graph_cannot_be_pickled() -> None:
    local = tf.function(lambda x: x)
    words = "no name of a module leads to it, .* call it once before, or define"
    with pytest.raises(pickle.PicklingError, match=words):
        pickle.dumps(local)
