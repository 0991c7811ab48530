"""Where machine code gives up: errors and their lines, numbers that it does not know, depth, arguments."""

import os
import subprocess
import sys
import textwrap

import numpy as np
import pytest

import runtime as tf


def native(function):
    return tf.function(function, backend="native")


def region_of(staged, *arguments):
    (region,) = staged.get_concrete_function(*arguments).plan.regions
    return region


def error_of(function, *arguments):
    try:
        function(*arguments)
    except Exception as error:
        return type(error), str(error), getattr(error, "__notes__", [])
    return None


def divides(n):
    total = 0
    for i in range(n):
        total += 100 // (50 - i)
    return total


def reads_outside(a, n):
    total = 0.0
    for i in range(n):
        total += a[i]
    return total


def asserts(n):
    for i in range(n):
        assert i < 70, "too far"
    return i


def raises(n):
    total = 0
    while True:
        total += n
        if total > 1000:
            raise ValueError("enough")


def grows(n):
    total = 1
    for _ in range(n):
        total *= 3
    return total


FAILING = [
    (divides, (tf.constant(100),)),
    (reads_outside, (tf.constant(np.arange(80.0)), tf.constant(90))),
    (asserts, (tf.constant(100),)),
    (raises, (tf.constant(7),)),
    (grows, (tf.constant(100),)),
]


@pytest.mark.parametrize(("function", "arguments"), FAILING, ids=lambda v: getattr(v, "__name__", ""))
def test_errors_are_those_of_the_plan(function, arguments):
    wanted = error_of(tf.function(function, backend="numpy"), *arguments)
    staged = native(function)
    for _ in range(3):
        found = error_of(staged, *arguments)
        assert wanted is not None
        assert found is not None
        assert found[:2] == wanted[:2]
        assert found[2] == wanted[2]


def test_a_run_that_gives_up_leaves_its_operands():
    def program(a, n):
        for i in range(n):
            a[i] = 1.0
        return a

    a = np.zeros(70)
    with pytest.raises(tf.errors.OutOfRangeError):
        native(program)(a, tf.constant(71))
    assert not a.any()


def test_a_run_that_gave_up_goes_on_well():
    staged = native(divides)
    staged(tf.constant(10))
    assert error_of(staged, tf.constant(100)) is not None
    assert int(staged(tf.constant(50))) == divides(50)
    assert region_of(staged, tf.constant(10)).given_up == 1


@pytest.mark.parametrize("dtype", [np.int8, np.int32, np.int64])
def test_only_the_least_integer_by_minus_one_is_left_to_numpy(dtype):
    def program(a, b, n):
        total, rest = a // b, a % b
        for i in range(n):
            total, rest = total + a // b + i % 3, rest + a % b
        return total, rest

    staged, by_numpy = native(program), tf.function(program, backend="numpy")
    arguments = [(tf.constant(dtype(a)), tf.constant(dtype(b)), tf.constant(70, tf.as_dtype(dtype))) for a, b in
                 ((7, -1), (-8, -1), (np.iinfo(dtype).min, -1))]  # fmt: skip
    for given, gives_up in zip(arguments, (0, 0, 1), strict=True):
        wanted = error_of(by_numpy, *given)
        assert error_of(staged, *given) == wanted
        if wanted is None:
            assert [int(v) for v in staged(*given)] == [int(v) for v in by_numpy(*given)]
        assert (region_of(staged, *given).given_up > 0) == gives_up


def test_products_larger_than_64_bits_are_exact():
    def program(a, n):
        for _ in range(n):
            a = a * a % 1_000_000_007_000_000_011
        return a

    def expected(a, n):
        return program(a, n)

    staged = native(lambda n: program(3, n))
    assert int(staged(tf.constant(70))) == expected(3, 70)


def test_the_branch_that_is_not_taken_does_not_give_up():
    def program(n):
        x, low = 7, 0
        for i in range(n):
            x = x * 3 + 1 if x < 1_333_333_333_333_333_333 else x - 1_300_000_000_000_000_000
            low = low + x % 1024 if i % 3 else low * 2 % 4096
        return x, low

    staged = native(program)
    assert tuple(map(int, staged(tf.constant(300)))) == program(300)
    assert region_of(staged, tf.constant(300)).given_up == 0


