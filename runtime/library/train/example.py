"""`Example`: features by name, as they are written to TFRecord files; and `SequenceExample`, with lists of features.

    example = Example(features=Features(feature={"age": Feature(int64_list=Int64List(value=[31]))}))
    writer.write(example.SerializeToString())

`runtime.io.parse_example` reads many of them as tensors. Source: tensorflow/core/example/example.proto, feature.proto.
"""

from __future__ import annotations

from typing import ClassVar

from runtime.library.train.fields import FLOATS, INTEGERS, TEXTS, Many, Map, One, Values
from runtime.library.train.messages import Message

__all__ = [
    "BytesList", "Example", "Feature", "FeatureList", "FeatureLists", "Features", "FloatList", "Int64List",
    "SequenceExample",
]  # fmt: skip


class BytesList(Message):
    """Texts. value: a list of bytes."""

    fields: ClassVar = {"value": Values(1, TEXTS)}
    __slots__ = ()


class FloatList(Message):
    """Numbers, kept as float32. value: a list of them."""

    fields: ClassVar = {"value": Values(1, FLOATS)}
    __slots__ = ()


class Int64List(Message):
    """Integers. value: a list of them, of 64 bits."""

    fields: ClassVar = {"value": Values(1, INTEGERS)}
    __slots__ = ()


class Feature(Message):
    """One of `bytes_list`, `float_list` and `int64_list`; `WhichOneof("kind")` says which."""

    fields: ClassVar = {
        "bytes_list": One(1, BytesList), "float_list": One(2, FloatList), "int64_list": One(3, Int64List),
    }  # fmt: skip
    one_of = "kind"
    __slots__ = ()


class Features(Message):
    """feature: a Feature for each name."""

    fields: ClassVar = {"feature": Map(1, Feature)}
    __slots__ = ()


class Example(Message):
    """One record. features: a Features."""

    fields: ClassVar = {"features": One(1, Features)}
    __slots__ = ()


class FeatureList(Message):
    """feature: a list of Features of one kind, one for each step."""

    fields: ClassVar = {"feature": Many(1, Feature)}
    __slots__ = ()


class FeatureLists(Message):
    """feature_list: a FeatureList for each name."""

    fields: ClassVar = {"feature_list": Map(1, FeatureList)}
    __slots__ = ()


class SequenceExample(Message):
    """One record with sequences. context: a Features; feature_lists: a FeatureLists."""

    fields: ClassVar = {"context": One(1, Features), "feature_lists": One(2, FeatureLists)}
    __slots__ = ()
