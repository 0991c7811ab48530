"""Functions are pickled by reference, as Python's own functions are: as the name under which they are found.

pickle.dumps(module.step)          # "step of module"; loading it imports the module, and traces anew
pickle.dumps(model.step)           # the model, and "step"
"""

from __future__ import annotations

import pickle
import sys
from typing import Any

__all__ = ["method_name", "name_in_module"]


def name_in_module(function: Any, names: list[str]) -> str:
    """The dotted name in its module (`function.__module__`) that leads to a Function; `names`: where to look first.

    Raises PicklingError where there is none.
    """
    module = sys.modules.get(function.__module__)
    for name in names:
        if _found(module, name) is function:
            return name
    for name, value in vars(module).items() if module is not None else ():
        if value is function:
            return name
    raise pickle.PicklingError(
        f"the Function {names[0]!r} cannot be pickled: that is done by reference, as with Python's functions, and no"
        f" name of the module {function.__module__!r} leads to it; define it at the top of the module or in a class"
        " there"
    )


def method_name(instance: Any, function: Any, first: str) -> str:
    """The attribute of an instance that gives this Function. Raises PicklingError where there is none."""
    kind = type(function)
    others = [n for base in type(instance).__mro__ for n, value in vars(base).items() if type(value) is kind]
    for name in (first, *others):
        if getattr(instance, name, None) == function:
            return name
    raise pickle.PicklingError(
        f"the Function {first!r} of a {type(instance).__name__} cannot be pickled: no attribute leads to it"
    )


def _found(value: Any, dotted: str) -> Any:
    for name in dotted.split("."):
        value = getattr(value, name, None)
    return value
