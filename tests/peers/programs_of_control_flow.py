"""Python control flow in Functions, as the guides write it: functions of the module that they are run with.

    PROGRAMS["flow: collatz"](tensorflow)
    PROGRAMS["flow: collatz"](runtime)
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np

__all__ = ["PROGRAMS"]

Program = Callable[[Any], Any]


def _each(m: Any, function: Callable[..., Any], *calls: Any, **options: Any) -> Any:
    """The results of a Function for these arguments, and how often it was traced."""
    made = m.function(**options)(function)
    return [made(*call) for call in calls], made.experimental_get_tracing_count()


def fizzbuzz(m: Any) -> Any:
    def count(n: Any) -> Any:
        fizz = buzz = both = m.constant(0)
        for i in m.range(1, n + 1):
            if i % 15 == 0:
                both += 1
            elif i % 3 == 0:
                fizz += 1
            elif i % 5 == 0:
                buzz += 1
        return fizz, buzz, both

    return _each(m, count, (m.constant(15),), (m.constant(100),))


def collatz(m: Any) -> Any:
    def steps(x: Any) -> Any:
        n = 0
        while x != 1:
            x = x // 2 if x % 2 == 0 else 3 * x + 1
            n += 1
        return n

    return _each(m, steps, (m.constant(27),), (m.constant(1),))


def early_return(m: Any) -> Any:
    def first(x: Any, limit: Any) -> Any:
        for i in m.range(10):
            if x[i] > limit:
                return i
        return -1

    return _each(m, first, (m.range(10) * 3, 10), (m.range(10), 100))


def breaks(m: Any) -> Any:
    def total(n: Any) -> Any:
        s = 0
        for i in m.range(n):
            if i % 2 == 0:
                continue
            if i > 11:
                break
            s += i
        return s

    return _each(m, total, (m.constant(5),), (m.constant(50),), (m.constant(0),))


def nested(m: Any) -> Any:
    def pairs(n: Any) -> Any:
        found = 0
        for a in m.range(1, n):
            for b in m.range(a, n):
                if a * a + b * b > n * n:
                    break
                c = m.cast(m.sqrt(m.cast(a * a + b * b, m.float32)), m.int32)
                if c * c == a * a + b * b:
                    found += 1
        return found

    return _each(m, pairs, (m.constant(21),))


def logic(m: Any) -> Any:
    def decide(x: Any, y: Any) -> Any:
        if (x > 0 and not y > 0) or x == y:
            return m.constant("yes")
        return m.constant("no")

    return _each(m, decide, (1, -1), (m.constant(1), m.constant(-1)), (m.constant(2), m.constant(2)),
                 (m.constant(-1), m.constant(2)))  # fmt: skip


def chains(m: Any) -> Any:
    def between(x: Any) -> Any:
        return (0 < x < 10, x if 0 < x else -x)

    return _each(m, between, (m.constant(5),), (m.constant(-5),))


def lists(m: Any) -> Any:
    def squares(n: int) -> Any:
        result = []
        for i in range(n):
            result.append(m.constant(i) * i)
        return m.stack(result)

    return _each(m, squares, (3,), (4,), (3,))


def state(m: Any) -> Any:
    v = m.Variable(1.0)

    def advance(x: Any) -> Any:
        v.assign_add(x)
        if v > 5.0:
            v.assign(0.0)
        return v + 0.0

    return _each(m, advance, (m.constant(3.0),), (m.constant(3.0),), (m.constant(1.0),)), v.numpy().item()


def made_once(m: Any) -> Any:
    class Counter(m.Module):  # type: ignore[misc, name-defined]
        def __init__(self) -> None:
            super().__init__()
            self.count = None

        @m.function
        def __call__(self, x: Any) -> Any:
            if self.count is None:
                self.count = m.Variable(x)
            return self.count.assign_add(x)

    counter = Counter()
    return [counter(m.constant(2.0)), counter(m.constant(2.0)), len(counter.trainable_variables)]


def made_twice(m: Any) -> Any:
    return m.function(lambda x: m.Variable(x) + x)(m.constant(1.0))


def signature(m: Any) -> Any:
    return _each(m, lambda x: m.reduce_sum(x), (m.constant([1, 2]),), (m.constant([1, 2, 3]),),
                 input_signature=[m.TensorSpec([None], m.int32)])  # fmt: skip


def wrong_signature(m: Any) -> Any:
    return _each(m, lambda x: x, (m.constant([[1, 2]]),), input_signature=[m.TensorSpec([None], m.int32)])


def traces(m: Any) -> Any:
    return [
        _each(m, lambda x: x * 2, (1,), (2,), *((m.constant(n),) for n in (1, 2, 1.0)), ("a",), ([1, 2],)),
        _each(m, lambda x: x + 1, *((m.zeros([n]),) for n in range(4)), reduce_retracing=True),
        _each(m, lambda x, flag=True: x if flag else -x, (m.constant(1),), (m.constant(1), False)),
    ]


def loops_over_tensors(m: Any) -> Any:
    def total(rows: Any) -> Any:
        s = m.zeros([2])
        for row in rows:
            s = s * 0.5 + row
        return s

    return _each(m, total, (m.constant([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]),), (m.zeros([0, 2]),))


def loops_over_datasets(m: Any) -> Any:
    def total(dataset: Any) -> Any:
        s = m.constant(0, m.int64)
        for i, x in dataset.enumerate():
            if x > 6:
                break
            s += i * x
        return s

    return _each(m, total, (m.data.Dataset.range(10),), (m.data.Dataset.range(3),))


def rnn(m: Any) -> Any:
    x = np.random.default_rng(0).normal(size=(4, 2, 3)).astype(np.float32)
    w = np.random.default_rng(1).normal(size=(3, 3)).astype(np.float32)

    def run(inputs: Any, lengths: Any) -> Any:
        state = m.zeros([2, 3])
        outputs = m.TensorArray(m.float32, 4)
        for i in m.range(4):
            new = m.tanh(inputs[i] + state @ w)
            state = m.where((i < lengths)[:, None], new, state)
            outputs = outputs.write(i, state)
        return m.transpose(outputs.stack(), [1, 0, 2]), state

    return _each(m, run, (m.constant(x), m.constant([2, 4])))


def asserted(m: Any) -> Any:
    def checked(x: Any) -> Any:
        assert m.reduce_all(x > 0), "positive"
        return m.sqrt(x)

    return _each(m, checked, (m.constant([1.0, 4.0]),), (m.constant([-1.0]),))


def undefined_in_a_branch(m: Any) -> Any:
    def program(x: Any) -> Any:
        if x > 0:
            y = x * 2
        return y

    return _each(m, program, (m.constant(-1),))


def dtypes_of_branches(m: Any) -> Any:
    return _each(m, lambda x: 1 if x > 0 else m.constant(1.5), (m.constant(1),))


def dtypes_of_loops(m: Any) -> Any:
    def program(x: Any) -> Any:
        while x < 10:
            x = m.cast(x, m.float32) * 2.0
        return x

    return _each(m, program, (m.constant(1),))


def shapes_of_loops(m: Any) -> Any:
    def program(n: Any) -> Any:
        x = m.constant([1])
        for _ in m.range(n):
            x = m.concat([x, x], 0)
        return x

    return _each(m, program, (m.constant(3),))


def shapes_that_are_told(m: Any) -> Any:
    def program(n: Any) -> Any:
        x = m.constant([1])
        for _ in m.range(n):
            m.autograph.experimental.set_loop_options(shape_invariants=[(x, m.TensorShape([None]))])
            x = m.concat([x, x], 0)
        return x

    return _each(m, program, (m.constant(3),))


def bool_of_a_symbol(m: Any) -> Any:
    return _each(m, lambda x: m.constant(1) if x > 0 else m.constant(2), (m.constant(1),), autograph=False)


def leaks(m: Any) -> Any:
    kept = []

    @m.function
    def leak(x: Any) -> Any:
        kept.append(x + 1)
        return x

    leak(m.constant(1))
    return m.function(lambda: kept[0] * 2)()


def python_effects(m: Any) -> Any:
    log = []

    @m.function
    def program(x: Any) -> Any:
        log.append("traced")
        if x > 0:
            log.append("positive")
            return x
        log.append("negative")
        return -x

    results = [program(m.constant(1)), program(m.constant(-1)), program(m.constant(2.0))]
    return results, log


def builtins_of_python(m: Any) -> Any:
    def program(x: Any) -> Any:
        return len(x), abs(x[0]), max(2, 3), [i + n for i, n in enumerate(range(2))], int(3.7), float(1), sum([1, 2])

    return _each(m, program, (m.constant([-3, 4]),))


def gradients_of_loops(m: Any) -> Any:
    @m.function
    def power(x: Any, n: Any) -> Any:
        with m.GradientTape() as tape:
            tape.watch(x)
            y = x
            for i in m.range(n):
                if i % 2 == 0:
                    y = y * x
                else:
                    y = m.sin(y)
        return y, tape.gradient(y, x)

    return [power(m.constant(1.3), m.constant(n)) for n in (0, 1, 4)]


def python_functions(m: Any) -> Any:
    return [
        _each(m, lambda x: m.py_function(lambda v: v.numpy() * 2, [x], m.int32), (m.constant([1, 2]),)),
        _each(m, lambda x: m.numpy_function(lambda v: np.sort(v), [x], m.int32), (m.constant([2, 1]),)),
    ]


def divisions(m: Any) -> Any:
    return _each(m, lambda x, y: (x // y, x % y, x / y), (m.constant([7, -7]), m.constant([2, 2])),
                 (m.constant([7.5, -7.5]), m.constant([2.0, -2.0])))  # fmt: skip


def division_by_zero(m: Any) -> Any:
    return _each(m, lambda x: x // 0, (m.constant(7),))


def recursion(m: Any) -> Any:
    def factorial(n: int) -> Any:
        return m.constant(1) if n < 2 else factorial(n - 1) * n

    return _each(m, factorial, (5,))


def mixed_dtypes(m: Any) -> Any:
    return _each(m, lambda x, y: x + y, (m.constant(1), m.constant(1.0)))


PROGRAMS: Final[dict[str, Program]] = {
    f"flow: {program.__name__.replace('_', ' ')}": program
    for program in (
        asserted, bool_of_a_symbol, breaks, builtins_of_python, chains, collatz, division_by_zero, divisions,
        dtypes_of_branches, dtypes_of_loops, early_return, fizzbuzz, gradients_of_loops, leaks, lists, logic,
        loops_over_datasets, loops_over_tensors, made_once, made_twice, mixed_dtypes, nested, python_effects,
        python_functions, recursion, rnn, shapes_of_loops, shapes_that_are_told, signature, state, traces,
        undefined_in_a_branch, wrong_signature,
    )
}  # fmt: skip
