"""`parse_example`: texts that hold `Example` messages, as a dict of tensors.

    features = {"age": FixedLenFeature([], runtime.int64), "tags": VarLenFeature(runtime.string)}
    runtime.data.TFRecordDataset("people.tfrecord").batch(32).map(lambda texts: parse_example(texts, features))

`runtime.train.Example` writes such texts.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from runtime.dtypes import string
from runtime.library.io.features import Request, outputs_of
from runtime.ops.files import example_bytes
from runtime.ops.records.gradients import ops
from runtime.tensor.convert import convert_to_tensor

__all__ = ["parse_example", "parse_single_example", "parsed", "run", "text_of_one", "texts_of_many"]


def parse_example(
    serialized: Any, features: Mapping[str, Any], example_names: Any = None, name: str | None = None
) -> dict[str, Any]:
    """The features of many `Example` messages, as a dict of tensors; see `FixedLenFeature` and the others.

    serialized: a vector of texts, or one text. features: by key. example_names: has no effect, errors name the index.
    Raises InvalidArgumentError for a message that is damaged, with the byte, or whose features are not as they are
    asked for.
    """
    return parsed(texts_of_many(serialized, "parse_example"), features, name)


def parse_single_example(
    serialized: Any, features: Mapping[str, Any], example_names: Any = None, name: str | None = None
) -> dict[str, Any]:
    """The features of one `Example` message, as `parse_example` reads many. serialized: a string scalar.

    A VarLenFeature has one axis, a RaggedFeature without partitions is a vector.
    """
    return parsed(text_of_one(serialized, "parse_single_example"), features, name)


def texts_of_many(serialized: Any, call: str) -> Any:
    """The messages as a tensor of a rank that is known."""
    texts = convert_to_tensor(serialized, string)
    if texts.shape.rank is None:
        raise ValueError(f"{call}: the rank of serialized must be known: a vector of texts, or one text")
    return texts


def text_of_one(serialized: Any, call: str) -> Any:
    """The message as a scalar."""
    text = convert_to_tensor(serialized, string)
    if text.shape.rank not in (0, None):
        raise ValueError(f"{call}: serialized is one text; its shape is {text.shape}")
    return text if text.shape.rank == 0 else ops.ensure_shape(text, shape=[])


def parsed(texts: Any, features: Mapping[str, Any], name: str | None) -> dict[str, Any]:
    """What `parse_example` gives for messages that are a tensor."""
    single = texts.shape.rank == 0
    asked = requests_of(features, single)
    made = run(example_bytes.parse_example, texts, [request for group in asked.values() for request in group], name)
    return {key: features[key].built(key, [next(made) for _ in group], single) for key, group in asked.items()}


def requests_of(features: Mapping[str, Any], single: bool) -> dict[str, list[Request]]:
    """What each feature asks for. Raises ValueError or TypeError for what is no feature."""
    if not isinstance(features, Mapping) or not features:
        raise ValueError(f"features is a dict with a feature for each key, such as FixedLenFeature; got {features!r}")
    for key, feature in features.items():
        if not isinstance(key, str):
            raise TypeError(f"the key of a feature is a str; got {key!r}")
        if not all(callable(getattr(feature, part, None)) for part in ("requests", "built")):
            raise ValueError(f"the feature {key!r} is a FixedLenFeature, a VarLenFeature, ...; got {feature!r}")
    return {key: feature.requests(key, single) for key, feature in features.items()}


def run(
    operation: Any, texts: Any, requests: list[Request], name: str | None, outputs: Callable[[str], int] = outputs_of
) -> Any:
    """The tensors of each request, one after the other. outputs: how many they are, by the form."""
    columns = {part: tuple(getattr(r, part) for r in requests) for part in ("key", "form", "dtype", "shape")}
    defaults = [request.default for request in requests if request.default is not None]
    made = iter(
        operation(
            texts, defaults, keys=columns["key"], forms=columns["form"], dtypes=columns["dtype"],
            shapes=columns["shape"], name=name,
        )
    )  # fmt: skip
    return (tuple(next(made) for _ in range(outputs(request.form))) for request in requests)
