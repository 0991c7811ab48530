"""sum, any, all, min, max, sorted, round, pow, divmod, int, float, bool, abs, len and range over tensors."""

from __future__ import annotations

import math
from typing import Any

import pytest

import runtime as tf
from tests.runtime.comparing import assert_same, plain
from tests.runtime.control_flow.sizes import SIZES, compare


def square(x):
    return x * x if x > 1 else -x


def named_key(x):
    if x > 3:
        return -x
    return x % 3


PROGRAMS = {
    "sum": lambda t: sum(t),
    "sum_from": lambda t: sum(t, 10),
    "sum_of_map": lambda t: sum(map(square, t)),
    "sum_of_filter": lambda t: sum(filter(lambda x: x > 2, t), start=5),
    "sum_of_generator": lambda t: sum(x * i for i, x in enumerate(t) if x > 1),
    "any": lambda t: any(t > 3),
    "all": lambda t: all(t > 2),
    "any_of_numbers": lambda t: any(t),
    "all_of_numbers": lambda t: all(t),
    "any_of_map": lambda t: any(map(lambda x: x > 4, t)),
    "all_of_generator": lambda t: all(x != 3 for x in t),
    "any_of_list": lambda t: any([len(t) > 3, tf.reduce_sum(t) > 100, False]),
    "all_of_tuple": lambda t: all((tf.reduce_sum(t) >= 0, True, len(t) < 5)),
    "min": lambda t: min(t),
    "max": lambda t: max(t),
    "min_default": lambda t: min(t, default=-7),
    "max_default": lambda t: max(t, default=-7),
    "min_key": lambda t: min(t, key=named_key),
    "max_key": lambda t: max(t, key=lambda x: x % 4),
    "min_of_generator": lambda t: min((x for x in t if x > 1), default=0),
    "max_of_map": lambda t: max(map(square, t)),
    "min_of_scalars": lambda t: min(sum(t), 7, len(t)),
    "max_of_scalars": lambda t: max(sum(t), 3),
    "max_of_scalars_by_key": lambda t: max(sum(t), 3, 9, key=lambda x: x % 5),
    "min_of_list": lambda t: min([sum(t), 4]),
    "sorted": lambda t: sorted(t),
    "sorted_not_reversed": lambda t: sorted(t, reverse=False),
    "sorted_reversed": lambda t: sorted(t, reverse=True),
    "sorted_key": lambda t: sorted(t, key=named_key),
    "sorted_key_reversed": lambda t: sorted(t, key=lambda x: x % 3, reverse=True),
    "sorted_by_tensor": lambda t: sorted(t, reverse=bool(sum(t) > 10)),
    "sorted_generator": lambda t: sorted(x * 7 % 5 for x in t if x > 0),
    "sorted_pairs": lambda t: sorted(enumerate(t), key=lambda pair: -pair[1]),
    "len": lambda t: len(t),
    "divmod": lambda t: divmod(sum(t), 7),
    "divmod_of_number": lambda t: divmod(100, sum(t) + 1),
    "pow": lambda t: pow(sum(t), 2),
    "pow_with_modulus": lambda t: [pow(int(x) + 2, 5, 7) for x in t],
    "abs": lambda t: abs(sum(t) - 10),
    "range_of_one": lambda t: sum(i * i for i in range(len(t))),
    "range_of_two": lambda t: sum(i * i for i in range(2, len(t))),
    "range_of_three": lambda t: [i for i in range(len(t), -3, -2)],
    "range_with_staged_step": lambda t: [i for i in range(0, 20, len(t) + 1)],
    "bool": lambda t: bool(sum(t)),
    "float": lambda t: float(sum(t)),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_program(name: str) -> None:
    program = PROGRAMS[name]
    floats = name == "float"
    compare(_listed(program), *SIZES, dtype=tf.int32) if not floats else compare(_as_float(program), *SIZES)


def _listed(program: Any) -> Any:
    def listed(t):
        return program(t)

    listed.__name__ = "program"
    return listed


def _as_float(program: Any) -> Any:
    def with_float(t):
        return program(t) / 2

    return with_float


def in_statements(t):
    best = 0
    for i in range(len(t)):
        if max(t[i], 2) > min(best, 3):
            best = max(best, t[i])
        elif any(x > 4 for x in t):
            best += sum(t)
    return best


def test_in_loops_and_branches() -> None:
    compare(in_statements, *SIZES)


FLOATS = ([0.5, 1.5, -2.5], [-0.0, 0.0], [math.nan, 1.0], [1.0, math.nan, 0.5], [math.inf, -math.inf])


@pytest.mark.parametrize("call", [min, max], ids=["min", "max"])
def test_nan_and_zeros_as_in_python(call: Any) -> None:
    def program(t):
        return call(t)

    compare(program, *FLOATS, dtype=tf.float32)


@pytest.mark.parametrize(
    "value", [0.5, 1.5, 2.5, -0.5, -1.5, 2.675, 1.005, 0.125, 0.375, 1234.5678, -7.0, 0.0, 5e-324, 1e15, 25.0, 35.0]
)
@pytest.mark.parametrize("digits", [None, 0, 1, 2, 3, 12, -1, -2])
def test_round(value: float, digits: int | None) -> None:
    @tf.function
    def program(x):
        return round(x) if digits is None else round(x, digits)

    found = program(tf.constant(value, tf.float64))
    expected = round(value) if digits is None else round(value, digits)
    assert found.dtype.is_integer == (digits is None)
    assert repr(found.numpy().item()) == repr(expected)


@pytest.mark.parametrize("value", [0, 4, 5, 6, 15, 25, 26, -5, -15, -25, 149, 150, 250])
def test_round_of_integers(value: int) -> None:
    @tf.function
    def program(x):
        return round(x), round(x, 1), round(x, -1), round(x, -2)

    expected = (value, value, round(value, -1), round(value, -2))
    assert plain(program(tf.constant(value))) == expected


@pytest.mark.parametrize("arguments", [(3, 4, 5), (2, 100, 1_000_003), (-3, 5, 7), (7, 0, 1), (7, 3, -5), (0, 0, 3)])
def test_pow_with_a_modulus(arguments: tuple[int, int, int]) -> None:
    @tf.function
    def program(a, b, c):
        return pow(a, b, c)

    assert program(*map(tf.constant, arguments)).numpy() == pow(*arguments)


@pytest.mark.parametrize(
    ("arguments", "message"), [((2, 3, 0), "pow() 3rd argument cannot be 0"), ((2, -1, 4), "base is not invertible")]
)
def test_pow_refused(arguments: tuple[int, int, int], message: str) -> None:
    @tf.function
    def program(a, b, c):
        return pow(a, b, c)

    with pytest.raises(ValueError) as error:
        program(*map(tf.constant, arguments))
    assert message in str(error.value)


def with_step(n):
    s = 0
    for i in range(0, 10, n):
        s += i
    return s


def test_a_step_of_zero() -> None:
    staged = tf.function(with_step)
    assert staged(tf.constant(3)).numpy() == with_step(3)
    assert staged(tf.constant(-3)).numpy() == 0
    with pytest.raises(ValueError, match=r"range\(\) arg 3 must not be zero"):
        staged(tf.constant(0))


def test_a_range_of_floats_is_refused() -> None:
    @tf.function
    def program(x):
        for i in range(x):
            x += i
        return x

    with pytest.raises(TypeError, match="cannot be interpreted as an integer"):
        program(tf.constant(3.0))


def after_empty(n):
    for i in range(n):
        pass
    return i


def test_a_loop_that_never_runs_leaves_its_target_undefined() -> None:
    staged = tf.function(after_empty)
    assert staged(tf.constant(3)).numpy() == 2
    with pytest.raises(UnboundLocalError, match="'i'"):
        staged(tf.constant(0))


@tf.function
def rank_of_len(t):
    return len(t)


def test_len() -> None:
    with pytest.raises(ValueError, match="len requires a non-scalar tensor, got one of shape"):
        rank_of_len(tf.constant(1))
    unknown = tf.function(lambda t: len(t), input_signature=[tf.TensorSpec(None, tf.int32)])
    assert unknown(tf.constant([1, 2])).numpy() == 2
    with pytest.raises(ValueError, match="len requires non-zero rank, got 0"):
        unknown(tf.constant(1))


MATRIX = [[3, 1], [2, 9]]


@pytest.mark.parametrize(
    ("program", "message"),
    [
        (lambda t: min(t), "min(arg) currently support only tensor with rank 1"),
        (lambda t: max(t[0], t[1]), "max(arg1, arg2, *args) currently support only scalar tensor"),
        (lambda t: sorted(t), "sorted() compares single values, got keys of shape"),
        (lambda t: any(t), "The truth value of a row"),
    ],
    ids=["min", "max", "sorted", "any"],
)
def test_refused_of_matrices(program: Any, message: str) -> None:
    with pytest.raises(ValueError) as error:
        tf.function(program)(tf.constant(MATRIX))
    assert message in str(error.value)


def rows_by_key(t):
    return min(t, key=lambda row: row[1]), max(t, key=lambda row: row[0]), sum(t), sorted(t, key=lambda row: -row[0])


def test_rows_of_a_matrix() -> None:
    compare(rows_by_key, [3, 1, 2, 9], [5, 5], row=(2,))


def test_bool_of_scalars() -> None:
    @tf.function
    def program(x):
        return bool(x)

    assert [bool(program(tf.constant(v)).numpy()) for v in (0, 3, 0.0, 0.5, True, False, "", "a")] == [
        False, True, False, True, True, False, False, True,
    ]  # fmt: skip
    with pytest.raises(TypeError, match="one element"):
        program(tf.constant([1, 2]))


def test_a_function_given_to_a_builtin_is_converted() -> None:
    @tf.function
    def program(x):
        return (
            sorted([3, 1, 2], key=lambda k: -k),
            list(map(square, [x, x + 1])),
            max([1, 2], key=lambda k: square(x) * k),
        )

    ordered, squares, best = program(tf.constant(3))
    assert (plain(ordered), plain(squares), plain(best)) == ([3, 2, 1], [9, 16], 2)
    assert plain(program(tf.constant(0))[1]) == [0, -1]


def sorted_by_what_depends_on_a_tensor(n):
    near = sorted([1, 2, 3, 5], key=lambda v: (v - n) * (v - n))
    return near, sorted((4, 2), reverse=n > 0), sorted(["b", "a"], key=lambda text: n), sorted("cab", key=str.upper)


def test_plain_values_are_sorted_by_keys_of_the_run() -> None:
    staged = tf.function(sorted_by_what_depends_on_a_tensor)
    for n in (-3, 0, 2, 4):
        assert plain(staged(tf.constant(n))) == plain(sorted_by_what_depends_on_a_tensor(n))


def test_items_of_a_dict_are_sorted_by_their_keys() -> None:
    """Tuples whose first parts differ are compared without a look at the tensors in them, as Python does."""

    def program(x):
        d = {"b": x, "a": 2 * x, "c": 1}
        digits = []
        for k, v in sorted(d.items()):
            digits.append(v if k != "b" else v + 1)
        for _, v in sorted(d.items(), reverse=True):
            digits.append(v)
        by_key = [v for _, v in sorted([(2, x), (1, x + 1)], key=lambda pair: pair[0])]
        return digits, by_key

    assert_same(program, 0, 3, -4)
    assert_same(lambda x: sorted([(1, x), (1, 2)]), 1, 2, 3)
    with pytest.raises(TypeError, match="cannot be compared; give another key"):
        tf.function(lambda x: sorted([(1, x), (1, x)]))(tf.constant([3, 4]))


def test_whether_lists_of_tensors_have_items() -> None:
    def program(a, b):
        return all([a, b]), any((a, b)), all([a, []]), any([[], b]), all([a, 1]), any([[a[:0]], 0])

    given = [tf.constant(1), tf.constant(0)], [tf.constant(2)]
    assert [bool(v) for v in tf.function(program)(*given)] == list(program([1, 0], [2]))
