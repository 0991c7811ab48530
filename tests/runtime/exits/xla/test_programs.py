"""Programs with control flow, lists, functions and Variables under backend="jax": what Python gives, also errors."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import runtime as tf
from runtime.errors import NotCompiledError
from tests.runtime.exits.export import test_programs as exported
from tests.runtime.exits.xla.running import same

pytestmark = pytest.mark.filterwarnings("ignore")

X = np.array([3, -1, 2, 5, -4, 6, 1], np.float32)
OPEN = {exported.positives, exported.fibonacci, exported.popped}
"""Programs whose result has as many elements as values say."""


def both(program: Any, *arguments: Any) -> None:
    """Compares the result with that of the numpy plan, or what both raise."""
    outcomes: list[Any] = []
    for backend in ("numpy", "jax"):
        try:
            found = tf.function(program, backend=backend)(*map(tf.constant, arguments))
            outcomes.append([tf.convert_to_tensor(part).numpy() for part in tf.nest.flatten(found)])
        except NotCompiledError:
            raise
        except Exception as error:
            outcomes.append((type(error), str(error).splitlines()[0]))
    if isinstance(outcomes[0], tuple):
        assert outcomes[1] == outcomes[0]
        return
    for one, other in zip(outcomes[1], outcomes[0], strict=True):
        same(one, other, program.__name__)


CLOSED = [(program, arguments) for program, _, arguments in exported.PROGRAMS if program not in OPEN]


@pytest.mark.parametrize(("program", "arguments"), CLOSED)
def test_a_program(program, arguments) -> None:
    both(program, *arguments)


def doubled(x):
    kept = []
    for i in tf.range(tf.shape(x)[0]):
        kept.append(x[i] * 2)
    return tf.stack(kept), len(kept)


def popped(x):
    items = []
    for i in tf.range(tf.shape(x)[0]):
        items.append(x[i])
        if i % 3 == 2:
            items[0] = items.pop() + items[0]
    return items[0], items[-1], len(items)


def nested_lists_of_turns(x):
    rows = []
    for i in tf.range(3):
        for j in tf.range(2):
            rows.append(x[i] * tf.cast(j, tf.float32))
    rows.insert(1, x[0])
    return tf.stack(rows)


def written(n):
    numbers = tf.TensorArray(tf.int32, size=12)
    numbers = numbers.write(0, 0)
    numbers = numbers.write(1, 1)
    for i in tf.range(2, n):
        numbers = numbers.write(i, numbers.read(i - 1) + numbers.read(i - 2))
    return numbers.stack()


def read_from(x, i):
    return x[i]


def divided(x, y):
    return x // y, x % y


def checked(x):
    assert x > 0, "negative"
    if x > 5:
        raise ValueError(f"too large: {x}")
    return tf.sqrt(x)


def power_of_ten(n):
    total = 1
    for _ in range(n):
        total = total * 10
    return total


def large_product(n):
    total = 1
    for _ in range(n):
        total = total * 10 % 7919
    return total


def halved(n):
    seen = []
    while n > 0:
        seen.append(n)
        n = n - 1
    return seen[0] + seen[-1], len(seen)


def zeros_of_both_signs(x):
    if x > 0.0:
        zero = tf.constant(0.0)
    else:
        zero = tf.constant(-0.0)
    return 1.0 / zero


def counted_past_the_end(n):
    turns = 0
    i = tf.constant(125, tf.int8)
    while i < n:
        i += tf.constant(3, tf.int8)
        turns += 1
        if turns > 90:
            break
    return turns, i


def found(x):
    for i in tf.range(tf.shape(x)[0]):
        if x[i] < 0:
            raise ValueError("negative")
    return tf.reduce_sum(x)


def shifted(n, by):
    total = 0
    for _ in range(n):
        total = (total + 5) << by
    return total


@pytest.mark.parametrize(
    ("program", "arguments"),
    [
        (doubled, [X]), (doubled, [X[:1]]), (popped, [X]), (nested_lists_of_turns, [X]), (written, [12]),
        (written, [13]), (read_from, [X, 2]), (read_from, [X, -7]), (read_from, [X, 7]), (divided, [7, -2]),
        (divided, [7, 0]), (checked, [np.float32(4)]), (checked, [np.float32(-1)]), (checked, [np.float32(9)]),
        (power_of_ten, [18]), (power_of_ten, [19]), (large_product, [40]), (halved, [7]), (halved, [1100]),
        (zeros_of_both_signs, [np.float32(1)]), (zeros_of_both_signs, [np.float32(-1)]),
        (counted_past_the_end, [np.int8(127)]),
        (found, [X]), (found, [np.abs(X)]), (shifted, [3, 2]), (shifted, [3, -1]), (shifted, [70, 2]),
    ],
)  # fmt: skip
def test_errors_and_numbers_of_python(program, arguments) -> None:
    both(program, *arguments)


def test_variables_change_when_nothing_failed() -> None:
    total = tf.Variable([0.0, 10.0])

    @tf.function(backend="jax")
    def step(x, n):
        for _ in tf.range(3):
            if tf.reduce_sum(total) < 30.0:
                total.assign_add(x)
        total[0].assign(1.0)
        return 12 // n

    assert int(step(tf.constant([5.0, 6.0]), tf.constant(4))) == 3
    assert total.numpy().tolist() == [1.0, 22.0]
    with pytest.raises(ZeroDivisionError):
        step(tf.constant([5.0, 6.0]), tf.constant(0))


def test_of_several_writes_to_one_place_the_last_one_counts() -> None:
    values = tf.Variable(tf.zeros([5]))

    @tf.function(backend="jax")
    def write(places):
        values.scatter_nd_update(tf.expand_dims(places, 1), tf.range(6.0))
        return tf.tensor_scatter_nd_update(values, tf.expand_dims(places, 1), -tf.range(6.0))

    assert write(tf.constant([3, 1, 3, 1, 0, 3])).numpy().tolist() == [-4, -3, 0, -5, 0]
    assert values.numpy().tolist() == [4, 3, 0, 5, 0]


def test_arrays_are_memory() -> None:
    kept = np.zeros(3)

    def program(x, places):
        x[places] = np.array([1.0, 2.0, 3.0])
        kept[1] += x.sum()
        return kept[1] * 2

    found = []
    for backend in ("numpy", "jax"):
        kept[:] = 0
        x = np.zeros(4)
        result = tf.function(program, backend=backend)(x, np.array([2, 0, 2]))
        found.append((float(result), x.tolist(), kept.tolist()))
    assert found[0] == found[1] == (10.0, [2, 0, 3, 0], [0, 5, 0])


def test_gradients_are_programs_too() -> None:
    weight = tf.Variable(2.0)

    def program(x):
        for _ in tf.range(3):
            if x > 1.0:
                x = x * weight + 1.0
        return x

    gradients = []
    for backend in ("numpy", "jax"):
        function = tf.function(program, backend=backend)
        with tf.GradientTape() as tape:
            result = function(weight * 1.0)
        gradients.append(float(tape.gradient(result, weight)))
    assert gradients[0] == gradients[1] == 37.0


def test_gradients_of_loops_that_end_by_values() -> None:
    def program(x):
        while x < 100.0:
            x = x * x
        return x

    gradients = []
    for backend in ("numpy", "jax"):
        x = tf.Variable(3.0)
        with tf.GradientTape() as tape:
            result = tf.function(program, backend=backend)(x.read_value())
        gradients.append(float(tape.gradient(result, x)))
    assert gradients == [8 * 3.0**7] * 2


def stacked(x):
    items = []
    for i in tf.range(tf.shape(x)[0]):
        items.append(x[i] * x[i])
    return tf.reduce_sum(tf.stack(items) * x)


def written_and_stacked(x):
    rows = tf.TensorArray(tf.float32, size=5)
    for i in tf.range(5):
        rows = rows.write(i, x * tf.cast(i, tf.float32))
    return tf.reduce_sum(rows.stack() * rows.stack())


def read_back(x):
    items = [x[0], x[1]]
    for i in tf.range(4):
        items.append(items[i] * items[i + 1])
    return items[-1]


def recurrent(x):
    state = tf.zeros([3])
    for t in tf.range(3):
        state = tf.tanh(state * 0.5 + x[t])
    return tf.reduce_sum(state)


@pytest.mark.parametrize("program", [stacked, written_and_stacked, read_back, recurrent])
def test_gradients_of_lists(program) -> None:
    found = []
    for backend in ("numpy", "jax"):
        x = tf.Variable([1.5, -0.5, 2.0])
        with tf.GradientTape() as tape:
            result = tf.function(program, backend=backend)(x.read_value())
        found.append(tape.gradient(result, x).numpy())
    same(found[1], found[0], program.__name__)


def test_all_that_cannot_be_a_program_at_once() -> None:
    @tf.function(backend="jax")
    def noisy(x):
        tf.print("x is", x)
        return x + tf.random.normal([])

    with pytest.raises(NotCompiledError) as error:
        noisy(tf.constant(1.0))
    first = noisy.python_function.__code__.co_firstlineno
    lines = str(error.value).splitlines()[1:]
    assert [f":{first + 2} in noisy" in lines[0], f":{first + 3} in noisy" in lines[1]] == [True, True]


@pytest.mark.parametrize(
    ("program", "words"),
    [(lambda x: x[: tf.cast(x[0], tf.int32)], "end of a slice"), (exported.positives, "length of the list"),
     (lambda x: tf.boolean_mask(x, x > 0), "shape")],
)  # fmt: skip
def test_shapes_that_depend_on_values(program, words: str) -> None:
    with pytest.raises(NotCompiledError, match=words):
        tf.function(program, backend="jax")(tf.constant(X))


def test_whole_numbers_that_decide_over_shapes() -> None:
    def program(x, n):
        rows = []
        for i in range(n):
            rows.append(x[i] + x[:n])
        return tf.stack(rows)

    function = tf.function(program, backend="jax")
    for n in (2, 3, 2, 5):
        found = function(tf.constant(X), tf.constant(n))
        same(found.numpy(), np.stack([X[i] + X[:n] for i in range(n)]), f"{n}")
    with pytest.raises(IndexError):
        function(tf.constant(X), tf.constant(8))


def test_a_program_keeps_the_setting_of_jax() -> None:
    import jax.numpy as jnp

    assert tf.function(lambda x: x + 1, backend="jax")(tf.constant(2**40)).dtype == tf.int64
    assert jnp.asarray(np.float64(1)).dtype == np.float32
