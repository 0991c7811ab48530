"""Algebra: each row of the table, in the text of graphs, on the values that make rows wrong: ±0, inf, nan, limits."""

from __future__ import annotations

import ast
import itertools

import numpy as np
import pytest

import runtime as tf
from runtime.dtypes import ALL, DType
from runtime.engine.interpreter import run_graph
from runtime.graph.graph import Graph
from runtime.graph.operation import Operation
from runtime.graph.verify import verify
from runtime.ops.records.record import REGISTRY
from runtime.passes import optimize
from runtime.passes.algebra import ROWS, simplify
from runtime.passes.patterns import Row
from runtime.passes.structural import RULES, may_skip
from tests.runtime.oracle import assert_same_arrays


def edges(dtype: DType) -> np.ndarray:
    """Values of a dtype that make rows wrong, and some others."""
    random = np.random.default_rng(7)
    if dtype.is_bool:
        return np.array([True, False, True])
    if dtype.family == "string":
        return np.array([b"", b"a", b"b"], object)
    if dtype.is_integer:
        limits = np.iinfo(dtype.numpy)
        few = [limits.min, limits.min + 1, 0, 1, 2, 3, limits.max - 1, limits.max, limits.max // 2]
        return np.array([*few, *([-1, -2] if limits.min else []), *random.integers(0, 100, 9)], dtype.numpy)
    if dtype.is_complex:
        parts = edges(tf.float32)[:9].astype(dtype.numpy)
        return np.array([complex(a, b) for a, b in itertools.product(parts.real, parts.real)], dtype.numpy)
    limits = np.finfo(dtype.numpy) if dtype is not tf.bfloat16 else np.finfo(np.float32)
    few = [0.0, -0.0, np.inf, -np.inf, np.nan, 1.0, -1.0, 0.5, 3.0]
    with np.errstate(all="ignore"):
        small = [limits.tiny, -limits.tiny, limits.smallest_subnormal, limits.max, -limits.max, limits.eps]
        drawn = [*random.normal(size=20), *(10.0 ** random.uniform(-40, 40, 20))]
        return np.array([*few, *map(float, small), *drawn]).astype(dtype.numpy)


def graph_of(pattern: str, dtype: DType, shape: tuple[int, ...]) -> tuple[Graph, list[str]]:
    """A graph that computes a pattern of which the names are inputs."""
    graph, names = Graph("pattern"), dict[str, object]()
    tree = ast.parse(pattern, mode="eval").body
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and node.id not in REGISTRY and node.id not in names:
            names[node.id] = graph.placeholder(tf.bool if node.id == "c" else dtype, shape, node.id)

    def tensor(node: ast.expr) -> object:
        if isinstance(node, ast.Name):
            return names[node.id]
        if isinstance(node, ast.Call):
            op = REGISTRY[node.func.id]
            return graph.add(op, [tensor(part) for part in node.args], dict(op.attributes)).outputs[0]
        value = ast.literal_eval(node)
        return graph.constant(np.asarray(value, np.bool_ if isinstance(value, bool) else dtype.numpy))

    graph.outputs = [tensor(tree)]
    return graph, list(names)


def values_of(names: list[str], dtype: DType) -> list[np.ndarray]:
    """Every pair of the edges; conditions of both kinds."""
    few = edges(dtype)
    pairs = np.array(list(itertools.product(range(len(few)), repeat=2))).T
    found = {"x": few[pairs[0]], "y": few[pairs[1]], "c": np.arange(pairs.shape[1]) % 3 == 0}
    return [found[name] for name in names]


def is_possible(row: Row, dtype: DType) -> bool:
    """Whether the operations and the literals of a row take the dtype."""
    try:
        graph, _ = graph_of(row.pattern, dtype, (2,))
    except (tf.errors.InvalidArgumentError, OverflowError):
        return False
    return all(set(t.dtype for t in o.inputs) <= {d for g in o.op.groups for d in g.allowed} for o in graph.operations)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.pattern)
