"""get_state, set_state and the body functions: what all converted control flow has in common.

    def get_state():
        return (y, ag__.ldu(lambda: o.v, 'o.v'))
    def set_state(vars_):
        nonlocal y
        (y, o.v) = vars_
    def if_body():
        nonlocal y
        ...

Of a name whose elements are written (`x[0] = v`) it shows only at run time whether the name or the element is state:

    def get_state():
        return (ag__.container(x, 'x'), ag__.ldu(lambda: ag__.item(x, 0), 'x[0]'))
    def set_state(vars_):
        nonlocal x
        x = ag__.rebound(x, vars_[0])
        ag__.put_item(x, 0, vars_[1])

Choices: a name that is shared with the outside (global, nonlocal) may not exist yet, so it is read with `ldu` like an
attribute. All body functions of a statement declare all the names that it carries.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import gast

from autograph.analysis.regions import Composite
from autograph.analysis.state import State
from autograph.analysis.uses import writes_element
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
            own = [name for name in self.names if name not in self.state.composites]
            variables = self.rewriter.namer.fresh("vars_") if "vars_" in own else "vars_"
            setting = [*self.declarations(own), *self._assignments(variables)]
            return [get_state, at.function(self.set_name, [variables], setting)]
        return [get_state, at.function(self.set_name, ["vars_"], setting)]

    def _read(self, name: str) -> Any:
        at, unit = self.at, self.rewriter.place.unit
        assert unit is not None
        composite = self.state.composites.get(name)
        if composite is None:
            value = at.name(name)
            if name in self.state.containers:
                value = at.operator(self.rewriter.ag, "container", value, at.constant(name))
            if name in unit.scope.own:
                return value
        else:
            value = self._composite(composite)
        return at.operator(self.rewriter.ag, "ldu", at.thunk(value), at.constant(name))

    def _composite(self, composite: Composite) -> Any:
        at, ag, node = self.at, self.rewriter.ag, composite.node
        if writes_element(node):
            value = at.operator(ag, "item", self._holder(node.value), _copy_key(node.slice, at))
        else:
            value = _copy(node, at, gast.Load())
        return at.operator(ag, "container", value, at.constant(composite.text)) if composite.contains else value

    def _assignments(self, variables: str) -> list[Any]:
        """The statements of set_state: one, or one for each value where some may be placeholders."""
        at = self.at
        if not self.state.containers and not any(map(_may_not_apply, self.state.composites.values())):
            target = at.put(gast.Tuple([self._target(name) for name in self.names], gast.Store()))
            return [at.assign(target, at.name(variables))]
        return [
            self._assignment(name, at.put(gast.Subscript(at.name(variables), at.constant(place), gast.Load())))
            for place, name in enumerate(self.names)
        ]

    def _assignment(self, name: str, value: Any) -> Any:
        at, ag = self.at, self.rewriter.ag
        composite = self.state.composites.get(name)
        if composite is None:
            rebound = at.operator(ag, "rebound", at.name(name), value) if name in self.state.containers else value
            return at.assign(name, rebound)
        if not _may_not_apply(composite):
            return at.assign(self._target(name), value)
        owner = self._holder(composite.node.value)
        if isinstance(composite.node, gast.Attribute):
            return at.expression(at.operator(ag, "put_attribute", owner, at.constant(composite.node.attr), value))
        operator = "put_item"
        if isinstance(composite.node.value, gast.Subscript):  # which may not be there before the statement
            operator, owner = "put_item_of", at.thunk(owner)
        return at.expression(at.operator(ag, operator, owner, _copy_key(composite.node.slice, at), value))

    def _holder(self, node: Any) -> Any:
        """The object that an element or attribute belongs to: an element itself, perhaps, by a key that is staged."""
        at = self.at
        if isinstance(node, gast.Subscript) and writes_element(node):
            return at.operator(self.rewriter.ag, "item", self._holder(node.value), _copy_key(node.slice, at))
        return _copy(node, at, gast.Load())

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
        first = At.start_of(statements[0]) if statements else self.at  # no stop of its own in the line of the header
        start = rewriter.starting(first, (self.node if owner is None else owner, field))
        return self.at.function(name, parameters, [*self.declarations(self.state.nonlocals), *start, *converted])

    def handed_over(self) -> list[Any]:
        """The last arguments of each operator: get_state, set_state, the names."""
        at = self.at
        names = at.tuple([at.constant(name) for name in self.names])
        return [at.name(self.get_name), at.name(self.set_name), names]


def _may_not_apply(composite: Composite) -> bool:
    """Whether it may turn out at run time that this attribute or element is not what the statement changes."""
    return composite.contains or writes_element(composite.node)


def _copy(node: Any, at: At, context: Any) -> Any:
    """A copy of `o.v`, `d['a']`, ... with another use."""
    if isinstance(node, gast.Name):
        return at.put(gast.Name(node.id, context, None, None))
    value = _copy(node.value, at, gast.Load())
    if isinstance(node, gast.Attribute):
        return at.put(gast.Attribute(value, node.attr, context))
    return at.put(gast.Subscript(value, _copy_key(node.slice, at), context))


def _copy_key(key: Any, at: At) -> Any:
    if isinstance(key, gast.UnaryOp):
        return at.put(gast.UnaryOp(gast.USub(), _copy_key(key.operand, at)))
    return at.name(key.id) if isinstance(key, gast.Name) else at.constant(key.value)
