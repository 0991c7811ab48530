"""Example messages against TensorFlow: the same bytes are written and read, and errors are of the same classes."""

from __future__ import annotations

import random
from typing import Any

import pytest
import tensorflow as tf

import runtime
from tests.peers.messages import MODULES, feature, features, plain
from tests.runtime.library.io.messages import random_message

ROWS: list[dict[str, Any]] = [
    {"a": [1, -2], "f": [0.5, 1e30], "t": [b"x", b""], "s": [0, 1, 2], "u": [7]},
    {"a": [300, 2**62], "f": [], "t": [b"yz"], "s": [0, 0, 1], "none": None},
    {"a": [0, -(2**63)], "t": [b"\x00", b"e", b"f"], "f": [1.0, 2.0, 3.0, 4.0], "s": [0, 2, 3], "v": [0.25]},
]

pytestmark = pytest.mark.filterwarnings("ignore")


def written(train: Any, row: dict[str, Any]) -> bytes:
    made: bytes = train.Example(features=features(train, row)).SerializeToString(deterministic=True)
    return made


TEXTS = [written(tf.train, row) for row in ROWS]
SHORT = written(tf.train, {"a": [1]})


def test_messages_are_the_same_bytes_and_the_same_text() -> None:
    for row, text in zip(ROWS, TEXTS, strict=True):
        assert written(runtime.train, row) == text
        one = {key: row[key] for key in list(row)[:1]}
        assert str(runtime.train.Example(features=features(runtime.train, one))) == str(
            tf.train.Example(features=features(tf.train, one)))  # fmt: skip
        for key, values in row.items():
            found, wanted = (feature(module.train, values) for module in MODULES)
            assert str(found) == str(wanted), key
            assert found.WhichOneof("kind") == wanted.WhichOneof("kind")


def test_messages_that_are_filled_step_by_step() -> None:
    made = []
    for module in MODULES:
        example = module.train.Example()
        example.features.feature["k"].int64_list.value.append(3)
        example.features.feature["k"].int64_list.value.extend([4, -1])
        example.features.feature["w"].int64_list.value.append(7)
        example.features.feature["w"].float_list.value[:] = [0.1, 2.0]
        example.features.feature["t"].bytes_list.value.append(b"one")
        example.features.feature["empty"].bytes_list.SetInParent() if module is tf else None
        made.append(example.SerializeToString(deterministic=True))
    assert runtime.train.Example.FromString(made[0]).features.feature["k"].int64_list.value == [3, 4, -1]
    assert len(made[1]) < len(made[0])  # without the list that is empty on purpose
    sequences = []
    for module in MODULES:
        steps = module.train.FeatureList(feature=[feature(module.train, [1, 2]), feature(module.train, [3])])
        lists = module.train.FeatureLists(feature_list={"steps": steps})
        whole = module.train.SequenceExample(context=features(module.train, {"id": [5]}), feature_lists=lists)
        sequences.append(whole.SerializeToString(deterministic=True))
    assert sequences[0] == sequences[1]


def forms(io: Any, module: Any) -> dict[str, Any]:
    """Features of all kinds."""
    i64, f32, text = module.int64, module.float32, module.string
    ragged = io.RaggedFeature
    return {
        "a": io.FixedLenFeature([2], i64), "t": io.VarLenFeature(text), "u": io.VarLenFeature(i64),
        "missing": io.FixedLenFeature([1, 2], f32, [[1.5, 2.5]]), "none": io.FixedLenFeature([], text, "nothing"),
        "steps": ragged(f32, "f"), "v": ragged(f32, row_splits_dtype=module.int64),
        "s": io.FixedLenSequenceFeature([], i64, allow_missing=True),
        "absent": io.FixedLenSequenceFeature([2], f32, allow_missing=True, default_value=-1.0),
    }  # fmt: skip


def both(read: Any) -> list[dict[str, Any]]:
    found = [read(module) for module in MODULES]
    for key, wanted in found[0].items():
        assert found[1][key].dtype.name == wanted.dtype.name
        assert plain(found[1][key]) == plain(wanted), key
    return found