def test_a_row_keeps_every_value(row: Row) -> None:
    tried = 0
    for dtype in [d for d in ALL if d in row.dtypes and is_possible(row, d)]:
        graph, names = graph_of(row.pattern, dtype, (len(edges(dtype)) ** 2,))
        given = values_of(names, dtype)
        if not row.exact:
            assert simplify(graph) is graph
            continue
        found = simplify(graph)
        verify(found)
        wanted = run_graph(graph, given)
        left = {o.type for o in _needed(found)}
        if not _has_literal(row) or dtype is not tf.bfloat16:  # whose constants are not looked at
            assert found is not graph and left <= set(_names(row.replacement)), f"{row} does nothing for {dtype.name}"
        assert_same_arrays(run_graph(found, given), wanted, f"{row}, {dtype.name}")
        tried += 1
    assert tried or not row.exact


def _needed(graph: Graph) -> list[Operation]:
    return [o for o in optimize(graph).operations if o.type not in ("placeholder", "constant")]


def _names(text: str) -> list[str]:
    return [node.id for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Name)]


def _has_literal(row: Row) -> bool:
    return any(isinstance(node, ast.Constant) for node in ast.walk(ast.parse(row.pattern)))


@pytest.mark.parametrize("row", [row for row in ROWS if not row.exact], ids=lambda row: row.pattern)
def test_inexact_rows_are_asked_for(row: Row) -> None:
    graph, _ = graph_of(row.pattern, tf.float32, (3,))
    with tf.config.inexact_algebra(True):
        left = {o.type for o in _needed(graph)}
    assert left <= set(_names(row.replacement))
    given = [np.array([0.25, 4, 9], np.float32)]
    with tf.config.inexact_algebra(True):
        np.testing.assert_allclose(run_graph(simplify(graph), given)[0], run_graph(graph, given)[0], rtol=1e-6)
    assert simplify(graph) is graph


def test_inexact_algebra_is_a_truth() -> None:
    with pytest.raises(TypeError, match="inexact_algebra takes True or False; got 'yes'"):
        tf.config.inexact_algebra("yes")  # type: ignore[arg-type]


# -- rules by attributes ------------------------------------------------------------------------------------------


def simplified(body: str, signature: str = "(%x: float32[2, 3])", inner: str = "") -> list[str]:
    """The operations that are left of a graph, whose values are compared."""
    graph = Graph.from_text(f"graph main{signature} -> (%r) {{\n{body}\n}}\n{inner}")
    found = simplify(graph)
    verify(found)
    random = np.random.default_rng(1)
    given = [np.asarray(random.normal(size=[d or 3 for d in t.shape.dims or ()]) > 0 if t.dtype.is_bool
                        else random.normal(size=[d or 3 for d in t.shape.dims or ()]) * 9, t.dtype.numpy)
             for t in graph.inputs]  # fmt: skip
    assert_same_arrays(run_graph(found, given), run_graph(graph, given), graph.as_text())
    text = optimize(graph, verified=True).as_text().split("\n}")[0]
    return [line.strip().split("  #")[0] for line in text.splitlines() if line.startswith("  ")]


def test_transposes() -> None:
    two = "%a = transpose(%x) {{perm={0}}} : float32[{1}]\n%r = transpose(%a) {{perm={2}}} : float32[{3}]"
    assert simplified(two.format("(1, 0)", "3, 2", "(1, 0)", "2, 3")) == []
    assert simplified(two.format("None", "3, 2", "None", "2, 3")) == []
    assert simplified("%r = transpose(%x) {perm=(0, 1)} : float32[2, 3]") == []
    three = two.format("(1, 2, 0)", "3, 4, 2", "(2, 1, 0)", "2, 4, 3")
    assert simplified(three, "(%x: float32[2, 3, 4])") == ["%r = transpose(%x) {perm=(0, 2, 1)} : float32[2, 4, 3]"]
    unknown = two.format("None", "?, ?", "None", "?, ?")
    assert len(simplified(unknown, "(%x: float32[?, ?])")) == 2  # the rows of unknown sizes are the same, or are they


