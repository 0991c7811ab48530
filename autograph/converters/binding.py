"""A walrus in an operand that moves into a lambda: it assigns by a function, for the name is the function's.

                                      def get_state():
                                          return (y,)
                                      def set_state(vars_):
    x > 0 and (y := f(x)) > 1             nonlocal y
                                --->      y, = vars_
                                      def set_y(value_):
                                          nonlocal y
                                          y = value_
                                          return value_
                                      ag__.and_(lambda: x > 0, lambda: set_y(f(x)) > 1, get_state, set_state, ('y',))

The definitions stand before the statement (in `loop_test` for the test of a `while`), once for all its operands. What
an operand assigns is state like that of an `if` statement.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import gast

from autograph.syntax import At, children

if TYPE_CHECKING:
    from autograph.converters.rewriter import Rewriter

__all__ = ["Binding", "begin", "bound_by_walrus", "can_move", "convert_walrus", "definitions", "state_arguments"]


@dataclass(frozen=True, slots=True)
class Binding:
    """The names that operands of one statement assign to, and the functions that do it."""

    names: tuple[str, ...]
    get_name: str
    set_name: str
    setters: dict[str, str] = field(default_factory=dict)


def begin(rewriter: Rewriter, names: tuple[str, ...]) -> Binding:
    """Names for the functions of the next statement."""
    namer = rewriter.namer
    setters = {name: namer.passing(f"set_{name}") for name in names}
    return Binding(names, namer.passing("get_state"), namer.passing("set_state"), setters)


def definitions(rewriter: Rewriter, binding: Binding, at: At) -> list[Any]:
    """The functions of a binding."""
    unit = rewriter.place.unit
    assert unit is not None

    def declared(names: tuple[str, ...]) -> list[Any]:
        outside = [name for name in names if name in unit.scope.globals]
        around = [name for name in names if name not in unit.scope.globals]
        found = [at.put(gast.Global(outside))] if outside else []
        return [*found, at.put(gast.Nonlocal(around))] if around else found

    def read(name: str) -> Any:
        if name in unit.scope.own:
            return at.name(name)
        return at.operator(rewriter.ag, "ldu", at.thunk(at.name(name)), at.constant(name))

    variables, value = rewriter.namer.shared("vars_"), rewriter.namer.shared("value_")
    target = at.put(gast.Tuple([at.store(name) for name in binding.names], gast.Store()))
    getting = [at.returns(at.tuple([read(name) for name in binding.names]))]
    setting = [*declared(binding.names), at.assign(target, at.name(variables))]
    found = [at.function(binding.get_name, [], getting), at.function(binding.set_name, [variables], setting)]
    for name, setter in binding.setters.items():
        body = [*declared((name,)), at.assign(name, at.name(value)), at.returns(at.name(value))]
        found.append(at.function(setter, [value], body))
    return found


def bound_by_walrus(*expressions: Any) -> set[str]:
    """The names that walruses in the expressions bind outside of them."""
    pending = [node for node in expressions if node is not None]
    names: set[str] = set()
    while pending:
        node = pending.pop()
        if isinstance(node, gast.NamedExpr):
            names.add(node.target.id)
        if not isinstance(node, gast.Lambda):
            pending += children(node)
    return names


def can_move(rewriter: Rewriter, *operands: Any) -> bool:
    """Whether the operands can move into lambdas: functions assign what they bind, and nothing in them suspends."""
    pending = [node for node in operands if node is not None]
    while pending:
        node = pending.pop()
        if isinstance(node, gast.Await | gast.Yield | gast.YieldFrom):
            return False
        if not isinstance(node, gast.Lambda):
            pending += children(node)
    names = bound_by_walrus(*operands)
    return not names or (rewriter.binding is not None and names <= set(rewriter.binding.names))


def state_arguments(rewriter: Rewriter, names: set[str], at: At) -> list[Any]:
    """The last arguments of an operator whose operands bind `names`; none if they bind nothing."""
    binding = rewriter.binding
    if not names or binding is None:
        return []
    texts = at.tuple([at.constant(name) for name in binding.names])
    return [at.name(binding.get_name), at.name(binding.set_name), texts]


def convert_walrus(rewriter: Rewriter, node: Any) -> Any:
    setters = rewriter.binding.setters if rewriter.binding is not None and rewriter.moves else {}
    setter = setters.get(node.target.id)
    if setter is None:
        return rewriter.parts(node)
    at = At(node)
    return at.call(at.name(setter), [rewriter.expression(node.value)])
