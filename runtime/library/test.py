"""`runtime.test`: unittest's TestCase with assertions for tensors; what differs is shown with its place.

    class SquareTest(runtime.test.TestCase):
        def test_square(self):
            self.assertAllClose(runtime.square([1.0, 2.0]), [1.0, 4.0])

    if __name__ == "__main__":
        runtime.test.main()

Where an assertion takes a tensor it takes all that becomes an array: numbers, lists, arrays, Variables.
"""

from __future__ import annotations

import contextlib
import operator
import random as python_random
import re
import shutil
import tempfile
import unittest
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence, Sized
from typing import Any, Final

import numpy as np

from runtime.composite.ragged_tensor import RaggedTensor
from runtime.dtypes import NARROW, NUMBERS, as_dtype, letter_of
from runtime.errors import OpError
from runtime.library import nest
from runtime.library import random as tensor_random
from runtime.state.variable import Variable
from runtime.tensor.tensor import Tensor

__all__ = ["TestCase", "main"]

SEED: Final = 87654321
"""With which each test begins."""

MOST_SHOWN: Final = 10
"""Of how many elements a message tells."""

HELD: Final[Any] = (Tensor, Variable, RaggedTensor)
"""What has a value."""

Array = np.ndarray[Any, Any]
Matches = str | Callable[[Exception], Any]


