"""Runs a program of NumPy as it is and as a Function: the same results, dtypes and arguments after the call.

    assert_same(heat, (u, 0.1, 20), "arrays")

Modes: what stands for the arguments of the program.
    arrays    ndarrays and Python's numbers, as Python gets them
    tensors   a tensor in the place of each array
    numbers   a tensor in the place of each number, arrays as they are: as with numpy's numbers in Python
"""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import numpy as np

import runtime as tf

__all__ = ["MODES", "assert_same", "given"]

MODES = ("arrays", "tensors", "numbers")

TOLERANCE = {np.dtype(np.float32): 1e-5, np.dtype(np.complex64): 1e-5}
"""Relative to the largest element; 1e-12 for what is not here."""


def given(value: Any, mode: str) -> Any:
    """An argument as the mode gives it."""
    if mode == "tensors" and isinstance(value, np.ndarray):
        return tf.constant(value)
    if mode == "numbers" and isinstance(value, int | float | complex):
        return tf.constant(np.asarray(value))
    return value


def as_numpys(value: Any) -> Any:
    """A number of Python's as numpy's own, with the dtype that its tensor has."""
    return np.asarray(value)[()] if isinstance(value, int | float | complex) else value


def assert_same(function: Callable[..., Any], arguments: tuple[Any, ...], mode: str, staged: Any = None) -> None:
    """The Function gives what the function gives, and leaves the arguments as it does; twice, from one trace.

    staged: the Function, where it has been made.
    """
    staged = tf.function(function) if staged is None else staged
    wanted_arguments = [as_numpys(value) if mode == "numbers" else value for value in copy.deepcopy(arguments)]
    wanted = function(*wanted_arguments)
    for time in ("first", "second"):
        call = [given(value, mode) for value in copy.deepcopy(arguments)]
        where = f"{function.__name__}, {mode}, {time} call"
        _compare(staged(*call), wanted, f"result of {where}", mode)
        for i, (now, written, before) in enumerate(zip(call, wanted_arguments, arguments, strict=True)):
            _compare(now, before if isinstance(now, tf.Tensor) else written, f"argument {i} of {where}", mode)


def _compare(found: Any, wanted: Any, what: str, mode: str) -> None:
    if wanted is None:
        assert found is None, what
    elif isinstance(wanted, dict):
        assert list(found) == list(wanted), what
        for key in wanted:
            _compare(found[key], wanted[key], f"[{key!r}] in {what}", mode)
    elif isinstance(wanted, list | tuple) and not isinstance(found, tf.Tensor):
        assert len(found) == len(wanted), f"{what}: {len(wanted)} parts, found {len(found)}"
        for i, (a, b) in enumerate(zip(found, wanted, strict=True)):
            _compare(a, b, f"[{i}] in {what}", mode)
    else:
        _compare_arrays(np.asarray(found), wanted, what, mode)


def _compare_arrays(found: np.ndarray, wanted: Any, what: str, mode: str) -> None:
    if mode == "arrays" and isinstance(wanted, np.ndarray | np.generic):
        assert found.dtype == wanted.dtype, f"{what}: {wanted.dtype}, found {found.dtype}"
    wanted = np.asarray(wanted)
    assert found.dtype.kind == wanted.dtype.kind, f"{what}: {wanted.dtype}, found {found.dtype}"
    assert found.shape == wanted.shape, f"{what}: shape {wanted.shape}, found {found.shape}"
    if wanted.dtype.kind not in "fc":
        np.testing.assert_array_equal(found, wanted, what)
        return
    finite = np.abs(wanted[np.isfinite(wanted)])
    relative = max(TOLERANCE.get(wanted.dtype, 1e-12), TOLERANCE.get(found.dtype, 1e-12))
    np.testing.assert_allclose(found, wanted, rtol=relative, atol=relative * finite.max(initial=0.0), err_msg=what)
