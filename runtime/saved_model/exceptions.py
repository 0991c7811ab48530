"""The program's own exception classes in saved graphs: what they derive from, so that a graph runs without them.

    [["model", "NegativeError", [["builtins", "ValueError"]]]]

Where the module of a class is imported, the class is taken from there. Elsewhere one stands in for it that has its name
and derives from the same classes: `except` statements of the graph work as they did, and who does not know the class
catches what it derives from.
"""

from __future__ import annotations

import builtins
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final

from runtime.errors import FormatError
from runtime.graph.graph import Graph
from runtime.ops.flow.exceptions import resolve_class
from runtime.ops.records.terms import Term
from runtime.saved_model.places import CONTROL

__all__ = ["Classes", "describe_classes", "give_classes"]

Classes = dict[tuple[str, str], type[BaseException]]
"""The stand-ins of one model, by the module and the name of the class."""

KNOWN: Final = frozenset({"builtins", "runtime.errors"})
"""The modules of classes that there are everywhere."""


def describe_classes(graphs: Sequence[Graph]) -> list[Any]:
    """The classes of the program that the graphs name, each after those that it derives from."""
    found: dict[type, Any] = {}
    for term in _class_terms(graphs):
        try:
            kind = resolve_class(term)
        except RuntimeError:
            continue
        for base in reversed(kind.__mro__):
            if issubclass(base, BaseException) and base.__module__ not in KNOWN:
                bases = [[b.__module__, b.__qualname__] for b in base.__bases__ if issubclass(b, BaseException)]
                found.setdefault(base, [base.__module__, base.__qualname__, bases])
    return list(found.values())


def give_classes(graphs: Sequence[Graph], described: Any, classes: Classes) -> None:
    """Gives the graphs the classes that cannot be found in this process. Raises FormatError, TypeError, ValueError."""
    for module, name, bases in described:
        if not all(type(word) is str and word and not CONTROL.search(word) for word in (module, name)):
            raise FormatError(f"a saved graph has an exception of the name {name!r:.80}")
        if (module, name) not in classes and _found(module, name) is None:
            kinds = tuple([_base(base[0], base[1], classes) for base in bases])
            made = type(name.rpartition(".")[2], kinds, {"__module__": module, "__qualname__": name})
            classes[module, name] = made
    for term in _class_terms(graphs):
        stand_in = classes.get((term.parts[0], term.parts[1]))
        if stand_in is not None and term.held is None:
            object.__setattr__(term, "held", stand_in)  # it was read just now, and nobody else has it


def _found(module: str, name: str) -> type[BaseException] | None:
    try:
        return resolve_class(Term("class", (module, name)))
    except RuntimeError:
        return None


def _base(module: str, name: str, classes: Classes) -> type[BaseException]:
    """A class that another one derives from: a stand-in, or one that there is. Raises FormatError."""
    found = classes.get((module, name)) or _found(module, name)
    if found is None or (module == "builtins" and found is not getattr(builtins, name, None)):
        raise FormatError(f"an exception of a saved graph derives from {module!r:.80}, {name!r:.80}, which is no class")
    return found


def _class_terms(graphs: Iterable[Graph]) -> Iterator[Term]:
    """The terms of exception classes in the attributes of all operations."""
    waiting = [value for graph in graphs for o in graph.operations for value in o.attributes.values()]
    while waiting:
        value = waiting.pop()
        if isinstance(value, tuple):
            waiting += value
        elif isinstance(value, Term):
            waiting += value.parts
            if value.head == "class":
                yield value