@pytest.mark.parametrize("staged", [False, True])
@pytest.mark.parametrize("count", [0, 1, 3, 60])
def test_all_features(count: int, staged: bool) -> None:
    texts = (TEXTS * 20)[:count]

    def read(module: Any) -> Any:
        def parse(t: Any) -> Any:
            return module.io.parse_example(t, forms(module.io, module))

        call = module.function(parse, input_signature=[module.TensorSpec([None], module.string)]) if staged else parse
        return call(module.constant(texts, module.string, shape=[count]))

    both(read)


@pytest.mark.parametrize("number", range(3))
def test_one_message(number: int) -> None:
    both(lambda module: module.io.parse_single_example(TEXTS[number], forms(module.io, module)))
    both(lambda module: module.io.parse_example(TEXTS[number], forms(module.io, module)))


def test_rows_by_partitions() -> None:
    rows: list[dict[str, Any]] = [
        {"v": [1, 2, 3], "splits": [0, 1, 3], "lengths": [1, 0, 2], "starts": [0, 0, 1], "limits": [0, 2, 3],
         "ids": [0, 0, 2], "outer": [1, 2]},
        {"v": [4, 5, 6, 7], "splits": [0, 4, 4], "lengths": [2, 2], "starts": [0, 3], "limits": [4],
         "ids": [1, 1, 1, 3], "outer": [2, 0, 0]},
    ]  # fmt: skip
    texts = [written(tf.train, row) for row in rows]
    for module in MODULES:
        for row, text in zip(rows, texts, strict=True):
            assert written(module.train, row) == text

    def features_of(module: Any) -> dict[str, Any]:
        ragged, i64 = module.io.RaggedFeature, module.int64
        return {
            "splits": ragged(i64, "v", [ragged.RowSplits("splits")]),
            "lengths": ragged(i64, "v", [ragged.RowLengths("lengths")]),
            "starts": ragged(i64, "v", [ragged.RowStarts("starts")]),
            "limits": ragged(i64, "v", [ragged.RowLimits("limits")]),
            "ids": ragged(i64, "v", [ragged.ValueRowIds("ids")]),
            "two": ragged(i64, "v", [ragged.RowLengths("outer"), ragged.RowSplits("splits")]),
        }

    for text in texts:
        asked = [key for key in features_of(runtime) if key != "two" or text is not texts[0]]
        both(lambda m, t=text, a=asked: m.io.parse_single_example(t, {k: features_of(m)[k] for k in a if k != "two"}))
    both(lambda module: module.io.parse_example(texts, {k: f for k, f in features_of(module).items() if k != "two"}))
    uniform = [written(tf.train, {"v": [1, 2, 3, 4]}), written(tf.train, {"v": [5, 6]})]
    both(lambda m: m.io.parse_example(
        uniform, {"v": m.io.RaggedFeature(m.int64, partitions=[m.io.RaggedFeature.UniformRowLength(2)])}))


def test_sparse_features() -> None:
    rows: list[dict[str, Any]] = [{"ix": [3, 0], "iy": [1, 1], "v": [0.5, 0.25]}, {"ix": [2], "iy": [0], "v": [7.0]}]
    texts = [written(tf.train, row) for row in rows]
    both(lambda m: m.io.parse_example(texts, {"x": m.io.SparseFeature("ix", "v", m.float32, 5)}))
    both(lambda m: m.io.parse_example(texts, {"x": m.io.SparseFeature(["ix", "iy"], "v", m.float32, [5, 2])}))
    both(lambda m: m.io.parse_single_example(texts[0], {"x": m.io.SparseFeature("ix", "v", m.float32, 5)}))


def fixed(io: Any, dtype: Any, shape: Any = (2,), default: Any = None) -> dict[str, Any]:
    return {"a": io.FixedLenFeature(shape, dtype, default)}


