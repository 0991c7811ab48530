"""Gradients through branches, loops and lists: every way of taking them agrees with central differences."""

from __future__ import annotations

import pytest

import runtime as tf
from tests.runtime.autodiff.ways import agree


def test_branch_that_is_taken_counts():
    def f(x, y):
        if x > y:
            z = tf.exp(x) * y
        else:
            z = x - y * y
        return z * x

    agree(f, 1.5, 0.5)
    agree(f, 0.5, 1.5)


def test_branch_without_a_gradient():
    def f(x):
        if x > 1.0:
            y = tf.floor(x) * 2.0
        else:
            y = x * x
        return y + 0.0 * x

    agree(f, 1.5)
    agree(f, 0.5)


def test_variable_that_only_one_branch_uses():
    def f(x, y):
        z = x
        if y > 0.0:
            z = x * y
        return z

    agree(f, 1.5, 0.5)
    agree(f, 1.5, -0.5)


def test_branches_in_branches():
    def f(x, y):
        if x > 0.0:
            if y > 0.0:
                z = tf.sin(x * y)
            else:
                z = tf.cos(x) - y * y * x
        elif y > 0.0:
            z = tf.exp(y) * x * x
        else:
            z = x * y
        return z

    for x in (1.5, -1.5):
        for y in (0.5, -0.5):
            agree(f, x, y)


def test_early_returns():
    def f(x):
        if x > 2.0:
            return x * x
        y = tf.sin(x)
        if y > 0.5:
            return y * x
        return y - x * x

    for x in (2.5, 1.5, 0.3):
        agree(f, x)


@pytest.mark.parametrize("n", [0, 1, 2, 5, 40])
def test_loop_with_a_trip_count_of_the_run(n):
    def f(x, y, n):
        z = x
        for _ in tf.range(n):
            z = tf.sin(z) * y + 0.1 * x
        return z * x

    agree(f, 1.5, 0.9, n)


def test_loop_until():
    def f(x):
        y = x
        while y < 10.0:
            y = y * x + 0.5
        return y

    agree(f, 1.5)
    agree(f, 11.5)


def test_loop_with_break_and_continue():
    def f(x, n):
        y = x
        for i in tf.range(n):
            if i == 2:
                continue
            y = y * x
            if y > 20.0:
                break
            y = y + 0.1 * tf.cast(i, tf.float64)
        return y

    agree(f, 1.5, 4)
    agree(f, 1.9, 40)


def test_loop_that_returns():
    def f(x, n):
        y = x
        for _ in tf.range(n):
            y = y * x
            if y > 5.0:
                return tf.sqrt(y)
        return y - x

    agree(f, 1.5, 2)
    agree(f, 1.5, 20)


def test_state_that_is_swapped():
    def f(x, y, n):
        a, b = x, y
        for _ in tf.range(n):
            a, b = b * 0.9, a + b * x
        return a * b

    agree(f, 1.1, 0.7, 5)


def test_state_that_nothing_depends_on():
    def f(x, n):
        y, unused = x, x
        for _ in tf.range(n):
            y = y * x
            unused = unused * y + 1.0
        return y

    agree(f, 1.1, 4)


def test_state_that_is_set_anew():
    def f(x, y, n):
        z = x
        for _ in tf.range(n):
            z = y * y
        return z * y

    agree(f, 1.1, 0.7, 0)
    agree(f, 1.1, 0.7, 3)


def test_loops_in_loops():
    def f(x, n):
        y = x
        for i in tf.range(n):
            z = y
            for _ in tf.range(i):
                z = z * x + tf.sin(z) * 0.1
            if z > 2.0:
                y = z * 0.5
            else:
                y = z + x
        return y

    agree(f, 1.1, 4)


def test_loop_in_a_branch_in_a_loop():
    def f(x, n):
        y = x
        for i in tf.range(n):
            if y < 3.0:
                for _ in tf.range(2):
                    y = y * x
            else:
                while y > 1.0:
                    y = y * 0.4 * x
        return y

    agree(f, 1.3, 6)


def test_rows_of_a_vector():
    def f(x, w):
        s = x[0] * 0.0
        for row in x:
            s = tf.tanh(s * w + row)
        return s

    agree(f, [0.3, -0.2, 0.7], 1.2)


def test_vectors_as_state():
    def f(x, w, n):
        for _ in tf.range(n):
            x = tf.tanh(x * w + tf.reduce_sum(x))
        return tf.reduce_sum(x * x)

    agree(f, [0.3, -0.2, 0.7], [1.2, 0.1, -0.4], 3)


def test_state_whose_shape_grows():
    def f(x, n):
        y = x
        for _ in tf.range(n):
            y = tf.concat([y * y, x], axis=0)
        return tf.reduce_sum(y * y)

    agree(f, [0.3, -0.2], 3)


