"""The kinds of fields that messages have: values, messages, maps of messages.

    Values(1, INTEGERS)        # repeated int64
    One(1, Features)           # a message
    Many(1, Feature)           # repeated messages
    Map(1, Feature)            # map<string, Feature>: an entry is a message with the fields 1 (key) and 2 (value)
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from runtime.library.train.containers import MessageMap, Messages, ValueList, key_of, values_of
from runtime.library.train.messages import Changed, Message
from runtime.ops.kernels import wire

__all__ = ["FLOATS", "INTEGERS", "TEXTS", "Many", "Map", "One", "Scalar", "Values"]


@dataclass(frozen=True)
class Scalar:
    """What single values are. checked: the value, or TypeError or ValueError; plain: the wire type of one; written:
    many of them as a field's bytes; read: those in a part of a text; shown: the text form of one."""

    checked: Callable[[Any], Any]
    plain: int
    written: Callable[[int, list[Any]], bytes]
    read: Callable[[bytes], list[Any]]
    shown: Callable[[Any], str]
    array: Any = None
    """The dtype of the values as an array."""


def _integer(value: Any) -> int:
    number = value.__index__() if hasattr(value, "__index__") else None
    if number is None:
        raise TypeError(f"an Int64List holds integers; got {value!r} ({type(value).__name__})")
    if not -(2**63) <= number < 2**63:
        raise ValueError(f"an Int64List holds 64-bit integers; got {number}")
    return int(number)


def _float(value: Any) -> float:
    if isinstance(value, str | bytes) or not hasattr(value, "__float__"):
        raise TypeError(f"a FloatList holds real numbers; got {value!r} ({type(value).__name__})")
    with np.errstate(over="ignore"):
        return float(np.float32(float(value)))


def _text(value: Any) -> bytes:
    if not isinstance(value, bytes):
        remedy = "; encode it" if isinstance(value, str) else ""
        raise TypeError(f"a BytesList holds bytes; got {value!r} ({type(value).__name__}){remedy}")
    return bytes(value)


def _read_integers(content: bytes) -> list[int]:
    if content and content[-1] > 0x7F:
        raise wire.Damaged(len(content) - 1, "packed numbers end within a number")
    found: list[int] = wire.integers(np.frombuffer(content, np.uint8)).tolist()
    return found


def _read_floats(content: bytes) -> list[float]:
    if len(content) % 4:
        raise wire.Damaged(0, f"{len(content)} bytes are no whole floats of 4 bytes")
    found: list[float] = np.frombuffer(content, "<f4").tolist()
    return found


def _shown_float(value: float) -> str:
    short = f"{value:.6g}"
    return short if np.float32(short) == np.float32(value) or value != value else f"{value:.9g}"


_ESCAPES: Final = {ord(a): f"\\{b}" for a, b in zip("\n\r\t\"'\\", "nrt\"'\\", strict=True)}


def _shown_text(value: bytes) -> str:
    letters = (_ESCAPES.get(b) or (chr(b) if 32 <= b < 127 else f"\\{b:03o}") for b in value)
    return f'"{"".join(letters)}"'


INTEGERS: Final = Scalar(
    _integer, wire.VARINT, lambda number, values: wire.field(number, wire.packed(values)), _read_integers, str, np.int64
)
FLOATS: Final = Scalar(
    _float, wire.FIXED32, lambda number, values: wire.field(number, np.array(values, "<f4").tobytes()), _read_floats,
    _shown_float, np.float32,
)  # fmt: skip
TEXTS: Final = Scalar(
    _text, wire.BYTES, lambda number, values: b"".join(wire.field(number, v) for v in values), lambda text: [text],
    _shown_text,
)  # fmt: skip


# -- rows of the table ---------------------------------------------------------------------------------------------


def _block(name: str, message: Message) -> Iterator[str]:
    yield f"{name} {{"
    yield from (f"  {line}" for line in message.lines())
    yield "}"


@dataclass(frozen=True)
class Values:
    """Repeated values."""

    number: int
    scalar: Scalar

    @property
    def kinds(self) -> tuple[int, ...]:
        """The wire types that are read."""
        return (wire.BYTES, self.scalar.plain)

    def empty(self, changed: Changed) -> Any:
        """See `Field`."""
        return ValueList(self.scalar.checked, changed, self.scalar.array)

    def given(self, value: Any) -> bytes:
        """See `Field`."""
        values = [*map(self.scalar.checked, values_of(value))]
        return self.scalar.written(self.number, values) if values else b""

    def merge(self, container: Any, other: Any) -> None:
        """See `Field`."""
        container.take(other)

    def written(self, container: Any) -> bytes:
        """See `Field`."""
        return self.scalar.written(self.number, list(container)) if container else b""

    def read(self, container: Any, text: bytes, kind: int, start: int, stop: int) -> None:
        """See `Field`."""
        try:
            container.extend(self.scalar.read(text[start:stop]))
        except wire.Damaged as error:
            raise wire.Damaged(start + error.position, error.why) from None

    def shown(self, name: str, container: Any) -> Iterator[str]:
        """See `Field`."""
        return (f"{name}: {self.scalar.shown(value)}" for value in container)


