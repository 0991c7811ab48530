"""Gradients through lists that grow, TensorArrays, and state that is more than a scalar."""

from __future__ import annotations

import runtime as tf
from tests.runtime.autodiff.ways import agree


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
