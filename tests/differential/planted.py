"""Known bugs, planted on purpose: an oracle that misses one of them is not worth running.

A bug is either an edit of every generated tree, between converters and compiler, or a wrong operator.  Example:

    with planted(BUGS["branches are swapped"]):
        report = campaign(range(500))
    assert report.failures
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any
from unittest import mock

import gast

from autograph import operators, pipeline
from autograph.operators import loop
from runtime.function import concrete
from runtime.function.given_arrays import MeetsOthers
from runtime.function.left_leaves import ArrayView, GivenArray

__all__ = ["BUGS", "PROBE_BUG", "STAGING_BUGS", "STATE_BUGS", "planted"]

Edit = Callable[[Any], None]
Bug = Callable[[], Any]


def edited(edit: Edit) -> Bug:
    """A bug in the generated tree."""
    convert = pipeline.convert_function

    def convert_wrongly(*arguments: Any, **options: Any) -> Any:
        tree = convert(*arguments, **options)
        edit(tree)
        return tree

    return lambda: mock.patch.object(pipeline, "convert_function", convert_wrongly)


def operator(name: str, make: Callable[[Any], Any]) -> Bug:
    """A bug in an operator: `make` receives the right one."""
    return lambda: mock.patch.object(operators, name, make(getattr(operators, name)))


@contextmanager
def planted(*bugs: Bug) -> Iterator[None]:
    """Convert and run with the bugs, and without them afterwards."""
    with ExitStack() as stack:
        for bug in bugs:
            stack.enter_context(bug())
        yield


def _functions(tree: Any, *stems: str) -> Iterator[Any]:
    for node in gast.walk(tree):
        if isinstance(node, gast.FunctionDef) and node.name.startswith(stems):
            yield node


def _calls(tree: Any, name: str) -> Iterator[Any]:
    for node in gast.walk(tree):
        if isinstance(node, gast.Call) and isinstance(node.func, gast.Attribute) and node.func.attr == name:
            yield node


def _set_flags_to_false(tree: Any, stem: str) -> None:
    for node in gast.walk(tree):
        if isinstance(node, gast.Assign) and getattr(node.targets[0], "id", "").startswith(stem):
            if isinstance(node.value, gast.Constant) and node.value.value is True:
                node.value.value = False


def _blind(root: Any, stem: str) -> None:
    """Replace reads of a flag by False."""
    for node in gast.walk(root):
        for field, value in gast.iter_fields(node):
            children = value if isinstance(value, list) else [value]
            for position, child in enumerate(children):
                if isinstance(child, gast.Name) and child.id.startswith(stem) and isinstance(child.ctx, gast.Load):
                    constant = gast.copy_location(gast.Constant(False, None), child)
                    if isinstance(value, list):
                        value[position] = constant
                    else:
                        setattr(node, field, constant)


def drop_a_state_name(tree: Any) -> None:
    for function in _functions(tree, "if_body"):
        for statement in function.body:
            if isinstance(statement, gast.Nonlocal) and len(statement.names) > 1:
                statement.names.pop()


def continue_does_not_skip(tree: Any) -> None:
    _set_flags_to_false(tree, "continue_")


def loops_ignore_return(tree: Any) -> None:
    for call in _calls(tree, "for_stmt"):
        _blind(call.args[1], "do_return")
    for function in _functions(tree, "loop_test"):
        _blind(function, "do_return")


def loop_else_always_runs(tree: Any) -> None:
    for call in _calls(tree, "if_stmt"):
        if any(isinstance(node, gast.Name) and node.id.startswith("break_") for node in gast.walk(call.args[0])):
            call.args[0] = gast.copy_location(gast.Constant(True, None), call.args[0])


def augmented_assignment_is_lost(tree: Any) -> None:
    for node in gast.walk(tree):
        for block in (getattr(node, name, None) for name in ("body", "orelse", "finalbody")):
            for position, statement in enumerate(block if isinstance(block, list) else ()):
                if isinstance(statement, gast.AugAssign) and not isinstance(statement.target, gast.Name):
                    block[position] = gast.copy_location(gast.Expr(statement.value), statement)


def middle_operand_twice(tree: Any) -> None:
    """Undo the binding of a chain's middle operand: put its expression wherever its name is read."""
    for node in gast.walk(tree):
        if isinstance(node, gast.Call) and isinstance(node.func, gast.Lambda):
            names = [argument.id for argument in node.func.args.args]
            if "middle" in "".join(names) and len(names) == len(node.args):
                _substitute(node.func.body, dict(zip(names, node.args, strict=True)))


