"""Functions under tapes and tapes in Functions: what they take from around them, what they return, whole trainings."""

from __future__ import annotations

import sys
import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import runtime as tf
from tests.runtime.autodiff.ways import agree, gradient


def test_tensors_from_around_a_function():
    x = tf.constant(3.0)

    @tf.function
    def f(n):
        y = x
        for _ in tf.range(n):
            if y > 0.0:
                y = y * x
        return y

    for n in (0, 1, 3):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = f(tf.constant(n))
        assert tape.gradient(y, x).numpy() == (n + 1) * 3.0**n


def test_tensors_from_around_that_are_not_watched_stay_constants():
    x, z = tf.constant(3.0), tf.constant(4.0)
    f = tf.function(lambda y: x * y * z)
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(z)
        y = f(x)
    assert tape.gradient(y, z).numpy() == 9.0 and tape.gradient(y, x) is None


def test_constants_of_a_trace_in_its_loops():
    @tf.function
    def f():
        x = tf.constant(2.0)
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.constant(1.0)
            for _ in tf.range(3):
                y = y * x
        return tape.gradient(y, x)

    assert f().numpy() == 12.0


def test_exceptions_that_are_caught():
    def f(x):
        try:
            y = x * x
            if y > 5.0:
                raise ValueError("too large")
        except ValueError:
            y = tf.sin(x) * 3.0
        return y * x

    agree(f, 2.0)
    agree(f, 3.0)


def test_lists_that_a_function_returns():
    @tf.function
    def f(x, n):
        made = []
        for i in tf.range(n):
            made.append(x * tf.cast(i, tf.float32) * x)
        return made

    def g(x):
        made = f(x, tf.constant(3))
        return made[1] + made[2]

    assert gradient(g, tf.constant(3.0))[0].numpy() == 18.0


def test_results_without_gradients():
    @tf.function
    def f(x):
        return {"whole": tf.cast(x, tf.int32), "same": x, "none": None, "twice": x * 2.0}

    with tf.GradientTape(persistent=True) as tape:
        x = tf.constant(3.0)
        tape.watch(x)
        found = f(x)
    assert tape.gradient([found["same"], found["twice"]], x).numpy() == 3.0
    with pytest.warns(UserWarning, match="int32"):
        assert tape.gradient(found["whole"], x) is None


