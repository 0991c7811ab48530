"""Every operation, from its own record: value, shape, dtype, both modes, every layout, errors.

The samples say with which operands; the reference of the record says what must come out, computed in another way.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import runtime
from runtime.dtypes import DType
from runtime.engine.interpreter import run_graph
from runtime.engine.plan import compile_plan
from runtime.errors import InvalidArgumentError
from runtime.graph.equality import graph_equal
from runtime.graph.risks import exceptions_of
from runtime.ops.flow import state
from runtime.ops.kernels.values import elements
from runtime.ops.lists import lists
from runtime.ops.records.families import load_all
from runtime.ops.records.record import REQUIRED, Op, Operand
from runtime.ops.records.samples import Failure, Sample
from runtime.shapes import TensorShape
from tests.every_case import every_case
from tests.one_in import one_in
from tests.runtime.bfloat16.rounding import NARROW, assert_one_rounding, in_numpy
from tests.runtime.op_samples import distinct, dtypes_of, samples

REGISTRY = load_all()

STRUCTURAL = {"placeholder", "constant", "call", "cond", "custom_gradient", "while", "switch", "try"}
"""What graphs are made of; the tests of graphs, of the engine and of gradients cover it."""

WITHOUT_REFERENCE = {
    "caught", "caught_part", "caught_text", "check", "check_finite", "memo_get", "memo_has", "memo_new", "memo_set",
    "print", "py_function", "raise", "random_categorical", "random_normal", "random_shuffle",
    "random_truncated_normal", "random_uniform", "read_file", "reraise", "stateless_bits", "stateless_categorical",
    "stateless_normal", "stateless_shuffle", "stateless_truncated_normal", "stateless_uniform", "write_file",
}  # fmt: skip
"""Effects and random numbers have tests of their own."""

STATE = {record.name for record in (*state.READS, *state.WRITES)}
"""What works on the memory of Variables is tested in tests/runtime/state."""

DATASETS = {name for name, record in REGISTRY.items() if record.kernel.__module__ == "runtime.ops.flow.dataset"}
"""What makes datasets and goes through them is tested in tests/runtime/library/data."""

LISTS = {record.name for record in lists.WORK}
"""What works on the handles of lists is tested in tests/runtime/control_flow/lists."""


SAMPLED = [op for op in sorted(REGISTRY.values(), key=lambda op: op.name) if op.samples is not None]

each_op = pytest.mark.parametrize("op", SAMPLED, ids=lambda op: op.name)
every_op = every_case(SAMPLED, ids=lambda op: op.name)


def as_list(result: Any) -> list[Any]:
    return list(result) if isinstance(result, tuple) else [result]


def assert_same(found: Any, wanted: Any, dtype: DType, what: str) -> None:
    found = np.asarray(found)
    if dtype.family in ("int", "uint") and wanted.dtype == object:
        wrapped = [int(v) % 2 ** (8 * dtype.size) for v in wanted.reshape(-1)]
        unsigned = np.array(wrapped, f"u{dtype.size}")
        wanted = unsigned.astype(dtype.numpy).reshape(wanted.shape)
    if dtype is runtime.bfloat16:
        assert_one_rounding(found, np.asarray(wanted).astype(np.float64), what)
        return
    wanted = np.asarray(wanted).astype(dtype.numpy)
    assert found.shape == wanted.shape, what
    if dtype.family in ("float", "complex"):
        width = {"float16": 4e-3, "float32": 2e-6, "complex64": 2e-6}.get(dtype.name, 1e-13)
        np.testing.assert_allclose(found, wanted, rtol=8 * width, atol=4 * width, err_msg=what)
    else:
        assert found.tolist() == wanted.tolist(), what


def in_float64(op: Op, operand: Any) -> Any:
    """What the reference is given in the place of bfloat16: the same numbers, with which nothing is rounded."""
    array = np.asarray(operand)
    return array.astype(np.float64) if NARROW is not None and not op.narrow and array.dtype == NARROW else array


def expected(op: Op, sample: Sample) -> list[np.ndarray]:
    """What the reference says, in objects."""
    assert op.reference is not None
    with np.errstate(all="ignore"):
        result = op.reference(*(in_float64(op, o) for o in sample.operands), **sample.attributes)
    return [elements(part) for part in as_list(result)]


def public_call(op: Op, sample: Sample) -> Any:
    """The operation on the operands as tensors."""
    tensors = [runtime.constant(array) for array in sample.operands]
    fixed = len(op.tensors)
    arguments: list[Any] = tensors[:fixed] + ([tensors[fixed:]] if op.variadic else [])
    return op(*arguments, **sample.attributes)


def describe(op: Op, sample: Sample) -> str:
    shapes = ", ".join(f"{np.asarray(o).dtype}{np.shape(o)}" for o in sample.operands)
    return f"{op.name}({shapes}, {dict(sample.attributes)})"


@each_op
def test_value_dtype_and_shape(op: Op) -> None:
    """The kernel, called eagerly, gives what the reference gives, in the dtype and shape that the rules say."""
    count = 0
    for dtype, sample, attributes in samples(op):
        what = describe(op, sample)
        before = [np.array(o, copy=True) for o in sample.operands]
        results = as_list(public_call(op, sample))
        operands = [runtime.constant(o) for o in sample.operands]
        known = [Operand(o.dtype, o.shape, o.numpy() if o.ndim else np.asarray(o)) for o in operands]
        inferred = op.infer(known, attributes)
        wanted = expected(op, sample)
        assert len(results) == len(inferred) == len(wanted), what
        for result, (result_dtype, shape), reference in zip(results, inferred, wanted, strict=True):
            assert result.dtype is result_dtype, what
            assert shape.is_compatible_with(result.shape), f"{what}: rule {shape}, result {result.shape}"
            assert_same(np.asarray(result), reference, result_dtype, what)
        for operand, copy in zip(sample.operands, before, strict=True):
            assert np.asarray(operand).tolist() == copy.tolist(), f"{what} wrote to its input"
        count += 1
    assert count >= 4 * len(dtypes_of(op)), f"{op.name} has too few samples"


@pytest.mark.parametrize("op", one_in(3, SAMPLED), ids=lambda op: op.name)
def test_graph_with_unknown_shapes(op: Op) -> None:
    """Recorded with operands of unknown dimensions, then of unknown rank, and run by the reference interpreter."""
    for sample in distinct(op):
        for forget in (lambda shape: [None] * len(shape), lambda shape: None):
            try:
                graph = record(op, sample, forget)
            except InvalidArgumentError as error:
                assert op.name == "unstack" and "must be known" in str(error), describe(op, sample)
                continue
            wanted = as_list(public_call(op, sample))
            for found, tensor in zip(run_graph(graph, sample.operands), wanted, strict=True):
                assert_same(found, np.asarray(tensor), tensor.dtype, describe(op, sample))


def record(op: Op, sample: Sample, forget: Any) -> runtime.Graph:
    graph = runtime.Graph(op.name)
    operands = [runtime.constant(o) for o in sample.operands]
    inputs = [graph.placeholder(o.dtype, forget(o.shape.as_tuple()), f"x{i}") for i, o in enumerate(operands)]
    fixed = len(op.tensors)
    arguments: list[Any] = [*inputs[:fixed], inputs[fixed:]] if op.variadic else list(inputs)
    with graph.as_default():
        graph.outputs = as_list(op(*arguments, **sample.attributes))
    return graph


@pytest.mark.parametrize("op", one_in(3, SAMPLED, 1), ids=lambda op: op.name)
def test_plan(op: Op) -> None:
    """The engine's code for the operation gives what the eager call gives, bit for bit, for operands of known rank."""
    plans: dict[Any, Any] = {}
    for _, sample, _ in samples(op):
        # Copies, as tensors make them: numpy's last digit depends on the layout.
        arrays = [np.array(o) for o in sample.operands]
        key = (*((a.dtype, a.ndim) for a in arrays), repr(sample.attributes))
        try:
            if key not in plans or op.name in ("unstack", "split"):
                sizes = (lambda shape: shape) if op.name == "unstack" else (lambda shape: [None] * len(shape))
                plans[key] = compile_plan(record(op, sample, sizes))
            found = plans[key].run(arrays)
        except Exception as error:
            error.add_note(describe(op, sample))
            raise
        for result, tensor in zip(found, as_list(public_call(op, sample)), strict=True):
            wanted = np.asarray(tensor)
            assert result.dtype == wanted.dtype, describe(op, sample)
            np.testing.assert_array_equal(in_numpy(result), in_numpy(wanted), describe(op, sample))


