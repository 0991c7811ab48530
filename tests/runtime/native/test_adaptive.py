"""Which engine runs a Function: by name, by setting, and machine code for what has cost time."""

import threading
import time
import warnings

import numpy as np
import pytest

import runtime as tf
from runtime.native import adaptive, compiler, handover, objects
from runtime.native.adaptive import HOT, AdaptivePlan
from runtime.native.backend import NativePlan


def loop(n):
    total = 0.0
    for i in range(n):
        total = total * 0.5 + i
    return total


def plan_of(staged, *arguments):
    return staged.get_concrete_function(*arguments).plan


def wait_for(condition):
    until = time.monotonic() + 30
    while not condition() and time.monotonic() < until:
        time.sleep(0.01)
    assert condition()


def test_hot_loops_become_machine_code():
    staged = tf.function(loop, backend="adaptive")
    n = tf.constant(200_000)
    wanted = loop(200_000)
    plan = plan_of(staged, n)
    assert isinstance(plan, AdaptivePlan)
    start = time.perf_counter()
    while time.perf_counter() - start < 2 * HOT:
        assert float(staged(n)) == wanted
    wait_for(lambda: plan._native is not None)
    for _ in range(5):
        assert float(staged(n)) == wanted
    assert plan.function in (plan._native.function, plan._plan.function)


def test_what_is_not_hot_stays(monkeypatch):
    asked = []
    monkeypatch.setattr(adaptive, "in_background", asked.append)
    monkeypatch.setattr(handover, "in_background", asked.append)
    staged = tf.function(loop, backend="adaptive")
    for n in range(10):
        staged(tf.constant(n))
    assert not asked
    assert plan_of(staged, tf.constant(1)).function.__name__ == "_measured"


def test_graphs_without_loops_are_plans_over_numpy():
    staged = tf.function(lambda x: x + 1.0, backend="adaptive")
    assert not isinstance(plan_of(staged, tf.constant(1.0)), AdaptivePlan)


def test_a_loop_that_cannot_be_compiled_stays():
    @tf.function(backend="adaptive")
    def program(n):
        text = tf.constant("")
        for _ in range(n):
            text = text + "a"
        return text

    n = tf.constant(100_000)
    plan = plan_of(program, n)
    start = time.perf_counter()
    while time.perf_counter() - start < 2 * HOT:
        program(n)
    wait_for(lambda: plan.function is plan._plan.function)
    assert len(program(n).numpy()) == 100_000


@pytest.mark.parametrize(
    ("options", "kind"),
    [({"backend": "native"}, NativePlan), ({"jit_compile": True}, NativePlan), ({}, AdaptivePlan)],
)
def test_by_option(options, kind):
    staged = tf.function(loop, **options)
    assert float(staged(tf.constant(9))) == loop(9)
    assert isinstance(plan_of(staged, tf.constant(9)), kind)


def test_never():
    for options in ({"jit_compile": False}, {"backend": "numpy"}):
        plan = plan_of(tf.function(loop, **options), tf.constant(9))
        assert not isinstance(plan, NativePlan | AdaptivePlan)


def test_by_setting():
    with tf.config.backend("native"):
        staged = tf.function(loop)
        assert float(staged(tf.constant(7))) == loop(7)
        assert isinstance(plan_of(staged, tf.constant(7)), NativePlan)
        named = tf.function(loop, backend="numpy")
        assert not isinstance(plan_of(named, tf.constant(7)), NativePlan)
    assert isinstance(plan_of(tf.function(loop), tf.constant(7)), AdaptivePlan)


def test_wrong_names():
    with pytest.raises(ValueError, match="no backend 'nativ'; did you mean 'native'"):
        tf.function(loop, backend="nativ")
    known = "'adaptive', 'interpreter', 'jax', 'native', 'numpy'"
    with pytest.raises(ValueError, match=f"no backend 'xyz'; there are {known}"):
        tf.config.backend("xyz")
    with pytest.raises(TypeError, match="'backend' or 'jit_compile'"):
        tf.function(loop, backend="native", jit_compile=True)


def test_the_text_of_machine_code():
    lowered = tf.function(loop).lower(tf.constant(3))
    text = lowered.as_text("native")
    assert "fmul double" in text
    assert "define ptr @call" in text
    assert "or while_again(" in text


def test_a_dataset_maps_with_it():
    with tf.config.backend("native"):
        data = tf.data.Dataset.range(5).map(lambda n: loop(n + 100))
        found = [float(x) for x in data]
    np.testing.assert_array_equal(found, [loop(n + 100) for n in range(5)])


def test_it_says_nothing():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert float(tf.function(loop, jit_compile=True)(tf.constant(4))) == loop(4)


def test_what_cannot_be_compiled_after_all_goes_on(monkeypatch):
    from runtime.native import region

    def broken(text):
        raise ImportError("no such processor")

    monkeypatch.setattr(region, "compile_module", broken)
    staged = tf.function(loop, backend="adaptive")
    n = tf.constant(200_000)
    plan = plan_of(staged, n)
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        start = time.perf_counter()
        while time.perf_counter() - start < 2 * HOT:
            staged(n)
        wait_for(lambda: found)
        wait_for(lambda: not any(thread.name == "compiling a plan" for thread in threading.enumerate()))
    assert "no machine code could be made of 'loop': no such processor" in str(found[0].message)
    assert plan.function is plan._plan.function
    assert float(staged(n)) == loop(200_000)


@pytest.fixture
def other_arrays(monkeypatch):
    """A numpy whose arrays are others than machine code knows: what was found of them is forgotten before and after."""
    forget = objects.check_layout.cache_clear, adaptive._is_known.cache_clear, compiler._initialize.cache_clear

    def change(name, value):
        monkeypatch.setattr(objects, name, value)
        for function in forget:
            function()

    yield change
    monkeypatch.undo()
    for function in forget:
        function()


@pytest.mark.parametrize(
    ("field", "value", "wrong"),
    [
        ("NDIM", 28, "the rank"), ("DIMS", 40, "the dims"), ("_CLASS", 3, "the table"), ("BASE", 56, "the base"),
        ("DTYPE", 48, "the dtype"),
    ],
)  # fmt: skip
def test_a_numpy_with_other_arrays_has_no_machine_code(field, value, wrong, other_arrays):
    """One warning, and the plan does the work; who asks for machine code gets an error."""
    other_arrays(field, value)
    with pytest.warns(UserWarning, match=f"does not know the arrays of this numpy .*{wrong}") as found:
        for _ in range(3):
            staged = tf.function(lambda n: loop(n), backend="adaptive")
            assert float(staged(tf.constant(9))) == loop(9)
            assert not isinstance(plan_of(staged, tf.constant(9)), AdaptivePlan)
    assert len(found) == 1
    with pytest.raises(ImportError, match=wrong):
        tf.function(loop, backend="native")(tf.constant(9))


def test_a_numpy_without_its_table_of_functions(monkeypatch, other_arrays):
    monkeypatch.setattr(objects, "_table", lambda: np._core.no_such_module)
    other_arrays("_CLASS", 2)
    assert objects.check_layout() == "the table of functions"
