"""Files of ONNX as Functions: what was written comes back, and damaged or hostile files are one error."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest

import runtime as tf
from runtime.errors import FileFormatError, NotFoundError
from tests.runtime.exits.export.running import same
from tests.runtime.exits.export.test_programs import FLOAT, NUMBER, VECTOR, X, collatz, early, nested, switched, twice


def there_and_back(function: Any, signature: Any, path: Path) -> Any:
    tf.export.onnx(function, path, input_signature=signature)
    return tf.load_onnx(path)


@pytest.mark.parametrize(
    ("program", "signature", "arguments"),
    [
        (collatz, [NUMBER], [np.int32(27)]), (early, [FLOAT], [np.float32(1)]), (early, [FLOAT], [np.float32(9)]),
        (nested, [NUMBER], [np.int32(9)]), (switched, [NUMBER, VECTOR], [np.int32(3), X]), (twice, [VECTOR], [X]),
        (lambda x: tf.nn.softmax(x[1:] * 2.0) + tf.reduce_mean(x), [VECTOR], [X]),
        (lambda x: tf.sort(x, direction="DESCENDING")[:3], [VECTOR], [X]),
        (lambda x: tf.reshape(tf.concat([x, x[::-1]], 0), [2, -1]), [VECTOR], [X]),
        (lambda x, y: (x // y, x % y), [NUMBER, NUMBER], [np.int32(-7), np.int32(3)]),
        (lambda x: tf.pad(tf.gather(x, [2, 0]), [[1, 2]]), [VECTOR], [X]),
    ],
)  # fmt: skip
def test_what_was_written_comes_back(program, signature, arguments, tmp_path: Path) -> None:
    loaded = there_and_back(program, signature, tmp_path / "f.onnx")
    found = loaded(*map(tf.constant, arguments))
    wanted = tf.function(program)(*map(tf.constant, arguments))
    parts = wanted if isinstance(wanted, tuple) else (wanted,)
    assert sorted(found) == [f"output_{i}" for i in range(len(parts))]
    for place, part in enumerate(parts):
        same(found[f"output_{place}"].numpy(), tf.convert_to_tensor(part).numpy(), "loaded")


def test_a_convolutional_network_comes_back_and_has_gradients(tmp_path: Path) -> None:
    filters, weights = tf.Variable(tf.random.stateless_normal([3, 3, 2, 4], [1, 2])), tf.Variable(tf.ones([4, 3]))

    def network(x):
        x = tf.nn.relu(tf.nn.conv2d(x, filters, 1, "SAME"))
        return tf.reduce_mean(tf.nn.max_pool2d(x, 2, 2, "VALID"), [1, 2]) @ weights

    loaded = there_and_back(network, [tf.TensorSpec([None, 6, 6, 2], tf.float32)], tmp_path / "f.onnx")
    x = tf.random.stateless_normal([2, 6, 6, 2], [3, 4])
    same(loaded(x)["output_0"].numpy(), network(x).numpy(), "network")
    gradients = []
    for function in (lambda x: loaded(x)["output_0"], network):
        with tf.GradientTape() as tape:
            tape.watch(x)
            result = tf.reduce_sum(function(x))
        gradients.append(tape.gradient(result, x).numpy())
    same(*gradients, "gradients")


def test_a_file_of_somebody_else(tmp_path: Path) -> None:
    """Names that Python has not, older forms of attributes, a shape with zeros that stand for sizes."""
    helper, kind = onnx.helper, onnx.TensorProto.FLOAT
    weights = onnx.numpy_helper.from_array(np.array([[1, 2], [3, 4], [5, 6]], np.float32), "w/1")
    shape = onnx.numpy_helper.from_array(np.array([0, -1], np.int64), "shape")
    nodes = [
        helper.make_node("Gemm", ["in:0", "w/1"], ["a"], alpha=2.0),
        helper.make_node("Reshape", ["a", "shape"], ["b"]),
        helper.make_node("Clip", ["b", ""], ["out"]),
    ]
    graph = helper.make_graph(
        nodes, "class", [helper.make_tensor_value_info("in:0", kind, ["n", 3])],
        [helper.make_tensor_value_info("out", kind, None)], [weights, shape],
    )  # fmt: skip
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)]), str(tmp_path / "f.onnx"))
    found = tf.load_onnx(tmp_path / "f.onnx")(in_0=np.ones((2, 3), np.float32))
    assert found["out"].numpy().tolist() == [[18, 24], [18, 24]]


# -- what is refused ----------------------------------------------------------------------------------------------


def model_of(nodes: list[Any], initializers: list[Any] = ()) -> Any:  # type: ignore[assignment]
    helper, kind = onnx.helper, onnx.TensorProto.FLOAT
    given, made = (helper.make_tensor_value_info(name, kind, [2]) for name in ("x", "y"))
    graph = helper.make_graph(nodes, "g", [given], [made], list(initializers))
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 21)])


def hostile() -> dict[str, Any]:
    helper = onnx.helper
    wrong = onnx.TensorProto(name="w", data_type=1, dims=[2], raw_data=b"123")
    huge = onnx.TensorProto(name="w", data_type=1, dims=[2**40, 2**40], raw_data=b"1234")
    negative = onnx.TensorProto(name="w", data_type=1, dims=[-2], raw_data=b"1234")
    outside = onnx.TensorProto(name="w", data_type=1, dims=[2], data_location=onnx.TensorProto.EXTERNAL)
    outside.external_data.append(onnx.StringStringEntryProto(key="location", value="../../etc/passwd"))
    add = helper.make_node("Add", ["x", "w"], ["y"])
    loop = model_of([helper.make_node("F", ["x"], ["y"], domain="d")])
    body = helper.make_function(
        "d", "F", ["x"], ["y"], [helper.make_node("F", ["x"], ["y"], domain="d")], [helper.make_opsetid("", 21)]
    )
    loop.functions.append(body)
    return {
        "bytes": (model_of([add], [wrong]), "3 bytes, not 8"),
        "huge": (model_of([add], [huge]), "the shape"),
        "negative": (model_of([add], [negative]), "the shape"),
        "outside": (model_of([add], [outside]), "no file beside it"),
        "unknown": (model_of([helper.make_node("Shrink", ["x"], ["z"]), helper.make_node("Mish", ["z"], ["y"])]),
                    "Mish, Shrink"),
        "custom": (model_of([helper.make_node("Run", ["x"], ["y"], domain="evil")]), "evil.Run"),
        "missing": (model_of([helper.make_node("Add", ["x", "nothing"], ["y"])]), "nothing is called 'nothing'"),
        "no result": (model_of([helper.make_node("Neg", ["x"], ["z"])]), "nothing is called 'y'"),
        "operands": (model_of([helper.make_node("Add", ["x"], ["y"])]), "Add"),
        "endless": (loop, "without end"),
        "cycle": (model_of([helper.make_node("Neg", ["y"], ["y"])]), "nothing is called 'y'"),
        "branch": (model_of([helper.make_node("If", ["x"], ["y"])]), "no graph 'then_branch'"),
    }  # fmt: skip


@pytest.mark.parametrize("name", sorted(hostile()))
def test_a_hostile_file_is_one_error(name: str, tmp_path: Path) -> None:
    model, words = hostile()[name]
    (tmp_path / "f.onnx").write_bytes(model.SerializeToString())
    with pytest.raises(FileFormatError, match=words) as error:
        tf.load_onnx(tmp_path / "f.onnx")
    assert str(error.value).startswith(str(tmp_path / "f.onnx"))


def test_large_results_are_not_computed_by_loading(tmp_path: Path) -> None:
    size = onnx.numpy_helper.from_array(np.array([2**45], np.int64), "size")
    nodes = [
        onnx.helper.make_node("ConstantOfShape", ["size"], ["zeros"]),
        onnx.helper.make_node("ReduceSum", ["zeros"], ["sum"], keepdims=0),
        onnx.helper.make_node("Add", ["x", "sum"], ["y"]),
    ]  # fmt: skip
    (tmp_path / "f.onnx").write_bytes(model_of(nodes, [size]).SerializeToString())
    assert tf.load_onnx(tmp_path / "f.onnx").input_signature == [tf.TensorSpec([2], tf.float32, "x")]


def test_no_file_and_no_onnx(tmp_path: Path) -> None:
    with pytest.raises(NotFoundError, match="no file"):
        tf.load_onnx(tmp_path / "f.onnx")
    for content in (b"", b"text", bytes(range(256)), b"\x08"):
        (tmp_path / "f.onnx").write_bytes(content)
        with pytest.raises(FileFormatError, match="no file of ONNX"):
            tf.load_onnx(tmp_path / "f.onnx")


@pytest.mark.parametrize("count", [60, pytest.param(1500, marks=pytest.mark.slow)])
def test_damaged_files(count: int, tmp_path: Path) -> None:
    """Bytes that are changed, cut off or put in: a Function or a FileFormatError, and nothing else."""
    tf.export.onnx(nested, tmp_path / "f.onnx", input_signature=[NUMBER])
    content, rng, refused = (tmp_path / "f.onnx").read_bytes(), random.Random(1), 0
    for _ in range(count):
        damaged = bytearray(content)
        for _ in range(rng.randint(1, 4)):
            place = rng.randrange(len(damaged))
            change = rng.randrange(3)
            if change == 0:
                damaged[place] = rng.randrange(256)
            elif change == 1:
                del damaged[place : place + rng.randint(1, 40)]
            else:
                damaged[place:place] = rng.randbytes(rng.randint(1, 8))
        (tmp_path / "g.onnx").write_bytes(bytes(damaged))
        try:
            tf.load_onnx(tmp_path / "g.onnx")
        except FileFormatError:
            refused += 1
    assert refused > count // 2