def test_reshapes() -> None:
    flat = "%s = constant() {value=array int32[1] [6]} : int32[1]"
    shape = "%t = constant() {value=array int32[2] [3, 2]} : int32[2]"
    left = simplified(f"{flat}\n{shape}\n%a = reshape(%x, %s) : float32[6]\n%r = reshape(%a, %t) : float32[3, 2]")
    assert left[-1] == "%r = reshape(%x, %t) : float32[3, 2]" and len(left) == 2
    back = "%t = constant() {value=array int32[2] [2, 3]} : int32[2]"
    assert simplified(f"{back}\n%r = reshape(%x, %t) : float32[2, 3]") == []
    assert (
        simplified("%a = expand_dims(%x) {axis=1} : float32[2, 1, 3]\n%r = squeeze(%a) {axis=1} : float32[2, 3]") == []
    )


def test_a_reshape_that_may_fail_stays() -> None:
    body = "%a = reshape(%x, %s) : float32[?]\n%r = reshape(%a, %t) : float32[?, ?]"
    graph = Graph.from_text(f"graph main(%x: float32[2, 3], %s: int32[1], %t: int32[2]) -> (%r) {{\n{body}\n}}")
    assert simplify(graph) is graph


def test_casts_of_each_dtype_over_each_to_each() -> None:
    """All that the rule allows, on the edges of the first dtype."""
    numbers = [d for d in ALL if d.family != "string" and d is not tf.bfloat16]
    skipped = 0
    for source, between, target in itertools.product(numbers, repeat=3):
        if not may_skip(source, between, target):
            continue
        with np.errstate(all="ignore"):
            values = edges(source)
            over = values.astype(between.numpy)
            over = over.real if between.is_complex and not (target.is_complex or target.is_bool) else over
            straight = values.real if source.is_complex and not (target.is_complex or target.is_bool) else values
            one, other = over.astype(target.numpy), straight.astype(target.numpy)
        assert_same_arrays([other], [one], f"{source.name} -> {between.name} -> {target.name}")
        skipped += 1
    assert skipped > 150
    for over in [(tf.int64, tf.float64, tf.int64), (tf.float32, tf.int32, tf.float32),
                 (tf.int32, tf.float64, tf.float16), (tf.float64, tf.float32, tf.float64),
                 (tf.float32, tf.float64, tf.int32)]:  # fmt: skip
        assert not may_skip(*over)


def test_a_cast_that_keeps_all_values_is_left_out() -> None:
    body = "%a = cast(%x) {{dtype={0}, exact=False}} : {0}[2]\n%r = cast(%a) {{dtype={1}, exact={2}}} : {1}[2]"
    signature = "(%x: int32[2])"
    assert simplified(body.format("float64", "int32", False), signature) == []
    assert simplified(body.format("int64", "int8", False), signature)[0].startswith("%r = cast(%x)")
    assert len(simplified(body.format("int64", "int8", True), "(%x: int32[2])")) == 2


def test_products_of_transposed_matrices() -> None:
    body = (
        "%a = transpose(%x) {perm=(1, 0)} : float32[3, 2]\n"
        "%r = matmul(%a, %x) {transpose_a=False, transpose_b=False} : float32[3, 3]"
    )
    assert simplified(body) == ["%r = matmul(%x, %x) {transpose_a=True, transpose_b=False} : float32[3, 3]"]
    both = body.replace("matmul(%a, %x) {transpose_a=False", "matmul(%a, %a) {transpose_a=True").replace(
        "[3, 3]", "[2, 2]"
    )
    assert simplified(both) == ["%r = matmul(%x, %x) {transpose_a=False, transpose_b=True} : float32[2, 2]"]