@dataclass(frozen=True)
class One:
    """A message."""

    number: int
    kind: type[Message]
    kinds: tuple[int, ...] = (wire.BYTES,)

    def empty(self, changed: Changed) -> Any:
        """See `Field`."""
        return self.kind.within(changed)

    def given(self, value: Any) -> bytes:
        """See `Field`."""
        return wire.field(self.number, self.kind.checked(value).SerializeToString())

    def merge(self, container: Any, other: Any) -> None:
        """See `Field`."""
        container.MergeFrom(other)

    def written(self, container: Any) -> bytes:
        """See `Field`."""
        return wire.field(self.number, container.SerializeToString())

    def read(self, container: Any, text: bytes, kind: int, start: int, stop: int) -> None:
        """See `Field`."""
        container.merge(text, start, stop)

    def shown(self, name: str, container: Any) -> Iterator[str]:
        """See `Field`."""
        return _block(name, container)


@dataclass(frozen=True)
class Many:
    """Repeated messages."""

    number: int
    kind: type[Message]
    kinds: tuple[int, ...] = (wire.BYTES,)

    def empty(self, changed: Changed) -> Any:
        """See `Field`."""
        return Messages(self.kind, changed)

    def given(self, value: Any) -> bytes:
        """See `Field`."""
        texts = (self.kind.checked(message).SerializeToString() for message in values_of(value))
        return b"".join(wire.field(self.number, text) for text in texts)

    def merge(self, container: Any, other: Any) -> None:
        """See `Field`."""
        container.extend(other)

    def written(self, container: Any) -> bytes:
        """See `Field`."""
        return b"".join(wire.field(self.number, message.SerializeToString()) for message in container)

    def read(self, container: Any, text: bytes, kind: int, start: int, stop: int) -> None:
        """See `Field`."""
        container.add().merge(text, start, stop)

    def shown(self, name: str, container: Any) -> Iterator[str]:
        """See `Field`."""
        return (line for message in container for line in _block(name, message))


@dataclass(frozen=True)
class Map:
    """Messages by key."""

    number: int
    kind: type[Message]
    kinds: tuple[int, ...] = (wire.BYTES,)

    def empty(self, changed: Changed) -> Any:
        """See `Field`."""
        return MessageMap(self.kind, changed)

    def given(self, value: Any) -> bytes:
        """See `Field`."""
        if not isinstance(value, Mapping):
            raise TypeError(f"a dict of messages is needed; got {value!r}")
        return self._entries({key_of(key): self.kind.checked(message) for key, message in value.items()})

    def merge(self, container: Any, other: Any) -> None:
        """See `Field`."""
        for key, message in other.items():
            container[key].CopyFrom(message)

    def written(self, container: Any) -> bytes:
        """See `Field`."""
        return self._entries(container)

    def _entries(self, messages: Mapping[str, Message]) -> bytes:
        entries = [(key.encode(), messages[key].SerializeToString()) for key in sorted(messages)]
        return b"".join([wire.field(self.number, wire.field(1, key) + wire.field(2, value)) for key, value in entries])

    def read(self, container: Any, text: bytes, kind: int, start: int, stop: int) -> None:
        """See `Field`."""
        key, places = "", []
        for number, wire_type, at, end in wire.fields(text, start, stop):
            if number == 1 and wire_type == wire.BYTES:
                try:
                    key = text[at:end].decode()
                except UnicodeDecodeError:
                    raise wire.Damaged(at, f"the key {text[at:end]!r} is no UTF-8") from None
            elif number == 2 and wire_type == wire.BYTES:
                places.append((at, end))
        message = container[key]
        message.Clear()
        for at, end in places:
            message.merge(text, at, end)

    def shown(self, name: str, container: Any) -> Iterator[str]:
        """See `Field`."""
        for key, message in container.items():
            yield from (f"{name} {{", f"  key: {_shown_text(key.encode())}")
            yield from (f"  {line}" for line in _block("value", message))
            yield "}"