def test_list_that_grows():
    def f(x, n):
        made = []
        y = x
        for _ in tf.range(n):
            y = y * x
            made.append(tf.sin(y))
        return tf.reduce_sum(tf.stack(made) * x)

    agree(f, 1.2, 4)


def test_list_that_is_read_and_changed():
    def f(x, n):
        made = [x, x * x]
        for i in tf.range(n):
            made.append(made[-1] * made[i])
        made[1] = made[0] * 3.0
        last = made.pop()
        return last + made[1] * made[2]

    agree(f, 1.2, 3)


def test_tensor_array():
    def f(x, n):
        array = tf.TensorArray(tf.float64, size=n, element_shape=[])
        y = x
        for i in tf.range(n):
            y = y * x
            array = array.write(i, tf.sin(y))
        total = array.stack()
        return tf.reduce_sum(total) * array.read(1) + tf.reduce_sum(array.gather([0, 2, 0]))

    agree(f, 1.2, 4)


def test_tensor_array_that_is_split_and_joined():
    def f(x):
        array = tf.TensorArray(tf.float64, size=0, dynamic_size=True, infer_shape=False)
        array = array.split(x * x, [1, 2])
        array = array.write(2, x * 3.0)
        return tf.reduce_sum(tf.sin(array.concat()) * tf.range(6.0, dtype=tf.float64))

    agree(f, [0.3, -0.2, 0.7])


def test_tensor_array_that_is_scattered_and_unstacked():
    def f(x):
        array = tf.TensorArray(tf.float64, size=4, element_shape=[])
        array = array.scatter([2, 0, 2], x * x)
        other = tf.TensorArray(tf.float64, size=0, dynamic_size=True).unstack(x)
        return tf.reduce_sum(tf.sin(array.stack()) * 2.0) + other.read(1) * other.read(2)

    agree(f, [0.3, -0.2, 0.7])


def test_cond_and_case_and_switch_case():
    def f(x, n):
        y = tf.cond(x > 1.0, lambda: x * x, lambda: tf.sin(x))
        z = tf.case([(y > 3.0, lambda: y * 2.0), (y > 1.0, lambda: y * y)], default=lambda: -y)
        return z + tf.switch_case(n, [lambda: x, lambda: x * y, lambda: tf.exp(z * 0.1)])

    for x in (0.5, 1.2, 2.5):
        for n in (0, 1, 2, 7):
            agree(f, x, n)


def test_while_loop_with_a_limit():
    def f(x, n):
        return tf.while_loop(
            lambda i, y: i < n, lambda i, y: (i + 1, y * x), [0, x], maximum_iterations=3
        )[1]

    agree(f, 1.2, 2)
    agree(f, 1.2, 20)


def test_loop_that_reads_and_writes_a_variable():
    v = tf.Variable(0.5, dtype=tf.float64)

    def f(x, n):
        v.assign(0.5)
        y = x
        for _ in tf.range(n):
            y = y * v
            v.assign_add(0.25)
        return y

    def by_all(x, n):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = f(x, n)
        return tape.gradient(y, [x, v])

    x, n = tf.constant(2.0, tf.float64), tf.constant(3)
    by_x, by_v = by_all(x, n)
    assert by_x.numpy() == 0.5 * 0.75 * 1.0
    assert by_v.numpy() == 2.0 * (0.75 * 1.0 + 0.5 * 1.0 + 0.5 * 0.75)
    staged = tf.function(by_all)
    assert [g.numpy() for g in staged(x, n)] == [by_x.numpy(), by_v.numpy()]
    assert v.numpy() == 1.25
    around = tf.function(f)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = around(x, n)
    assert [g.numpy() for g in tape.gradient(y, [x, v])] == [by_x.numpy(), by_v.numpy()]
    assert v.numpy() == 1.25


def test_tape_in_a_loop():
    def f(x, n):
        y = x * 1.0  # a tensor of its own: eagerly `y = x` is x itself
        for _ in tf.range(n):
            with tf.GradientTape() as tape:
                tape.watch(y)
                z = y * y * x
            y = y - 0.1 * tape.gradient(z, y)
        return y

    agree(f, 0.7, 4)


def test_tape_in_a_branch():
    def f(x):
        y = x
        if x > 0.0:
            with tf.GradientTape() as tape:
                tape.watch(x)
                z = tf.sin(x) * x
            y = tape.gradient(z, x)
        return y * x

    agree(f, 0.7)
    agree(f, -0.7)


def test_gradient_asked_for_in_a_branch():
    def f(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = x
            while y < 3.0:
                y = y * x
        g = x
        if x > 1.5:
            g = tape.gradient(y, x)
        return g * x

    agree(f, 1.7)
    agree(f, 1.2)
