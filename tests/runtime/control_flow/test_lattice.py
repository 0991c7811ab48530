"""What a variable can be is one lattice: what one statement takes as a value, the others take as well."""

import numpy as np
import pytest

import runtime
from runtime.context import recording
from runtime.control_flow.branches.merge import Branches
from runtime.control_flow.lattice.join import join, join_variable
from runtime.control_flow.lattice.leaf import MISSING, LeafType, met
from runtime.control_flow.lattice.types import Exact, Functions, Growing, Optional, Parts, Undefinable
from runtime.control_flow.lists.tensor_list import TensorList
from runtime.control_flow.loops.iterations import Iterations
from runtime.control_flow.optional.values import MaybeUndefined
from runtime.graph.graph import Graph

SAMPLES = {
    "numbers": (1, 2.5),
    "a number and a tensor": (1, np.float32(2)),
    "arrays of two sizes": (np.zeros(2, np.float32), np.zeros(3, np.float32)),
    "structures": ((1, {"a": 2.0}), (3, {"a": 4.0})),
    "None and a number": (None, 3.0),
    "None within": ((1, None), (2, 5)),
    "functions": (abs, len),
}


# the fixture records a graph while the runner notes in the environment which test comes next
pytestmark = pytest.mark.filterwarnings("ignore:'os.putenv' writes while the function is traced")


@pytest.fixture
def graph():
    made = Graph("outer")
    with recording(made):
        yield made


def ways_of(kind, graph, first):
    graphs = [Graph.within(graph, "then"), Graph.within(graph, "else")]
    return Branches(graphs, ("main", "else")) if kind == "branches" else Iterations(first)


@pytest.mark.parametrize("kind", ["branches", "loop"])
@pytest.mark.parametrize("name", SAMPLES)
def test_each_value_has_the_leaves_of_the_type_and_comes_back_from_them(graph, kind, name):
    first, second = SAMPLES[name]
    ways = ways_of(kind, graph, first)
    values = [join("v", [first], ways), second] if kind == "loop" else [first, second]
    type_ = join("v", values, ways)
    for value in (first, second):
        assert len(type_.parts(value)) == len(type_.leaves)
    assert len(type_.parts(MISSING)) == len(type_.leaves)
    tensors = [graph.placeholder(leaf.dtype, leaf.shape, "input", leaf.weak) for leaf in type_.leaves]
    value = type_.value(iter(tensors))
    if kind == "loop":  # which traces its body with that
        again = join("v", [type_, value], ways)
        assert [leaf.traced for leaf in again.leaves] == [leaf.traced for leaf in type_.leaves]


def test_kinds(graph):
    ways = ways_of("branches", graph, None)
    assert isinstance(join("v", ["a", "a"], ways), Exact)
    assert isinstance(join("v", [1, 2], ways), LeafType)
    assert isinstance(join("v", [(1,), (2,)], ways), Parts)
    assert isinstance(join("v", [None, 2], ways), Optional)
    assert isinstance(join("v", [abs, len], ways), Functions)
    assert isinstance(join("v", [[1], [1, 2]], ways), Growing)
    assert isinstance(join("v", [TensorList([1]), [2.0, 3.0]], ways), Growing)
    undefined = MaybeUndefined(None, False, Exact(None))
    assert isinstance(join_variable("v", [undefined, 2], ways), Undefinable)


def test_the_order_of_literals_and_tensors_does_not_matter():
    literal, integer = LeafType.of(2.5), LeafType.of(np.int32(1))
    for order in ([literal, integer, integer], [integer, literal, integer], [integer, integer, literal]):
        assert met(order, lambda a, b: f"{a} and {b}").dtype is runtime.float64


def test_a_tensor_array_that_a_loop_replaces_by_one_of_another_shape():
    @runtime.function
    def replaced(n):
        array = runtime.TensorArray(runtime.float32, size=1, element_shape=[2], clear_after_read=False)
        array = array.write(0, [1.0, 2.0])
        i = 0
        while i < n:
            other = runtime.TensorArray(runtime.float32, size=1, element_shape=[3], clear_after_read=False)
            array = other.write(0, [1.0, 2.0, 3.0])
            i += 1
        return array.read(0)

    assert list(replaced(runtime.constant(0)).numpy()) == [1, 2]
    assert list(replaced(runtime.constant(1)).numpy()) == [1, 2, 3]


def test_what_may_be_none_is_an_argument_of_a_recursive_function():
    @runtime.function
    def best_of(n, x):
        def search(n, best):
            if n < 1:
                return x if best is None else best
            return search(n - 1, x * 2.0 if best is None else best + 1.0)

        return search(n, None)

    for n, expected in ((0, 2.0), (1, 4.0), (4, 7.0), (200, 203.0)):
        assert float(best_of(runtime.constant(n), runtime.constant(2.0))) == expected
