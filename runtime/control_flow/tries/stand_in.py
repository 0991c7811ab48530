"""What the program sees of an exception in a handler that is being traced: it comes only when the graph runs.

    except Bad as error:
        print(type(error).__name__)     # known: a handler is traced for each class by itself
        y = error.args[0] + 1           # a tensor, a part of the exception: caught_part(caught, ("args", 0))
        text = f"{error}"               # text that the graph makes: caught_text(caught)
        raise Worse from error          # its cause is the exception of the run

What all exceptions that may arrive have in common is known while tracing. An exception of which everything is known is
one like any other; of the others, what differs in kind raises StagingError when it is asked for.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final, NoReturn, cast

import autograph.operators
from autograph.errors import StagingError
from autograph.rules import is_user_code
from runtime.context import outwards
from runtime.control_flow.lattice.leaf import TENSOR_LIKE, LeafType, met
from runtime.control_flow.tries.raised import caught_value
from runtime.control_flow.tries.regions import Risk
from runtime.dtypes import string
from runtime.errors import OpError
from runtime.graph.graph import Graph
from runtime.graph.operation import Operation
from runtime.heap.code import in_class
from runtime.ops.flow.caught import caught_part, caught_text
from runtime.ops.flow.exceptions import make_error, make_part
from runtime.ops.flow.raising import raise_
from runtime.ops.records.terms import Term
from runtime.tensor.symbolic import SymbolicTensor

__all__ = ["check_unchanged", "contents", "stand_in"]

_FREE: Final = frozenset({"__traceback__", "__cause__", "__context__", "__suppress_context__", "with_traceback"})
_CHAIN: Final = frozenset({"__cause__", "__context__"})
_OF_OPERATIONS: Final = frozenset({"args", "message"})
"""What errors of operations have: their text."""
_MISSING: Final = object()
_OPERATORS: Final = os.path.dirname(os.path.abspath(autograph.operators.__file__)) + os.sep
"""Here are the calls that the user's code makes of `isinstance`."""


def stand_in(graph: Graph, risks: Sequence[Risk]) -> BaseException:
    """The exception that `graph`, a handler of these risks, is traced with."""
    kinds = tuple(dict.fromkeys(kind for risk in risks for kind in risk.kinds))
    raising = [risk.origin for risk in risks]
    known = len(kinds) == 1 and all(o.op is raise_ and not isinstance(_term(o).parts[0], int) for o in raising)
    if known:
        terms = {repr(_term(o)) for o in raising}
        if len(terms) == 1 and _is_static(_term(raising[0])) and not any(map(_has_context, raising)):
            return make_error(_term(raising[0]), ())
    where = f"by a handler of the `try` at {risks[0].operation.location or 'an unknown line'}"
    exact = len(kinds) == 1 and all(risk.is_exact for risk in risks)
    return _Maker(graph, where, kinds, raising if known else [], exact).make()


def _term(operation: Operation) -> Term:
    return operation.attributes["error"]


def _asks_for_the_program() -> bool:
    """Whether it is the user's code that looks at an exception; others do it to handle it, or to show it."""
    filename = sys._getframe(3).f_code.co_filename
    return is_user_code(filename) or filename.startswith(_OPERATORS)


def _has_context(operation: Operation) -> bool:
    """Whether it is raised where another exception is handled."""
    return any(graph.recording.handling is not None for graph in outwards(operation.graph))


def _is_static(term: Any) -> bool:
    """Whether an exception can be made without the values of a run."""
    if isinstance(term, Term):
        return term.head not in ("hole", "caught") and all(map(_is_static, term.parts))
    return not isinstance(term, tuple) or all(map(_is_static, term))


def contents(error: BaseException) -> dict[str, Any]:
    """What an exception holds, for `check_unchanged`."""
    return dict(object.__getattribute__(error, "__dict__"))


def check_unchanged(error: BaseException, before: dict[str, Any]) -> None:
    """Raises StagingError if a handler has written to the exception, which is another one when the graph runs."""
    now = contents(error)
    if list(now) != list(before) or any(now[name] is not value for name, value in before.items()):
        raise StagingError(
            f"the exception ({type(error).__name__}) that comes when the graph runs is changed in its handler: an"
            " attribute is set, or a note is added. That would be lost; raise a new exception with it instead"
        )


