"""Variables as arguments of Functions: one trace for all that are alike, whatever the function does with them."""

from typing import Any

import pytest

import runtime
from runtime import errors


def traced(function: Any) -> tuple[Any, list[int]]:
    """The Function, and a list that gets an entry for each trace."""
    count: list[int] = []

    @runtime.function
    def f(*args: Any) -> Any:
        count.append(1)
        return function(*args)

    return f, count


def test_one_trace_for_variables_of_one_type() -> None:
    f, count = traced(lambda v, x: v.assign_add(x) * 2)
    a, b = runtime.Variable(1.0), runtime.Variable(10.0)
    assert [f(v, runtime.constant(1.0)).numpy() for v in (a, b, a)] == [4, 22, 6]
    assert (a.numpy(), b.numpy(), len(count)) == (3, 11, 1)
    f(runtime.Variable(1), runtime.constant(1))
    assert len(count) == 2
    f(runtime.Variable(1, trainable=False), runtime.constant(1))
    assert len(count) == 3


def test_the_pattern_of_aliases_counts() -> None:
    def both(v: Any, w: Any) -> Any:
        v.assign_add(1.0)
        first = w + 0.0
        w.assign_add(10.0)
        return first, v + 0.0

    f, count = traced(both)
    a, b, c = (runtime.Variable(0.0) for _ in range(3))
    assert [t.numpy() for t in f(a, b)] == [0, 1]
    assert [t.numpy() for t in f(b, c)] == [0, 11]
    assert len(count) == 1
    assert [t.numpy() for t in f(c, c)] == [11, 21]
    assert [t.numpy() for t in f(a, a)] == [2, 12]
    assert len(count) == 2


def test_variables_in_structures() -> None:
    def step(weights: Any, x: Any) -> Any:
        for w in weights["all"]:
            w.assign(w * x)
        return weights["bias"] + x

    f, count = traced(step)
    w1, w2, bias = runtime.Variable(2.0), runtime.Variable(3.0), runtime.Variable(0.5)
    assert f({"all": [w1, w2], "bias": bias}, runtime.constant(2.0)).numpy() == 2.5
    assert f({"all": [w2, w1], "bias": bias}, runtime.constant(2.0)).numpy() == 2.5
    assert (w1.numpy(), w2.numpy(), len(count)) == (8, 12, 1)


def test_a_function_that_asks_which_variable_it_is_has_a_trace_for_each() -> None:
    slots: dict[Any, Any] = {}

    def step(v: Any) -> Any:
        if v.ref() not in slots:
            slots[v.ref()] = len(slots)
        return v + float(slots[v.ref()])

    f, count = traced(step)
    a, b = runtime.Variable(10.0), runtime.Variable(20.0)
    assert [f(v).numpy() for v in (a, b, a, b)] == [10, 21, 10, 21]
    assert len(count) == 2
    assert set(slots) == {a.ref(), b.ref()}
    g, count = traced(lambda v: v.name)
    assert [g(v).numpy() for v in (runtime.Variable(1, name="x"), runtime.Variable(1, name="y"))] == [b"x:0", b"y:0"]


def test_branches_and_loops_on_arguments() -> None:
    @runtime.function
    def f(v: Any, w: Any, n: Any) -> Any:
        for i in runtime.range(n):
            if i % 2 == 0:
                v.assign_add(i)
            else:
                w.assign_sub(i)
        return v - w

    a, b = runtime.Variable(0), runtime.Variable(0)
    assert f(a, b, runtime.constant(5)).numpy() == 10
    assert (a.numpy(), b.numpy()) == (6, -4)


def test_functions_within_functions_share_the_variable() -> None:
    @runtime.function
    def inner(v: Any) -> Any:
        return v.assign_add(1)

    @runtime.function
    def outer(v: Any) -> Any:
        first = inner(v)
        v.assign(v * 10)
        return first, inner(v)

    a = runtime.Variable(1)
    assert [t.numpy() for t in outer(a)] == [2, 21]
    assert a.numpy() == 21


