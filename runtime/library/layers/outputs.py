"""Losses and metrics of models that give several tensors: for each output its own.

    model.compile("adam", loss={"score": "mse", "kind": "sparse_categorical_crossentropy"},
                  loss_weights={"kind": 0.5}, metrics={"kind": ["accuracy"]})
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from runtime.library import losses, nest
from runtime.library.layers.beside import MASKS
from runtime.ops.arrays.shape import cast
from runtime.ops.reductions.reduce import reduce_mean
from runtime.state.calling import call_users

__all__ = ["by_output", "loss_with_mask", "masked", "metrics_for", "names_of", "plus", "shares_of", "wanted_names",]


def names_of(model: Any, predicted: Any) -> list[str]:
    """The names of the outputs: keys of a dict, else the layers that give them."""
    if isinstance(predicted, Mapping):
        return sorted(predicted)
    count = len(nest.flatten(predicted))
    names: list[str] = list(getattr(model, "output_names", ()))
    if len(names) != count or len(set(names)) != count:
        return [f"output_{i + 1}" for i in range(count)]
    return names


def by_output(what: str, given: Any, names: Sequence[str], default: Any) -> list[Any]:
    """What is given for the outputs, one for each: a dict by their names, a list in their order, or one for all.

    Raises ValueError for names that there are not, and for another number.
    """
    if isinstance(given, Mapping):
        if unknown := sorted(set(given) - set(names)):
            raise ValueError(f"{what}: there are the outputs {', '.join(names)}; got {', '.join(map(str, unknown))}")
        return [given.get(name, default) for name in names]
    if isinstance(given, list | tuple):
        if len(given) != len(names):
            raise ValueError(f"{what}: one for each of the outputs {', '.join(names)}; got {len(given)}")
        return list(given)
    return [given] * len(names)


def shares_of(given: Any, names: Sequence[str]) -> list[Any]:
    """How much the loss of each output counts; None for as much as it is."""
    listed = given if len(names) > 1 or isinstance(given, list | tuple | Mapping) else [given]
    shares = by_output("loss_weights", listed, names, None)
    for share in shares:
        if share is not None and (isinstance(share, str) or callable(share)):
            raise ValueError(f"compile: loss_weights are numbers; got {given!r}. Metrics are given by name: metrics=")
    return shares


def wanted_names(model: Any, loss: Any) -> list[str]:
    """The names of the outputs that a model is compiled for."""
    if known := list(getattr(model, "output_names", ())):
        return names_of(model, [0] * len(known))
    if isinstance(loss, Mapping):
        return sorted(loss)
    return names_of(model, [0] * (len(loss) if isinstance(loss, list | tuple) else 1))


def metrics_for(given: Any, names: Sequence[str]) -> list[list[Any]]:
    """The metrics of each output."""
    if len(names) == 1 and not isinstance(given, dict):
        return [list(given)]
    listed = None if given is None or len(given) == 0 else given
    return [
        [] if of is None else list(of) if isinstance(of, list | tuple) else [of]
        for of in by_output("metrics", listed, names, None)
    ]


def loss_with_mask(loss: Any, y: Any, predicted: Any, weights: Any) -> Any:
    """The loss of one output; what its mask leaves out does not count."""
    if not isinstance(loss, losses.Loss):
        return call_users(loss, y, predicted)
    weights, scale = masked(predicted, weights)
    found = call_users(loss, y, predicted, weights)
    return found if scale is None or loss.reduction == "sum" else found * scale


def masked(predicted: Any, weights: Any) -> tuple[Any, Any]:
    """The weights of rows, 0 where the mask of what is predicted leaves them out; and by how much a mean over all is
    less than one over those that count."""
    mask = MASKS.get(predicted)
    if mask is None:
        return weights, None
    kept = cast(mask, predicted.dtype)
    return kept if weights is None else kept * weights, 1 / reduce_mean(kept)


def plus(loss: Any, terms: Sequence[Any]) -> Any:
    """A loss with the terms that a model adds to it."""
    for term in terms:
        loss = loss + term
    return loss