class TestCase(unittest.TestCase):
    """A test. Each begins with the same seeds of `runtime.random`, `numpy.random` and `random`."""

    _temp_dir: str | None = None

    def setUp(self) -> None:
        """Sets the seeds; call it from your own."""
        super().setUp()
        python_random.seed(SEED)
        np.random.seed(SEED)
        tensor_random.set_seed(SEED)

    def get_temp_dir(self) -> str:
        """A directory that is the test's own, and is removed when the test is over."""
        if self._temp_dir is None:
            made = self._temp_dir = tempfile.mkdtemp()
            self.addCleanup(self._remove, made)
        return self._temp_dir

    def _remove(self, directory: str) -> None:
        shutil.rmtree(directory, ignore_errors=True)
        self._temp_dir = None

    def evaluate(self, tensors: Any) -> Any:
        """The values of a structure of tensors as numpy arrays. Raises ValueError for what is no tensor."""
        return nest.map_structure(_evaluated, tensors)

    # -- equal and close -----------------------------------------------------------------------------------------

    def assertAllEqual(self, a: Any, b: Any, msg: Any = None) -> None:
        """Of one shape, and all elements equal; NaN equals NaN."""
        if isinstance(a, RaggedTensor) or isinstance(b, RaggedTensor):
            self.assertEqual(_rows(a), _rows(b), msg)
            return
        first, second = self._of_one_shape(a, b, msg)
        self._none_differ(~_equal(first, second), first, second, msg)

    def assertNotAllEqual(self, a: Any, b: Any, msg: Any = None) -> None:
        """Some element differs, or the shapes do."""
        self._must_fail(self.assertAllEqual, (a, b), "all elements are equal", msg)

    def assertAllClose(self, a: Any, b: Any, rtol: float = 1e-6, atol: float = 1e-6, msg: Any = None) -> None:
        """Everywhere |a - b| <= atol + rtol * |b|, in arrays or structures of them; NaN is close to NaN."""
        work: list[Any] = [("", *(v.to_list() if isinstance(v, RaggedTensor) else v for v in (a, b)))]
        while work:
            path, first, second = work.pop()
            parts = self._parts(path, first, second, msg)
            if parts is None:
                self._close_arrays(path, first, second, (rtol, atol), msg)
            else:
                work += reversed(parts)

    def assertNotAllClose(self, a: Any, b: Any, rtol: float = 1e-6, atol: float = 1e-6, msg: Any = None) -> None:
        """Some element is not close, or the shapes differ."""
        close = self.assertAllClose
        self._must_fail(lambda x, y: close(x, y, rtol, atol), (a, b), "the values are close at all elements", msg)

    def assertAllCloseAccordingToType(
        self,
        a: Any,
        b: Any,
        rtol: float = 1e-6,
        atol: float = 1e-6,
        float_rtol: float = 1e-6,
        float_atol: float = 1e-6,
        half_rtol: float = 1e-3,
        half_atol: float = 1e-3,
        bfloat16_rtol: float = 1e-2,
        bfloat16_atol: float = 1e-2,
        msg: Any = None,
    ) -> None:
        """Close by what the narrower dtype of the two can hold: float32 and complex64, float16, or more than those."""
        first, second = _array(a), _array(b)
        found = {first.dtype.name, second.dtype.name}
        wider = {
            "float32": (float_rtol, float_atol), "complex64": (float_rtol, float_atol),
            "float16": (half_rtol, half_atol), "bfloat16": (bfloat16_rtol, bfloat16_atol),
        }  # fmt: skip
        for rtol_of, atol_of in (wider[name] for name in found & wider.keys()):
            rtol, atol = max(rtol, rtol_of), max(atol, atol_of)
        self.assertAllClose(first, second, rtol, atol, msg)

    # -- dtypes, shapes, ranges ----------------------------------------------------------------------------------

    def assertDTypeEqual(self, target: Any, expected_dtype: Any) -> None:
        """The dtype of target, which may also be an array or a list, is this one."""
        found, wanted = as_dtype(target.dtype if hasattr(target, "dtype") else _array(target).dtype), expected_dtype
        if found != as_dtype(wanted):
            self.fail(f"the dtype is {found.name}, not {as_dtype(wanted).name}")

    def assertShapeEqual(self, input_a: Any, input_b: Any, msg: Any = None) -> None:
        """Two tensors or arrays have one shape."""
        for value in (input_a, input_b):
            if not hasattr(value, "shape"):
                raise TypeError(f"assertShapeEqual takes arrays and tensors; got {value!r}")
        self._same_shape(tuple(input_a.shape), tuple(input_b.shape), msg)

    def assertAllInRange(
        self,
        target: Any,
        lower_bound: Any,
        upper_bound: Any,
        open_lower_bound: bool = False,
        open_upper_bound: bool = False,
    ) -> None:
        """All elements lie between the bounds, which belong to the range unless they are open. NaN lies nowhere."""
        values = _ordered(target)
        above = (operator.gt if open_lower_bound else operator.ge)(values, lower_bound)
        below = (operator.lt if open_upper_bound else operator.le)(values, upper_bound)
        shown = f"{'(' if open_lower_bound else '['}{lower_bound}, {upper_bound}{')' if open_upper_bound else ']'}"
        self._all_hold(above & below, values, f"outside of {shown}")

    def assertAllInSet(self, target: Any, expected_set: Collection[Any]) -> None:
        """All elements are among these."""
        values = _array(target)
        found = np.fromiter((value in expected_set for value in values.ravel().tolist()), bool, values.size)
        self._all_hold(found.reshape(values.shape), values, f"not among {expected_set}")

    def assertAllGreater(self, a: Any, comparison_target: Any) -> None:
        """All elements of a are greater than a number."""
        self._all_hold(_ordered(a) > comparison_target, _array(a), f"not greater than {comparison_target}")

    def assertAllLess(self, a: Any, comparison_target: Any) -> None:
        """All elements of a are less than a number."""
        self._all_hold(_ordered(a) < comparison_target, _array(a), f"not less than {comparison_target}")

    def assertAllGreaterEqual(self, a: Any, comparison_target: Any) -> None:
        """All elements of a are a number, or greater."""
        self._all_hold(_ordered(a) >= comparison_target, _array(a), f"less than {comparison_target}")

    def assertAllLessEqual(self, a: Any, comparison_target: Any) -> None:
        """All elements of a are a number, or less."""
        self._all_hold(_ordered(a) <= comparison_target, _array(a), f"greater than {comparison_target}")

    def assertNear(self, f1: Any, f2: Any, err: float, msg: Any = None) -> None:
        """Two numbers differ by no more than err."""
        first, second = float(f1), float(f2)
        if not (first == second or abs(first - second) <= err):
            text = f"{first} and {second} differ by {abs(first - second)}, which is more than {err}"
            self.fail(self._formatMessage(msg, text))

    def assertArrayNear(self, farray1: Sequence[Any], farray2: Sequence[Any], err: float, msg: Any = None) -> None:
        """Two sequences of numbers have one length, and differ by no more than err at each place."""
        self.assertLen(farray1, len(farray2), msg)
        for first, second in zip(farray1, farray2, strict=True):
            self.assertNear(first, second, err, msg)

    def assertLen(self, container: Sized, expected_len: int, msg: Any = None) -> None:
        """len(container) is expected_len."""
        if len(container) != expected_len:
            text = f"the length is {len(container)}, not {expected_len}: {container!r}"
            self.fail(self._formatMessage(msg, text))

    # -- exceptions ----------------------------------------------------------------------------------------------

    @contextlib.contextmanager
    def assertRaisesWithPredicateMatch(
        self, exception_type: type[Exception], expected_err_re_or_predicate: Matches
    ) -> Iterator[None]:
        """What is in the `with` raises an error of that type of which the predicate holds (or whose text matches)."""
        try:
            yield
        except Exception as error:
            expected = expected_err_re_or_predicate
            fits = expected(error) if callable(expected) else re.search(expected, str(error))
            if isinstance(error, exception_type) and fits:
                return
            wanted = "" if callable(expected) else f" that matches {expected!r}"
            text = f"{type(error).__name__} was raised in the place of {exception_type.__name__}{wanted}: {error}"
            raise self.failureException(text) from error
        self.fail(f"{exception_type.__name__} was not raised")

    def assertRaisesOpError(self, expected_err_re_or_predicate: Matches) -> contextlib.AbstractContextManager[None]:
        """What is in the `with` raises an OpError of which the predicate holds, or whose text matches."""
        return self.assertRaisesWithPredicateMatch(OpError, expected_err_re_or_predicate)

    # -- how they tell -------------------------------------------------------------------------------------------

    def _same_shape(self, first: tuple[Any, ...], second: tuple[Any, ...], msg: Any, more: str = "") -> None:
        if first != second:
            self.fail(self._formatMessage(msg, f"the shapes differ: {first} and {second}{more}"))

    def _of_one_shape(self, a: Any, b: Any, msg: Any) -> tuple[Array, Array]:
        first, second = _array(a), _array(b)
        self._same_shape(first.shape, second.shape, msg, f"\nfirst:  {first!r}\nsecond: {second!r}")
        return first, second

    def _close_arrays(self, path: str, a: Any, b: Any, tolerances: tuple[float, float], msg: Any) -> None:
        first, second = self._of_one_shape(a, b, msg)
        rtol, atol = tolerances
        for values in (first, second):
            if letter_of(values.dtype) not in NUMBERS:
                raise TypeError(f"assertAllClose compares numbers{path and ' (at ' + path + ')'}; got {values!r}")
        with np.errstate(all="ignore"):
            far = ~np.isclose(_wide(first), _wide(second), rtol=rtol, atol=atol, equal_nan=True)
        if not any(tolerances):
            far |= ~_equal(first, second)  # large integers are not all floats
        self._none_differ(far, first, second, msg, f"{path and ' at ' + path} (rtol={rtol}, atol={atol})")

    def _parts(self, path: str, a: Any, b: Any, msg: Any) -> list[tuple[str, Any, Any]] | None:
        """The pairs within two structures; None if they are arrays."""
        if isinstance(a, Mapping) or isinstance(b, Mapping):
            if not (isinstance(a, Mapping) and isinstance(b, Mapping) and a.keys() == b.keys()):
                self.fail(self._formatMessage(msg, f"the keys differ{path and ' at ' + path}: {a!r} and {b!r}"))
            return [(f"{path}[{key!r}]", a[key], b[key]) for key in a]
        if not (_is_structure(a) or _is_structure(b)):
            return None
        sizes = _length(a), _length(b)
        if sizes[0] != sizes[1]:
            text = f"the lengths differ{path and ' at ' + path}: {sizes[0]} and {sizes[1]}"
            self.fail(self._formatMessage(msg, text))
        return [(f"{path}[{place}]", x, y) for place, (x, y) in enumerate(zip(a, b, strict=True))]

    def _none_differ(self, differ: Array, first: Array, second: Array, msg: Any, how: str = "") -> None:
        if not differ.any():
            return
        places = np.argwhere(differ)
        rows = [f"  {list(map(int, p))}: {first[tuple(p)]!r} and {second[tuple(p)]!r}" for p in places[:MOST_SHOWN]]
        rows += ["  ..."] * (len(places) > MOST_SHOWN)
        text = f"{len(places)} of {differ.size} elements differ{how}:\n" + "\n".join(rows)
        self.fail(self._formatMessage(msg, f"{text}\nfirst:  {first!r}\nsecond: {second!r}"))

    def _all_hold(self, holds: Any, values: Array, what: str) -> None:
        places = np.argwhere(~np.asarray(holds))
        if len(places):
            rows = [f"  {list(map(int, p))}: {values[tuple(p)]!r}" for p in places[:MOST_SHOWN]]
            rows += ["  ..."] * (len(places) > MOST_SHOWN)
            self.fail(f"{len(places)} of {values.size} elements are {what}:\n" + "\n".join(rows))

    def _must_fail(self, check: Callable[..., None], values: tuple[Any, Any], text: str, msg: Any) -> None:
        try:
            check(*values)
        except self.failureException:
            return
        self.fail(self._formatMessage(msg, text))


