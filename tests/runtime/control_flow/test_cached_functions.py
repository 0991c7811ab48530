"""Functions under `functools.lru_cache`: a trace fills no cache with what only one branch or iteration calls."""

from __future__ import annotations

import functools

import pytest

import runtime as tf
from autograph.errors import StagingError
from tests.runtime.comparing import assert_same

CALLS: list[int] = []
FACTOR = [2]


@functools.lru_cache
def counted(k):
    CALLS.append(k)
    return k * 10


@functools.cache
def pure(k, scale=2):
    return k * scale + sum(range(k))


@functools.cache
def registry(name):
    return [name]


@functools.cache
def fibonacci(k):
    return k if k < 2 else fibonacci(k - 1) + fibonacci(k - 2)


@functools.cache
def constant(k):
    return tf.constant(k)


@functools.lru_cache
def scaled(k):
    return k * FACTOR[0]


@pytest.fixture(autouse=True)
def empty():
    CALLS.clear()
    FACTOR[:] = [2]
    for wrapper in (counted, pure, registry, fibonacci, constant, scaled):
        wrapper.cache_clear()


def effect_in_a_branch(n):
    y = 0
    if n > 3:
        y = counted(1)
    return y + counted(1), len(CALLS)


def effect_in_a_loop(n):
    y = 0
    for _ in range(n):
        y += counted(1)
    return y


def object_in_a_branch(n):
    if n > 3:
        registry("a").append(n)
    return len(registry("a"))


def reads_what_the_loop_changes(n):
    total = 0
    for i in range(n):
        FACTOR[0] = i
        total += scaled(1)
    return total


def reads_what_changed_between(n):
    total = 0
    if n > 3:
        total = scaled(1)
    FACTOR[0] = 7
    return total + scaled(1)


def variable_of_the_loop(n):
    x = 0

    @functools.cache
    def plus(k):
        return x + k

    total = 0
    for i in range(n):
        x = i
        total += plus(1)
    return total


def tensor_with_effect(n):
    return counted(n) + counted(n)


@pytest.mark.parametrize(
    ("program", "name", "why"),
    [
        (effect_in_a_branch, "counted", "'CALLS'"),
        (effect_in_a_loop, "counted", "'CALLS'"),
        (object_in_a_branch, "registry", "returns an object that can be changed in place (list)"),
        (reads_what_the_loop_changes, "scaled", "the statement around the call changes"),
        (reads_what_changed_between, "scaled", "'FACTOR', which it can reach, was changed since"),
        (variable_of_the_loop, "plus", "'x', which the statement around the call changes"),
        (tensor_with_effect, "counted", "'CALLS'"),
    ],
)
def test_what_a_cache_would_answer_otherwise_is_refused(program, name, why):
    with pytest.raises(StagingError, match=f"'{name}' keeps its results") as refused:
        tf.function(program)(tf.constant(5))
    assert why in str(refused.value)
    assert "test_cached_functions.py:" in str(refused.value)
    assert CALLS == []
    assert FACTOR == [2] or program is reads_what_changed_between
    assert counted.cache_info().currsize == registry.cache_info().currsize == 0


def pure_everywhere(n):
    y = 0
    if n > 3:
        y = pure(3)
    for i in range(n):
        y += pure(4, scale=3) + i
    return y + pure(3) + fibonacci(30)


def fibonacci_in_a_branch(n):
    return fibonacci(60) // 10**6 if n > 3 else fibonacci(50) // 10**5


def of_tensors(n):
    return pure_of_tensor(n) * 2 + pure_of_tensor(n + 1)


@functools.lru_cache(maxsize=4)
def pure_of_tensor(k):
    if k > 3:
        return k * 2
    return -k


def table_of_the_call(n):
    @functools.cache
    def ways(k, coins):
        if k == 0:
            return n
        if k < 0 or not coins:
            return 0
        return ways(k - coins[0], coins) + ways(k, coins[1:])

    return ways(12, (1, 2, 5))


