"""Modules know the Variables and Modules in them, name them, and may create them late."""

import collections
import copy
import dataclasses
import pickle
from typing import Any

import pytest

import runtime


class Dense(runtime.Module):
    def __init__(self, inputs: int, size: int, name: str | None = None) -> None:
        super().__init__(name)
        self.w = runtime.Variable(runtime.ones([inputs, size]), name="w")
        self.b = runtime.Variable(runtime.zeros([size]), name="b", trainable=False)

    def __call__(self, x: Any) -> Any:
        return x @ self.w + self.b


class Lazy(runtime.Module):
    def __init__(self, size: int, name: str | None = None) -> None:
        super().__init__(name)
        self.size = size
        self.w: Any = None

    @runtime.Module.with_name_scope
    def __call__(self, x: Any) -> Any:
        if self.w is None:
            self.w = runtime.Variable(runtime.random.normal([x.shape[-1], self.size]), name="w")
            self.b = runtime.Variable(runtime.zeros([self.size]), name="b")
        y = x @ self.w + self.b
        if runtime.reduce_sum(y) > 1e6:
            y = -y
        return y


Pair = collections.namedtuple("Pair", "first second")


@dataclasses.dataclass
class Held:
    variable: Any
    other: int = 0


class Everything(runtime.Module):
    def __init__(self) -> None:
        self.z = runtime.Variable(0, name="z")
        self.listed = [runtime.Variable(1, name="l0"), [runtime.Variable(2, name="l1")], 5]
        self.mapped = {"b": runtime.Variable(3, name="mb"), "a": (runtime.Variable(4, name="ma"), None)}
        self.pair = Pair(runtime.Variable(5, name="p0"), runtime.Variable(6, name="p1"))
        self.held = Held(runtime.Variable(7, name="h"))
        self.inner = {"one": [Dense(1, 1, "one")], "two": Dense(1, 1, "two")}
        self.again = self.z
        self.itself = self
        self.loop: list[Any] = []
        self.loop.append(self.loop)


def names(variables: Any) -> list[str]:
    return [v.name.removesuffix(":0") for v in variables]


def test_variables_are_found_in_structures_in_order_each_once() -> None:
    module = Everything()
    found = names(module.variables)
    assert found == ["z", "h", "l0", "l1", "ma", "mb", "p0", "p1", "b", "w", "b", "w"]
    assert names(module.trainable_variables) == [*found[:8], "w", "w"]
    assert names(module.non_trainable_variables) == ["b", "b"]
    assert [m.name for m in module.submodules] == ["one", "two"]
    assert isinstance(module.variables, tuple)


def test_submodules_of_submodules_come_last() -> None:
    outer, middle, inner, last = (runtime.Module(name) for name in ("outer", "middle", "inner", "last"))
    outer.a, middle.a, outer.b = middle, inner, [last, middle]  # type: ignore[attr-defined]
    assert [m.name for m in outer.submodules] == ["middle", "last", "inner"]


def test_what_is_set_later_is_found_and_what_is_deleted_is_not() -> None:
    module = Dense(2, 3)
    module.more = [runtime.Variable(1.0, name="more")]  # type: ignore[attr-defined]
    assert names(module.variables) == ["b", "more", "w"]
    del module.b
    assert names(module.variables) == ["more", "w"]


def test_names() -> None:
    class MLPBlock(runtime.Module):
        pass

    class Plain(runtime.Module):
        def __init__(self) -> None:
            self.v = runtime.Variable(0)

    assert (runtime.Module(name="mine").name, Dense(1, 1).name, Plain().name) == ("mine", "dense", "plain")
    assert MLPBlock().name == "mlp_block"
    for name in ("", "a b", "1a", "a/b"):
        with pytest.raises(ValueError, match="not a valid module name"):
            runtime.Module(name=name)


def test_name_scope_names_what_is_created() -> None:
    module = runtime.Module("outer")
    with module.name_scope as scope:
        assert scope == "outer/"
        v = runtime.Variable(0, name="v")
        with runtime.name_scope("inner"):
            w = runtime.Variable(0)
    assert (v.name, w.name, runtime.Variable(0).name) == ("outer/v:0", "outer/inner/Variable:0", "Variable:0")


@pytest.mark.parametrize("staged", [False, True])
def test_deferred_creation(staged: bool) -> None:
    module = Lazy(3, "last")
    call = runtime.function(lambda x: module(x)) if staged else module
    assert module.variables == ()
    x = runtime.ones([2, 4])
    first = call(x)
    assert names(module.variables) == ["last/b", "last/w"]
    assert module.w.shape == (4, 3)
    assert first.numpy().tolist() == (x @ module.w).numpy().tolist() == call(x).numpy().tolist()
    assert call(runtime.ones([5, 4])).shape == (5, 3)
    assert len(module.variables) == 2


def test_random_initial_values_are_drawn_once_and_are_no_part_of_the_graph() -> None:
    module = Lazy(3)
    call = runtime.function(lambda x: module(x))
    call(runtime.ones([2, 4]))
    graph = call.get_concrete_function(runtime.ones([2, 4])).graph
    assert not [o.type for o in graph.operations if o.type.startswith("random")]


def test_training_step_with_a_module() -> None:
    class Model(runtime.Module):
        def __init__(self) -> None:
            self.layers = [Dense(2, 2), Dense(2, 1)]
            self.steps = runtime.Variable(0, trainable=False)

        @runtime.function
        def __call__(self, x: Any) -> Any:
            for layer in self.layers:
                x = layer(x)
            return x

        @runtime.function
        def step(self, x: Any) -> Any:
            y = self(x)
            for v in self.trainable_variables:
                v.assign_sub(0.5 * runtime.ones_like(v))
            self.steps.assign_add(1)
            return y

    model = Model()
    x = runtime.ones([1, 2])
    assert [float(model.step(x)[0, 0]) for _ in range(3)] == [4, 1, 0]
    assert model.steps.numpy() == 3
    assert [v.numpy().ravel().tolist() for v in model.trainable_variables] == [[-0.5] * 4, [-0.5] * 2]


def test_copies_share_no_variable() -> None:
    module = Dense(2, 2)
    for made in (copy.deepcopy(module), pickle.loads(pickle.dumps(module))):
        made.w.assign_add(runtime.ones([2, 2]))
        assert made.w.numpy().tolist() == [[2, 2], [2, 2]]
    assert module.w.numpy().tolist() == [[1, 1], [1, 1]]


def test_instances_have_variables_and_traces_of_their_own() -> None:
    class Count(runtime.Module):
        def __init__(self) -> None:
            self.count: Any = None

        @runtime.function
        def __call__(self) -> Any:
            if self.count is None:
                self.count = runtime.Variable(0)
            return self.count.assign_add(1)

    a, b = Count(), Count()
    assert [int(a()), int(a()), int(b()), int(a()), int(b())] == [1, 2, 1, 3, 2]
