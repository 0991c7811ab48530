"""Name scopes, control dependencies, devices: accepted, checked, and without effect on what is computed."""

from typing import Any

import pytest

import runtime
from runtime import config, errors


def test_name_scopes_nest_and_stand_alone() -> None:
    with runtime.name_scope("a") as outer, runtime.name_scope("b") as inner:
        assert (outer, inner) == ("a/", "a/b/")
        with runtime.name_scope(outer):
            assert runtime.Variable(1, name="v").name == "a/v:0"
    assert runtime.Variable(1, name="v").name == "v:0"
    with pytest.raises(ValueError, match="name scope"):
        runtime.name_scope("a b")


def test_name_scopes_name_operations() -> None:
    @runtime.function
    def f(x: Any) -> Any:
        with runtime.name_scope("layer"):
            y = x + 1
            if x > 0:
                y = y * 2
        return y - x

    graph = f.get_concrete_function(runtime.constant(1)).graph
    by_type = {o.type: o.name for o in graph.operations}
    assert (by_type["add"], by_type["cond"], by_type["subtract"]) == ("layer/add", "layer/cond", "subtract")
    assert f(runtime.constant(1)).numpy() == 3


def test_control_dependencies_and_groups() -> None:
    v = runtime.Variable(1)

    @runtime.function
    def f(x: Any) -> Any:
        update = v.assign_add(x)
        with runtime.control_dependencies([update, runtime.group(v.assign_add(x)), runtime.no_op(), None]):
            return runtime.identity(v)

    assert f(runtime.constant(2)).numpy() == 5
    with runtime.control_dependencies(None):
        pass
    for wrong in ("abc", 5, [object()]):
        with pytest.raises(TypeError, match="control_dependencies"), runtime.control_dependencies(wrong):
            pass


def test_devices_are_replaced_unless_that_is_switched_off() -> None:
    with runtime.device("/GPU:0"), runtime.device(None), runtime.device("/job:localhost/replica:0/task:0/device:CPU:0"):
        v = runtime.Variable(1)
        x = v + 1
    assert v.device == x.device == "/job:localhost/replica:0/task:0/device:CPU:0"
    with pytest.raises(ValueError, match="no name of a device"), runtime.device("my computer"):
        pass
    config.set_soft_device_placement(False)
    try:
        with runtime.device("/CPU:0"):
            pass
        with pytest.raises(errors.InvalidArgumentError, match="no device '/GPU:0'"), runtime.device("/GPU:0"):
            pass
    finally:
        config.set_soft_device_placement(True)


def test_lists_of_devices() -> None:
    assert [d.device_type for d in config.list_physical_devices()] == ["CPU"]
    assert config.list_physical_devices("GPU") == config.list_logical_devices("GPU") == []
    assert [d.name for d in config.list_logical_devices()] == ["/device:CPU:0"]
