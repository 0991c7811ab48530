"""numpy's functions that no operation stands for, and what to take in their place: by what they are for.

    np.save(file, x)      ->      TypeError: ... files are outside of a graph: return the array and save it then
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

__all__ = ["OF_PYTHON", "OUTSIDE", "REFUSED", "is_refused"]

_FILES: Final = "files are outside of a graph: return the array and save it then, or see runtime.io"
_TEXT: Final = "an f-string, runtime.strings.as_string and runtime.print make text of what only the run knows"
_DATES: Final = "tensors have no dates: take the days as integers"
_MEMORY: Final = "a graph has no say in where elements lie"
_MATRIX: Final = "np.block puts matrices together, `@` multiplies them"

OUTSIDE: Final[Mapping[str, str]] = {
    **dict.fromkeys(
        ("fromfile", "fromregex", "fromstring", "genfromtxt", "load", "loadtxt", "save", "savetxt", "savez",
         "savez_compressed", "frombuffer", "memmap"), _FILES),
    **dict.fromkeys(
        ("array2string", "array_repr", "array_str", "base_repr", "binary_repr", "format_float_positional",
         "format_float_scientific"), _TEXT),
    **dict.fromkeys(
        ("busday_count", "busday_offset", "datetime_as_string", "datetime_data", "is_busday", "isnat"), _DATES),
}  # fmt: skip
"""Functions of files, texts and dates, which no numerical code needs in a graph."""

REFUSED: Final[Mapping[str, str]] = {
    **dict.fromkeys(("isfortran", "may_share_memory", "shares_memory"), _MEMORY),
    **dict.fromkeys(("asmatrix", "bmat"), _MATRIX),
    "from_dlpack": "pass what it is to come from as an argument",
    "fromiter": "np.array([... for ... in ...]) takes what is counted",
    "frompyfunc": "call the function itself on the array, or on each row by runtime.vectorized_map",
    "nested_iters": "loop over np.ndindex(x.shape)",
    "packbits": "np.sum(np.left_shift(bits, places), axis=-1) puts bits together",
    "poly1d": "np.polyval, np.polymul, ... take the coefficients",
    "unpackbits": "np.bitwise_and(np.right_shift(x, places), 1) takes bits apart",
    "vectorize": "call the function itself on the array, or on each row by runtime.vectorized_map",
}  # fmt: skip
"""What to take in the place of each."""

OF_PYTHON: Final = frozenset(
    {
        "broadcast_shapes", "can_cast", "get_include", "get_printoptions", "getbufsize", "geterr", "geterrcall", "info",
        "isdtype", "issubdtype", "min_scalar_type", "mintypecode", "printoptions", "promote_types",
        "set_printoptions", "setbufsize", "seterr", "seterrcall", "show_config", "show_runtime",
        "test", "typename",
    }
)  # fmt: skip
"""What takes no arrays but dtypes, sizes and settings: in a traced function it is what it is elsewhere."""


def is_refused(name: str) -> bool:
    """Whether a function has nothing to do in a graph, as the tables here say."""
    return name in REFUSED or name in OUTSIDE
