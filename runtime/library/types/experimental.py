"""Types for programs that look at Functions, or say themselves which trace an argument uses.

class FruitType(runtime.types.experimental.TraceType): ...

class Fruit:
    def __tf_tracing_type__(self, context):
        return FruitType(type(self))
"""

from typing import TYPE_CHECKING, Any

from runtime.function.function import Function
from runtime.function.trace_protocol import PlaceholderContext, SupportsTracingProtocol, TraceType, TracingContext
from runtime.tensor.tensor_like import TensorLike

if TYPE_CHECKING:
    from runtime.function.concrete import ConcreteFunction

GenericFunction = PolymorphicFunction = Function
"""What `runtime.function` makes: one Python function with its traces."""

__all__ = [
    "ConcreteFunction",
    "GenericFunction",
    "PlaceholderContext",
    "PolymorphicFunction",
    "SupportsTracingProtocol",
    "TensorLike",
    "TraceType",
    "TracingContext",
]

if not TYPE_CHECKING:  # to a checker every name would be there

    def __getattr__(name: str) -> Any:
        if name != "ConcreteFunction":
            raise AttributeError(f"module 'runtime.types.experimental' has no attribute {name!r}")
        from runtime.function.concrete import ConcreteFunction  # imported by the first trace, not before

        return ConcreteFunction