@pytest.mark.parametrize("start", [3, 2**59 - 1, 2**60 + 1, 2**61 - 1, -(2**60) - 1])
def test_a_multiple_beyond_what_machine_code_takes(start):
    def program(n):
        x = start
        for i in range(n):
            x = x * 5 - x * 4 if i % 2 else x * 2 - x
        return x

    def growing(n):
        x = start
        for _ in range(n):
            x = x * 2
        return x

    n = tf.constant(70)
    assert error_of(native(program), n) == error_of(tf.function(program, backend="numpy"), n)
    assert error_of(native(growing), n) == error_of(tf.function(growing, backend="numpy"), n) is not None
    if error_of(native(program), n) is None:
        assert int(native(program)(n)) == start


def test_recursion_deeper_than_the_machine_code_goes():
    def depth(n):
        if n == 0:
            return 0
        return depth(n - 1) + 1

    staged = native(depth)
    assert int(staged(tf.constant(500))) == 500
    assert int(staged(tf.constant(1500))) == 1500
    assert error_of(staged, tf.constant(10**6))[0] is RecursionError


def test_without_the_library():
    program = """
        import sys
        sys.modules["llvmlite"] = None
        import importlib.util
        find = importlib.util.find_spec
        importlib.util.find_spec = lambda name, *rest: None if name == "llvmlite" else find(name, *rest)
        import runtime as tf
        def loop(n):
            total = 0
            for i in range(n):
                total += i
            return total
        print(tf.function(loop)(tf.constant(5)).numpy(), tf.function(loop, jit_compile=False)(tf.constant(5)).numpy())
        for wrong in (
            lambda: tf.function(loop, backend="native"), lambda: tf.config.backend("adaptive"),
            lambda: tf.function(loop, jit_compile=True), lambda: tf.function(loop, experimental_compile=True),
        ):
            try:
                wrong()
            except ImportError as error:
                print(error)
    """
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(program)], capture_output=True, text=True, check=True, env=os.environ
    )
    lines = done.stdout.splitlines()
    assert lines[0] == "10 10"
    assert lines[1] == "the backend 'native' needs llvmlite: pip install 'autograph-runtime[native]'"
    assert "'adaptive' needs llvmlite" in lines[2]
    assert lines[3:] == ["jit_compile=True needs llvmlite: pip install 'autograph-runtime[native]'"] * 2
    assert not done.stderr


def test_an_array_of_another_layout_switches_the_engine_off(monkeypatch):
    from runtime.native import compiler, objects

    monkeypatch.setattr(objects, "DATA", 24)
    objects.check_layout.cache_clear()
    assert "the data" in objects.check_layout()
    objects.check_layout.cache_clear()
    monkeypatch.setattr(compiler, "check_layout", lambda: "the data")
    compiler._initialize.cache_clear()
    try:
        with pytest.raises(ImportError, match="does not know the arrays of this numpy: the data"):
            native(divides)(tf.constant(3))
    finally:
        compiler._initialize.cache_clear()


def test_results_are_arguments_copies_and_new_arrays():
    def program(a, b, n):
        for i in range(n):
            a[i] = a[i] + b[i]
        return a, b, a[1], a + b, a

    staged = native(program)
    a, b = np.arange(70.0), np.ones(70)
    count = sys.getrefcount(b)
    for _ in range(50):
        given = a.copy()
        one, same, element, more, two = staged(given, b, tf.constant(70))
        np.testing.assert_array_equal(given, a + 1)
        np.testing.assert_array_equal(one.numpy(), a + 1)
        np.testing.assert_array_equal(two.numpy(), a + 1)
        np.testing.assert_array_equal(same.numpy(), b)
        np.testing.assert_array_equal(more.numpy(), a + 2)
        assert float(element) == 2.0
    del one, same, element, more, two
    assert sys.getrefcount(b) <= count + 1


def test_arrays_with_gaps_are_left_to_the_plan():
    def program(a):
        total = 0.0
        for i in range(a.shape[0]):
            total += np.exp(a[i])
        return total

    staged = native(program)
    a = np.random.default_rng(0).normal(size=(70, 2))
    for given in (a[:, 0], a[::-1, 1], np.asfortranarray(a)[:, 1], a[:, 1][::-1]):
        assert float(staged(given)) == program(np.array(given))
    region = region_of(staged, a[:, 0].copy())
    for given in (a[:, 0], a[::-1, 1]):
        (found,) = region(given)
        assert found == program(given)
    assert region.given_up == 2