@every_op
def test_text_of_a_graph(op: Op) -> None:
    """The text of a graph with the operation reads back as the same graph, whatever the attributes."""
    seen: set[str] = set()
    for _, sample, _ in samples(op):
        if repr(sample.attributes) not in seen:
            seen.add(repr(sample.attributes))
            graph = record(op, sample, lambda shape: shape)
            assert graph_equal(runtime.Graph.from_text(graph.as_text()), graph), describe(op, sample)


@every_op
def test_numpy_scalars_in_place_of_rank_0(op: Op) -> None:
    """A plan passes on what numpy returned: np.float32(1) for an array of rank 0, bytes for a string."""
    for dtype, sample, attributes in samples(op):
        arrays = [np.asarray(o) for o in sample.operands]
        if all(a.ndim for a in arrays):
            continue
        scalars = [a[()] if a.ndim == 0 else a for a in arrays]
        one, other = as_list(op.run(arrays, attributes)), as_list(op.run(scalars, attributes))
        operands = [Operand(runtime.constant(a).dtype, TensorShape(a.shape), a) for a in arrays]
        for x, y, result_dtype in zip(one, other, op.result_dtypes(operands, attributes), strict=True):
            assert np.shape(x) == np.shape(y), describe(op, sample)
            assert_same(elements(y), elements(x), result_dtype, describe(op, sample))


