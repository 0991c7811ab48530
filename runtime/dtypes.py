"""Data types of tensors: `runtime.int32`, `runtime.float32`, ..., and how Python and numpy values map to them.

    >>> float32.as_numpy_dtype
    <class 'numpy.float32'>
    >>> as_dtype("int64")
    tf.int64

Python numbers are *weak*: 1 is int32 and 1.5 float32 only while no tensor beside them says otherwise
(`runtime.tensor.literals` has the rules). numpy arrays keep their own type.

`bfloat16` is float32 without the lower half of its bits. numpy has no such type: arrays of it have that of the library
`ml_dtypes` (the extra `bfloat16`), which is imported when they are first met.

`variant` is the dtype of the handles of growing lists (`runtime.ops.kernels.list_value`): always of rank 0, taken by
the operations on lists and by control flow, and by no arithmetic; so it is not among `ALL` and `ANY`. `resource` is
that of the handles of Variables (`runtime.ops.kernels.resource`): what a graph reads and writes while it runs.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

__all__ = ["DType", "as_dtype"]

NUMBERS: Final = "biufc"
"""numpy's letters for the kinds of dtypes whose elements are bools or numbers: no texts, objects, dates, structures."""


_OF_NUMPY: Final = frozenset(
    {"alignment", "byteorder", "char", "fields", "isnative", "names", "newbyteorder", "num", "str"}
)
"""What programs ask numpy's dtypes for, and a tensor's has as numpy's."""


class DType:
    """The type of a tensor's elements. There is one object for each type: compare with `is` or `==`."""

    __slots__ = ("as_numpy_dtype", "family", "name", "numpy")

    def __init__(self, name: str, numpy_type: Any, family: str) -> None:
        self.name: Final = name
        self.family: Final = family
        """One of "bool", "int", "uint", "float", "complex", "string", "variant", "resource"."""
        if numpy_type is not None:
            self._set_numpy(numpy_type)

    def _set_numpy(self, numpy_type: Any) -> None:
        self.as_numpy_dtype: Any = numpy_type
        self.numpy: np.dtype[Any] = np.dtype(numpy_type)

    def __getattr__(self, name: str) -> Any:
        """Called for what is not there: what numpy's dtypes have; of bfloat16 the type of its arrays, at first."""
        if name in _OF_NUMPY:
            return getattr(self.numpy, name)
        if name not in ("as_numpy_dtype", "numpy"):
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        scalar = _numpy_bfloat16()
        dtype = np.dtype(scalar)
        NARROW.add(dtype)  # before another thread can meet an array of it
        _BY_NUMPY[dtype] = self
        self._set_numpy(scalar)
        return getattr(self, name)

    def __repr__(self) -> str:
        return f"tf.{self.name}"

    def __str__(self) -> str:
        return f"<dtype: {self.name!r}>"

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if other is None or isinstance(other, DType):
            return False
        try:
            return as_dtype(other) is self
        except TypeError:
            return False

    def __hash__(self) -> int:
        return hash(self.name)

    def __reduce__(self) -> tuple[Any, ...]:
        return as_dtype, (self.name,)

    @property
    def is_floating(self) -> bool:
        """float16, bfloat16, float32 or float64."""
        return self.family == "float"

    @property
    def is_integer(self) -> bool:
        """An integer with or without sign; bool is none."""
        return self.family in ("int", "uint")

    @property
    def is_unsigned(self) -> bool:
        """An integer without sign."""
        return self.family == "uint"

    @property
    def is_bool(self) -> bool:
        """bool itself."""
        return self.family == "bool"

    @property
    def is_complex(self) -> bool:
        """complex64 or complex128."""
        return self.family == "complex"

    @property
    def is_numeric(self) -> bool:
        """Whether arithmetic is defined: all dtypes but bool, string, variant and resource."""
        return self.family in ("int", "uint", "float", "complex")

    @property
    def base_dtype(self) -> DType:
        """This dtype: there are no dtypes of references."""
        return self

    def is_compatible_with(self, other: Any) -> bool:
        """Whether a value of the dtype `other` may stand where this one is wanted: they are the same."""
        return as_dtype(other) is self

    @property
    def dtype(self) -> np.dtype[Any]:
        """The numpy dtype, where numpy looks for it: `np.zeros(3, x.dtype)`, `np.issubdtype(x.dtype, np.floating)`."""
        return self.numpy

    __numpy_dtype__ = dtype

    @property
    def type(self) -> Any:
        """The type of numpy's scalars of this dtype, the same as `as_numpy_dtype`."""
        return self.as_numpy_dtype

    @property
    def kind(self) -> str:
        """numpy's letter for what the elements are: "f", "i", "u", "c", "b"; of strings "O"."""
        return "f" if self is bfloat16 else self.numpy.kind

    @property
    def itemsize(self) -> int:
        """Bytes an element, the same as `size`."""
        return self.size

    @property
    def size(self) -> int:
        """Bytes an element; for strings, of the reference that the array holds."""
        return 2 if self is bfloat16 else self.numpy.itemsize

    @property
    def min(self) -> Any:
        """The lowest finite value, as a Python number. Raises TypeError for strings and bool."""
        return -self.max if self.is_floating else self._limits().min

    @property
    def max(self) -> Any:
        """The highest finite value, as a Python number. Raises TypeError for strings and bool."""
        if self is bfloat16:
            return (2 - spacing_at_one(self)) * 2.0**127
        return self._limits().max.item() if self.is_floating else self._limits().max

    @property
    def limits(self) -> tuple[Any, Any]:
        """The lowest and the highest intensity of images: 0, and for floats 1, for integers the highest value.

        Raises ValueError for bfloat16, complex numbers and strings.
        """
        if self.is_integer or self.is_bool or (self.is_floating and self is not bfloat16):
            return 0, self.max if self.is_integer else True if self.is_bool else 1
        raise ValueError(f"{self!r} has no limits of intensity")

    def _limits(self) -> Any:
        if self.is_floating:
            return np.finfo(self.numpy)
        if self.is_integer:
            return np.iinfo(self.numpy)
        raise TypeError(f"{self!r} has no lowest and highest value")


