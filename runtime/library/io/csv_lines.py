"""`decode_csv`: texts that hold records of CSV, as a list of tensors.

>>> decode_csv(["1,2.5,a", "3,,b"], [0, 1.5, ""])
[<tf.Tensor: shape=(2,), dtype=int32, numpy=array([1, 3], dtype=int32)>,
 <tf.Tensor: shape=(2,), dtype=float32, numpy=array([2.5, 1.5], dtype=float32)>,
 <tf.Tensor: shape=(2,), dtype=string, numpy=array([b'a', b'b'], dtype=object)>]
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from runtime.dtypes import string
from runtime.errors import InvalidArgumentError
from runtime.ops.files import csv_records
from runtime.ops.records.gradients import ops
from runtime.tensor.convert import convert_to_tensor
from runtime.tensor.switches import switches

__all__ = ["decode_csv"]


@switches
def decode_csv(
    records: Any, record_defaults: Sequence[Any], field_delim: str = ",", use_quote_delim: bool = True,
    na_value: str = "", select_cols: Sequence[int] | None = None, name: str | None = None,
) -> list[Any]:  # fmt: skip
    """The fields of each record, as a list of tensors of the shape of `records`.

    records: string tensor. record_defaults: for each column a value that stands for empty fields and whose dtype the
    column has (float32, float64, int32, int64 or string), a scalar or a vector of one; a vector of none where a field
    is required. na_value: what stands for empty, too. select_cols: the numbers of the columns, rising; without it a
    record has just as many fields as there are defaults. use_quote_delim: False to take quotes as they are. Raises
    InvalidArgumentError with the index of the record and the number of the field.
    """
    columns = tuple(range(len(record_defaults)) if select_cols is None else select_cols)
    if len(columns) != len(record_defaults):
        raise ValueError(f"decode_csv: record_defaults has {len(record_defaults)} entries, select_cols {len(columns)}")
    if any(b <= a for a, b in pairwise(columns)) or any(number < 0 for number in columns):
        raise ValueError(f"decode_csv: select_cols are numbers of columns that rise; got {list(columns)}")
    if not columns:
        raise InvalidArgumentError("decode_csv: record_defaults has at least one entry")
    defaults = [_default(number, entry) for number, entry in enumerate(record_defaults)]
    made = csv_records.decode_csv(
        convert_to_tensor(records, string), [value for value, _ in defaults], columns=columns,
        required=tuple(needed for _, needed in defaults), delimiter=field_delim, quoted=use_quote_delim,
        na_value=na_value, exactly=select_cols is None, name=name,
    )  # fmt: skip
    return list(made)


def _default(number: int, entry: Any) -> tuple[Any, bool]:
    """What stands for an empty field, and whether nothing does."""
    value = convert_to_tensor(entry)
    size = value.shape.num_elements()
    if size is None or size > 1:
        raise InvalidArgumentError(f"decode_csv: a field has one default; the field {number} has {value.shape}")
    if size == 0:
        return convert_to_tensor(b"" if value.dtype is string else 0, value.dtype), True
    return ops.reshape(value, []), False
