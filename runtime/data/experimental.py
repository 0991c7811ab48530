"""`runtime.data.experimental`: names that programs know from there."""

from runtime.data.datasets_of_files import CsvDataset, make_csv_dataset
from runtime.data.node import INFINITE, UNKNOWN
from runtime.data.steps import AUTOTUNE

INFINITE_CARDINALITY = INFINITE
UNKNOWN_CARDINALITY = UNKNOWN

__all__ = ["AUTOTUNE", "INFINITE_CARDINALITY", "UNKNOWN_CARDINALITY", "CsvDataset", "make_csv_dataset"]