@pytest.mark.parametrize("dtype", [tf.float16, tf.float32, tf.float64], ids=lambda d: d.name)
def test_quotients_by_powers_of_two(dtype: DType) -> None:
    limits = np.finfo(dtype.numpy)
    for divisor in [4.0, -0.5, 2.0, 1024.0, 3.0, 0.0, np.inf, np.nan, limits.tiny, limits.smallest_subnormal]:
        graph = Graph("quotient")
        x = graph.placeholder(dtype, [len(edges(dtype))])
        divisor_tensor = graph.constant(np.asarray(divisor, dtype.numpy))
        graph.outputs = list(graph.add(REGISTRY["divide"], [x, divisor_tensor], {}).outputs)
        found = simplify(graph)
        verify(found)
        assert_same_arrays(run_graph(found, [edges(dtype)]), run_graph(graph, [edges(dtype)]), f"/ {divisor}")
        wanted = "multiply" if divisor in (4.0, -0.5, 2.0, 1024.0, limits.tiny) else "divide"
        assert found.outputs[0].op.type == wanted, divisor


def test_a_condition_that_is_negated_swaps_the_branches() -> None:
    body = "%n = logical_not(%p) : bool[]\n%r = cond(%n, %x) {then_graph=@yes, else_graph=@no} : float32[2, 3]"
    inner = (
        "graph yes(%v: float32[2, 3]) -> (%y) { %y = exp(%v) : float32[2, 3] }\n"
        "graph no(%v: float32[2, 3]) -> (%y) { %y = negative(%v) : float32[2, 3] }"
    )
    (line,) = simplified(body, "(%p: bool[], %x: float32[2, 3])", inner)
    assert line.startswith("%r = cond(%p, %x) {then_graph=@no, else_graph=@yes}")


# -- what stays -----------------------------------------------------------------------------------------------------


def test_numbers_of_python_keep_what_raises() -> None:
    weak = "%a = negative(%x) : int64[] weak\n%r = negative(%a) : int64[] weak"
    graph = Graph.from_text(f"graph main(%x: int64[] weak) -> (%r) {{\n{weak}\n}}")
    assert simplify(graph) is graph  # the least number has no negative

    @tf.function
    def f(n):
        x = 0.0
        for _ in tf.range(n):
            x += 1.5
        return (x * 1e300) ** 2

    with pytest.raises(OverflowError):
        f(tf.constant(100))


def test_a_result_that_is_larger_than_the_operand_stays() -> None:
    body = "%one = constant() {value=array float32[2] [1.0, 1.0]} : float32[2]\n%r = multiply(%x, %one) : float32[2]"
    graph = Graph.from_text(f"graph main(%x: float32[1]) -> (%r) {{\n{body}\n}}")
    assert simplify(graph) is graph


def test_names_and_lines_are_kept() -> None:
    @tf.function
    def square(x):
        return x**2

    graph = square.get_concrete_function(tf.TensorSpec([3], tf.float32)).optimized_graph
    (made,) = [o for o in graph.operations if o.type == "multiply"]
    assert made.name == "pow" and made.location.function == "square"


def test_in_loops_and_functions_and_over_many_operations() -> None:
    @tf.function
    def f(x, n):
        for _ in tf.range(n):
            x = -(-x) * 1.0
            x = tf.transpose(tf.transpose(x))
        return x

    graph = f.get_concrete_function(tf.TensorSpec([2, 2], tf.float32), tf.TensorSpec([], tf.int32)).optimized_graph
    assert not {"negative", "transpose", "multiply"} & {
        o.type for g in graph.operations for i in g.subgraphs for o in i.operations
    }
    graph = Graph("chain")
    x = tensor = graph.placeholder(tf.float32, [2])
    for _ in range(20_000):
        tensor = graph.add(REGISTRY["negative"], [tensor], {}).outputs[0]
    graph.outputs = [tensor]
    found = simplify(graph)
    assert found.outputs[0] is found.inputs[0] and x.op.graph is graph


def test_every_rule_says_what_it_does() -> None:
    assert all("->" in (rule.__doc__ or "") for rule in RULES.values())
