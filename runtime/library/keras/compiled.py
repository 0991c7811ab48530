"""How a model was compiled, in a file: optimizer, loss and metrics by names and options, and the optimizer's state.

    keep(described(model), "digits.keras")            # digits.keras/training.npz, a file of numpy's
    compile_again(loaded, "digits.keras", custom_objects={"weighted": weighted})

What is of this package is found by its name. Of the program's own functions and classes the name is kept, and
custom_objects says what has it; an object of such a class is made again by what its `get_config` gives, or by its
attributes of the names of its arguments.
"""

from __future__ import annotations

import inspect
import json
import os
from collections.abc import Mapping
from typing import Any, Final

import numpy as np

from runtime.dtypes import DType
from runtime.library import losses, metrics, optimizers
from runtime.library.optimizers import schedules
from runtime.state.variable import Variable
from runtime.tensor.convert import is_tensor

__all__ = ["compile_again", "described", "keep"]

_FILE: Final = "training.npz"
_ROOMS: Final = {"optimizers": optimizers, "losses": losses, "metrics": metrics, "schedules": schedules}


def described(model: Any) -> dict[str, Any] | None:
    """How a model was compiled, as arrays; None if it was not. Raises ValueError for what cannot be written."""
    training = model.__dict__.get("_training")
    if training is None:
        return None
    how = {name: _described(value) for name, value in training.given.items()}
    how |= {"optimizer": _described(training.optimizer), "output_names": list(getattr(model, "output_names", ()))}
    places = {id(variable): place for place, variable in enumerate(model.variables)}
    slots = {
        f"{places[id(variable)]}/{name}": slot.numpy()
        for variable, name, slot in training.optimizer._saved_slots() if id(variable) in places
    }  # fmt: skip
    return {"described": np.array(json.dumps(how)), "iterations": training.optimizer.iterations.numpy(), **slots}


def keep(how: dict[str, Any] | None, folder: Any) -> None:
    """Writes what `described` gives; nothing stays of another model that was in the folder."""
    path = os.path.join(folder, _FILE)
    if how is not None:
        np.savez(path, **how)
    elif os.path.exists(path):
        os.remove(path)


def compile_again(model: Any, folder: Any, custom_objects: Mapping[str, Any] | None) -> None:
    """Compiles a loaded model as the one that was saved, if that was, and gives the optimizer its state.

    Raises ValueError for what is the program's own and not among the custom_objects.
    """
    path = os.path.join(folder, _FILE)
    if not os.path.exists(path):
        return
    with np.load(path, allow_pickle=False) as file:
        found = {name: file[name] for name in file.files}
    how = json.loads(str(found.pop("described")))
    model.output_names = how.pop("output_names")
    model.compile(**{name: _made(value, custom_objects or {}) for name, value in how.items()})
    optimizer = model.optimizer
    optimizer.iterations.assign(found.pop("iterations"))
    variables = model.variables
    owners = [variables[int(place.partition("/")[0])] for place in found]
    optimizer.build(list({id(owner): owner for owner in owners}.values()))
    for owner, (place, value) in zip(owners, found.items(), strict=True):
        optimizer.get_slot(owner, place.partition("/")[2]).assign(value)


def _described(value: Any) -> Any:
    """A value in a form that JSON has: itself, or a dict with the key "is"."""
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, list | tuple):
        return [_described(part) for part in value]
    if isinstance(value, Mapping):
        return {"is": "dict", "parts": {str(name): _described(part) for name, part in value.items()}}
    if isinstance(value, DType):
        return value.name
    if isinstance(value, Variable | np.number) or is_tensor(value):
        return np.asarray(value).item()
    room = next((name for name, room in _ROOMS.items() if _name(value) in room.__all__ and _is_of(room, value)), None)
    made = not inspect.isroutine(value) and not isinstance(value, type)
    return {"is": room or "own", "name": _name(value), "config": _described(_config(value)) if made else None}


def _name(value: Any) -> str:
    return getattr(value, "__name__", type(value).__name__)


def _is_of(room: Any, value: Any) -> bool:
    return getattr(room, _name(value)) in (value, type(value))


def _options(value: Any) -> dict[str, Any]:
    """The arguments that make an object of this package again: those that its class, and the ones above, name."""
    held = {**vars(value), **vars(value).get("_options", {})}
    found: dict[str, Any] = {}
    for cls in type(value).__mro__:
        if "__init__" in vars(cls):
            parameters = list(inspect.signature(vars(cls)["__init__"]).parameters.values())[1:]
            named = [p.name for p in parameters if p.kind not in (p.VAR_KEYWORD, p.VAR_POSITIONAL)]
            found |= {name: held[name] if name in held else getattr(value, name) for name in named if name not in found}
            if not any(p.kind is p.VAR_KEYWORD for p in parameters):
                break
    return found | ({"learning_rate": value._rate} if "learning_rate" in found else {})


def _config(value: Any) -> Any:
    """The arguments that make an object again. Raises ValueError for one that tells nobody."""
    try:
        own = getattr(value, "get_config", None)
        return _options(value) if own is None else own()
    except (AttributeError, TypeError) as error:
        raise ValueError(
            f"how the model was compiled cannot be written: {type(value).__name__} does not say how {value!r} was made."
            f" Give the class a method get_config, which returns the arguments as a dict ({error})"
        ) from error


def _made(value: Any, own: Mapping[str, Any]) -> Any:
    """What `_described` has described."""
    if isinstance(value, list):
        return [_made(part, own) for part in value]
    if not isinstance(value, dict):
        return value
    if value["is"] == "dict":
        return {name: _made(part, own) for name, part in value["parts"].items()}
    name = value["name"]
    if value["is"] == "own" and name not in own:
        raise ValueError(
            f"the model was compiled with {name!r}, which is the program's own: load_model(...,"
            f" custom_objects={{{name!r}: ...}}), or compile=False for a model that is compiled anew"
        )
    found = own[name] if value["is"] == "own" else getattr(_ROOMS[value["is"]], name)
    return found if value["config"] is None or not callable(found) else found(**_made(value["config"], own))
