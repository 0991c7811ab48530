"""bfloat16 in kernels: they compute in float32, and each result is rounded once.

    matmul(a, b)          # of bfloat16: a and b as float32, numpy's matmul, its result as bfloat16

So a sum of a thousand numbers is rounded once and not a thousand times, matrices take the fast way of float32, and no
kernel has to know of a dtype that numpy hardly knows itself. This file says in one place what takes bfloat16 and how:

- an operation whose table allows floats takes it, unless `WITHOUT` says that it does not;
- an operation that takes values of every dtype only moves them: it is given them as they are, and so is what works on
  handles and what `AS_THEY_ARE` names; all others, and `IN_ORDER`, are given float32.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from typing import Any, Final

import numpy as np

from runtime.dtypes import ANY, NARROW, RESOURCES, VARIANTS, DType, bfloat16, float32

__all__ = ["AS_THEY_ARE", "IN_ORDER", "WITHOUT", "in_float32", "takes_narrow", "widened", "without_narrow"]

WITHOUT: Final = frozenset({"digamma", "erfinv", "in_top_k", "lgamma", "nextafter", "polygamma"})
"""Operations on floats that do not take bfloat16, as TensorFlow's have no kernel for it on a CPU."""

AS_THEY_ARE: Final = frozenset({
    "check_finite", "random_categorical", "random_normal", "random_truncated_normal", "random_uniform",
    "stateless_categorical", "stateless_normal", "stateless_truncated_normal", "stateless_uniform",
    "unsorted_segment_max", "unsorted_segment_min",
})  # fmt: skip
"""Operations whose kernels know of bfloat16 themselves: the dtype shows in what they do."""

IN_ORDER: Final = frozenset({"unique_in_order"})
"""Operations on every dtype that put values in order, which numpy does wrong for bfloat16 with nan among them."""


def without_narrow(name: str, allowed: frozenset[DType]) -> frozenset[DType]:
    """The dtypes that an operation of this name takes, out of those in its table."""
    return allowed - {bfloat16} if name in WITHOUT else allowed


def takes_narrow(name: str, groups: Iterable[frozenset[DType]]) -> bool:
    """Whether the kernel is given bfloat16 as it is. groups: the dtypes of each group of operands."""
    handles = VARIANTS | RESOURCES
    moved = name not in IN_ORDER and all(g >= ANY for g in groups if bfloat16 in g)
    return name in AS_THEY_ARE or moved or any(g <= handles for g in groups)


def widened(values: Iterable[Any], attributes: Mapping[str, Any]) -> tuple[list[Any], dict[str, Any]] | None:
    """The operands and attributes with float32 in the place of bfloat16; None if there is nothing to replace."""
    given = list(values)
    arrays = [v.astype(np.float32) if getattr(v, "dtype", None) in NARROW else v for v in given]
    named = {k: float32 if v is bfloat16 else v for k, v in attributes.items()}
    same = all(map(operator.is_, arrays, given)) and all(map(operator.is_, named.values(), attributes.values()))
    return None if same else (arrays, named)


@lru_cache(maxsize=1024)
def in_float32(kernel: Callable[..., Any]) -> Callable[..., Any]:
    """The kernel for operands of bfloat16; who calls it rounds the result."""

    def computed_in_float32(*arrays: Any, **attributes: Any) -> Any:
        wide, named = widened(arrays, attributes) or (arrays, attributes)
        return kernel(*wide, **named)

    return computed_in_float32
