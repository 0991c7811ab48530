"""Datasets of files: `TextLineDataset`, `TFRecordDataset`, `NpyDataset`, and those of CSV files.

    TextLineDataset(["a.txt", "b.txt"])         # the lines of the first file, then those of the second

Files are named by text, a list, a tensor of strings, or a dataset of strings; they are opened when their turn comes.
Each is a function that returns a `Dataset`.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from runtime.dtypes import string
from runtime.errors import InvalidArgumentError
from runtime.library.data import making, steps
from runtime.library.data.csv_files import CsvReader, Dialect, columns_of, first_rows, inferred
from runtime.library.data.dataset import Dataset
from runtime.library.data.files import Read, check_compression, matching, of_files
from runtime.library.data.lines import LineReader
from runtime.library.data.npy_files import NpyReader, row_spec
from runtime.library.data.records import RecordReader
from runtime.library.data.structure import Structure
from runtime.tensor.eager import EagerTensor
from runtime.tensor.spec import TensorSpec

__all__ = ["CsvDataset", "NpyDataset", "TFRecordDataset", "TextLineDataset", "make_csv_dataset"]


def TextLineDataset(
    filenames: Any, compression_type: str | None = None, buffer_size: Any = None, num_parallel_reads: Any = None,
    name: str | None = None,
) -> Dataset[Any]:  # fmt: skip
    """The lines of text files, without their ends. compression_type: "", "GZIP" or "ZLIB".

    num_parallel_reads: so many files take turns. Raises NotFoundError for a file that does not exist.
    """
    reader = LineReader(check_compression(compression_type))
    return _of_files("TextLine", filenames, reader, Structure(TensorSpec([], string)), num_parallel_reads)


def TFRecordDataset(
    filenames: Any, compression_type: str | None = None, buffer_size: Any = None, num_parallel_reads: Any = None,
    name: str | None = None,
) -> Dataset[Any]:  # fmt: skip
    """The records of TFRecord files, as strings. Raises DataLossError where a file is damaged."""
    reader = RecordReader(check_compression(compression_type))
    return _of_files("TFRecord", filenames, reader, Structure(TensorSpec([], string)), num_parallel_reads)


def NpyDataset(filenames: Any, name: str | None = None) -> Dataset[Any]:
    """The rows of the arrays in .npy files; all have the dtype and row shape of the first. Nothing is unpickled."""
    names = _names(filenames)
    if not names:
        raise InvalidArgumentError("NpyDataset takes a file at least")
    spec = row_spec(names[0])
    return _of_files("Npy", names, NpyReader(spec), Structure(spec), None)


def CsvDataset(
    filenames: Any,
    record_defaults: Sequence[Any],
    compression_type: str | None = None,
    buffer_size: Any = None,
    header: bool = False,
    field_delim: str = ",",
    use_quote_delim: bool = True,
    na_value: str = "",
    select_cols: Sequence[int] | None = None,
    exclude_cols: Sequence[int] | None = None,
) -> Dataset[Any]:
    """The records of CSV files, as tuples of scalars.

    record_defaults: for each column that is read a dtype, where a field is required, or the value for empty fields.
    header: leave out the first line. select_cols, exclude_cols: numbers of the columns that are read, or are not.
    Raises DataLossError for a record with another number of fields, InvalidArgumentError for a field that is wrong.
    """
    if select_cols is not None and exclude_cols is not None:
        raise InvalidArgumentError("CsvDataset takes select_cols or exclude_cols, not both")
    if exclude_cols is not None:
        total = len(record_defaults) + len(exclude_cols)
        select_cols = [number for number in range(total) if number not in exclude_cols]
    columns = columns_of(record_defaults, select_cols)
    dialect = Dialect(field_delim, use_quote_delim, na_value, header, check_compression(compression_type))
    reader = CsvReader(tuple(columns), dialect, len(columns) if select_cols is None else None)
    structure = Structure(tuple(TensorSpec([], column.dtype) for column in columns))
    return _of_files("Csv", filenames, reader, structure, None)


def make_csv_dataset(
    file_pattern: Any,
    batch_size: int,
    column_names: Sequence[str] | None = None,
    column_defaults: Sequence[Any] | None = None,
    label_name: str | None = None,
    select_columns: Sequence[Any] | None = None,
    field_delim: str = ",",
    use_quote_delim: bool = True,
    na_value: str = "",
    header: bool = True,
    num_epochs: int | None = None,
    shuffle: bool = True,
    shuffle_buffer_size: int = 10000,
    shuffle_seed: int | None = None,
    prefetch_buffer_size: int | None = None,
    num_rows_for_inference: int = 100,
    compression_type: str | None = None,
) -> Dataset[Any]:
    """Batches of records as dicts from column names to vectors; with label_name as (dict, labels).

    Names come from the header, dtypes from the first rows, unless they are given. num_epochs: passes, None: no end.
    """
    dialect = Dialect(field_delim, use_quote_delim, na_value, header, check_compression(compression_type))
    files = matching(_names(file_pattern))
    rows = first_rows(files[0], dialect, num_rows_for_inference + 1)
    names = _column_names(column_names, header, rows, files[0])
    chosen = list(range(len(names)))
    if select_columns is not None:
        chosen = sorted(c if isinstance(c, int) else _index(names, c, "select_columns") for c in select_columns)
    defaults = column_defaults
    if defaults is None:
        defaults = [inferred([row[i] for row in rows[header:] if i < len(row)], na_value) for i in chosen]
    if label_name is not None:
        _index([names[i] for i in chosen], label_name, "label_name")
    columns = tuple(columns_of(defaults, chosen))
    structure = Structure(tuple(TensorSpec([], column.dtype) for column in columns))
    dataset = _of_files("Csv", files, CsvReader(columns, dialect, len(names)), structure, None)
    if shuffle:
        dataset = dataset.shuffle(shuffle_buffer_size, shuffle_seed)
    dataset = dataset.repeat(num_epochs).batch(batch_size)

    def named(*columns: Any) -> Any:
        record = {names[i]: column for i, column in zip(chosen, columns, strict=True)}
        return record if label_name is None else (record, record.pop(label_name))

    return dataset.map(named).prefetch(prefetch_buffer_size or 1)


def _column_names(given: Sequence[str] | None, header: bool, rows: list[list[str]], path: str) -> list[str]:
    if given is None and not header:
        raise ValueError("make_csv_dataset: column_names are needed for files without a header")
    if given is None and not rows:
        raise InvalidArgumentError(f"{path}: the file is empty, it has no header")
    names = list(rows[0] if given is None else given)
    if len(set(names)) != len(names):
        raise ValueError(f"make_csv_dataset: column names differ from each other; got {names}")
    return names


def _index(names: Sequence[str], name: str, what: str) -> int:
    if name not in names:
        raise ValueError(f"make_csv_dataset: {what} {name!r} is none of the columns: {', '.join(names)}")
    return names.index(name)


def _names(filenames: Any) -> list[str]:
    value = filenames.numpy() if isinstance(filenames, EagerTensor) else filenames
    if isinstance(value, str | bytes | os.PathLike):
        value = [value]
    return [os.fsdecode(name) for name in np.asarray(value, object).reshape(-1)]


def _of_files(kind: str, filenames: Any, read: Read, structure: Structure, parallel: Any) -> Dataset[Any]:
    if not isinstance(filenames, Dataset):
        filenames = making.from_tensor_slices(_as_strings(filenames))
    spec = filenames.element_spec
    if not isinstance(spec, TensorSpec) or spec.dtype is not string or spec.shape.rank not in (0, None):
        raise TypeError(f"names of files are strings; got a dataset of {spec!r}")
    if parallel is None:
        return steps.dataset(kind, lambda names: of_files(names, read, structure), [filenames], structure)
    one: Callable[[Any], Dataset[Any]] = lambda name: _of_files(kind, name, read, structure, None)
    together: Dataset[Any] = filenames.interleave(one, parallel, 1, parallel)
    return together


def _as_strings(filenames: Any) -> Any:
    """A vector of names; a symbolic tensor stays one."""
    from runtime.ops.arrays.shape import reshape
    from runtime.tensor.tensor import Tensor

    if isinstance(filenames, Tensor) and not isinstance(filenames, EagerTensor):
        return reshape(filenames, [-1])
    made = np.empty(len(_names(filenames)), object)
    made[:] = [os.fsencode(name) for name in _names(filenames)]
    return made