@every_op
def test_kernel_returns_the_dtype_of_the_rule(op: Op) -> None:
    """The raw result needs no cast: a plan takes it as it is."""
    for dtype, sample, attributes in samples(op):
        arrays = [np.asarray(o) for o in sample.operands]
        operands = [Operand(runtime.constant(a).dtype, TensorShape(a.shape), a) for a in arrays]
        results = as_list(op.run(arrays, attributes))
        for result, wanted in zip(results, op.result_dtypes(operands, attributes), strict=True):
            if wanted.family == "string":
                assert isinstance(result, bytes) or result.dtype == object, describe(op, sample)
            else:
                assert result.dtype == wanted.numpy, describe(op, sample)


@every_op
def test_ufunc_equals_the_kernel(op: Op) -> None:
    """Where the record names a ufunc, the engine may call it instead of the kernel, with `out=`."""
    for dtype, sample, attributes in samples(op):
        for ufunc, promised in ((op.ufunc, dtype.family != "string"), (op.float_ufunc, dtype.is_floating)):
            if ufunc is None or not promised:
                continue
            arrays = [np.asarray(o) for o in sample.operands]
            result = np.asarray(op.run(arrays, attributes))
            out = np.empty(result.shape, result.dtype)
            with np.errstate(all="ignore"):
                ufunc(*arrays, out=out)
            np.testing.assert_array_equal(out, result, describe(op, sample))


@every_op
def test_scalar_expression_equals_the_kernel(op: Op) -> None:
    """The expression over Python numbers is exact, once integers are wrapped to their width."""
    for dtype, sample, attributes in samples(op):
        template = op.int_scalar if dtype.is_integer else op.scalar if dtype.name in ("bool", "float64") else None
        if template is None:
            continue
        arrays = [np.asarray(o) for o in sample.operands]
        if any(a.ndim for a in arrays) or any(a.dtype.kind not in "biuf" for a in arrays):
            continue
        names = [f"v{i}" for i in range(len(arrays))]
        value = eval(template.format(*names), {n: a.item() for n, a in zip(names, arrays, strict=True)})
        result = np.asarray(op.run(arrays, attributes))
        result_dtype = runtime.as_dtype(result.dtype)
        assert_same(result, np.asarray(value, object), result_dtype, describe(op, sample))


def failures() -> list[Any]:
    return [
        pytest.param(op, failure, id=f"{op.name}-{number}")
        for op in sorted(REGISTRY.values(), key=lambda op: op.name)
        for number, failure in enumerate(op.errors)
    ]


