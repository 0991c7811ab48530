"""Programs with ExtensionTypes: functions of the module they run with.

    PROGRAMS["arguments"](tensorflow)       # what TensorFlow gives
    PROGRAMS["arguments"](runtime)          # and what is given here

Annotations are values here, and not texts: TensorFlow does not find what is local to a function by its name.
"""

from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any, Final, Optional, Tuple, Union

__all__ = ["PROGRAMS"]


def _masked_type(m: Any) -> Any:
    """A class with methods, operators, a check and a Spec of its own."""

    class Masked(m.experimental.ExtensionType):
        values: m.Tensor
        mask: m.Tensor
        name: str = "m"

        def __validate__(self) -> None:
            self.values.shape.assert_is_compatible_with(self.mask.shape)

        @property
        def shape(self) -> Any:
            return self.values.shape

        def filled(self, value: Any) -> Any:
            return m.where(self.mask, self.values, value)

        @m.function
        def total(self) -> Any:
            return m.reduce_sum(self.filled(0.0))

        def __add__(self, other: Any) -> Any:
            return Masked(self.values + other.values, m.logical_and(self.mask, other.mask), self.name)

        class Spec:
            def __init__(self, shape: Any, name: str = "m") -> None:
                self.values = m.TensorSpec(shape, m.float32)
                self.mask = m.TensorSpec(shape, m.bool)
                self.name = name

    return Masked


def _types(m: Any) -> SimpleNamespace:
    """The classes of the programs, of one module's ExtensionType."""
    Masked = _masked_type(m)

    class Fields(m.experimental.ExtensionType):
        count: int
        sizes: Tuple[int, ...]
        by_name: Mapping[str, m.Tensor]
        either: Union[str, m.Tensor] = "none"
        maybe: Optional[m.Tensor] = None
        inner: Optional[Masked] = None

    class Pair(m.experimental.BatchableExtensionType):
        x: m.Tensor
        y: m.Tensor

    class Own(m.experimental.ExtensionType):
        x: m.Tensor
        y: m.Tensor

        def __init__(self, both: Any) -> None:
            self.x = both
            self.y = both * 2

    return SimpleNamespace(Masked=Masked, Fields=Fields, Pair=Pair, Own=Own)


def _masked(t: Any, *values: float, name: str = "m") -> Any:
    return t.Masked(list(values), [v > 0 for v in values], name)


def _parts(m: Any, value: Any) -> Any:
    """The tensors of a value."""
    return m.nest.flatten(value, expand_composites=True)


def _conversions(m: Any) -> Any:
    t = _types(m)
    value = t.Fields(3, [1, 2], {"b": 1, "a": [2.0]}, 1.5, None, _masked(t, 1.0, -1.0))
    return [value.count, list(value.sizes), value.by_name["a"], value.either, value.inner.mask, _parts(m, value)]


def _refused(m: Any, **changes: Any) -> Any:
    fields = {"count": 3, "sizes": (1,), "by_name": {}, **changes}
    return _types(m).Fields(**fields).count


def _counted(m: Any) -> Any:
    """How many traces several values need."""
    t, traces = _types(m), []

    @m.function
    def total(value: Any) -> Any:
        traces.append(1)
        return m.reduce_sum(value.filled(0.0))

    values = [(1.0, 2.0), (3.0, 4.0), (1.0, 2.0, 3.0)]
    return [total(_masked(t, *v)) for v in values] + [total(_masked(t, 1.0, 2.0, name="n")), len(traces)]


def _branches(m: Any) -> Any:
    t = _types(m)

    @m.function
    def chosen(a: Any, b: Any, c: Any) -> Any:
        if c:
            r = a + b
        else:
            r = t.Masked(b.filled(9.0), a.mask)
        return r

    a, b = _masked(t, 1.0, -2.0), _masked(t, 5.0, 6.0)
    return [_parts(m, chosen(a, b, m.constant(c))) for c in (True, False)]


def _loops(m: Any) -> Any:
    t = _types(m)

    @m.function
    def grown(value: Any, n: Any) -> Any:
        for _ in m.range(n):
            if m.reduce_sum(value.values) < 40.0:
                value = value + value
        while m.reduce_sum(value.values) > 10.0:
            value = t.Masked(value.values / 2.0, value.mask)
        return value

    return [_parts(m, grown(_masked(t, 1.0, 2.0), m.constant(n))) for n in (0, 3, 9)]


