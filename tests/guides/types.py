"""Programs over ExtensionTypes and what operations do with them, as the guide on extension types writes them."""

from __future__ import annotations

import os
import tempfile
import typing
from collections.abc import Callable
from typing import Any, Final

import numpy as np

__all__ = ["PROGRAMS"]

Program = Callable[[Any], Any]


def _masked(m: Any, **more: Any) -> Any:
    """A class of values and a mask; its annotations are classes, not texts."""
    base = m.experimental.ExtensionType
    fields = {"values": m.Tensor, "mask": m.Tensor}
    return type(base)("Masked", (base,), {"__annotations__": fields, "__module__": __name__, **more})


def _parts(value: Any) -> Any:
    return [value.values, value.mask]


def _with(m: Any, register: Callable[[Any, Any], Any], use: Callable[[Any, Any], Any]) -> Any:
    """What a program gives while functions are registered, which are taken back afterwards."""
    kind = _masked(m)
    targets = register(m, kind)
    try:
        return use(kind([1.0, -2.0, 3.0], [True, False, True]), kind([4.0, 5.0, -6.0], [True, True, False]))
    finally:
        for target in targets if isinstance(targets, tuple) else (targets,):
            m.experimental.unregister_dispatch_for(target)


def _add(m: Any, kind: Any) -> Any:
    @m.experimental.dispatch_for_api(m.add, {"x": kind, "y": kind})  # type: ignore[untyped-decorator]
    def masked_add(x: Any, y: Any, name: Any = None) -> Any:
        return kind(x.values + y.values, x.mask & y.mask)

    return masked_add


def _either(m: Any, kind: Any) -> Any:
    @m.experimental.dispatch_for_api(m.multiply, {"x": kind}, {"y": kind})  # type: ignore[untyped-decorator]
    def masked_multiply(x: Any, y: Any) -> Any:
        values = [part.values if isinstance(part, kind) else part for part in (x, y)]
        masks = [part.mask for part in (x, y) if isinstance(part, kind)]
        return kind(values[0] * values[1], masks[0])

    return masked_multiply


def _concat(m: Any, kind: Any) -> Any:
    @m.experimental.dispatch_for_api(m.concat, {"values": typing.List[kind]})  # type: ignore[untyped-decorator]
    def masked_concat(values: Any, axis: Any) -> Any:
        return kind(m.concat([v.values for v in values], axis), m.concat([v.mask for v in values], axis))

    return masked_concat


def _unary(m: Any, kind: Any) -> Any:
    @m.experimental.dispatch_for_unary_elementwise_apis(kind)  # type: ignore[untyped-decorator]
    def of_elements(api: Any, x: Any) -> Any:
        return kind(api(x.values), x.mask)

    return of_elements


def _binary(m: Any, kind: Any) -> Any:
    @m.experimental.dispatch_for_binary_elementwise_apis(kind, kind)  # type: ignore[untyped-decorator]
    def of_two(api: Any, x: Any, y: Any) -> Any:
        return kind(api(x.values, y.values), x.mask & y.mask)

    return of_two


def _both(m: Any, kind: Any) -> Any:
    return _unary(m, kind), _add(m, kind), _binary(m, kind)


def _registered(register: Callable[[Any, Any], Any], use: Callable[[Any, Any, Any], Any]) -> Program:
    return lambda m: _with(m, register, lambda x, y: use(m, x, y))


def _taken_back(m: Any) -> Any:
    kind = _masked(m)
    m.experimental.unregister_dispatch_for(_add(m, kind))
    return m.add(kind([1.0], [True]), kind([1.0], [True]))


def _saved(m: Any) -> Any:
    """A Function of a saved model that takes an ExtensionType."""
    kind = _masked(m, __name__="guides.Masked")

    module = m.Module()
    module.fill = m.function(lambda x, value: m.where(x.mask, x.values, value))
    value = kind([1.0, 2.0, 3.0], [True, False, True])
    module.fill(value, m.constant(7.0))
    with tempfile.TemporaryDirectory() as folder:
        m.saved_model.save(module, os.path.join(folder, "of"))
        loaded = m.saved_model.load(os.path.join(folder, "of"))
    return [loaded.fill(value, m.constant(-1.0)), loaded.fill(kind([5.0, 6.0, 7.0], [False] * 3), m.constant(0.5))]


DISPATCH: Final[dict[str, Program]] = {
    "dispatch_for_api": _registered(_add, lambda m, x, y: _parts(m.add(x, y))),
    "dispatch_for_api by name": _registered(_add, lambda m, x, y: _parts(m.add(y=x, x=y))),
    "dispatch_for_api in a function": _registered(_add, lambda m, x, y: _parts(m.function(lambda a: m.add(a, y))(x))),
    "dispatch_for_api of two signatures": _registered(
        _either, lambda m, x, y: [_parts(m.multiply(x, 2.0)), _parts(m.multiply(np.float32(3.0), y))]
    ),
    "dispatch_for_api of a list": _registered(_concat, lambda m, x, y: _parts(m.concat([x, y], 0))),
    "dispatch_for_api of another type": _registered(_add, lambda m, x, y: m.add(x, 1.0)),
    "dispatch_for_api of no parameter": lambda m: m.experimental.dispatch_for_api(m.add, {"z": _masked(m)})(abs),
    "dispatch_for_unary_elementwise_apis": _registered(
        _unary, lambda m, x, y: [_parts(m.abs(x)), _parts(m.ones_like(x, dtype=m.int32)), _parts(m.math.exp(y))]
    ),
    "dispatch_for_binary_elementwise_apis": _registered(
        _binary, lambda m, x, y: [_parts(m.subtract(x, y)), _parts(m.maximum(x, y)), _parts(m.math.less(x, y))]
    ),
    "two functions for one call": _registered(_both, lambda m, x, y: _parts(m.add(m.negative(x), y))),
    "unregister_dispatch_for": _taken_back,
    "unregister_dispatch_for what is not registered": lambda m: m.experimental.unregister_dispatch_for(abs),
}  # fmt: skip

PROGRAMS: Final[dict[str, Program]] = {**DISPATCH, "an ExtensionType as argument of a saved Function": _saved}
