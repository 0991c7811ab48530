"""A layer's result, eagerly and in Functions, of known and unknown batch size."""

from __future__ import annotations

from typing import Any

import numpy as np

import runtime as tf


def both_ways(layer: Any, *arguments: Any) -> Any:
    """The result of a layer; a Function of unknown batch size gives the same."""
    found = layer(*arguments)
    staged = tf.function(layer.__call__)
    specs = [tf.TensorSpec([None, *np.shape(a)[1:]], tf.as_dtype(np.asarray(a).dtype)) for a in arguments]
    for other in (staged(*arguments), staged.get_concrete_function(*specs)(*arguments)):
        np.testing.assert_allclose(other, found, rtol=1e-5, atol=1e-6)
    return found.numpy()
