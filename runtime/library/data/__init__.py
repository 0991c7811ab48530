"""`runtime.data`: input pipelines.

    dataset = runtime.data.TextLineDataset("train.txt").map(parse).shuffle(1000).batch(32).prefetch(2)
    for x, y in dataset:
        step(x, y)

`Dataset` says how elements are made; what runs is in the modules of this package, one for each kind of step.
"""

from runtime.library.data import experimental
from runtime.library.data.dataset import Dataset
from runtime.library.data.datasets_of_files import NpyDataset, TextLineDataset, TFRecordDataset
from runtime.library.data.iterator import Iterator, IteratorSpec
from runtime.library.data.node import INFINITE, UNKNOWN
from runtime.library.data.steps import AUTOTUNE
from runtime.library.data.structure import DatasetSpec
from runtime.names.elsewhere import explain

explain(__name__, experimental.__name__)

INFINITE_CARDINALITY = INFINITE
UNKNOWN_CARDINALITY = UNKNOWN

__all__ = [
    "AUTOTUNE",
    "INFINITE_CARDINALITY",
    "UNKNOWN_CARDINALITY",
    "Dataset",
    "DatasetSpec",
    "Iterator",
    "IteratorSpec",
    "NpyDataset",
    "TFRecordDataset",
    "TextLineDataset",
    "experimental",
]
