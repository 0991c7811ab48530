"""What functions of saved models take and return: structures, lists that grow, ragged tensors, Variables, objects."""

import collections
from pathlib import Path

import pytest

import runtime as tf
from runtime.graph.nesting import nested_graphs
from tests.runtime.comparing import plain
from tests.runtime.saving.models import round_trip

Point = collections.namedtuple("Point", ["x", "y"])


def test_structures_go_in_and_out(tmp_path: Path) -> None:
    @tf.function
    def f(point, data):
        return Point(point.y, [point.x, None]), {"b": data["b"] + 1, "a": (data["a"][0],)}

    given = Point(tf.constant(1), tf.constant(2)), {"a": [tf.constant(3)], "b": tf.constant(4)}
    wanted = plain(f(*given))
    loaded = round_trip(tmp_path, f=f)
    found = plain(loaded.f(*given))
    assert found == wanted == ((2, [1, None]), {"b": 5, "a": (3,)})
    assert (found[0].x, found[0]._fields, type(found[0]).__name__) == (2, ("x", "y"), "Point")
    assert plain(loaded.f(Point(5, 6), given[1]))[0].x == 6
    with pytest.raises(ValueError, match="does not fit"):
        loaded.f((tf.constant(1), tf.constant(2)), given[1])


def test_a_list_is_no_tuple(tmp_path: Path) -> None:
    f = tf.function(lambda pair: pair * 2 if isinstance(pair, list) else pair[0])
    f([tf.constant(1), tf.constant(2)])
    loaded = round_trip(tmp_path, f=f)
    assert plain(loaded.f([3, tf.constant(4)])) == [3, 4, 3, 4]
    for other in ((tf.constant(3), tf.constant(4)), (3, 4), [tf.constant(3)], tf.constant([3, 4]), [3, [4]]):
        with pytest.raises(ValueError, match="does not fit"):
            loaded.f(other)


def test_a_named_tuple_that_was_loaded_goes_into_a_loaded_function(tmp_path: Path) -> None:
    swap = tf.function(lambda p: Point(p.y, p.x))
    swap(Point(tf.constant(1), tf.constant(2)))
    loaded = round_trip(tmp_path, swap=swap)
    assert plain(loaded.swap(loaded.swap(Point(tf.constant(1), tf.constant(2))))) == (1, 2)


def test_what_is_none_in_some_runs_and_lists_that_grow(tmp_path: Path) -> None:
    @tf.function
    def perhaps(x):
        if x > 0:
            return x, (x, 1)
        return None, None

    @tf.function
    def grown(n):
        rows, pairs = [], []
        for i in range(n):
            rows.append([i, i * i])
            pairs.append((i, 0.5))
        return {"rows": rows, "pairs": pairs}

    perhaps(tf.constant(1))
    grown(tf.constant(1))
    loaded = round_trip(tmp_path, perhaps=perhaps, grown=grown)
    assert plain(loaded.perhaps(tf.constant(3))) == (3, (3, 1))
    assert plain(loaded.perhaps(tf.constant(-3))) == (None, None)
    assert plain(loaded.grown(tf.constant(2))) == plain(grown(tf.constant(2)))
    assert plain(loaded.grown(tf.constant(0))) == {"rows": [], "pairs": []}

    @tf.function
    def outer(n):
        total = 0
        for row in loaded.grown(n)["rows"]:
            total += row[1]
        first, _ = loaded.perhaps(n)
        return total if first is None else total + tf.cast(first, total.dtype)

    assert plain(outer(tf.constant(4))) == 0 + 1 + 4 + 9 + 4
    assert plain(outer(tf.constant(0))) == 0


