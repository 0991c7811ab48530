"""Messages for TensorFlow and for us alike, and what they are read as, in plain Python.

    features(tf.train, {"a": [1, 2]})              # tf.train.Features
    features(runtime.train, {"a": [1, 2]})         # runtime.train.Features
"""

from __future__ import annotations

from typing import Any

import numpy as np
import tensorflow as tf

import runtime

__all__ = ["MODULES", "feature", "features", "plain"]

MODULES = (tf, runtime)


def feature(train: Any, values: Any) -> Any:
    if values is None:
        return train.Feature()
    if values and isinstance(values[0], bytes):
        return train.Feature(bytes_list=train.BytesList(value=values))
    if not values or isinstance(values[0], float):
        return train.Feature(float_list=train.FloatList(value=values))
    return train.Feature(int64_list=train.Int64List(value=values))


def features(train: Any, row: dict[str, Any]) -> Any:
    return train.Features(feature={key: feature(train, values) for key, values in row.items()})


def plain(value: Any) -> Any:
    if hasattr(value, "dense_shape"):
        return [np.asarray(part).tolist() for part in (value.indices, value.values, value.dense_shape)]
    return value.to_list() if hasattr(value, "row_splits") else np.asarray(value).tolist()