def _numpy_bfloat16() -> Any:
    """The type of numpy's scalars that the library brings; its absence names the extra."""
    try:
        from ml_dtypes import bfloat16 as scalar  # an extra
    except ImportError:
        raise ImportError(
            "Values of runtime.bfloat16 need the package 'ml_dtypes', which numpy has its type from:"
            " pip install 'autograph-runtime[bfloat16]'"
        ) from None
    return scalar


float16 = DType("float16", np.float16, "float")
bfloat16 = DType("bfloat16", None, "float")
float32 = DType("float32", np.float32, "float")
float64 = DType("float64", np.float64, "float")
int8 = DType("int8", np.int8, "int")
int16 = DType("int16", np.int16, "int")
int32 = DType("int32", np.int32, "int")
int64 = DType("int64", np.int64, "int")
uint8 = DType("uint8", np.uint8, "uint")
uint16 = DType("uint16", np.uint16, "uint")
uint32 = DType("uint32", np.uint32, "uint")
uint64 = DType("uint64", np.uint64, "uint")
complex64 = DType("complex64", np.complex64, "complex")
complex128 = DType("complex128", np.complex128, "complex")
bool_ = DType("bool", np.bool_, "bool")
string = DType("string", np.object_, "string")
variant = DType("variant", np.dtype([("value", np.object_)]), "variant")  # a dtype that no array of strings has
resource = DType("resource", np.dtype([("resource", np.object_)]), "resource")

ALL: Final = (
    float16, bfloat16, float32, float64, int8, int16, int32, int64, uint8, uint16, uint32, uint64,
    complex64, complex128, bool_, string,
)  # fmt: skip
FLOATS: Final = frozenset(t for t in ALL if t.is_floating)
INTEGERS: Final = frozenset(t for t in ALL if t.is_integer)
SIGNED: Final = frozenset(t for t in ALL if t.family in ("int", "float", "complex"))
REALS: Final = FLOATS | INTEGERS
COMPLEX: Final = frozenset(t for t in ALL if t.is_complex)
NUMERIC: Final = REALS | COMPLEX
BOOLS: Final = frozenset({bool_})
STRINGS: Final = frozenset({string})
ANY: Final = frozenset(ALL)
VARIANTS: Final = frozenset({variant})
RESOURCES: Final = frozenset({resource})
EVERY: Final = ANY | VARIANTS | RESOURCES

_OTHER_NAMES: Final = {"half": float16, "double": float64, "float": float32}
_BY_NAME: Final = {t.name: t for t in (*ALL, variant, resource)} | _OTHER_NAMES
_BY_NUMPY: Final = {t.numpy: t for t in (*ALL, variant, resource) if t is not bfloat16}
NARROW: Final[set[np.dtype[Any]]] = set()
"""The numpy dtype of bfloat16, once there is one: kernels are given such arrays as float32, see
`runtime.ops.kernels.narrow`."""
_BY_PYTHON: Final[dict[Any, DType]] = {
    bool: bool_, int: int32, float: float32, complex: complex128, str: string, bytes: string,
}  # fmt: skip


def as_dtype(type_value: Any) -> DType:
    """The DType for a DType, a name ("int32"), a numpy dtype or scalar type, or a Python type (int, float, bool, str).

    Raises TypeError for anything else, naming it.
    """
    if isinstance(type_value, DType):
        return type_value
    if isinstance(type_value, type) and type_value in _BY_PYTHON:
        return _BY_PYTHON[type_value]
    if isinstance(type_value, str) and type_value in _BY_NAME:
        return _BY_NAME[type_value]
    try:
        found = from_numpy(np.dtype(type_value))
    except (TypeError, ValueError, SyntaxError):  # numpy reads texts such as "i4, f8" as Python
        found = None
    if found is None:
        raise TypeError(f"Cannot convert {type_value!r} to a DType; known types are {', '.join(t.name for t in ALL)}")
    return found


def spacing_at_one(dtype: DType) -> float:
    """From 1 to the next number of the dtype above it, for floating and complex numbers; 0 for others."""
    if dtype is bfloat16:
        return 2.0**-7
    return float(np.finfo(dtype.numpy).eps) if dtype.is_floating or dtype.is_complex else 0


def letter_of(dtype: np.dtype[Any]) -> str:
    """numpy's letter for the kind of a dtype, "f" also for bfloat16."""
    return "f" if dtype in NARROW else dtype.kind


def from_numpy(dtype: np.dtype[Any]) -> DType | None:
    """The DType of a numpy dtype (any byte order; text and bytes are strings), or None if tensors cannot hold it."""
    found = _BY_NUMPY.get(dtype)
    if found is None:
        if dtype.name == "bfloat16" and dtype == bfloat16.numpy:
            return bfloat16
        found = string if dtype.kind in "SU" else _BY_NUMPY.get(dtype.newbyteorder("="))
    return found
