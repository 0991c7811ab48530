"""Programs in a loop, as machine code: the bits of the plan over NumPy, and what NumPy gives."""

import numpy as np

import runtime as tf


def folded(values):
    """All elements of an array, in one number that depends on their order."""
    total = 0.0
    for v in values:
        total = total * 0.5 + v
    return total


def total(values):
    """The elements of a table, in one number that depends on their order."""
    result = 0.0
    for row in values:
        result = result * 0.5 + folded(row)
    return result


def run(program, *arguments, expected=None):
    """The program in a loop, which must be machine code: the bits of the plan over NumPy, and what NumPy gives.

    expected: the program as NumPy has it, where that is another one.
    """

    def looped(turns, *given):
        total = 0.0
        for _ in range(turns):
            total = total * 0.25 + program(*given)
        return total

    staged = tf.function(looped, backend="native")
    given = [tf.constant(a) if isinstance(a, np.generic) else a for a in (np.int64(2), *arguments)]
    found = np.asarray(staged(*given))
    plan = staged.get_concrete_function(*given).plan
    assert not plan.refused, [str(reason) for reason in plan.refused]
    assert plan.regions
    assert [region.given_up for region in plan.regions] == [0] * len(plan.regions)
    np.testing.assert_array_equal(found, np.asarray(tf.function(looped, backend="numpy")(*given)))
    one = (expected or program)(*arguments)
    wanted = one + 0.25 * one
    np.testing.assert_allclose(found, wanted, rtol=1e-5 if found.dtype == np.float32 else 1e-13)
