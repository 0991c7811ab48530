"""When annotations, bounds of type parameters and type aliases read the names in them.

Up to Python 3.13 the annotations of a function, and those in the body of a class, are evaluated where it is defined.
From 3.14 on that happens when somebody asks for them, as with bounds and aliases from the start: like the body of an
inner function, they see the value that a variable has then. Annotations of local variables are never evaluated, and
none are in a file with `from __future__ import annotations`.

Example: `def g(a: T) -> T: ...` in a function reads its variable `T`.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Final

import gast

from autograph.analysis.scopes import Kind, Scope, Scopes

if TYPE_CHECKING:
    from autograph.analysis.uses import UseReader

__all__ = [
    "annotations_of",
    "are_read_at_once",
    "bounds_of",
    "parameters_of",
    "read_alias",
    "read_annotations",
    "read_later",
]

_DEFERRED: Final = sys.version_info >= (3, 14)


def annotations_of(function: Any) -> list[Any]:
    """The annotations in the header of a function."""
    found = [parameter.annotation for parameter in parameters_of(function.args)]
    return [annotation for annotation in [*found, function.returns] if annotation is not None]


def parameters_of(arguments: Any) -> list[Any]:
    """The nodes of all parameters, in the order of the text."""
    found = [*arguments.posonlyargs, *arguments.args, arguments.vararg, *arguments.kwonlyargs, arguments.kwarg]
    return [parameter for parameter in found if parameter is not None]


def bounds_of(definition: Any) -> list[Any]:
    """The bounds and defaults of the type parameters of a function, class or alias."""
    fields = [getattr(each, name, None) for each in definition.type_params or () for name in ("bound", "default_value")]
    return [node for node in fields if isinstance(node, gast.AST)]


def read_annotations(reader: UseReader, nodes: Iterable[Any]) -> None:
    if reader.scopes.text_annotations:
        return
    if _DEFERRED:
        read_later(reader, nodes)
    else:
        reader.visit_all(nodes)


def are_read_at_once(scopes: Scopes) -> bool:
    """Whether annotations are evaluated where they stand."""
    return not (_DEFERRED or scopes.text_annotations)


def read_later(reader: UseReader, nodes: Iterable[Any]) -> None:
    """Read expressions that are evaluated when somebody asks for their value."""
    reader.stack.append(Scope(None, Kind.LAMBDA))
    reader.visit_all(nodes)
    reader.stack.pop()


def read_alias(reader: UseReader, node: Any) -> None:
    """`type X = ...`."""
    read_later(reader, [*bounds_of(node), node.value])
    reader.visit(node.name)
