"""`rejection_resample`: elements whose classes are as frequent as wanted, by leaving some out at random.

    dataset.rejection_resample(lambda x, label: label, target_dist=[0.5, 0.5])      # pairs (class, element)
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from runtime.dtypes import float32, int64
from runtime.errors import ShapeMismatchError
from runtime.library import random
from runtime.ops.records.gradients import ops
from runtime.state.calling import call_users
from runtime.tensor.convert import convert_to_tensor

if TYPE_CHECKING:
    from runtime.library.data.dataset import Dataset

__all__ = ["resampled"]


def resampled(
    source: Dataset[Any], class_func: Callable[..., Any], target_dist: Any, initial_dist: Any, seed: int | None
) -> Dataset[Any]:
    """The pairs (class, element) that are kept. class_func: the class of an element, an integer from 0 on."""
    target = convert_to_tensor(target_dist, float32)
    if target.shape.rank != 1:
        raise ShapeMismatchError(
            f"rejection_resample: target_dist is a vector with a share for each class; its shape is {target.shape}"
        )

    def tagged(*element: Any) -> Any:
        number = ops.cast(call_users(class_func, *element), int64)
        return number, element[0] if len(element) == 1 else element

    def shares(counts: Any) -> Any:
        """For each class, how likely an element is kept."""
        wanted = ops.divide_no_nan(target, counts)
        return ops.divide_no_nan(wanted, ops.reduce_max(wanted))

    def is_kept(number: Any, element: Any, share: Any) -> Any:
        return random.uniform([], seed=seed) < share

    pairs: Any = source.map(tagged)
    if initial_dist is not None:
        initial = convert_to_tensor(initial_dist, float32)
        if initial.shape != target.shape:
            raise ShapeMismatchError(
                f"rejection_resample: initial_dist has the shape {initial.shape}, target_dist {target.shape}"
            )
        known = pairs.map(lambda number, element: (number, element, ops.gather(shares(initial), number)))
    else:

        def counted(counts: Any, pair: Any) -> Any:
            """The classes so far are what is known of their frequency."""
            number, element = pair
            counts = counts + ops.cast(ops.equal(ops.range(0, ops.size(counts, out_type=int64), 1), number), float32)
            return counts, (number, element, ops.gather(shares(counts), number))

        known = pairs.scan(ops.zeros_like(target), counted)
    return known.filter(is_kept).map(lambda number, element, share: (number, element))