WRONG: dict[str, Any] = {
    "a missing feature": lambda m: m.io.parse_example([TEXTS[0], b""], fixed(m.io, m.int64)),
    "another size": lambda m: m.io.parse_example(TEXTS, fixed(m.io, m.int64, [3])),
    "another dtype": lambda m: m.io.parse_example(TEXTS, fixed(m.io, m.float32)),
    "another dtype of any length": lambda m: m.io.parse_example(TEXTS, {"a": m.io.VarLenFeature(m.string)}),
    "no feature of this kind": lambda m: m.io.parse_example(TEXTS, {"none": m.io.FixedLenFeature([], m.string)}),
    "an empty list": lambda m: m.io.parse_example(TEXTS[1:2], {"f": m.io.FixedLenFeature([1], m.float32, [0.0])}),
    "no whole steps": lambda m: m.io.parse_example(
        TEXTS, {"s": m.io.FixedLenSequenceFeature([2], m.int64, allow_missing=True)}),
    "a text that is cut off": lambda m: m.io.parse_example([SHORT, SHORT[:-1]], {"a": m.io.VarLenFeature(m.int64)}),
    "a matrix": lambda m: m.io.parse_example([TEXTS], fixed(m.io, m.int64)),
    "a dtype that there is not": lambda m: m.io.parse_example(TEXTS, fixed(m.io, m.int32)),
    "a default of another shape": lambda m: m.io.parse_example(TEXTS, fixed(m.io, m.int64, [2], 5)),
    "a vector as one": lambda m: m.io.parse_single_example(TEXTS, fixed(m.io, m.int64)),
    "no shape": lambda m: m.io.parse_example(TEXTS, fixed(m.io, m.int64, None)),
    "no dtype": lambda m: m.io.parse_example(TEXTS, fixed(m.io, None)),
    "an unknown shape": lambda m: m.io.parse_example(TEXTS, fixed(m.io, m.int64, [None])),
    "no features": lambda m: m.io.parse_example(TEXTS, {}),
    "what is no feature": lambda m: m.io.parse_example(TEXTS, {"a": m.int64}),
    "steps that may not be missing": lambda m: m.io.parse_example(
        TEXTS, {"a": m.io.FixedLenSequenceFeature([], m.int64)}),
    "a default that is no integer": lambda m: m.io.parse_example(TEXTS, fixed(m.io, m.int64, [], 5.5)),
    "a float among integers": lambda m: m.train.Int64List(value=[1.5]),
    "an integer that is too large": lambda m: m.train.Int64List(value=[2**63]),
    "a text among bytes": lambda m: m.train.BytesList(value=["a"]),
    "a text among floats": lambda m: m.train.FloatList(value=["a"]),
    "one number as a list": lambda m: m.train.Int64List(value=3),
    "a list of another kind": lambda m: m.train.Feature(int64_list=m.train.FloatList(value=[1.0])),
    "a list as a feature": lambda m: m.train.Features(feature={"a": m.train.FloatList(value=[1.0])}),
    "a field that there is not": lambda m: m.train.Feature(value=3),
    "an argument without a name": lambda m: m.train.Int64List([3]),
    "a feature that is assigned": lambda m: m.train.Features().feature.__setitem__("a", m.train.Feature()),
    "a list that is assigned": lambda m: setattr(m.train.Int64List(), "value", [1]),
}  # fmt: skip


@pytest.mark.parametrize("case", WRONG)
def test_what_is_refused(case: str) -> None:
    call = WRONG[case]
    with pytest.raises((TypeError, ValueError, AttributeError, tf.errors.OpError)) as theirs:
        call(tf)
    kinds = {tf.errors.InvalidArgumentError: runtime.errors.InvalidArgumentError}
    with pytest.raises(kinds.get(theirs.type, theirs.type)):
        call(runtime)


def test_random_messages_are_read_as_protocol_buffers_read_them() -> None:
    """TensorFlow's own operation drops parts that repeat, or refuses them; its messages are the reference."""
    rng = random.Random(1)
    texts = [random_message(rng) for _ in range(400)]
    wanted, kept = [], []
    for text in texts:
        peer = tf.train.Example.FromString(text)
        peer.DiscardUnknownFields()
        ours = runtime.train.Example.FromString(text)
        assert tf.train.Example.FromString(ours.SerializeToString()) == peer
        row = {key: peer.features.feature[key] for key in ("a", "b", "")}
        if all(f.WhichOneof("kind") in (None, "int64_list") for f in row.values()):
            kept.append(text)
            wanted.append({key: list(f.int64_list.value) for key, f in row.items()})
    assert len(kept) > 100
    asked = {key: runtime.io.RaggedFeature(runtime.int64) for key in ("a", "b", "")}
    together = runtime.io.parse_example(kept, asked)
    for i, (text, row) in enumerate(zip(kept, wanted, strict=True)):
        alone = runtime.io.parse_single_example(text, asked)
        for key, values in row.items():
            assert together[key][i].numpy().tolist() == values == alone[key].numpy().tolist()
