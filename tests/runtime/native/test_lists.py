"""Lists that grow, TensorArrays, and the values that gradients of loops save, as machine code."""

import numpy as np
import pytest

import runtime as tf


def squares(n):
    out = []
    for i in range(n):
        out.append(i * i)
    return out


def some_of_them(n):
    kept = []
    for i in range(n):
        if i % 3:
            kept.append(i * 0.5)
    total = 0.0
    for x in kept:
        total += x
    return kept, total, len(kept)


def primes(n):
    found = []
    for i in range(2, n):
        is_prime = True
        for p in found:
            if p * p > i:
                break
            if i % p == 0:
                is_prime = False
                break
        if is_prime:
            found.append(i)
    return found


def depth_first(n):
    stack, order = [1], []
    while len(stack) > 0:
        node = stack.pop()
        order.append(node)
        if 2 * node + 1 <= n:
            stack.append(2 * node + 1)
            stack.append(2 * node)
    return order


def breadth_first(n):
    queue, order = [1], []
    while len(queue) > 0:
        node = queue.pop(0)
        order.append(node)
        if 2 * node + 1 <= n:
            queue.append(2 * node)
            queue.append(2 * node + 1)
    return order


def taken_out(n):
    items = []
    for i in range(n):
        items.append(i * i)
    total = 0
    for i in range(n // 3):
        total = total * 3 % 1000 + items.pop(-(i % 5) - 1) + items.pop(i % 3)
    return items, total


def rows(n):
    start = np.array([1.0, 2.0, 3.0])
    out = [start]
    for i in range(n):
        out.append(out[i] * 0.5 + out[-1] * i)
    last = out.pop()
    out[0] = last
    for i in range(n):
        row = out.pop(0)
        out.append(row + last)
    return out, last


def both(n):
    """Two lists of one list: neither sees what the other one gets."""
    first = []
    for i in range(n):
        first.append(i)
    second = first.copy()
    for i in range(n):
        second.append(-i)
        first[i] = 7 * i
    return first, second


def changed(n):
    items = []
    for i in range(n):
        items.append(float(i))
    for i in range(1, n):
        items[i] = items[i - 1] * 0.5 + items[-i]
    return items


def flags(n):
    seen = []
    for i in range(n):
        seen.append(i % 3 == 0)
    count = 0
    for x in seen:
        if x:
            count += 1
    return seen, count


def begun(n):
    items = [3, 1, 2]
    for i in range(n):
        items.append(items[i] + items[i + 1])
    return items


def nothing(n):
    out = []
    for i in range(n):
        if i < 0:
            out.append(i)
    return out


def exchanged(n):
    one, two = [], []
    for i in range(n):
        one.append(i)
        if i % 2:
            one, two = two, one
    return one, two


PROGRAMS = [
    (squares, 100), (squares, 0), (some_of_them, 77), (primes, 300), (depth_first, 60), (both, 30), (changed, 40),
    (flags, 70), (begun, 20), (nothing, 70), (exchanged, 75),
    (rows, 70), (rows, 1), (breadth_first, 70), (taken_out, 90),
]  # fmt: skip


def given(value):
    return tf.constant(value) if isinstance(value, int) else value


def same(found, wanted):
    tf.nest.map_structure(lambda a, b: np.testing.assert_array_equal(np.asarray(a), np.asarray(b)), found, wanted)


@pytest.mark.parametrize(("program", "argument"), PROGRAMS, ids=lambda v: getattr(v, "__name__", ""))
def test_program(program, argument):
    staged = tf.function(program, backend="native")
    plan = staged.get_concrete_function(given(argument)).plan
    assert [str(reason) for reason in plan.refused] == []
    for _ in range(2):
        same(staged(given(argument)), program(argument))
    assert plan.regions
    assert [region.given_up for region in plan.regions] == [0] * len(plan.regions)


def outside(n):
    out = []
    for i in range(n):
        out.append(i)
    return out[2 * n]


def empty(n):
    out = []
    for i in range(n):
        out.append(i)
    total = 0
    for i in range(n + 1):
        total += out.pop()
    return total


def beyond(n):
    out = []
    for i in range(n):
        out.append(i)
    for i in range(n):
        out[i + 1] = 0
    return out


@pytest.mark.parametrize("program", [outside, empty, beyond])
def test_errors_are_those_of_the_plan(program):
    def error(backend):
        with pytest.raises(Exception) as found:
            tf.function(program, backend=backend)(tf.constant(70))
        return type(found.value), str(found.value), getattr(found.value, "__notes__", [])

    assert error("native") == error("numpy")
    assert issubclass(error("native")[0], IndexError)


def array_program(n, dynamic=False):
    array = tf.TensorArray(tf.float64, size=0 if dynamic else n, dynamic_size=dynamic, element_shape=[])
    for i in tf.range(n):
        array = array.write(i, tf.cast(i, tf.float64) * 0.5)
    total = tf.constant(0.0, tf.float64)
    for i in tf.range(n):
        total += array.read(i)
    return array.stack(), total


def sparsely_written(n):
    array = tf.TensorArray(tf.int32, size=n, element_shape=[2])
    for i in tf.range(0, n, 3):
        array = array.write(i, tf.stack([i, -i]))
    return array.stack()


@pytest.mark.parametrize(
    "program", [array_program, lambda n: array_program(n, True), sparsely_written], ids=["fixed", "dynamic", "sparse"]
)
def test_tensor_arrays(program):
    n = tf.constant(80)
    staged = tf.function(program, backend="native")
    plan = staged.get_concrete_function(n).plan
    assert [str(reason) for reason in plan.refused] == []
    same(staged(n), tf.function(program, backend="numpy")(n))
    assert [region.given_up for region in plan.regions] == [0] * len(plan.regions)


def test_a_tensor_array_of_too_many_elements():
    def program(n):
        array = tf.TensorArray(tf.float64, size=n, element_shape=[])
        for i in tf.range(tf.constant(70, tf.int64)):
            array = array.write(0, 1.0)
        return array.read(0)

    for size in (-1, 2**62, 2**61 + 1):
        with pytest.raises((tf.errors.OpError, MemoryError, OverflowError)):
            tf.function(program, backend="native")(tf.constant(size))


def logistic(x, n):
    total = x
    for i in range(n):
        if total > 1.5:
            total = total * 0.5
        total = tf.sin(total) + x * 0.1
    return total


def recurrent(x, n):
    state = x
    for i in range(n):
        state = tf.tanh(state * x[0] + x) * 0.9
    return tf.reduce_sum(state)


@pytest.mark.parametrize(("program", "start"), [(logistic, 0.7), (recurrent, np.linspace(-1.0, 1.0, 5))])
def test_gradients_through_loops(program, start):
    def step(x, n):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = program(x, n)
        return y, tape.gradient(y, x)

    x, n = tf.constant(start, tf.float64), tf.constant(150)
    staged = tf.function(step, jit_compile=True)
    plan = staged.get_concrete_function(x, n).plan
    assert len(plan.regions) == 1
    same(staged(x, n), tf.function(step, backend="numpy")(x, n))
    assert plan.regions[0].given_up == 0


def test_a_tape_outside():
    def slope(backend):
        x = tf.constant(0.7, tf.float64)
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.function(logistic, backend=backend)(x, tf.constant(150))
        return float(tape.gradient(y, x))

    assert slope("native") == slope("numpy")


def test_elements_of_several_types_stay_with_numpy():
    def shapes(n):
        out = []
        for i in tf.range(n):
            out.append(tf.range(i))
        return out[-1]

    def texts(n):
        out = []
        for i in tf.range(n):
            out.append(tf.strings.as_string(i))
        return out

    for program in (shapes, texts):
        same(tf.function(program, backend="native")(tf.constant(70)), tf.function(program)(tf.constant(70)))


def test_a_list_in_a_loop_that_stays_with_numpy_is_not_copied_each_time():
    def program(n):
        out = []
        for i in tf.range(n):
            tf.debugging.assert_less(tf.strings.length(tf.strings.as_string(i)), 9)
            for k in tf.range(3):
                out.append(i * k)
        return out

    staged = tf.function(program, backend="native")
    plan = staged.get_concrete_function(tf.constant(70)).plan
    assert any("a list would be copied in each turn" in reason.reason for reason in plan.refused)
    assert not plan.regions
    same(staged(tf.constant(70)), tf.function(program, backend="numpy")(tf.constant(70)))


def test_lists_give_their_memory_back():
    import resource

    def program(n):
        total = 0.0
        for i in tf.range(n):
            items = [0.0]
            for k in tf.range(100):
                items.append(tf.cast(k, tf.float64))
            total += items[-1]
        return total

    staged = tf.function(program, backend="native")
    assert float(staged(tf.constant(10))) == 990.0
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    assert float(staged(tf.constant(100_000))) == 9_900_000.0
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 20_000
    (region,) = staged.get_concrete_function(tf.constant(10)).plan.regions
    assert region.given_up == 0