def main(argv: Sequence[str] | None = None) -> None:
    """Runs the tests of the program, as `unittest.main` does. argv: those of the command line."""
    unittest.main(module="__main__", argv=None if argv is None else list(argv))


def _evaluated(value: Any) -> Any:
    if value is None:
        return None
    if isinstance(value, HELD):
        return value.numpy()
    raise ValueError(f"a tensor or Variable is evaluated; got {value!r}")


def _array(value: Any) -> Array:
    """The array of all that a test may give; texts are bytes in it, as in tensors."""
    if isinstance(value, list | tuple):
        value = nest.map_structure(lambda leaf: leaf.numpy() if isinstance(leaf, HELD) else leaf, value)
    found = np.asarray(value.numpy() if isinstance(value, HELD) else value)
    if found.dtype.kind == "U":
        return np.char.encode(found, "utf-8").astype(object)
    return found.astype(object) if found.dtype.kind == "S" else found


def _rows(value: Any) -> Any:
    return value.to_list() if isinstance(value, RaggedTensor) else nest.map_structure(_plain, value)


def _plain(leaf: Any) -> Any:
    return _array(leaf).tolist()


def _is_structure(value: Any) -> bool:
    """Whether a list or tuple is no array: its items are dicts, or of several shapes."""
    if not isinstance(value, list | tuple):
        return False
    try:
        return letter_of(_array(value).dtype) not in NUMBERS
    except ValueError:
        return True


def _length(value: Any) -> int | None:
    return len(value) if isinstance(value, list | tuple) else next(iter(_array(value).shape), None)


def _ordered(target: Any) -> Array:
    values = _array(target)
    if letter_of(values.dtype) not in "iuf":
        raise AssertionError(f"only real numbers have an order; the dtype is {values.dtype}: {values!r}")
    return values


def _equal(first: Array, second: Array) -> Array:
    if first.dtype in NARROW or second.dtype in NARROW:
        first, second = (_wide(v) if letter_of(v.dtype) in "biuf" else v for v in (first, second))
    same = np.asarray(first == second)
    if first.dtype.kind in "fc" and second.dtype.kind in "fc":
        same = same | (np.isnan(first) & np.isnan(second))
    return same


def _wide(values: Array) -> Array:
    """In a dtype in which differences do not wrap."""
    return values.astype(np.complex128 if values.dtype.kind == "c" else np.float64)
