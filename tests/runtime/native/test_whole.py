"""`jit_compile=True`: loops are machine code from the first to the last operation, or an error names what is not."""

import warnings

import numpy as np
import pytest

import runtime as tf
from runtime.errors import NotCompiledError
from runtime.native.backend import NativePlan


def compiled(function):
    return tf.function(function, jit_compile=True)


def test_each_operation_with_its_line_and_the_reason():
    def program(n):
        text = tf.constant("")
        total = 0
        for i in range(n):
            text = text + "a"
            total += i
            if total > 3:
                tf.print(total)
        return text, total

    with pytest.raises(NotCompiledError) as error:
        compiled(program)(tf.constant(3))
    lines = str(error.value).splitlines()
    first = program.__code__.co_firstlineno
    assert "'program' has loops that cannot be machine code" in lines[0]
    assert any(f"{__file__}:{first + 4} in program: add" in line and "string" in line for line in lines)
    assert any(f"{__file__}:{first + 7} in program: print" in line and "no machine code" in line for line in lines)
    assert not any(f":{first + 5} " in line for line in lines)
    assert "without jit_compile=True" in lines[-1]
    assert isinstance(error.value, NotImplementedError)
    assert float(tf.function(program)(tf.constant(3))[1]) == 3


def test_operations_of_functions_that_call_themselves():
    def count(n):
        if n < 1:
            return 0
        tf.print(n)
        return 1 + count(n - 1)

    with pytest.raises(NotCompiledError, match=f"{count.__code__.co_firstlineno + 3} in count: print"):
        compiled(count)(tf.constant(3))


def test_the_outer_loop_is_refused_where_the_inner_one_is_compiled():
    def program(n):
        total = 0
        for i in range(n):
            tf.print(i)
            for k in range(i):
                total += k
        return total

    with pytest.raises(NotCompiledError) as error:
        compiled(program)(tf.constant(3))
    assert len(str(error.value).splitlines()) == 3
    assert len(tf.function(program, backend="native").get_concrete_function(tf.constant(3)).plan.regions) == 1


def test_what_is_outside_of_loops_stays_with_numpy():
    log = tf.Variable(0.0)

    @compiled
    def step(x, n):
        log.assign_add(1.0)
        total = tf.reduce_sum(tf.linalg.inv(x))
        for i in range(n):
            total = total * 0.5 + tf.cast(i, tf.float32)
        return tf.strings.as_string(total)

    x = tf.constant(np.eye(3, dtype=np.float32))
    assert step(x, tf.constant(3)).numpy() == tf.strings.as_string(tf.constant(2.875)).numpy()
    assert float(log) == 1.0


def test_a_function_without_loops():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert float(compiled(lambda x: x + 1.0)(tf.constant(2.0))) == 3.0


def test_gradients_compile_what_they_can():
    @compiled
    def program(x):
        total = x
        for _ in range(5):
            total = tf.sin(total) * x
        return total

    def eagerly(x):
        total = x
        for _ in range(5):
            total = tf.sin(total) * x
        return total

    def slope(function):
        x = tf.constant(0.7, tf.float64)
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = function(x)
        return float(tape.gradient(y, x))

    assert slope(program) == slope(eagerly)


def test_the_checked_run_compiles_what_it_can():
    def program(x, n):
        for _ in range(n):
            x = tf.math.log(x)
        return x

    staged = compiled(program)
    assert np.isnan(float(staged(tf.constant(1.0), tf.constant(3))))
    tf.debugging.enable_check_numerics()
    try:
        with pytest.raises(tf.errors.InvalidArgumentError):
            staged(tf.constant(1.0), tf.constant(3))
    finally:
        tf.debugging.disable_check_numerics()


def test_the_text_says_what_stays():
    def program(n):
        for i in range(n):
            tf.print(i)

    text = tf.function(program).lower(tf.constant(3)).as_text("native")
    assert f"# stays with numpy: {__file__}:{program.__code__.co_firstlineno + 2} in program: print" in text


def test_the_engine_named_compiles_what_it_can():
    def program(n):
        text = tf.constant("")
        for _ in range(n):
            text = text + "a"
        return text

    staged = tf.function(program, backend="native")
    assert staged(tf.constant(3)).numpy() == b"aaa"
    assert isinstance(staged.get_concrete_function(tf.constant(3)).plan, NativePlan)