def test_numbers_are_drawn_once():
    @tf.function
    def f(x):
        y = x * 0.0
        for _ in tf.range(5):
            y = y + x * tf.random.uniform([])
        return y

    x = tf.constant(2.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = f(x)
    np.testing.assert_allclose(tape.gradient(y, x) * x, y, rtol=1e-6)


def test_effects_happen_once(capfd):
    count = tf.Variable(0)

    @tf.function
    def f(x):
        for _ in tf.range(3):
            count.assign_add(1)
            tf.print("now")
            x = x * x
        return x

    assert gradient(f, tf.constant(1.5))[0].numpy() == np.float32(8 * 1.5**7)
    assert count.numpy() == 3 and capfd.readouterr().err.count("now") == 3


def test_a_variable_that_changes_between_call_and_gradient():
    v = tf.Variable(3.0)
    f = tf.function(lambda x: x * v * v)
    x = tf.constant(2.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = f(x)
    v.assign(100.0)
    assert [g.numpy() for g in tape.gradient(y, [x, v])] == [9.0, 12.0]


def test_gradient_of_rows_works_with_assign_sub():
    v = tf.Variable(np.arange(12.0).reshape(4, 3))

    def step():
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(tf.gather(v, [0, 2, 0]) ** 2)
        v.assign_sub(0.1 * tape.gradient(loss, v))

    step()
    wanted = np.arange(12.0).reshape(4, 3)
    wanted[0] *= 0.6
    wanted[2] *= 0.8
    np.testing.assert_allclose(v, wanted)
    tf.function(step)()
    wanted[0] *= 0.6
    wanted[2] *= 0.8
    np.testing.assert_allclose(v, wanted)


def test_a_whole_training_in_a_function():
    w, b = tf.Variable(0.0), tf.Variable(0.0)
    x = tf.constant(np.linspace(-1, 1, 20, dtype=np.float32))
    y = x * 3.0 + 2.0

    @tf.function
    def train(steps):
        loss = 0.0
        for _ in tf.range(steps):
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean(tf.square(x * w + b - y))
            dw, db = tape.gradient(loss, [w, b])
            w.assign_sub(0.3 * dw)
            b.assign_sub(0.3 * db)
        return loss

    assert train(tf.constant(200)).numpy() < 1e-9
    np.testing.assert_allclose([w.numpy(), b.numpy()], [3.0, 2.0], rtol=1e-4)


def test_a_training_over_a_dataset():
    w = tf.Variable(0.0)
    numbers = np.arange(8, dtype=np.float32)
    dataset = tf.data.Dataset.from_tensor_slices((numbers, 3 * numbers)).batch(4)

    @tf.function
    def epoch():
        for x, y in dataset:
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean((x * w - y) ** 2)
            w.assign_sub(0.02 * tape.gradient(loss, w))

    for _ in range(20):
        epoch()
    np.testing.assert_allclose(w.numpy(), 3.0, rtol=1e-5)


def test_a_gradient_of_earlier_iterations_is_refused():
    @tf.function
    def f(x):
        g = x
        with tf.GradientTape(persistent=True) as tape:
            tape.watch(x)
            y = x
            for _ in tf.range(3):
                y = y * x
                g = tape.gradient(y, x)
        return g

    with pytest.raises(Exception, match="Make the tape inside of the loop"):
        f(tf.constant(2.0))


def test_threads_have_tapes_of_their_own():
    x = tf.constant(2.0)
    f = tf.function(lambda x: x * x * x)
    found = []

    def work():
        for function in (f, f.python_function) * 20:
            found.append(gradient(function, x)[0].numpy())

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [12.0] * 160


def test_a_tape_while_another_thread_opens_and_closes_one():
    """The other thread asks for a gradient at each line that opening and closing a tape runs."""
    x = tf.constant(2.0)
    found = []

    def slope():
        y = x * x * x
        return tape.gradient(y, x).numpy()

    def at_each_line(frame, event, _):
        if "runtime" in frame.f_code.co_filename:
            found.append(other.submit(slope).result())
        return at_each_line

    with ThreadPoolExecutor(1) as other:
        tape = tf.GradientTape(persistent=True)
        other.submit(tape.__enter__).result()
        other.submit(tape.watch, x).result()
        before = sys.gettrace()
        sys.settrace(at_each_line)
        try:
            with tf.GradientTape():
                pass
        finally:
            sys.settrace(before)
        other.submit(tape.__exit__).result()
    assert len(found) > 20 and set(found) == {12.0}


def test_a_persistent_tape_that_records_its_own_gradients():
    def power(x, n):
        if n < 1:
            return tf.ones_like(x)
        return x * power(x, n - 1)

    f = tf.function(power)
    x, n = tf.constant(2.0), tf.constant(4)
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = f(x, n)
        first = tape.gradient(y, x)
        second = tape.gradient(first, x)
        assert (first.numpy(), second.numpy()) == (32.0, 48.0)
        with pytest.raises(RuntimeError, match="one tape for each order"):
            tape.gradient(second, x)


def test_third_derivatives_through_functions():
    def f(x, n):
        y = x
        for _ in tf.range(n):
            if y > 0.5:
                y = tf.sin(y) * x
            else:
                y = y + x * x
        return y

    def third(function, x, n):
        with tf.GradientTape() as c:
            c.watch(x)
            with tf.GradientTape() as b:
                b.watch(x)
                with tf.GradientTape() as a:
                    a.watch(x)
                    y = function(x, n)
                one = a.gradient(y, x)
            two = b.gradient(one, x)
        return c.gradient(two, x)

    x, n = tf.constant(0.9, tf.float64), tf.constant(4)
    wanted = third(f, x, n)
    np.testing.assert_allclose(third(tf.function(f), x, n), wanted, rtol=1e-9)
    np.testing.assert_allclose(tf.function(lambda x, n: third(f, x, n))(x, n), wanted, rtol=1e-9)


def test_the_way_back_is_made_once():
    traces = []

    @tf.function
    def f(x):
        traces.append(1)
        return tf.sin(x) * x

    for value in (0.1, 0.2, 0.3):
        x = tf.constant(value)
        np.testing.assert_allclose(gradient(f, x)[0], np.cos(value) * value + np.sin(value), rtol=1e-5)
    program = f.get_concrete_function(tf.constant(0.1))._program
    assert traces == [1] and len(program._pairs) == 1 and len(next(iter(program._pairs.values()))._backs) == 1


@pytest.mark.parametrize("shape", [[4], [None], None])
@pytest.mark.parametrize("wanted", [0, 1])
@pytest.mark.parametrize("kind", ["split", "loop", "branch"])
def test_the_gradient_of_one_of_several_results(shape, wanted, kind):
    def split(x):
        return tf.split(x * x, 2)

    def loop(x):
        a, b = x, x * 2.0
        for _ in tf.range(2):
            a, b = a * b, tf.sin(b) + a
        return a, b

    def branch(x):
        return (x * x, x * 3.0) if tf.reduce_sum(x) > 0.0 else (x, x * x)

    f = {"split": split, "loop": loop, "branch": branch}[kind]
    staged = tf.function(f, input_signature=[tf.TensorSpec(shape)])
    x = tf.constant([1.0, 2.0, -3.0, 4.0])
    found = []
    for function in (f, staged):
        with tf.GradientTape() as outer:
            outer.watch(x)
            with tf.GradientTape() as inner:
                inner.watch(x)
                y = function(x)
            first = inner.gradient(y[wanted], x)
        second = outer.gradient(first, x, unconnected_gradients="zero")
        found.append([first.numpy(), second.numpy()])
    np.testing.assert_allclose(found[1], found[0], rtol=1e-6)
