"""The kinds of fields that messages have: values, messages, maps of messages.

    Values(1, INTEGERS)        # repeated int64
    One(1, Features)           # a message
    Many(1, Feature)           # repeated messages
    Map(1, Feature)            # map<string, Feature>: an entry is a message with the fields 1 (key) and 2 (value)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, MutableSequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from runtime.ops import wire
from runtime.train.messages import Changed, Message

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


class _List(MutableSequence[Any]):
    """The values of a field: a list that checks what comes into it."""

    __slots__ = ("_array", "_changed", "_checked", "_values")
    __hash__ = None  # type: ignore[assignment]

    def __init__(self, checked: Callable[[Any], Any], changed: Changed, array: Any = None) -> None:
        self._values: list[Any] = []
        self._checked, self._changed, self._array = checked, changed, array

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        if copy is False:
            raise ValueError("the values of a message are copied into an array")
        return np.array(self._values, self._array if dtype is None else dtype)

    def __getitem__(self, index: Any) -> Any:
        return self._values[index]

    def __setitem__(self, index: Any, value: Any) -> None:
        self._values[index] = [*map(self._checked, value)] if isinstance(index, slice) else self._checked(value)
        self._changed()

    def __delitem__(self, index: Any) -> None:
        del self._values[index]
        self._changed()

    def __len__(self) -> int:
        return len(self._values)

    def insert(self, index: int, value: Any) -> None:
        """Puts a value before another one."""
        self._values.insert(index, self._checked(value))
        self._changed()

    def extend(self, values: Iterable[Any]) -> None:
        """Adds values."""
        if isinstance(values, str) or not hasattr(values, "__iter__"):
            raise TypeError(f"a list of values is needed; got {values!r}")
        self._values.extend([*map(self._checked, values)])
        self._changed()

    def take(self, other: _List) -> None:
        """Adds the values of another list of this kind."""
        self._values.extend(other._values)
        self._changed()

    def __eq__(self, other: object) -> bool:
        return self._values == (other._values if isinstance(other, _List) else other)

    def __repr__(self) -> str:
        return repr(self._values)


class _Messages(_List):
    """The messages of a field. What is added is copied."""

    __slots__ = ("_kind",)

    def __init__(self, kind: type[Message], changed: Changed) -> None:
        super().__init__(self._copied, changed)
        self._kind = kind

    def _copied(self, value: Any) -> Message:
        made = self._kind.within(self._changed)
        made.CopyFrom(value)
        return made

    def add(self, **given: Any) -> Message:
        """A new message at the end, with these fields."""
        self.append(self._kind(**given))
        made: Message = self[-1]
        return made


class _Map(Mapping[str, Any]):
    """Messages by key. To ask for one makes it, as protocol buffers do."""

    __slots__ = ("_changed", "_kind", "_messages")
    __hash__ = None  # type: ignore[assignment]

    def __init__(self, kind: type[Message], changed: Changed) -> None:
        self._kind, self._changed = kind, changed
        self._messages: dict[str, Message] = {}

    def __getitem__(self, key: str) -> Message:
        if not isinstance(key, str):
            raise TypeError(f"the key of a feature is a str; got {key!r}")
        if key not in self._messages:
            self._messages[key] = self._kind.within(self._changed)
            self._changed()
        return self._messages[key]

    def get(self, key: str, default: Any = None) -> Any:
        """The message of a key, or the default; makes none."""
        return self._messages.get(key, default)

    def __contains__(self, key: object) -> bool:
        return key in self._messages

    def __setitem__(self, key: str, value: Any) -> None:
        raise ValueError(f"messages are not assigned: use [{key!r}].CopyFrom(message)")

    def __delitem__(self, key: str) -> None:
        del self._messages[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._messages)

    def __len__(self) -> int:
        return len(self._messages)

    def __repr__(self) -> str:
        return repr(self._messages)


# -- rows of the table ---------------------------------------------------------------------------------------------


def _block(name: str, message: Message, depth: str = "  ") -> Iterator[str]:
    yield f"{name} {{"
    yield from (depth + line for line in message.lines())
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
        return _List(self.scalar.checked, changed, self.scalar.array)

    def put(self, container: Any, value: Any) -> None:
        """See `Field`."""
        container.extend(value)

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

    def put(self, container: Any, value: Any) -> None:
        """See `Field`."""
        container.CopyFrom(value)

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
        return _Messages(self.kind, changed)

    def put(self, container: Any, value: Any) -> None:
        """See `Field`."""
        container.extend(value)

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
        return _Map(self.kind, changed)

    def put(self, container: Any, value: Any) -> None:
        """See `Field`."""
        if not isinstance(value, Mapping):
            raise TypeError(f"a dict of messages is needed; got {value!r}")
        for key, message in value.items():
            container[key].CopyFrom(message)

    def merge(self, container: Any, other: Any) -> None:
        """See `Field`."""
        for key, message in other.items():
            container[key].CopyFrom(message)

    def written(self, container: Any) -> bytes:
        """See `Field`."""
        entries = ((key.encode(), container[key].SerializeToString()) for key in sorted(container))
        return b"".join(wire.field(self.number, wire.field(1, key) + wire.field(2, value)) for key, value in entries)

    def read(self, container: Any, text: bytes, kind: int, start: int, stop: int) -> None:
        """See `Field`."""
        key, message = "", self.kind()
        for number, wire_type, at, end in wire.fields(text, start, stop):
            if number == 1 and wire_type == wire.BYTES:
                try:
                    key = text[at:end].decode()
                except UnicodeDecodeError:
                    raise wire.Damaged(at, f"the key {text[at:end]!r} is no UTF-8") from None
            elif number == 2 and wire_type == wire.BYTES:
                message.merge(text, at, end)
        container[key].CopyFrom(message)

    def shown(self, name: str, container: Any) -> Iterator[str]:
        """See `Field`."""
        for key, message in container.items():
            yield from (f"{name} {{", f"  key: {_shown_text(key.encode())}")
            yield from (f"  {line}" for line in _block("value", message))
            yield "}"
