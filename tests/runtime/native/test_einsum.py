"""einsum where it is a product of two vectors or matrices."""

import numpy as np
import pytest

import runtime as tf

RNG = np.random.default_rng(0)
EQUATIONS = ["ij,jk->ik", "ij,kj->ik", "ji,jk->ik", "ij,jk->ki", "ij,jk", "i,i->", "ij,j->i", "j,jk->k", "jk,j->k"]


def operands(equation, dtype):
    sizes = {"i": 3, "j": 4, "k": 5}
    terms = equation.split("->")[0].split(",")
    drawn = [RNG.normal(size=[sizes[c] for c in term]) for term in terms]
    return [(9 * x).astype(dtype) for x in drawn]


def repeated(equation):
    def program(x, y, n):
        total = tf.einsum(equation, x, y) * 0
        for _ in range(n):
            total = total + tf.einsum(equation, x, y)
            x = x + 1
        return total

    return program


@pytest.mark.parametrize("equation", EQUATIONS)
def test_of_integers_and_with_jit_compile(equation):
    for dtype, how in ((np.int64, {"backend": "native"}), (np.float64, {"jit_compile": True})):
        x, y = operands(equation, dtype)
        staged = tf.function(repeated(equation), **how)
        found = np.asarray(staged(x, y, tf.constant(3)))
        wanted = sum(np.einsum(equation, x + i, y) for i in range(3))
        np.testing.assert_allclose(found, wanted, rtol=1e-13)
        assert not staged.get_concrete_function(x, y, tf.constant(3)).plan.refused


@pytest.mark.parametrize("equation", ["ij,jk->ik", "ii,ij->j", "ij,ij->i", "...j,jk->...k"])
def test_others_are_left_to_numpy(equation):
    """And products of floats, where each bit is to be NumPy's."""
    x, y = RNG.normal(size=(4, 4)), RNG.normal(size=(4, 4))
    staged = tf.function(repeated(equation), backend="native")
    found = np.asarray(staged(x, y, tf.constant(2)))
    np.testing.assert_array_equal(found, np.einsum(equation, x, y) + np.einsum(equation, x + 1, y))
    assert staged.get_concrete_function(x, y, tf.constant(2)).plan.refused
