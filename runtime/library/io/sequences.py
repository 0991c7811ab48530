"""`parse_sequence_example`: texts that hold `SequenceExample` messages, as dicts of tensors.

    context, lists, lengths = parse_sequence_example(
        texts, {"id": FixedLenFeature([], runtime.int64)}, {"words": RaggedFeature(runtime.string)}
    )

A message has features of its own, the context, and lists of features, with one feature for each step.
`runtime.train.SequenceExample` writes such texts.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from runtime.composite.ragged_tensor import RaggedTensor
from runtime.composite.sparse_tensor import SparseTensor
from runtime.dtypes import as_dtype
from runtime.library.io.examples import parsed, run, text_of_one, texts_of_many
from runtime.library.io.features import FixedLenSequenceFeature, RaggedFeature, Request, VarLenFeature, dtype_of
from runtime.ops.files import sequence_bytes
from runtime.ops.files.sequence_bytes import STEPS

__all__ = ["parse_sequence_example", "parse_single_sequence_example"]

Named = Mapping[str, Any]
Found = tuple[dict[str, Any], dict[str, Any], dict[str, Any]]


def parse_sequence_example(
    serialized: Any, context_features: Named | None = None, sequence_features: Named | None = None,
    example_names: Any = None, name: str | None = None,
) -> Found:  # fmt: skip
    """The features of many `SequenceExample` messages: (context, lists, lengths), dicts of tensors.

    serialized: a vector of texts, or one text. context_features: as `parse_example` takes them. sequence_features: a
    FixedLenSequenceFeature becomes a tensor [messages, most steps, *shape] filled up with its default, and has its
    numbers of steps in `lengths`; a VarLenFeature a SparseTensor [messages, most steps, most values], a RaggedFeature a
    RaggedTensor [messages, (steps), (values)]. Raises what `parse_example` raises.
    """
    texts = texts_of_many(serialized, "parse_sequence_example")
    return _parsed(texts, context_features, sequence_features, name)


def parse_single_sequence_example(
    serialized: Any, context_features: Named | None = None, sequence_features: Named | None = None,
    example_name: Any = None, name: str | None = None,
) -> tuple[dict[str, Any], dict[str, Any]]:  # fmt: skip
    """The features of one `SequenceExample` message: (context, lists), see `parse_sequence_example`. serialized: a
    string scalar; what it gives has no axis of messages."""
    text = text_of_one(serialized, "parse_single_sequence_example")
    return _parsed(text, context_features, sequence_features, name)[:2]


def _parsed(texts: Any, context: Named | None, lists: Named | None, name: str | None) -> Found:
    if not context and not lists:
        raise ValueError("parse_sequence_example needs context_features or sequence_features")
    found = parsed(texts, context, name) if context else {}
    requests = [_request(key, feature) for key, feature in (lists or {}).items()]
    made, lengths = dict[str, Any](), dict[str, Any]()
    if requests:
        columns = run(sequence_bytes.parse_feature_lists, texts, requests, name, lambda f: 2 if f in STEPS else 3)
        for (key, feature), column in zip((lists or {}).items(), columns, strict=True):
            made[key] = _BUILT[type(feature)](feature, column, texts.shape.rank == 0)
            if isinstance(feature, FixedLenSequenceFeature):
                lengths[key] = column[1]
    return found, made, lengths


def _request(key: str, feature: Any) -> Request:
    if not isinstance(key, str):
        raise TypeError(f"the key of a list is a str; got {key!r}")
    if isinstance(feature, FixedLenSequenceFeature):
        column = feature.padded(key)
        form = "optional_steps" if feature.allow_missing else "steps"
        return Request(key, form, column.dtype, column.shape, column.default)
    if isinstance(feature, RaggedFeature) and not feature.partitions:
        return Request(feature.value_key or key, "rows", dtype_of(feature, key))
    if isinstance(feature, VarLenFeature):
        return Request(key, "cells", dtype_of(feature, key))
    kinds = "a FixedLenSequenceFeature, a VarLenFeature, or a RaggedFeature without partitions"
    raise ValueError(f"the list {key!r} is {kinds}; got {feature!r}")


def _ragged(feature: RaggedFeature, column: Any, single: bool) -> Any:
    values, inner, outer = column
    steps = RaggedTensor.from_row_splits(values, inner, validate=False)
    made = steps if single else RaggedTensor.from_row_splits(steps, outer, validate=False)
    return made.with_row_splits_dtype(as_dtype(feature.row_splits_dtype))


_BUILT: Final[dict[type, Callable[[Any, Any, bool], Any]]] = {
    FixedLenSequenceFeature: lambda feature, column, single: column[0],
    RaggedFeature: _ragged,
    VarLenFeature: lambda feature, column, single: SparseTensor.of(column[1], column[0], column[2]),
}