class Grid:
    def __init__(self, n):
        self.n = n

    @functools.lru_cache
    def paths(self, i, j):
        return 1 if i == 0 or j == 0 else self.paths(i - 1, j) + self.paths(i, j - 1)


def method(n):
    grid = Grid(n)
    return grid.paths(5, 4) + grid.n if n > 3 else grid.paths(3, 3) - grid.n


def called_before(n):
    counted(1)
    size = len(registry("a"))
    y = 0
    if n > 3:
        y = counted(1) + len(registry("a"))
    return y + counted(1) + size


def by_hand(n):
    memo = {}

    def get(k):
        if k not in memo:
            memo[k] = k * k
        return memo[k]

    y = get(2)
    if n > 3:
        y += get(2)
    return y + get(3)


@pytest.mark.parametrize(
    "program", [pure_everywhere, fibonacci_in_a_branch, of_tensors, table_of_the_call, method, called_before, by_hand]
)
def test_caches_give_what_python_gives(program):
    assert_same(program, 0, 3, 4, 6)


def test_an_element_of_a_kept_list_is_set_in_one_branch_alone() -> None:
    def program(n):
        registry("a")[0] = 1
        if n > 3:
            registry("a")[0] = 2
        return n

    with pytest.raises(StagingError, match="'registry' keeps its results .* returns a tensor"):

        @tf.function
        def reads_it(n):
            program(n)
            return registry("a")[0]

        reads_it(tf.constant(5))


def test_what_a_branch_calls_is_not_in_the_cache() -> None:
    tf.function(fibonacci_in_a_branch)(tf.constant(2))
    assert fibonacci.cache_info().currsize == 0
    tf.function(pure_everywhere)(tf.constant(2))
    assert pure.cache_info().currsize == 1  # that is the call which surely happens


def test_a_dict_that_memoises_in_one_branch_has_the_key_after_the_runs_that_go_there() -> None:
    memo = {}

    def get(k):
        if k not in memo:
            memo[k] = k * k
        return memo[k]

    @tf.function
    def program(n):
        return get(2) if n > 3 else 0

    for n, known in ((2, {}), (5, {2: 4}), (1, {2: 4}), (6, {2: 4})):
        assert int(program(tf.constant(n))) == (4 if n > 3 else 0)
        assert memo == known


def test_a_cache_is_given_no_tensor_of_a_trace() -> None:
    @tf.function
    def program(n):
        return n + constant(3)

    with pytest.raises(StagingError, match="'constant' keeps its results .* and returns a tensor of this trace"):
        program(tf.constant(1))
    assert constant.cache_info().currsize == 0
    assert int(constant(3)) == 3
    assert int(program(tf.constant(1))) == 4


@pytest.mark.parametrize("size", [None, 8])
def test_what_a_cache_holds_stays_when_a_result_is_refused(size):
    calls = []

    @functools.lru_cache(maxsize=size)
    def of_numbers(k, *, scale=1):
        calls.append(k)
        return tf.constant(k * scale) if k == 3 else k * scale

    @tf.function
    def program(n):
        return n + of_numbers(3, scale=2)

    kept = of_numbers(1), of_numbers(2, scale=5)
    with pytest.raises(StagingError, match="returns a tensor of this trace"):
        program(tf.constant(1))
    assert of_numbers.cache_info().currsize == 2
    assert kept == (of_numbers(1), of_numbers(2, scale=5)) == (1, 10)
    assert calls == [1, 2]
    for k in range(4, 16):
        assert of_numbers(k) == of_numbers(k) == k


def test_outside_of_traces_the_cache_is_asked() -> None:
    @tf.function
    def program(n):
        return counted(5) + n

    assert int(program(tf.constant(1))) == 51
    assert int(program(tf.constant(1.0))) == 51
    assert CALLS == [5]
    assert counted.cache_info().currsize == 1
