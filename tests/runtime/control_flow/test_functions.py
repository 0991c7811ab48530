"""cond, while_loop, case and switch_case: the same values with eager tensors and in graphs, and clear refusals."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import runtime as tf
from tests.runtime.comparing import plain


def both(function: Callable[..., Any], *args: Any) -> Any:
    """The value with eager tensors, which the graph must give, too."""
    tensors = [tf.constant(a) for a in args]
    eager = plain(function(*tensors))
    assert repr(plain(tf.function(function, autograph=False)(*tensors))) == repr(eager)
    return eager


@pytest.mark.parametrize("x", [-2, 0, 3])
def test_cond(x: int) -> None:
    assert both(lambda x: tf.cond(x > 0, lambda: x, lambda: -x), x) == abs(x)
    assert both(lambda x: tf.cond(x > 0, lambda: {"a": x, "b": (1, 2.5)}, lambda: {"a": -x, "b": (0, 0.0)}), x) == (
        {"a": x, "b": (1, 2.5)} if x > 0 else {"a": -x, "b": (0, 0.0)}
    )
    assert both(lambda x: tf.cond(tf.reshape(x, [1, 1]) > 0, lambda: x, lambda: 7), x) == (x if x > 0 else 7)
    assert both(lambda x: tf.cond(x > 0, lambda: None, lambda: None), x) is None
    assert both(lambda x: tf.cond(True, lambda: x, lambda: x + "no"), x) == x
    nested = lambda x: tf.cond(x >= 0, lambda: tf.cond(x > 0, lambda: 1, lambda: 0), lambda: -1)
    assert both(nested, x) == (x > 0) - (x < 0)


def test_cond_on_an_eager_tensor_inside_a_graph() -> None:
    for flag in (True, False):
        condition = tf.constant(flag)
        assert tf.function(lambda x: tf.cond(condition, lambda: x, lambda: -x))(tf.constant(3)).numpy() in (3, -3)


def test_only_the_branch_that_is_taken_has_effects(capsys: pytest.CaptureFixture[str]) -> None:
    f = tf.function(lambda x: tf.cond(x > 0, lambda: tf.print("plus"), lambda: tf.print("minus")))
    for v in (1, -1):
        assert f(tf.constant(v)) is None
    assert capsys.readouterr().err == "plus\nminus\n"


def test_predicate_of_unknown_rank() -> None:
    sign = tf.function(lambda p: tf.cond(p, lambda: 1, lambda: -1), input_signature=[tf.TensorSpec(None, tf.bool)])
    assert [plain(sign(tf.constant(p))) for p in (True, False, [[True]])] == [1, -1, 1]
    with pytest.raises(tf.errors.ShapeMismatchError):
        sign(tf.constant([True, True]))


@pytest.mark.parametrize(
    ("function", "kind", "message"),
    [
        (lambda x: tf.cond(x > 0, 1, lambda: x), TypeError, "true_fn must be callable; got 1"),
        (lambda x: tf.cond(x > 0, lambda: x), TypeError, "false_fn must be callable; got None"),
        (lambda x: tf.cond(tf.stack([x, x]) > 0, lambda: x, lambda: x), ValueError, "condition of cond expected to be"),
        (lambda x: tf.cond(x > 0, lambda: x, lambda: x / 2), TypeError, "has dtype int32 in the main branch, but"),
        (lambda x: tf.cond(x > 0, lambda: (x,), lambda: [x]), TypeError, "must have the same nested structure"),
        (lambda x: tf.cond(x > 0, object, object), TypeError, "is a Python object that differs between the branches"),
        (lambda x: tf.while_loop(1, lambda i: i, [x]), TypeError, "cond must be callable; got 1"),
        (lambda x: tf.while_loop(lambda: x > 0, lambda: (), []), ValueError, "loop_vars is a non-empty list or tuple"),
        (lambda x: tf.while_loop(lambda i, j: i < x, lambda i, j: (i,), [0, 0]), ValueError, "returned 1 values for 2"),
        (lambda x: tf.while_loop(lambda i: i < x, lambda i: tf.cast(i, tf.float32), [x]), TypeError, "float32 after"),
        (lambda x: tf.while_loop(lambda i: i < x, lambda i: tf.cast(i, tf.int64), [0]), TypeError, "int64 after one"),
        (lambda x: tf.while_loop(lambda i: i < x, lambda i: i, [tf.zeros([2], tf.int32)]), ValueError, "of while loop"),
        (lambda x: tf.while_loop(lambda i: i < x, lambda i: i, [0], [[], []]), ValueError, "one entry for each of 1"),
        (lambda x: tf.while_loop(lambda i: x > i[0], lambda i: i, [(0,)], [[]]), TypeError, "not the structure of its"),
        (lambda x: tf.case([]), ValueError, "pred_fn_pairs is empty"),
        (lambda x: tf.case([(x > 0, 5)]), TypeError, "function 0 must be callable; got 5"),
        (lambda x: tf.switch_case(x, {0: lambda: 5, 2: lambda: 6}), ValueError, "keys must be 0 to 1; got [0, 2]"),
        (lambda x: tf.switch_case(tf.cast(x, tf.float32), [lambda: 0]), ValueError, "must be an integer; got float32"),
        (lambda x: tf.switch_case(x > 0, [lambda: 0]), ValueError, "must be an integer; got bool"),
        (lambda x: tf.switch_case(x, [lambda: tf.constant(1), lambda: tf.constant(1.5)]), TypeError, "has dtype int32"),
    ],
)
def test_refused(function: Callable[..., Any], kind: type[Exception], message: str) -> None:
    with pytest.raises(kind) as error:
        tf.function(function, autograph=False)(tf.constant(3))
    assert message in str(error.value)


def test_eager_switch_refuses_what_the_graph_refuses() -> None:
    for index in (tf.constant(1.7), 1.7, tf.constant(True)):
        with pytest.raises(tf.errors.InvalidArgumentError, match="must be an integer"):
            tf.switch_case(index, [lambda: 0, lambda: 1])


@pytest.mark.parametrize("n", [0, 1, 5])
def test_while_loop(n: int) -> None:
    total = lambda n: tf.while_loop(lambda i, s: i < n, lambda i, s: (i + 1, s + i), [0, 0])
    assert both(total, n) == [n, sum(range(n))]
    assert both(lambda n: tf.while_loop(lambda i: i < n, lambda i: i + 1, (0,)), n) == (n,)
    assert both(lambda n: tf.while_loop(lambda i: i < n, lambda i: [i + 1], [0]), n) == [n]
    structured = lambda n: tf.while_loop(
        lambda i, d: i < n, lambda i, d: (i + 1, {"a": d["a"] + i, "b": [d["b"][0] * 2]}), (0, {"a": n, "b": [1.0]})
    )
    assert both(structured, n) == (n, {"a": n + sum(range(n)), "b": [2.0**n]})
    growing = lambda n: tf.while_loop(
        lambda i, x: i < n, lambda i, x: (i + 1, tf.concat([x, [i]], 0)), [0, tf.zeros([0], tf.int32)]
    )
    assert both(growing, n) == [n, list(range(n))]
    assert both(lambda n: tf.while_loop(lambda i, x: i < n, lambda i, x: (i + 1, x), [0, n]), n) == [n, n]


@pytest.mark.parametrize("most", [0, 3, 100])
def test_maximum_iterations(most: int) -> None:
    bounded = lambda n, m: tf.while_loop(lambda i: i < n, lambda i: i + 1, [0], maximum_iterations=m)
    assert both(bounded, 5, most) == [min(5, most)]
    assert both(lambda n: bounded(n, most), 5) == [min(5, most)]
    assert both(lambda n: tf.while_loop(lambda i: True, lambda i: i + n, [0], maximum_iterations=most), 2) == [2 * most]


def test_shape_invariants() -> None:
    def doubled(n: Any, x: Any, dims: Any) -> Any:
        body = lambda i, s: (i + 1, {"x": tf.concat([s["x"], s["x"]], 0)})
        return tf.while_loop(lambda i, s: i < n, body, [0, {"x": x}], [tf.TensorShape([]), {"x": dims}])

    for dims in ([None], tf.TensorShape([None]), tf.TensorShape(None)):
        made = tf.function(lambda n, x: doubled(n, x, dims))(tf.constant(3), tf.ones([1]))
        assert plain(made) == [3, {"x": [1.0] * 8}]
    with pytest.raises(ValueError, match=r"has shape \(2,\) after one iteration, which does not conform with the"):
        tf.function(lambda n, x: doubled(n, x, [1]))(tf.constant(3), tf.ones([1]))
    with pytest.raises(ValueError, match="before the loop, which does not conform with the shape invariant"):
        tf.function(lambda n, x: doubled(n, x, [2]))(tf.constant(3), tf.ones([1]))


@pytest.mark.parametrize("x", [-5, 0, 5])
def test_case(x: int) -> None:
    sign = lambda x: tf.case([(x < 0, lambda: -1), (x > 0, lambda: 1)], default=lambda: 0)
    assert both(sign, x) == (x > 0) - (x < 0)
    signed = lambda x: tf.case([(x < 0, lambda: -1), (x > 0, lambda: 1)])
    if x:
        assert both(signed, x) == (-1 if x < 0 else 1)
    else:
        for way in (signed, tf.function(signed)):
            with pytest.raises(tf.errors.InvalidArgumentError, match="no predicate holds"):
                way(tf.constant(x))
    first = lambda x: tf.case([(x < 5, lambda: 1), (x < 10, lambda: 2)], default=lambda: 3)
    assert both(first, x) == (1 if x < 5 else 2), "the first that holds"


def test_exclusive_case() -> None:
    exclusive = lambda x: tf.case([(x < 0, lambda: -1), (x < 5, lambda: 1)], default=lambda: 0, exclusive=True)
    assert [both(exclusive, v) for v in (3, 7)] == [1, 0]
    for function in (exclusive, tf.function(exclusive)):
        with pytest.raises(tf.errors.InvalidArgumentError, match="more than one predicate holds"):
            function(tf.constant(-3))


@pytest.mark.parametrize("index", [-1, 0, 1, 2, 3])
def test_switch_case(index: int) -> None:
    branches = [lambda: 10, lambda: 20, lambda: 30]
    inside = 0 <= index < 3
    assert both(lambda i: tf.switch_case(i, branches), index) == (10 * index + 10 if inside else 30)
    assert both(lambda i: tf.switch_case(i, dict(enumerate(branches)), default=lambda: i), index) == (
        10 * index + 10 if inside else index
    )
    assert both(lambda i: tf.switch_case(i, [(1, branches[1]), (0, branches[0])]), index) == (10 if index == 0 else 20)
    assert both(lambda i: tf.switch_case(i, [lambda: (i, 1), lambda: (2, i * 3)]), index) == (
        (0, 1) if index == 0 else (2, index * 3)
    )


def test_tensors_of_all_enclosing_graphs_are_captured() -> None:
    outside = tf.constant(-1)

    def deep(n: Any) -> Any:
        a = n * 2

        def positive() -> Any:
            b = a + 1

            def body(i: Any, s: Any) -> Any:
                c = b + a + n
                climb = lambda: tf.while_loop(lambda k: k < b, lambda k: k + a, [s])[0]
                return i + 1, tf.cond(i % 2 == 0, lambda: s + c + outside, climb)

            return tf.while_loop(lambda i, s: i < n, body, [0, 0])[1]

        return tf.cond(n > 0, positive, lambda: outside)

    assert [both(deep, v) for v in (-1, 1, 2, 3, 4)] == [-1, 5, 10, 30, 40]


def test_tensor_of_another_branch_cannot_be_used() -> None:
    kept = []

    def program(x: Any) -> Any:
        def then() -> Any:
            kept.append(x + 1)
            return x

        return tf.cond(x > 0, then, lambda: kept[0])

    with pytest.raises(tf.errors.InaccessibleTensorError, match="'then'"):
        tf.function(program, autograph=False)(tf.constant(1))
