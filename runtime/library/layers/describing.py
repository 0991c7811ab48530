"""What a model says of its layers: `layers`, `get_layer`, `summary`; and its weights in a file.

    model.summary()
    model.save_weights("weights.npz")           # a file of numpy's: the weights in order
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

import numpy as np

__all__ = ["Layers", "find_layer", "read_weights", "summary_lines", "write_weights"]


class Layers:
    """The layers that a model keeps in attributes, in their order; a program may have an attribute of that name."""

    def __init__(self, is_layer: Callable[[Any], bool]) -> None:
        self._is_layer = is_layer

    def __get__(self, model: Any, owner: Any = None) -> Any:
        return self if model is None else list(_unique(self._found(vars(model).values())))

    def _found(self, values: Iterable[Any]) -> Iterator[Any]:
        for value in values:
            if self._is_layer(value):
                yield value
            elif isinstance(value, list | tuple):
                yield from self._found(value)
            elif isinstance(value, Mapping):
                yield from self._found(value.values())


def _unique(values: Iterable[Any]) -> Iterator[Any]:
    return iter({id(value): value for value in values}.values())


def find_layer(model: Any, name: str | None, index: int | None) -> Any:
    """The layer of a name, or at a position. Raises ValueError if there is none."""
    layers = list(model.layers)
    if index is not None:
        if not -len(layers) <= index < len(layers):
            raise ValueError(f"{model.name!r} has {len(layers)} layers; there is none at {index}")
        return layers[index]
    found = next((layer for layer in layers if getattr(layer, "name", None) == name), None)
    if found is None:
        raise ValueError(f"{model.name!r} has no layer {name!r}; it has {', '.join(str(x.name) for x in layers)}")
    return found


def summary_lines(model: Any) -> Iterator[str]:
    """The table of the layers and the numbers of their weights. Raises ValueError before there are weights."""
    if not model.built and not model.variables:
        raise ValueError(f"{model.name!r} has no weights yet: call it once, or build(input_shape)")
    rows = []
    for layer in model.layers:
        name = getattr(layer, "name", getattr(layer, "__name__", ""))
        rows.append((f"{name} ({type(layer).__name__})", _count(getattr(layer, "variables", ()))))
    width = max([len(text) for text, _ in rows] + [len("Layer (type)")])
    yield f'Model: "{model.name}"'
    yield f"{'Layer (type)':<{width}}  {'Param #':>12}"
    yield "=" * (width + 14)
    yield from (f"{text:<{width}}  {number:>12,}" for text, number in rows)
    yield "=" * (width + 14)
    trained = _count(model.trainable_variables)
    whole = _count(model.variables)
    yield f"Total params: {whole:,}"
    yield f"Trainable params: {trained:,}"
    yield f"Non-trainable params: {whole - trained:,}"


def _count(variables: Iterable[Any]) -> int:
    return sum(v.shape.num_elements() or 0 for v in variables)


def write_weights(model: Any, path: Any) -> None:
    """The weights in order, as a file of numpy's."""
    folder = os.path.dirname(os.fspath(path))
    if folder:
        os.makedirs(folder, exist_ok=True)
    with open(path, "wb") as file:
        np.savez(file, *model.get_weights())


def read_weights(model: Any, path: Any) -> None:
    """Sets the weights to those of a file. Raises ValueError where they do not fit."""
    with np.load(path, allow_pickle=False) as found:
        values = [found[f"arr_{i}"] for i in range(len(found.files))]
    shapes = [tuple(v.shape) for v in model.variables]
    if shapes != [value.shape for value in values]:
        raise ValueError(
            f"{os.fspath(path)}: its weights have the shapes {[value.shape for value in values]}, those of"
            f" {model.name!r} {shapes}"
        )
    model.set_weights(values)