@every_case(failures())
def test_errors(op: Op, failure: Failure) -> None:
    """A call with operands that don't fit raises the documented class, with what was found in the message."""
    with pytest.raises(failure.error) as caught:
        op(*failure.arguments, **failure.attributes)
    for word in (op.name, *failure.words) if not op.name.startswith("check") else failure.words:
        assert word in str(caught.value)


@every_case(failures())
def test_errors_when_shapes_are_known_only_at_run_time(op: Op, failure: Failure) -> None:
    """What the rules cannot see while a graph is built, the kernel finds: nothing wrong passes silently."""
    sizes = len(op.tensors)
    arguments = list(failure.arguments[:sizes])
    if op.variadic:
        arguments += next(iter(failure.arguments[sizes:]), [])
    rest = failure.arguments[sizes + bool(op.variadic) :]
    graph = runtime.Graph("g")
    values = [runtime.constant(a) if not isinstance(a, runtime.Tensor) else a for a in arguments]
    inputs = [graph.placeholder(v.dtype, None, f"x{i}") for i, v in enumerate(values)]
    # unstack refuses an unknown size at once, whatever else is wrong.
    accepted = InvalidArgumentError if op.name == "unstack" else failure.error
    with pytest.raises(accepted):
        with graph.as_default():
            operands = [*inputs[:sizes], inputs[sizes:]] if op.variadic else inputs
            result = op(*operands, *rest, **failure.attributes)
        graph.outputs = as_list(result)
        compile_plan(graph).run([np.asarray(v) for v in values])


@every_case(failures())
def test_errors_of_a_run_are_among_those_that_are_expected(op: Op, failure: Failure) -> None:
    """What passes while a graph is built and raises when it runs is known to `exceptions_of`: `try` may rely on it."""
    sizes = len(op.tensors)
    arguments = list(failure.arguments[:sizes])
    if op.variadic:
        arguments += next(iter(failure.arguments[sizes:]), [])
    rest = failure.arguments[sizes + bool(op.variadic) :]
    for forget in (lambda shape: shape, lambda shape: [None] * len(shape), lambda shape: None):
        graph = runtime.Graph("g")
        values = [runtime.constant(a) if not isinstance(a, runtime.Tensor) else a for a in arguments]
        inputs = [graph.placeholder(v.dtype, forget(v.shape.as_tuple()), f"x{i}") for i, v in enumerate(values)]
        try:
            with graph.as_default():
                op(*inputs[:sizes], *([inputs[sizes:]] if op.variadic else []), *rest, **failure.attributes)
        except Exception:
            continue  # refused at once
        expected = exceptions_of(graph.operations[-1])
        assert any(issubclass(failure.error, kind) for kind in expected), f"{op.name}: {expected}"


def test_every_operation_is_covered() -> None:
    """No operation comes without samples, a reference, and a docstring that says what its operands are."""
    missing: list[str] = []
    for op in REGISTRY.values():
        if op.name in STRUCTURAL | LISTS | STATE | DATASETS:
            continue
        assert op.__doc__ and op.__doc__.strip().endswith("."), op.name
        if op.name not in WITHOUT_REFERENCE:
            assert op.samples is not None and op.reference is not None, op.name
            missing += [f"{op.name}: {name}" for name in op.tensors if name not in op.__doc__]
    assert not missing, f"docstrings that leave out an operand: {missing}"


def test_operations_that_mix_dtypes_name_both() -> None:
    for op in REGISTRY.values():
        pair = next((g for g in op.groups if len(g.names) > 1 and op.variadic not in g.names), None)
        if pair is None or not {runtime.int32, runtime.float32} <= pair.allowed or len(pair.names) < len(op.tensors):
            continue
        others = [1.0] * (len(op.tensors) - 2)
        required = {k: ["..."] if k == "spec" else 1 for k, default in op.attributes.items() if default is REQUIRED}
        with pytest.raises(TypeError, match=r"int32.*float32|float32.*int32"):
            op(runtime.constant([1]), runtime.constant([1.0]), *others, **required)
