"""`np.cov` and `np.corrcoef`: how much variables, one in each row, vary together.

    np.cov(x)     ->     d @ transpose(d) / (n - 1),  d = x - mean(x, axis=1)
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from runtime.tensor.numpy_calls.operands import Table, call, floating, rank_of, size_of, tensor, to

__all__ = ["TABLE"]

TABLE: Final = Table()


def _rows(value: Any, rowvar: bool, dtype: Any) -> Any:
    x = to(tensor(value), dtype)
    if rank_of(x, "cov") > 2:
        raise ValueError("m has more than 2 dimensions")
    if rank_of(x, "cov") < 2:
        return call("reshape", x, [1, -1])
    return x if rowvar else call("transpose", x)


def _weights(fweights: Any, aweights: Any, dtype: Any) -> tuple[Any, Any]:
    """The weights of the observations, and those among them that are no counts."""
    counts = None if fweights is None else to(tensor(fweights), dtype)
    amounts = None if aweights is None else to(tensor(aweights), dtype)
    if counts is None or amounts is None:
        return (amounts if counts is None else counts), amounts
    return call("multiply", counts, amounts), amounts


@TABLE.of(np.cov)
def _cov(
    m: Any, y: Any = None, rowvar: bool = True, bias: bool = False, ddof: Any = None, fweights: Any = None,
    aweights: Any = None, *, dtype: Any = None,
) -> Any:  # fmt: skip
    kinds = [floating(value).dtype.numpy for value in (m, y) if value is not None]
    dtype = np.result_type(np.float64, *kinds) if dtype is None else np.dtype(dtype)
    x = _rows(m, rowvar, dtype)
    if y is not None:
        x = call("concat", [x, _rows(y, rowvar, dtype)], axis=0)
    weights, amounts = _weights(fweights, aweights, dtype)
    freedom = ddof if ddof is not None else 0 if bias else 1
    if weights is None:
        mean, count = call("reduce_mean", x, 1, True), call("subtract", to(size_of(x, 1), dtype), freedom)
    else:
        total = call("reduce_sum", weights)
        mean = call("divide", call("reduce_sum", call("multiply", x, weights), 1, True), total)
        lost: Any = freedom
        if amounts is not None:
            squares = call("reduce_sum", call("multiply", weights, amounts))
            lost = call("divide", call("multiply", squares, freedom), total)
        count = call("subtract", total, lost)
    centred = call("subtract", x, mean)
    turned = call("transpose", centred if weights is None else call("multiply", centred, weights))
    turned = call("conj", turned) if turned.dtype.is_complex else turned
    product = call("divide", call("matmul", centred, turned), count)
    return call("squeeze", product) if x.shape.dims is not None and x.shape.dims[0] == 1 else product


@TABLE.of(np.corrcoef)
def _corrcoef(x: Any, y: Any = None, rowvar: bool = True, *, dtype: Any = None) -> Any:
    covariance = _cov(x, y, rowvar, dtype=dtype)
    if rank_of(covariance, "corrcoef") != 2:
        return call("divide", covariance, covariance)
    spread = call("sqrt", np.diagonal(covariance))
    scaled = call("divide", call("divide", covariance, call("expand_dims", spread, axis=1)), spread)
    if not scaled.dtype.is_complex:
        return call("clip_by_value", scaled, -1, 1)
    return call("complex", *(call("clip_by_value", call(part, scaled), -1, 1) for part in ("real", "imag")))
