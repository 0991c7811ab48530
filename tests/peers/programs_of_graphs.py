"""Programs of TensorArrays, functional loops, tapes, Functions and state: functions of the module that they run with.

    PROGRAMS["tapes: jacobian"](tensorflow)
    PROGRAMS["tapes: jacobian"](runtime)
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np

__all__ = ["PROGRAMS"]

Program = Callable[[Any], Any]

X: Final = np.array([[1.0, -2.0, 3.0], [0.5, 4.0, -1.0]])


def _filled(m: Any) -> Any:
    array = m.TensorArray(m.float64, size=2, clear_after_read=False)
    return array.unstack(m.constant(X))


def _grown(m: Any) -> Any:
    @m.function
    def grow(n: Any) -> Any:
        array = m.TensorArray(m.float32, size=0, dynamic_size=True)
        for i in m.range(n):
            array = array.write(i, m.cast(i * i, m.float32))
        return array.stack(), array.size()

    return grow(m.constant(4))


def _slope(m: Any, function: Callable[..., Any], *arrays: Any, **options: Any) -> Any:
    """The value of a function of float64 tensors, and its gradients."""
    args = [m.constant(np.asarray(a, np.float64)) for a in arrays]
    with m.GradientTape() as tape:
        tape.watch(args)
        value = function(*args)
    return [value, tape.gradient(value, args, **options)]


def _through_arrays(m: Any) -> Any:
    @m.function
    def program(x: Any) -> Any:
        array = m.TensorArray(m.float64, size=3)
        state = x
        for i in m.range(3):
            state = m.sin(state) * 1.5
            array = array.write(i, state)
        return m.reduce_sum(array.stack() * m.constant([[1.0], [2.0], [3.0]], m.float64))

    return _slope(m, program, X[0])


ARRAYS: Final[dict[str, Program]] = {
    "stack": lambda m: _filled(m).stack(),
    "read": lambda m: [_filled(m).read(1), _filled(m).size()],
    "concat": lambda m: _filled(m).concat(),
    "gather": lambda m: _filled(m).gather([1, 0, 1]),
    "scatter": lambda m: m.TensorArray(m.float64, 4).scatter([3, 0], m.constant(X)).gather([3, 0]),
    "split": lambda m: m.TensorArray(m.float64, 2).split(m.constant(X[0]), [1, 2]).read(1),
    "write twice": lambda m: _filled(m).write(0, m.constant(X[0])).write(0, m.constant(X[1])).read(0),
    "write outside": lambda m: _filled(m).write(5, m.constant(X[0])).stack(),
    "read outside": lambda m: _filled(m).read(2),
    "write of another dtype": lambda m: _filled(m).write(0, m.constant([1, 2, 3])),
    "write of another shape": lambda m: m.TensorArray(m.float32, 2).write(0, [1.0]).write(1, [1.0, 2.0]),
    "grown": _grown,
    "gradients": _through_arrays,
    "zeros that nobody wrote": lambda m: m.function(
        lambda: m.TensorArray(m.float32, 3, element_shape=[]).write(1, 2.0).stack())(),
}  # fmt: skip

LOOPS: Final[dict[str, Program]] = {
    "map_fn": lambda m: m.map_fn(lambda row: row * 2 + 1, m.constant(X)),
    "map_fn of a structure": lambda m: m.map_fn(
        lambda t: (t[0] + t[1], t[0] * t[1]), (m.constant(X), m.constant(X)),
        fn_output_signature=(m.float64, m.float64)),
    "map_fn to another shape": lambda m: [m.map_fn(m.reduce_sum, m.constant(X)), m.map_fn(lambda r: r[:, None] * r, X)],
    "map_fn to another dtype": lambda m: m.map_fn(lambda x: m.reduce_sum(x) > 0, m.constant(X),
                                                  fn_output_signature=m.bool),
    "map_fn of nothing": lambda m: m.map_fn(lambda x: x * 2, m.zeros([0, 3])),
    "scan": lambda m: m.scan(lambda s, x: s * 0.5 + x, m.constant(X)),
    "scan backwards": lambda m: m.scan(lambda s, x: s - x, m.constant([1, 2, 3]), reverse=True),
    "scan from a start": lambda m: m.scan(lambda s, x: (s[0] + x, s[1] * x), m.constant([1, 2, 3]), (0, 1)),
    "foldl": lambda m: m.foldl(lambda s, x: s * 10 + x, m.constant([1, 2, 3])),
    "foldr": lambda m: m.foldr(lambda s, x: s * 10 + x, m.constant([1, 2, 3]), initializer=7),
    "vectorized_map": lambda m: m.vectorized_map(lambda row: m.reduce_sum(row * row), m.constant(X)),
    "vectorized_map of products": lambda m: m.vectorized_map(
        lambda t: m.matmul(t[0][None, :], t[1][:, None]), (m.constant(X), m.constant(X))),
    "while_loop": lambda m: m.while_loop(
        lambda i, s: i < 5, lambda i, s: (i + 1, s + i), (m.constant(0), m.constant(3))),
    "while_loop with a limit": lambda m: m.while_loop(
        lambda i: True, lambda i: (i * 2,), (m.constant(1),), maximum_iterations=6),
    "cond": lambda m: m.cond(m.constant(True), lambda: {"a": m.constant(1)}, lambda: {"a": m.constant(2)}),
    "case": lambda m: m.case([(m.constant(False), lambda: m.constant(1)), (m.constant(True), lambda: m.constant(2))]),
    "case of none": lambda m: m.case([(m.constant(False), lambda: m.constant(1))]),
    "case of two": lambda m: m.case([(m.constant(True), lambda: m.constant(1))] * 2, exclusive=True),
    "switch_case": lambda m: [m.switch_case(m.constant(i), [lambda: m.constant(5), lambda: m.constant(6)])
                              for i in (0, 1, 2, -1)],
    "slopes of map_fn": lambda m: _slope(m, lambda x: m.map_fn(lambda r: m.reduce_prod(r), x), X),
    "slopes of scan": lambda m: _slope(m, lambda x: m.scan(lambda s, r: m.sin(s) * r, x), X),
    "slopes of foldl": lambda m: _slope(m, lambda x: m.foldl(lambda s, r: s * r + 1, x), X),
    "slopes of while_loop": lambda m: _slope(
        m, lambda x: m.while_loop(lambda i, y: i < 4, lambda i, y: (i + 1, m.tanh(y * 1.3)), (0, x))[1], X),
    "slopes of cond": lambda m: _slope(m, m.function(
        lambda x: m.cond(m.reduce_sum(x) > 0, lambda: x * x, lambda: -x)), X),
}  # fmt: skip


def _jacobian(m: Any, function: Callable[..., Any], x: Any, **options: Any) -> Any:
    x = m.constant(x)
    with m.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = function(x)
    return tape.jacobian(y, x, **options)


def _batch_jacobian(m: Any) -> Any:
    x = m.constant(X)
    with m.GradientTape() as tape:
        tape.watch(x)
        y = m.stack([x[:, 0] * x[:, 1], m.sin(x[:, 2])], axis=1)
    return tape.batch_jacobian(y, x)


def _hessian(m: Any) -> Any:
    x = m.constant(X[0])
    with m.GradientTape() as outer:
        outer.watch(x)
        with m.GradientTape() as tape:
            tape.watch(x)
            y = m.reduce_sum(x**3) + x[0] * x[1] * x[2]
        g = tape.gradient(y, x)
    return outer.jacobian(g, x)


def _forward(m: Any) -> Any:
    x = m.constant(X)
    with m.autodiff.ForwardAccumulator(x, m.ones_like(x)) as forward:
        y = m.reduce_sum(m.tanh(x) ** 2, 1)
    return forward.jvp(y)


def _forward_over_reverse(m: Any) -> Any:
    x = m.constant(X[0])
    with m.autodiff.ForwardAccumulator(x, m.constant([1.0, 0.0, 2.0], m.float64)) as forward:
        with m.GradientTape() as tape:
            tape.watch(x)
            y = m.reduce_prod(x) + m.reduce_sum(m.exp(x))
        g = tape.gradient(y, x)
    return forward.jvp(g)


def _custom(m: Any) -> Any:
    @m.custom_gradient
    def log1pexp(x: Any) -> Any:
        e = m.exp(x)
        return m.math.log(1 + e), lambda upstream: upstream * (1 - 1 / (1 + e))

    return _slope(m, log1pexp, [0.5, 100.0])


def _custom_with_variables(m: Any) -> Any:
    v = m.Variable(3.0)

    @m.custom_gradient
    def times(x: Any) -> Any:
        def grad(upstream: Any, variables: Any = None) -> Any:
            return upstream * 10, [upstream * 20 for _ in variables]

        return x * v, grad

    x = m.constant(2.0)
    with m.GradientTape() as tape:
        tape.watch(x)
        y = times(x)
    return [y, tape.gradient(y, [x, v])]


def _variables(m: Any) -> Any:
    v, w = m.Variable([1.0, 2.0]), m.Variable(3.0, trainable=False)
    with m.GradientTape(persistent=True) as tape:
        y = m.reduce_sum(v * v) * w
    return [tape.gradient(y, {"v": v, "w": w}), [x.numpy().tolist() for x in tape.watched_variables()]]


def _stopped(m: Any) -> Any:
    x = m.constant(3.0)
    with m.GradientTape() as tape:
        tape.watch(x)
        y = x * x
        with tape.stop_recording():
            z = y * y
        z = z + y * m.stop_gradient(y)
    return tape.gradient(z, x)


def _once(m: Any) -> Any:
    x = m.constant(3.0)
    with m.GradientTape() as tape:
        tape.watch(x)
        y = x * x
    return [tape.gradient(y, x), tape.gradient(y, x)]


def _gathered(m: Any) -> Any:
    v = m.Variable(X)
    with m.GradientTape() as tape:
        y = m.reduce_sum(m.gather(v, [1, 0, 1]) ** 2)
    v.assign_sub(0.1 * m.convert_to_tensor(tape.gradient(y, v)))
    return v.read_value()


TAPES: Final[dict[str, Program]] = {
    "jacobian": lambda m: _jacobian(m, lambda x: m.sin(x) * x[0], X),
    "jacobian without pfor": lambda m: _jacobian(m, lambda x: x @ m.transpose(x), X, experimental_use_pfor=False),
    "jacobian of nothing": lambda m: _jacobian(m, lambda x: m.constant([1.0, 2.0]), X),
    "batch_jacobian": _batch_jacobian,
    "hessian": _hessian,
    "forward": _forward,
    "forward over reverse": _forward_over_reverse,
    "custom_gradient": _custom,
    "custom_gradient with variables": _custom_with_variables,
    "variables": _variables,
    "stop_recording": _stopped,
    "two gradients": _once,
    "gather and assign_sub": _gathered,
    "unconnected": lambda m: _slope(m, lambda x, y: m.reduce_sum(x), X, X),
    "unconnected zeros": lambda m: _slope(m, lambda x, y: m.reduce_sum(x), X, X, unconnected_gradients="zero"),
    "unconnected spelled wrong": lambda m: _slope(m, lambda x: m.reduce_sum(x), X, unconnected_gradients="all"),
    "of integers": lambda m: _slope(m, lambda x: m.reduce_sum(m.cast(m.cast(x, m.int32), m.float64)), X),
    "upstream": lambda m: _slope(m, lambda x: x * x, X, output_gradients=m.constant(2 * X)),
    "upstream of another shape": lambda m: _slope(m, lambda x: x * x, X, output_gradients=m.ones([7], m.float64)),
    "the target is the source": lambda m: _slope(m, lambda x: x, X),
    "ties of maxima": lambda m: _slope(m, lambda x: m.reduce_max(x), [1.0, 3.0, 3.0]),
    "ties of maximum": lambda m: _slope(m, lambda x, y: m.maximum(x, y) + m.minimum(x, y) * 3, [1.0, 2], [1.0, 3]),
    "edges": lambda m: _slope(m, lambda x: m.abs(x) + m.nn.relu(x) + m.nn.relu6(x) + m.sign(x), [0.0, 6.0, -1.0]),
    "edges of clip": lambda m: _slope(m, lambda x: m.clip_by_value(x, 0.0, 1.0), [0.0, 1.0, 2.0, 0.5]),
    "edges of sqrt": lambda m: _slope(m, lambda x: m.sqrt(x) + x**0.5, [0.0, 4.0]),
    "edges of pow": lambda m: _slope(m, lambda x, y: x**y, [0.0, 2.0, 0.0, -2.0], [2.0, 0.0, 0.0, 3.0]),
    "edges of norm": lambda m: _slope(m, lambda x: m.norm(x), [0.0, 0.0]),
    "edges of prod": lambda m: _slope(m, lambda x: m.reduce_prod(x), [0.0, 3.0, 0.0, 2.0]),
    "edges of cumprod": lambda m: _slope(m, lambda x: m.math.cumprod(x), [2.0, 0.0, 3.0]),
    "edges of std": lambda m: _slope(m, lambda x: m.math.reduce_std(x), [2.0, 2.0]),
    "where hides nan": lambda m: _slope(m, lambda x: m.where(x > 0, m.sqrt(x), 0.0 * x), [-1.0, 4.0]),
    "divide_no_nan": lambda m: _slope(m, lambda x, y: m.math.divide_no_nan(x, y), [1.0, 2.0], [0.0, 4.0]),
    "slopes that nothing asks for": lambda m: [
        _slope(m, lambda x, f=f: m.where(x > 0, f(x), 0.0 * x), [0.0, -1.0, 4.0])
        for f in (m.sqrt, m.math.rsqrt, m.math.reciprocal)],
    "selu at 0": lambda m: _slope(m, lambda x: m.nn.selu(x) + m.nn.elu(x), [0.0]),
    "complex": lambda m: _slope(
        m, lambda x, y: m.abs(m.complex(x, y)) ** 2 + m.math.angle(m.complex(x, y)), [1.0], [2.0]),
    "broadcasting": lambda m: _slope(m, lambda x, y: x * y, X, X[:, :1]),
    "indexing": lambda m: _slope(m, lambda x: x[..., ::2] * x[0, 1] + x[1:, None, -1], X),
    "einsum": lambda m: _slope(m, lambda x, y: m.einsum("ij,kj->ik", x, y), X, X),
    "inverse": lambda m: _slope(m, lambda x: m.linalg.inv(x) @ x[:, :1] + m.linalg.det(x), X[:, :2]),
    "softmax": lambda m: _slope(m, lambda x: m.nn.log_softmax(x)[:, 0] * m.nn.softmax(x)[:, 1], X),
    "sort": lambda m: _slope(m, lambda x: m.sort(x, axis=1)[:, -1] + m.math.top_k(x, 2)[0][:, 1], X),
    "segments": lambda m: _slope(m, lambda x: m.math.unsorted_segment_max(x, [1, 1], 2)[1], X),
}  # fmt: skip


def _named(prefix: str, programs: dict[str, Program]) -> dict[str, Program]:
    return {f"{prefix}: {name}": program for name, program in programs.items()}


PROGRAMS: Final = {**_named("arrays", ARRAYS), **_named("loops", LOOPS), **_named("tapes", TAPES)}
