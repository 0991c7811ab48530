"""Variables in regions: read before, kept as values, written behind; what the plan over NumPy leaves in them."""

import threading

import numpy as np
import pytest

import runtime as tf
from runtime.dtypes import resource
from runtime.graph.nesting import nested_graphs
from runtime.native.backend import with_regions
from runtime.native.lists import Types
from runtime.native.parts import Parts
from runtime.native.variables import exchanged, lift


def counted(n, x):
    v = STATE["v"]
    for i in range(n):
        v.assign_add(x)
        if v > 10.0:
            v.assign(v - 7.0)
        elif i % 2 == 0:
            v.assign_sub(0.5)
    return v + 1.0


def vectors(n, x):
    w = STATE["w"]
    for _ in range(n):
        w.assign(w * 0.5 + x)
        w.assign_add(w)
    return tf.reduce_sum(w)


def elements(n, x):
    w, c = STATE["w"], STATE["c"]
    for i in range(n):
        w[i % 3].assign(x + w[(i + 1) % 3])
        c.assign_add(tf.cast(i, tf.int64))
    return w[0]


def until(n, x):
    v, c = STATE["v"], STATE["c"]
    while c < n:
        c.assign_add(1)
        for _ in range(3):
            v.assign(v * 0.75 + x)
    return c


def only_read(n, x):
    total = x
    for i in range(n):
        total = total * STATE["v"] + STATE["w"][i % 3]
    return total


def swapped(n, x):
    v, u = STATE["v"], STATE["u"]
    for _ in range(n):
        before = v.read_value()
        v.assign(u + x)
        u.assign(before)
    return v - u


def chosen(n, x):
    v, w = STATE["v"], STATE["w"]
    for i in range(n):
        tf.switch_case(i % 3, [lambda: v.assign_add(x), lambda: v.assign(1.0), lambda: w.assign(w + v)])
    return v.read_value()


def open_shape(n, x):
    o = STATE["o"]
    for _ in range(n):
        o.assign(tf.concat([o, [x]], 0))
    return tf.reduce_sum(o)


def called(n, x):
    def down(k):
        STATE["v"].assign_add(x)
        if k < 1:
            return STATE["v"].read_value()
        result = down(k - 1)
        STATE["v"].assign(STATE["v"] * 0.5)
        return result

    return down(n)


def wrapping(n, x):
    c = STATE["c"]
    for _ in range(n):
        c.assign(c * 4611686018427387905 + 3)
    return c


def a_training(n, x):
    w, v = STATE["w"], STATE["v"]
    for _ in range(n):
        with tf.GradientTape() as tape:
            error = tf.reduce_sum((w * x - [1.0, 2.0, 3.0]) ** 2) + v * v
        by_w, by_v = tape.gradient(error, [w, v])
        w.assign_sub(0.05 * by_w)
        v.assign_sub(0.05 * by_v)
    return w


STATE = {}


def fresh_state():
    STATE.update(
        v=tf.Variable(0.25, dtype=tf.float64), u=tf.Variable(2.0, dtype=tf.float64),
        w=tf.Variable(np.array([1.0, -2.0, 0.5])), c=tf.Variable(0, dtype=tf.int64),
        o=tf.Variable(np.zeros(1), shape=[None], dtype=tf.float64),
    )  # fmt: skip


def found_by(backend, program, *arguments):
    """The result, the Variables, and the plan."""
    fresh_state()
    staged = tf.function(program, backend=backend)
    results = [np.array(staged(*arguments)) for _ in range(2)]
    plan = staged.get_concrete_function(*arguments).plan
    return [*results, *(np.array(variable) for variable in STATE.values())], plan


PROGRAMS = [
    counted, vectors, elements, until, only_read, swapped, chosen, open_shape, called, wrapping, a_training
]  # fmt: skip


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda p: p.__name__)
@pytest.mark.parametrize("turns", [0, 1, 7])
def test_what_the_plan_leaves(program, turns):
    arguments = tf.constant(turns, tf.int64), tf.constant(0.75, tf.float64)
    wanted, _ = found_by("numpy", program, *arguments)
    found, plan = found_by("native", program, *arguments)
    for one, other in zip(wanted, found, strict=True):
        assert one.tobytes() == other.tobytes()
    assert not plan.refused, [str(reason) for reason in plan.refused]
    assert plan.regions
    assert [region.given_up for region in plan.regions] == [0] * len(plan.regions)


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda p: p.__name__)
def test_no_operation_on_values_knows_of_handles(program):
    fresh_state()
    arguments = tf.constant(3, tf.int64), tf.constant(0.75, tf.float64)
    graph = tf.function(program).get_concrete_function(*arguments).optimized_graph
    lifted = lift(graph, Types(graph)).graph
    roots = [lifted, *lifted.functions.values()]
    tensors = [t for r in roots for g in nested_graphs(r) for o in g.operations for t in (*o.inputs, *o.outputs)]
    assert tensors
    assert all(t.dtype is not resource for t in tensors)
    assert not Parts(graph).refused()


