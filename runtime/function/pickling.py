"""Functions are pickled by reference, as Python's own functions are: as the name under which they are found.

pickle.dumps(module.step)          # "step of module"; loading it imports the module, and traces anew
pickle.dumps(model.step)           # the model, and "step"
pickle.dumps(local)                # no name leads to it: its graphs, if it has any (see `runtime.saved_model.pickled`)

Those of the program that runs (`__main__`) are pickled by both: another program may have them, or not.
"""

from __future__ import annotations

import pickle
import sys
from collections.abc import Callable
from typing import Any, Final

__all__ = ["method_name", "reduced"]

Reduced = str | tuple[Callable[..., Any], tuple[Any, ...]]
"""What `__reduce__` gives."""

MAIN: Final = "__main__"


def by_graph(value: Any) -> tuple[Callable[..., Any], tuple[Any, ...]]:
    """What `__reduce__` gives of a Function or trace by its graphs; set by `runtime.late`. Raises PicklingError."""
    raise NotImplementedError


def reduced(function: Any, names: list[str]) -> Reduced:
    """What `__reduce__` gives of a Function. names: where in its module (`function.__module__`) to look first.

    Raises PicklingError where no name leads to it, and it has no graphs that a pickle can hold.
    """
    name = _name_in_module(function, names)
    if name is None:
        return by_graph(function)
    if function.__module__ != MAIN:
        return name
    try:
        return _of_main, (name, by_graph(function))
    except pickle.PicklingError as problem:
        return _of_main, (name, str(problem))


def _of_main(name: str, graphs: Any) -> Any:
    """The Function of this name in the program that runs; where there is none, what its graphs make."""
    found = _found(sys.modules.get(MAIN), name)
    if hasattr(found, "get_concrete_function"):
        return found
    if isinstance(graphs, str):
        raise pickle.UnpicklingError(f"this program has no Function {name!r}, and the pickle no graph of it: {graphs}")
    make, arguments = graphs
    return make(*arguments)


def _name_in_module(function: Any, names: list[str]) -> str | None:
    module = sys.modules.get(function.__module__)
    for name in names:
        if _found(module, name) is function:
            return name
    found = vars(module).items() if module is not None else ()
    return next((name for name, value in found if value is function), None)


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
