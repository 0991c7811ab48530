"""get_state, set_state and the body functions: what all converted control flow has in common.

    def get_state():
        return (y, ag__.ldu(lambda: o.v, 'o.v'))
    def set_state(vars_):
        nonlocal y
        (y, o.v) = vars_
    def if_body():
        nonlocal y
        ...

Choices: a name that is shared with the outside (global, nonlocal) may not exist yet, so it is read with `ldu` like an
attribute. All body functions of a statement declare all the names that it carries.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import gast

from autograph.analysis.state import State
from autograph.converters.rewriter import Rewriter
from autograph.syntax import At

__all__ = ["StateCode"]


class StateCode:
    """Builds the functions of one statement, all at the position of its first line."""

    def __init__(self, rewriter: Rewriter, node: Any, at: At) -> None:
        self.rewriter = rewriter
        self.node = node
        self.at = at
        self.state: State = rewriter.facts.states[node]
        self.get_name = rewriter.namer.passing("get_state")
        self.set_name = rewriter.namer.passing("set_state")

    @property
    def names(self) -> tuple[str, ...]:
        """Everything that the statement carries: outputs, then inputs."""
        return self.state.outputs + self.state.inputs

    def accessors(self) -> list[Any]:
        """The definitions of get_state and set_state."""
        at = self.at
        values = at.tuple([self._read(name) for name in self.names])
        get_state = at.function(self.get_name, [], [at.returns(values)])
        setting: list[Any] = []
        if self.names:
            target = at.put(gast.Tuple([self._target(name) for name in self.names], gast.Store()))
            own = [name for name in self.names if name not in self.state.composites]
            variables = self.rewriter.namer.fresh("vars_") if "vars_" in own else "vars_"
            setting = [*self.declarations(own), at.assign(target, at.name(variables))]
            return [get_state, at.function(self.set_name, [variables], setting)]
        return [get_state, at.function(self.set_name, ["vars_"], setting)]

    def _read(self, name: str) -> Any:
        at, unit = self.at, self.rewriter.place.unit
        assert unit is not None
        composite = self.state.composites.get(name)
        if composite is None and name in unit.scope.own:
            return at.name(name)
        value = at.name(name) if composite is None else _copy(composite.node, at, gast.Load())
        return at.operator(self.rewriter.ag, "ldu", at.thunk(value), at.constant(name))

    def _target(self, name: str) -> Any:
        composite = self.state.composites.get(name)
        return self.at.store(name) if composite is None else _copy(composite.node, self.at, gast.Store())

    def declarations(self, names: Sequence[str]) -> list[Any]:
        """`global` and `nonlocal` statements for names that a generated function binds."""
        unit = self.rewriter.place.unit
        assert unit is not None
        outside = [name for name in names if name in unit.scope.globals]
        around = [name for name in names if name not in unit.scope.globals]
        found = [self.at.put(gast.Global(outside))] if outside else []
        return [*found, self.at.put(gast.Nonlocal(around))] if around else found

    def body(
        self, name: str, field: str, statements: list[Any], parameters: Sequence[str] = (), owner: Any = None
    ) -> Any:
        """A body function: its declarations, placeholders and converted statements.

        owner: the node whose field the statements are, if not the statement itself: a handler of a `try`.
        """
        rewriter = self.rewriter
        with rewriter.at(replace(rewriter.place, nonlocals=frozenset(self.state.nonlocals))):
            converted = rewriter.block(statements)
        start = rewriter.starting(self.at, (self.node if owner is None else owner, field))
        return self.at.function(name, parameters, [*self.declarations(self.state.nonlocals), *start, *converted])

    def handed_over(self) -> list[Any]:
        """The last arguments of each operator: get_state, set_state, the names."""
        at = self.at
        names = at.tuple([at.constant(name) for name in self.names])
        return [at.name(self.get_name), at.name(self.set_name), names]


def _copy(node: Any, at: At, context: Any) -> Any:
    """A copy of `o.v`, `d['a']`, ... with another use."""
    if isinstance(node, gast.Name):
        return at.put(gast.Name(node.id, context, None, None))
    value = _copy(node.value, at, gast.Load())
    if isinstance(node, gast.Attribute):
        return at.put(gast.Attribute(value, node.attr, context))
    key = node.slice
    if isinstance(key, gast.UnaryOp):
        copied = at.put(gast.UnaryOp(gast.USub(), at.constant(key.operand.value)))
    else:
        copied = at.name(key.id) if isinstance(key, gast.Name) else at.constant(key.value)
    return at.put(gast.Subscript(value, copied, context))
