"""Operations of ExtensionTypes: `dispatch_for_api` says what an operation does with values of a program's class.

    @dispatch_for_api(runtime.add, {"x": Masked, "y": Masked})
    def masked_add(x, y):
        return Masked(x.values + y.values, x.mask & y.mask)

    @dispatch_for_unary_elementwise_apis(Masked)
    def of_elements(api, x):
        return Masked(api(x.values), x.mask)

A call for which two functions are registered is refused.
"""

from __future__ import annotations

import functools
import inspect
import types
import typing
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeVar

from runtime.composite.extension_type import ExtensionType
from runtime.composite.ragged_calls import is_by_element
from runtime.errors import OperandTypeError
from runtime.ops.records.families import find
from runtime.ops.records.record import Op
from runtime.state.calling import call_users
from runtime.tensor.composites import DISPATCHED, HANDLERS, bound
from runtime.tensor.tensor import Operators, Tensor

__all__ = [
    "dispatch_for_api", "dispatch_for_binary_elementwise_apis", "dispatch_for_unary_elementwise_apis",
    "unregister_dispatch_for",
]  # fmt: skip

Target = TypeVar("Target", bound=Callable[..., Any])
Signature = Mapping[Any, Any]


@dataclass(frozen=True)
class _Row:
    """A function for calls of an operation (or, with None, for all of a kind) whose arguments are of these types."""

    op: Op | None
    signature: Signature
    target: Callable[..., Any]


_rows: Final[list[_Row]] = []


def dispatch_for_api(api: Any, *signatures: Signature) -> Callable[[Target], Target]:
    """Decorator: the function does what an operation does with arguments of these types.

    api: an operation, such as runtime.add or runtime.concat; signatures: parameters (names or positions) and their
    types: classes, List[class], unions. Each signature has an ExtensionType. Raises TypeError for what is no operation.
    """
    op = _operation(api)

    def register(target: Target) -> Target:
        given = signatures or (_annotations(target),)
        rows = [_Row(op, _by_name(op, signature), target) for signature in given]
        for row in rows:
            _take(row)
        return target

    return register


def dispatch_for_unary_elementwise_apis(x_type: Any) -> Callable[[Target], Target]:
    """Decorator: handler(api, x) does what operations of one operand do, element by element. api: a function of it."""
    return _for_all({0: x_type})


def dispatch_for_binary_elementwise_apis(x_type: Any, y_type: Any) -> Callable[[Target], Target]:
    """Decorator: handler(api, x, y) does what operations of two operands do, element by element."""
    return _for_all({0: x_type, 1: y_type})


def _for_all(signature: Signature) -> Callable[[Target], Target]:
    def register(target: Target) -> Target:
        _take(_Row(None, signature, target))
        return target

    return register


def unregister_dispatch_for(dispatch_target: Callable[..., Any]) -> None:
    """Takes back what a function was registered for. Raises ValueError if it was not."""
    kept = [row for row in _rows if row.target is not dispatch_target]
    if len(kept) == len(_rows):
        raise ValueError(f"{dispatch_target!r} was not registered by dispatch_for_api or its kin")
    _rows[:] = kept


def _operation(api: Any) -> Op:
    found = api if isinstance(api, Op) else find(getattr(api, "__name__", ""))
    if found is None:
        raise TypeError(
            f"dispatch_for_api takes an operation, such as runtime.add; {api!r} is none: register for what it calls"
        )
    return found


def _annotations(target: Callable[..., Any]) -> Signature:
    hints = typing.get_type_hints(target)
    return {name: kind for name, kind in hints.items() if name != "return"}


def _by_name(op: Op, signature: Signature) -> Signature:
    """The signature by names of parameters. Raises ValueError for those that the operation does not have."""
    names = list(op.parameters)
    found = {names[key] if isinstance(key, int) and key < len(names) else key: kind for key, kind in signature.items()}
    for name in found:
        if name not in names:
            raise ValueError(f"dispatch_for_api: {op.name} has the parameters {', '.join(names)}; got {name!r}")
    return found


def _take(row: _Row) -> None:
    """Keeps a row; from now on the operations of its classes look for one."""
    classes = [kind for annotation in row.signature.values() for kind in _classes_in(annotation)]
    own = [kind for kind in classes if isinstance(kind, type) and issubclass(kind, ExtensionType)]
    if not own:
        raise ValueError(f"dispatch: a signature has a class of ExtensionType; got {dict(row.signature)!r}")
    for kind in own:
        _let_dispatch(kind)
    _rows.append(row)


def _let_dispatch(kind: type) -> None:
    for each in (kind, *kind.__subclasses__()):
        if each not in HANDLERS:
            HANDLERS[each] = _carried_out
            DISPATCHED.add(each)
        if each is not kind:
            _let_dispatch(each)


def _classes_in(annotation: Any) -> Iterator[Any]:
    parts = typing.get_args(annotation)
    if not parts:
        yield annotation
    for part in parts:
        yield from _classes_in(part)


def _fits(value: Any, annotation: Any) -> bool:
    origin, parts = typing.get_origin(annotation), typing.get_args(annotation)
    if origin in (typing.Union, types.UnionType):
        return any(_fits(value, part) for part in parts)
    if origin in (list, Sequence):
        return isinstance(value, list | tuple) and len(value) > 0 and all(_fits(item, parts[0]) for item in value)
    if annotation is Tensor:
        return isinstance(value, Operators)
    return annotation is Any or (isinstance(annotation, type) and isinstance(value, annotation))


def _fit_all(values: list[Any], signature: Signature) -> bool:
    return len(values) == len(signature) and all(_fits(value, signature[i]) for i, value in enumerate(values))


def _carried_out(op: Op, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
    """What a call of an operation with such a value gives. Raises OperandTypeError where nothing is registered."""
    named = dict(zip(op.parameters, args, strict=False)) | {k: v for k, v in kwargs.items() if v is not None}
    found = [row for row in _rows if row.op is op and all(_fits(named.get(n), t) for n, t in row.signature.items())]
    operands, attributes = bound(op, args, kwargs)
    values = [operands[name] for name in op.tensors]
    if is_by_element(op) and op.variadic is None and "axis" not in attributes:
        found += [row for row in _rows if row.op is None and _fit_all(values, row.signature)]
    targets = list({id(row.target): row for row in found}.values())
    if len(targets) > 1:
        raise OperandTypeError(f"{op.name}: {len(targets)} functions are registered for these arguments; leave one")
    if targets:
        (row,) = targets
        if row.op is None:
            return call_users(row.target, functools.partial(op, **attributes), *values)
        return call_users(row.target, **_for_target(row.target, named))
    kinds = ", ".join(sorted({type(v).__name__ for v in named.values() if type(v) in DISPATCHED}))
    raise OperandTypeError(
        f"{op.name}: nothing is registered for {kinds or 'these values'}; write a function with"
        f" runtime.experimental.dispatch_for_api(runtime.{op.name}, ...)"
    )


def _for_target(target: Callable[..., Any], named: dict[str, Any]) -> dict[str, Any]:
    """The arguments of a call; the name of a node is left out where the function does not take one."""
    taken = inspect.signature(target).parameters
    return {name: value for name, value in named.items() if name != "name" or "name" in taken}
