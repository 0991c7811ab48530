"""Which dtypes the nodes are written for: those that ONNX allows and onnxruntime has kernels for, on every machine.

    TYPES["CumSum"] -> float16, float32, float64, int32, int64

A sum of int8 is written as one of int64 between two casts: whole numbers wrap around at the end as they would have on
the way. Nodes that are not listed take all dtypes. What onnxruntime computes in float32 alone is refused for float64:
half of the digits would be lost without a word.
"""

from __future__ import annotations

from typing import Final

from runtime import dtypes
from runtime.dtypes import DType

__all__ = ["TYPES", "wider"]


def _set(text: str) -> frozenset[DType]:
    return frozenset(dtypes.as_dtype(name) for name in text.split())


_SINGLE: Final = _set("float16 float32")
_FLOATS: Final = _set("float16 float32 float64")
_WORDS: Final = _FLOATS | _set("int32 int64")
_NUMBERS: Final = _FLOATS | _set("int8 int16 int32 int64 uint8 uint16 uint32 uint64")
_EXTREMES: Final = _FLOATS | _set("int8 int32 int64 uint8")
_LIMITS: Final = _EXTREMES | _set("uint32 uint64")

_BY_TYPES: Final[dict[frozenset[DType], str]] = {
    _SINGLE: "Acos Acosh Asin Asinh Atan Atanh Cosh Erf Sinh Tan Conv ConvTranspose AveragePool Det",
    _FLOATS: "Ceil Cos Exp Floor IsInf IsNaN Log Reciprocal Round Sin Softmax LogSoftmax Sqrt Tanh",
    _WORDS: "MatMul Pow CumSum ReduceSum ReduceProd ReduceMean Einsum",
    _WORDS | _set("bool"): "Trilu",
    _NUMBERS: "Abs Add Sub Mul Div Mod Sign Less LessOrEqual Greater GreaterOrEqual",
    _NUMBERS | _set("bool"): "Equal Tile Expand Compress",
    _FLOATS | _set("int8 int16 int32 int64"): "Neg",
    _EXTREMES: "ArgMax ArgMin",
    _EXTREMES | _set("bool"): "ReduceMax ReduceMin",
    _EXTREMES | _set("int16"): "TopK",
    _EXTREMES | _set("uint32"): "Where",
    _LIMITS: "Max Min Clip",
    _LIMITS | _set("bool"): "Pad",
    _set("float16 float32 int32 int64 uint8 bool"): "NonZero",
    _set("float32 float64 int16 int32 int64"): "Range",
    _FLOATS | _set("int8 uint8"): "MaxPool",
    _set("uint8 uint16 uint32 uint64"): "BitShift",
}  # fmt: skip

TYPES: Final[dict[str, frozenset[DType]]] = {
    name: allowed for allowed, names in _BY_TYPES.items() for name in names.split()
}

_WIDER: Final[dict[DType, tuple[DType, ...]]] = {
    dtypes.bool_: (dtypes.uint8, dtypes.int32),
    dtypes.float16: (dtypes.float32,), dtypes.float32: (dtypes.float64,),
    dtypes.int8: (dtypes.int16, dtypes.int32, dtypes.int64), dtypes.int16: (dtypes.int32, dtypes.int64),
    dtypes.int32: (dtypes.int64,),
    dtypes.uint8: (dtypes.int16, dtypes.int32, dtypes.int64), dtypes.uint16: (dtypes.int32, dtypes.int64),
    dtypes.uint32: (dtypes.int64,), dtypes.uint64: (dtypes.int64,),
}  # fmt: skip


def wider(type: str, dtype: DType) -> DType | None:
    """The dtype in which a node of this type computes for one of `dtype`; None if none has all its values.

    uint64 becomes int64, which has its bits: sums and products are right, and an order is not, so rules that ask for
    one change the sign before.
    """
    allowed = TYPES.get(type)
    if allowed is None or dtype in allowed:
        return dtype
    return next((other for other in _WIDER.get(dtype, ()) if other in allowed), None)