@dataclass
class _Maker:
    """Makes the stand-in for exceptions of these classes, raised by `raising`, if all of them are raised by `raise`."""

    graph: Graph
    where: str
    kinds: tuple[type[BaseException], ...]
    raising: list[Operation]
    exact: bool
    made: dict[Any, Any] = field(default_factory=dict)

    def make(self) -> BaseException:
        base = self.kinds[0] if self.exact else BaseException
        namespace: dict[str, Any] = {
            "__ag_class__": lambda: base if self.exact else self.refuse("its class"),  # what `type(error)` is
            "__doc__": base.__doc__,
            "__module__": base.__module__,
            "__qualname__": base.__qualname__,
            "__getattribute__": lambda error, name: self.attribute(error, base, name),
            "__setattr__": lambda error, name, value: self.set_attribute(error, name, value),
            "__format__": lambda error, spec: format(self.text("", spec)),
            "__str__": lambda error: str(self.text("s", "")),
            "__repr__": lambda error: str(self.text("r", "")),
            "__reduce_ex__": partial(self.refuse, "its copy"),
        }
        return base.__new__(cast("type[BaseException]", type(base.__name__, (base,), namespace)))

    def refuse(self, what: str, *args: object) -> NoReturn:
        names = ", ".join(kind.__name__ for kind in self.kinds)
        raise StagingError(
            f"the exception that is caught {self.where} is known only when the graph runs: it may be any of {names}."
            f" {what[0].upper()}{what[1:]} cannot be asked for in the handler; its text can, it can be raised again"
            " and be the cause of another one; or write a handler for each class"
        )

    def text(self, conversion: str, spec: str) -> SymbolicTensor:
        key = conversion, spec
        if key not in self.made:
            attributes = {"conversion": conversion, "spec": spec}
            self.made[key] = self.graph.add(caught_text, [caught_value(self.graph)], attributes).outputs[0]
        return self.made[key]

    def set_attribute(self, error: BaseException, name: str, value: Any) -> None:
        if name not in _FREE:
            self.refuse(f"a new value of {name!r}")
        object.__setattr__(error, name, value)

    # -- parts ----------------------------------------------------------------------------------------------------

    def attribute(self, error: BaseException, base: type[BaseException], name: str) -> Any:
        if name == "__class__":
            return base if self.exact else self.refuse("its class") if _asks_for_the_program() else type(error)
        if name in _CHAIN and _asks_for_the_program():
            return self.chained(name)
        if name in _FREE:
            return object.__getattribute__(error, name)
        if name in _OF_OPERATIONS and self.exact and issubclass(base, OpError):
            return self.text("s", "") if name == "message" else (self.text("s", ""),)
        if self.raising:
            found = self.known(name)
            if found is not _MISSING:
                return found
        held = in_class(base, name, _MISSING)
        if held is _MISSING and (self.raising or name.startswith("__")):
            raise AttributeError(f"'{base.__name__}' object has no attribute '{name}'", name=name, obj=error)
        is_field = hasattr(type(held), "__set__") and not isinstance(held, property)
        if (held is _MISSING or is_field) and (name != "__dict__" or _asks_for_the_program()):
            self.refuse("its arguments" if name == "args" else f"its attribute {name!r}")
        return object.__getattribute__(error, name)

    def chained(self, name: str) -> Any:
        """The cause or the context, for the program; tools that show tracebacks see those of the trace."""
        causes = {repr(_term(o).parts[3]): _term(o).parts[3] for o in self.raising}
        if name == "__cause__" and len(causes) == 1 and _is_static(cause := next(iter(causes.values()))):
            return None if cause is None else _made(cause)
        return self.refuse(f"its {name!r}")

    def known(self, name: str) -> Any:
        """An attribute that the exceptions were given, or their `args`; _MISSING if they have none of that name."""
        if name not in self.made:
            values = [self.given(operation, name) for operation in self.raising]
            if all(value is _MISSING for value in values):
                return _MISSING
            if any(value is _MISSING for value in values):
                self.refuse(f"its attribute {name!r}")
            self.made[name] = self.joined((name,), list(zip(values, self.raising, strict=True)))
        return self.made[name]

    def given(self, operation: Operation, name: str) -> Any:
        _, args, attributes, *_ = _term(operation).parts
        return args if name == "args" else dict(attributes).get(name, _MISSING)

    def joined(self, path: tuple[Any, ...], values: list[tuple[Any, Operation]]) -> Any:
        """What stands for a part of the exception, given as each of the operations describes it."""
        first = values[0][0]
        if _is_static(first) and all(type(v) is type(first) and repr(v) == repr(first) for v, _ in values):
            return _made(first)
        if all(isinstance(v, tuple) and len(v) == len(first) for v, _ in values):
            columns = [[(v[i], operation) for v, operation in values] for i in range(len(first))]
            return tuple(self.joined((*path, i), column) for i, column in enumerate(columns))
        leaves = [o.inputs[v.parts[0]] if isinstance(v, Term) and v.head == "hole" else v for v, o in values]
        if not all(isinstance(leaf, TENSOR_LIKE) for leaf in leaves):
            self.refuse(f"its part {'.'.join(map(str, path))}")
        return self.part(path, leaves)

    def part(self, path: tuple[Any, ...], leaves: list[Any]) -> SymbolicTensor:
        found = [LeafType.of(leaf) for leaf in leaves]
        kind = met(found, lambda a, b: f"a part of the caught exception is {a.name} or {b.name}")
        if kind.dtype is string and kind.shape.rank != 0:
            self.refuse("an array of texts in it")
        attributes = {"path": path, "dtype": kind.dtype, "shape": kind.shape}
        return kind.marked(self.graph.add(caught_part, [caught_value(self.graph)], attributes).outputs[0])


def _made(described: Any) -> Any:
    """A value from its description, which has no holes."""
    return make_part(described, ())