def _different_branches(m: Any) -> Any:
    t = _types(m)
    chosen = m.function(lambda a, b, c: m.cond(c, lambda: a, lambda: b))
    return _parts(m, chosen(_masked(t, 1.0), _masked(t, 1.0, name="n"), m.constant(True)))


def _signature(m: Any) -> Any:
    t = _types(m)
    total = m.function(lambda v: m.reduce_sum(v.values), input_signature=[t.Masked.Spec([None])])
    return [total(_masked(t, 1.0)), total(_masked(t, 1.0, 2.0)), list(t.Masked.Spec([None]).values.shape)]


def _specs(m: Any) -> Any:
    t = _types(m)
    two, three = t.Pair.Spec.from_value(t.Pair([1, 2], 3)), t.Pair.Spec.from_value(t.Pair([1, 2, 3], 3))
    above = two.most_specific_common_supertype([three])
    return [
        two.is_compatible_with(t.Pair([4, 5], 6)), two.is_compatible_with(t.Pair([4, 5, 6], 6)),
        two.is_subtype_of(above), above.is_subtype_of(two), list(above.x.shape), two == three,
        two == t.Pair.Spec.from_value(t.Pair([7, 8], 9)),
    ]  # fmt: skip


def _equality(m: Any) -> Any:
    t = _types(m)
    a, others = t.Pair([1, 2], 3), [t.Pair([1, 2], 3), t.Pair([1, 9], 3), t.Pair([1, 2, 3], 3), t.Pair([1.0, 2.0], 3)]
    return [bool(a == other) for other in others] + [bool(a != other) for other in others]


def _changed(m: Any, name: str) -> Any:
    value = _types(m).Pair(1, 2)
    setattr(value, name, 3)
    return _parts(m, value)


def _rows(m: Any) -> Any:
    t = _types(m)
    pairs = t.Pair([1, 2, 3], [4, 5, 6])
    made = m.map_fn(lambda p: t.Pair(p.y, p.x), pairs)
    return [_parts(m, made), m.map_fn(lambda p: p.x * p.y, pairs, fn_output_signature=m.int32)]


def _datasets(m: Any) -> Any:
    t = _types(m)
    slices = m.data.Dataset.from_tensor_slices(t.Pair([1, 2, 3], [4, 5, 6]))
    batches = slices.map(lambda p: t.Pair(p.x * 2, p.y)).batch(2)
    whole = m.data.Dataset.from_tensors(_masked(t, 1.0, -2.0)).map(lambda v: v.filled(7.0))
    return [[_parts(m, p) for p in slices], [_parts(m, p) for p in batches], list(whole)]


def _methods(m: Any) -> Any:
    t = _types(m)
    return [_masked(t, 1.0, -2.0, 3.0).total(), _masked(t, 5.0).total(), list(_masked(t, 5.0).shape)]


def _gradients(m: Any) -> Any:
    t = _types(m)
    value = m.constant([1.0, 2.0])
    with m.GradientTape() as tape:
        tape.watch(value)
        masked = t.Masked(value, [True, False])
        loss = m.reduce_sum((masked + masked).filled(0.0) ** 2)
    return tape.gradient(loss, value)


PROGRAMS: Final = {
    "conversions": _conversions,
    "defaults by name": lambda m: _refused(m, maybe=[1]),
    "a field of another type": lambda m: _refused(m, count="three"),
    "a tensor for an int": lambda m: _refused(m, count=m.constant(3)),
    "an item of another type": lambda m: _refused(m, sizes=(1, "a")),
    "a key of another type": lambda m: _refused(m, by_name={1: 2}),
    "an unknown field": lambda m: _refused(m, other=1),
    "a list as annotation": lambda m: type("L", (m.experimental.ExtensionType,), {"__annotations__": {"x": list}}),
    "validation": lambda m: _parts(m, _types(m).Masked([1.0, 2.0], [True])),
    "own constructor": lambda m: _parts(m, _types(m).Own(m.constant(3))),
    "set a field": lambda m: _changed(m, "x"),
    "set what is no field": lambda m: _changed(m, "z"),
    "traces": _counted, "branches": _branches, "loops": _loops, "branches that differ": _different_branches,
    "signatures": _signature, "specs": _specs, "equality": _equality, "rows": _rows, "datasets": _datasets,
    "methods": _methods, "gradients": _gradients,
}  # fmt: skip