def test_an_error_in_the_middle_leaves_what_the_plan_leaves():
    def program(places):
        for place in places:
            STATE["c"].assign_add(1)
            STATE["v"].assign(STATE["w"][place])
        return STATE["v"]

    left = []
    for backend in ("numpy", "native"):
        fresh_state()
        with pytest.raises(tf.errors.OutOfRangeError, match="5") as error:
            tf.function(program, backend=backend)(tf.constant([0, 1, 5, 2]))
        left.append((int(STATE["c"]), float(STATE["v"]), str(error.value)))
    assert left[0] == left[1]
    assert left[0][:2] == (3, -2.0)


def test_one_variable_as_two_arguments():
    def program(a, b, n):
        for _ in range(n):
            a.assign_add(1.0)
            b.assign(b * 2.0)
        return a + b

    staged, v = tf.function(program, backend="native"), tf.Variable(1.0)
    assert float(staged(v, v, tf.constant(3))) == 44.0
    assert float(v) == 22.0
    a, b = tf.Variable(1.0), tf.Variable(1.0)
    assert float(staged(a, b, tf.constant(3))) == 12.0
    assert (float(a), float(b)) == (4.0, 8.0)


def counting(n):
    for _ in range(n):
        STATE["c"].assign_add(1)


def test_what_another_thread_writes_meanwhile_is_not_lost():
    fresh_state()
    graph = tf.function(counting).get_concrete_function(tf.constant(5, tf.int64)).optimized_graph
    lifted, memory = lift(graph, Types(graph)), STATE["c"].handle
    values = [memory if t.dtype is resource else 5 for t in graph.inputs]

    def interrupted(*given):
        STATE["c"].assign_add(100)
        return (5,)

    assert exchanged(interrupted, lifted, values, 0) is None
    assert int(STATE["c"]) == 100
    assert exchanged(lambda *given: (105,), lifted, values, 0) is True
    assert int(STATE["c"]) == 105


def test_threads_that_count():
    fresh_state()
    staged = tf.function(counting, backend="native")
    staged(tf.constant(1, tf.int64))
    threads = [
        threading.Thread(target=lambda: [staged(tf.constant(300, tf.int64)) for _ in range(40)]) for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert int(STATE["c"]) == 1 + 4 * 40 * 300


def test_what_was_read_before_stays():
    fresh_state()
    before = STATE["w"].numpy()
    kept = before.copy()
    tf.function(vectors, backend="native")(tf.constant(3, tf.int64), tf.constant(1.0, tf.float64))
    np.testing.assert_array_equal(before, kept)
    after = STATE["w"].numpy()
    STATE["w"].assign_add([1.0, 1.0, 1.0])
    np.testing.assert_array_equal(STATE["w"].numpy(), after + 1.0)


def test_an_argument_that_becomes_the_value_stays():
    fresh_state()
    given = np.array([4.0, 5.0, 6.0])

    def program(n, x):
        for _ in range(n):
            STATE["w"].assign(x)

    tf.function(program, backend="native")(tf.constant(2), given)
    STATE["w"].assign_add([1.0, 1.0, 1.0])
    np.testing.assert_array_equal(given, [4.0, 5.0, 6.0])


def asking(n, x):
    """The condition of a loop writes, also for the last time, when there is no turn."""
    c, turns = STATE["c"], 0
    while c.assign_add(1) < n:
        turns += 1
    return turns


def in_a_body(n, x):
    total = x
    for i in range(n):
        try:
            STATE["c"].assign_add(1)
            total += STATE["w"][i]
        except IndexError:
            total -= 1.0
    return total


@pytest.mark.parametrize("program", [asking, in_a_body], ids=lambda p: p.__name__)
def test_where_writes_stay_with_the_plan(program):
    arguments = tf.constant(5, tf.int64), tf.constant(0.75, tf.float64)
    wanted, _ = found_by("numpy", program, *arguments)
    found, plan = found_by("native", program, *arguments)
    for one, other in zip(wanted, found, strict=True):
        assert one.tobytes() == other.tobytes()
    assert "a Variable is written to in its body, or its condition" in [reason.reason for reason in plan.refused]


@pytest.mark.parametrize("write", [
    lambda w, i: w.scatter_update(tf.IndexedSlices(tf.constant([1.0], tf.float64), [i])),
    lambda w, i: tf.print(w.assign_add([1.0, 1.0, 1.0])),
], ids=["scatter", "print"])  # fmt: skip
def test_what_stays_with_numpy(write):
    fresh_state()

    def program(n):
        for i in range(n):
            write(STATE["w"], i)

    graph = tf.function(program).get_concrete_function(tf.constant(3)).optimized_graph
    made, refused = with_regions(graph)
    assert made is graph
    assert [reason.reason for reason in refused] == ["there is no machine code for it"]
