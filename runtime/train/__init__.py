"""`runtime.train`: what is written and read around a training.

>>> feature = runtime.train.Feature(int64_list=runtime.train.Int64List(value=[31]))
>>> runtime.train.Example(features=runtime.train.Features(feature={"age": feature})).SerializeToString()
b'\\n\\x0e\\n\\x0c\\n\\x03age\\x12\\x05\\x1a\\x03\\n\\x01\\x1f'
"""

from __future__ import annotations

from runtime.train.example import (
    BytesList,
    Example,
    Feature,
    FeatureList,
    FeatureLists,
    Features,
    FloatList,
    Int64List,
    SequenceExample,
)

__all__ = [
    "BytesList", "Example", "Feature", "FeatureList", "FeatureLists", "Features", "FloatList", "Int64List",
    "SequenceExample",
]  # fmt: skip