def test_ragged_and_sparse_tensors_and_slices(tmp_path: Path) -> None:
    @tf.function
    def f(rows, cells):
        return rows * 2, cells * 3.0, tf.gather(rows, [1])

    double = tf.function(lambda r: r * 2.0, input_signature=[tf.RaggedTensorSpec([None, None, 2], ragged_rank=1)])
    deep = tf.function(lambda r: r + 1, input_signature=[tf.RaggedTensorSpec([2, None, None], tf.int32)])
    thrice = tf.function(lambda s: s * 3.0, input_signature=[tf.SparseTensorSpec([None, 2], tf.float32)])
    cells = tf.SparseTensor([[0, 1]], [1.0], [2, 2])
    f(tf.ragged.constant([[1, 2], [3]]), cells)
    loaded = round_trip(tmp_path, f=f, double=double, deep=deep, thrice=thrice)
    rows, found, one = loaded.f(tf.ragged.constant([[1], [2, 3, 4]]), cells)
    assert (rows.to_list(), one.to_list()) == ([[2], [4, 6, 8]], [[2, 3, 4]])
    assert plain(tf.sparse.to_dense(found)) == [[0.0, 3.0], [0.0, 0.0]]
    assert loaded.double(tf.RaggedTensor.from_row_splits([[1.0, 2.0]], [0, 1, 1])).to_list() == [[[2.0, 4.0]], []]
    assert loaded.deep(tf.ragged.constant([[[1], []], [[2, 3]]])).to_list() == [[[2], []], [[3, 4]]]
    assert plain(tf.sparse.to_dense(loaded.thrice(cells))) == [[0.0, 3.0], [0.0, 0.0]]
    for name, function in (("double", double), ("deep", deep), ("thrice", thrice)):
        assert getattr(loaded, name).input_signature == function.input_signature
    with pytest.raises(ValueError):
        loaded.deep(tf.ragged.constant([[1], [2]]))


def test_variables_as_arguments(tmp_path: Path) -> None:
    @tf.function
    def move(source, target):
        target.assign_add(source)
        return source + 1

    both = tf.function(lambda a, b: a + b)
    v, w = tf.Variable(1.0), tf.Variable(2.0)
    move(v, w)
    both(v, v)
    loaded = round_trip(tmp_path, move=move, both=both)
    x, y = tf.Variable(10.0), tf.Variable(5.0)
    assert (plain(loaded.move(x, y)), plain(y)) == (11.0, 15.0)
    assert plain(loaded.both(x, x)) == 20.0
    with pytest.raises(ValueError, match="were one Variable when it was traced, and are two now"):
        loaded.both(x, y)
    with pytest.raises(ValueError, match="does not fit"):
        loaded.move(tf.Variable(1), y)


def test_an_argument_may_be_a_variable_that_the_function_has(tmp_path: Path) -> None:
    class Pair(tf.Module):
        def __init__(self):
            self.w = tf.Variable(1.0)

        @tf.function
        def f(self, v):
            before = self.w + 10.0
            v.assign(5.0)
            return before, self.w + 10.0

    pair = Pair()
    pair.f(tf.Variable(2.0))
    tf.saved_model.save(pair, tmp_path)
    loaded = tf.saved_model.load(tmp_path)
    assert plain(loaded.f(loaded.w)) == plain(pair.f(pair.w)) == (11.0, 15.0)


def test_a_loop_that_computes_again_for_gradients_does_so_when_it_is_loaded(tmp_path: Path) -> None:
    @tf.function
    def f(x):
        for _ in tf.range(9):
            tf.autograph.experimental.set_loop_options(checkpoint_every=3)
            x = tf.sin(x) * 1.5
        return x

    x = tf.constant(0.5)
    f(x)
    loaded = round_trip(tmp_path, f=f)
    found = []
    for function in (f, loaded.f):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = function(x)
        marks = [graph.recompute for graph in nested_graphs(function.get_concrete_function(x).graph)]
        found.append((plain(y), plain(tape.gradient(y, x)), marks))
    assert found[0] == found[1] and True in found[0][2]


def test_an_object_of_the_model_as_an_argument(tmp_path: Path) -> None:
    class Part(tf.Module):
        def __init__(self, start):
            self.v = tf.Variable(start)

    @tf.function
    def f(part, x):
        return part.v * x

    first, second = Part(2.0), Part(3.0)
    f(first, tf.constant(1.0))
    f(second, tf.constant(1.0))
    loaded = round_trip(tmp_path, f=f, first=first, second=second)
    loaded.second.v.assign(7.0)
    assert [plain(loaded.f(p, tf.constant(10.0))) for p in (loaded.first, loaded.second)] == [20.0, 70.0]
    with pytest.raises(ValueError, match="none of its 2 saved traces"):
        loaded.f(first, tf.constant(10.0))