def _substitute(root: Any, values: dict[str, Any]) -> None:
    for node in gast.walk(root):
        for field, value in gast.iter_fields(node):
            if isinstance(value, gast.Name) and value.id in values:
                setattr(node, field, values[value.id])
            elif isinstance(value, list):
                value[:] = [values.get(child.id, child) if isinstance(child, gast.Name) else child for child in value]


def set_state_loses_a_name(tree: Any) -> None:
    for function in _functions(tree, "set_state"):
        for statement in function.body:
            if isinstance(statement, gast.Assign) and isinstance(statement.targets[0].elts[-1], gast.Name):
                statement.targets[0].elts[-1].id = "lost"


def state_is_not_an_output(tree: Any) -> None:
    for call in _calls(tree, "if_stmt"):
        call.args[6].value = max(0, call.args[6].value - 1)


def late_break(for_stmt: Any) -> Any:
    def wrong(iter_: Any, extra_test: Any, body: Any, *rest: Any) -> None:
        before = [True]

        def late() -> Any:
            before.append(extra_test())
            return before[-2]

        for_stmt(iter_, late if extra_test else None, body, *rest)

    return wrong


BUGS: dict[str, Bug] = {
    "a state name is dropped": edited(drop_a_state_name),
    "branches are swapped": operator(
        "if_stmt", lambda right: lambda c, body, orelse, *rest: right(c, orelse, body, *rest)
    ),
    "break comes one iteration late": operator("for_stmt", late_break),
    "continue does not skip": edited(continue_does_not_skip),
    "loops ignore return": edited(loops_ignore_return),
    "the middle operand is evaluated twice": edited(middle_operand_twice),
    "the else of a loop always runs": edited(loop_else_always_runs),
    "augmented assignment is lost": edited(augmented_assignment_is_lost),
    "and is not lazy": operator("and_", lambda right: lambda a, b: (lambda x, y: x and y)(a(), b())),
    "or is not lazy": operator("or_", lambda right: lambda a, b: (lambda x, y: x or y)(a(), b())),
    "not is forgotten": operator("not_", lambda right: lambda value: bool(value)),
    "the extra test is ignored": operator("for_stmt", lambda right: lambda i, extra, *rest: right(i, None, *rest)),
    "the ternary evaluates both sides": operator(
        "if_exp", lambda right: lambda c, a, b, text: (lambda x, y: x if c else y)(a(), b())
    ),
}

# Python mode never reads the state, so these need a stager.
STAGING_BUGS: dict[str, Bug] = {
    "set_state loses a name": edited(set_state_loses_a_name),
    "the last output counts as input only": edited(state_is_not_an_output),
    "branches are swapped": BUGS["branches are swapped"],
    "loops ignore return": BUGS["loops ignore return"],
    "continue does not skip": BUGS["continue does not skip"],
}


def leaves_a_copy(leaf: Any) -> Bug:
    """An array that runs leave is a copy of the one that Python would leave."""
    right = leaf.made
    return lambda: mock.patch.object(leaf, "made", lambda self, run: right(self, run).copy())


# In what is left when a run is over, and in what a trace depends on.
STATE_BUGS: dict[str, Bug] = {
    "a view is left as a copy": leaves_a_copy(ArrayView),
    "an array that was there is left as a copy": leaves_a_copy(GivenArray),
    "writes to arrays in places are lost": lambda: mock.patch.object(concrete, "write_back", lambda *rows: None),
    "how arrays lie is not guarded": lambda: mock.patch.object(MeetsOthers, "same", lambda self, arrays: True),
}


def PROBE_BUG() -> Any:
    """What the probed test of a loop assigned is not taken back."""
    return mock.patch.object(loop, "set_variables", lambda *state: None)
