"""Objects with TraceTypes of their own, for the tests of the protocol."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import runtime as tf

t = tf.constant
TraceType = tf.types.experimental.TraceType


class FruitType(TraceType):
    """Written as the guide writes it."""

    def __init__(self, fruit_type: type) -> None:
        self.fruit_type = fruit_type

    def is_subtype_of(self, other: Any) -> bool:
        return type(other) is FruitType and self.fruit_type is other.fruit_type

    def most_specific_common_supertype(self, others: Any) -> Any:
        return self if all(self == other for other in others) else None

    def __eq__(self, other: object) -> bool:
        return type(other) is FruitType and self.fruit_type == other.fruit_type

    def __hash__(self) -> int:
        return hash(self.fruit_type)


class Fruit:
    flavor = t([0, 0])

    def __tf_tracing_type__(self, context: Any) -> FruitType:
        assert isinstance(context, tf.types.experimental.TracingContext)
        return FruitType(type(self))


class Apple(Fruit):
    flavor = t([1, 2])


class Mango(Fruit):
    flavor = t([3, 4])


@dataclass(frozen=True)
class Range(TraceType):
    """Numbers below a limit: the larger the limit, the more general the type."""

    limit: int

    def is_subtype_of(self, other: Any) -> bool:
        return isinstance(other, Range) and self.limit <= other.limit

    def most_specific_common_supertype(self, others: Any) -> Range:
        return Range(max(self.limit, *(other.limit for other in others)) if others else self.limit)

    def placeholder_value(self, placeholder_context: Any) -> Any:
        return Small(self.limit)


class Small:
    def __init__(self, number: int) -> None:
        self.number = number

    def __tf_tracing_type__(self, context: Any) -> Range:
        return Range(self.number)


class Between(Small):
    def __init__(self, low: int, high: int) -> None:
        self.low, self.high = low, high

    def __tf_tracing_type__(self, context: Any) -> Interval:
        return Interval(self.low, self.high)


@dataclass(frozen=True)
class Interval(TraceType):
    low: int
    high: int

    def is_subtype_of(self, other: Any) -> bool:
        return other.low <= self.low and self.high <= other.high

    def most_specific_common_supertype(self, others: Any) -> Interval:
        return Interval(min(self.low, *(o.low for o in others)), max(self.high, *(o.high for o in others)))

    def placeholder_value(self, placeholder_context: Any) -> Any:
        return self