def test_concrete_functions_of_variables() -> None:
    @runtime.function
    def step(w: Any, x: Any, scale: Any) -> Any:
        return w.assign(w + x * scale)

    w = runtime.Variable(1.0)
    concrete = step.get_concrete_function(w, runtime.constant(1.0), 3.0)
    assert w.numpy() == 1
    assert concrete(w, runtime.constant(2.0)).numpy() == 7
    other = runtime.Variable(0.0)
    assert concrete(other, runtime.constant(1.0)).numpy() == 3
    with pytest.raises(TypeError, match="'w' was expected to be a float32 Variable"):
        concrete(runtime.constant(1.0), runtime.constant(1.0))
    with pytest.raises(errors.InvalidArgumentError, match="'w' was expected to be a float32 Variable"):
        concrete(runtime.Variable(1), runtime.constant(1.0))
    assert "w: float32 Variable, shape=()" in concrete.pretty_printed_signature()


def test_a_concrete_function_checks_which_arguments_are_the_same() -> None:
    @runtime.function
    def f(v: Any, w: Any) -> Any:
        v.assign_add(1)
        return w + 0

    a, b = runtime.Variable(0), runtime.Variable(0)
    two, one = f.get_concrete_function(a, b), f.get_concrete_function(a, a)
    assert two(a, b).numpy() == 0
    assert one(b, b).numpy() == 1
    for concrete, args in ((two, (a, a)), (one, (a, b))):
        with pytest.raises(TypeError, match="when it was traced"):
            concrete(*args)


def test_specs() -> None:
    spec = runtime.VariableSpec([2], runtime.float32)
    assert spec == runtime.VariableSpec([2], runtime.float32)
    assert spec.is_compatible_with(runtime.Variable([1.0, 2.0]))
    assert not spec.is_compatible_with(runtime.constant([1.0, 2.0]))
    f = runtime.function(lambda v: v.assign(v * 2.0))
    concrete = f.get_concrete_function(spec)
    assert concrete(runtime.Variable([1.0, 2.0])).numpy().tolist() == [2, 4]
    with pytest.raises(TypeError, match="VariableSpec"):
        f(spec)


def test_variables_in_an_input_signature() -> None:
    @runtime.function(
        input_signature=[runtime.VariableSpec([None], runtime.float32), runtime.TensorSpec([None], runtime.float32)]
    )
    def f(v: Any, x: Any) -> Any:
        return v.assign(v * x)

    assert f(runtime.Variable([1.0, 2.0]), [3.0, 4.0]).numpy().tolist() == [3, 8]
    assert f(runtime.Variable([1.0]), [5.0]).numpy().tolist() == [5]
    assert f.experimental_get_tracing_count() == 1
    assert f.get_concrete_function()(runtime.Variable([2.0]), runtime.constant([2.0])).numpy().tolist() == [4]
    for wrong in (runtime.constant([1.0]), runtime.Variable([1]), runtime.Variable(1.0)):
        with pytest.raises(TypeError, match="input_signature"):
            f(wrong, [1.0])


def test_variables_in_an_input_signature_may_be_the_same() -> None:
    spec = runtime.VariableSpec([], runtime.float32)

    @runtime.function(input_signature=[spec, spec])
    def f(v: Any, w: Any) -> Any:
        first = w + 0.0
        v.assign_add(1.0)
        return first, w + 0.0

    a, b = runtime.Variable(1.0), runtime.Variable(5.0)
    assert [t.numpy() for t in f(a, b)] == [5, 5]
    assert [t.numpy() for t in f(a, a)] == [2, 3]
    assert [t.numpy() for t in f(b, a)] == [3, 3]
    g = runtime.function(lambda pair: f.python_function(*pair), input_signature=[[spec, spec]])
    assert [t.numpy() for t in g([a, b])] == [6, 6]
    assert [t.numpy() for t in g([a, a])] == [4, 5]


def test_where_a_tensor_is_wanted_a_variable_gives_its_value() -> None:
    @runtime.function(input_signature=[runtime.TensorSpec([None], runtime.float32)])
    def total(x: Any) -> Any:
        return runtime.reduce_sum(x)

    v = runtime.Variable([1.0, 2.0])
    assert total(v).numpy() == 3
    assert runtime.function(lambda: total(v) + total(v.assign_add([1.0, 1.0])))().numpy() == 8


def test_what_stands_for_an_argument_cannot_leave_the_trace() -> None:
    leaked: list[Any] = []

    @runtime.function
    def f(v: Any) -> Any:
        leaked.append(v)
        return v + 1

    v = runtime.Variable(1)
    assert f(v).numpy() == 2
    for use in (lambda x: x + 1, lambda x: x.assign(3), lambda x: x.numpy(), runtime.function(lambda x: x + 1)):
        with pytest.raises(errors.InaccessibleTensorError, match="out of scope"):
            use(leaked[0])
    assert f(v).numpy() == 2
