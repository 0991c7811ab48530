"""`Message`: what the messages of protocol buffers have in common, for those that are declared by a table of fields.

    class Int64List(Message):
        fields = {"value": Numbers(1, wire.VARINT)}

    Int64List(value=[1, 2]).SerializeToString()          # b"\\n\\x02\\x01\\x02"
    Int64List.FromString(b"\\n\\x02\\x01\\x02").value        # [1, 2]

A field of a message is read as an attribute and changed in place (`message.value.append(3)`), never assigned. What a
text holds more than once is merged; what is not declared is skipped. Source: protobuf.dev/programming-guides/encoding.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, ClassVar, Protocol, Self

from runtime.errors import InvalidArgumentError
from runtime.ops import wire

__all__ = ["Field", "Message"]

Changed = Callable[[], None]


class Field(Protocol):
    """A row of the table: the number of a field, and what it does with the container that holds its value."""

    number: int

    def empty(self, changed: Changed) -> Any:
        """A new container, which calls `changed` when something comes into it."""

    def put(self, container: Any, value: Any) -> None:
        """Adds what a program gives. Raises TypeError and ValueError for what does not belong there."""

    def written(self, container: Any) -> bytes:
        """The field as bytes, its tag with it."""

    def read(self, container: Any, text: bytes, kind: int, start: int, stop: int) -> None:
        """Adds what stands in a text. Raises Damaged."""

    def shown(self, name: str, container: Any) -> Iterator[str]:
        """Lines of text."""


class Message:
    """See the module's docstring. one_of: at most one field is set; setting another clears it."""

    fields: ClassVar[Mapping[str, Any]] = {}
    one_of: ClassVar[str] = ""

    __slots__ = ("_changed", "_containers", "_present")
    __hash__ = None  # type: ignore[assignment]

    def __init__(self, **given: Any) -> None:
        self._take_place(lambda: None)
        for name, value in given.items():
            if name not in self.fields:
                raise ValueError(f"{type(self).__name__} has no field {name!r}; it has {', '.join(self.fields)}")
            if value is not None:
                container = getattr(self, name)
                self._touch(name)
                self.fields[name].put(container, value)

    def _take_place(self, changed: Changed) -> Message:
        """Makes it an empty message, which tells what it is a part of that something has come into it."""
        for name, value in (("_changed", changed), ("_containers", {}), ("_present", {})):
            object.__setattr__(self, name, value)
        return self

    @classmethod
    def within(cls, changed: Changed) -> Message:
        """An empty message that is a part of another one."""
        return cls.__new__(cls)._take_place(changed)

    def _touch(self, name: str) -> None:
        """Something has come into a field."""
        if name not in self._containers:
            return  # what was taken from the message before it was cleared is no part of it any more
        if self.one_of and name not in self._present:
            for other in self._present:
                del self._containers[other]
            self._present.clear()
        self._present[name] = True
        self._changed()

    def __getattr__(self, name: str) -> Any:
        if name not in self.fields:
            raise AttributeError(f"{type(self).__name__} has no field {name!r}; it has {', '.join(self.fields)}")
        if name not in self._containers:
            self._containers[name] = self.fields[name].empty(lambda: self._touch(name))
        return self._containers[name]

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(f"{name!r} of a {type(self).__name__} is changed in place, not assigned")

    # -- what is there --------------------------------------------------------------------------------------------

    def HasField(self, field_name: str) -> bool:  # the names of protocol buffers
        """Whether a message is there as a field. Raises ValueError for other fields."""
        if field_name not in self.fields or not isinstance(self.__getattr__(field_name), Message):
            raise ValueError(f"{type(self).__name__} has no message {field_name!r}")
        return field_name in self._present

    def WhichOneof(self, oneof_group: str) -> str | None:
        """The name of the field that is set, out of those that exclude each other."""
        if not self.one_of or oneof_group != self.one_of:
            raise ValueError(f"{type(self).__name__} has no group {oneof_group!r} of fields")
        return next(iter(self._present), None)

    def _set_fields(self) -> Iterator[tuple[str, Any, Any]]:
        return ((n, field, self._containers[n]) for n, field in self.fields.items() if n in self._present)

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return self.SerializeToString() == other.SerializeToString()

    def lines(self) -> Iterator[str]:
        """The text form, line by line."""
        for name, field, container in self._set_fields():
            yield from field.shown(name, container)

    def __repr__(self) -> str:
        return "".join(f"{line}\n" for line in self.lines())

    # -- bytes ----------------------------------------------------------------------------------------------------

    def SerializeToString(self, deterministic: bool | None = None) -> bytes:
        """The message as bytes: the same for the same content, keys in order."""
        return b"".join(field.written(container) for _, field, container in self._set_fields())

    def ByteSize(self) -> int:
        """How many bytes it is."""
        return len(self.SerializeToString())

    @classmethod
    def FromString(cls, s: bytes) -> Self:
        """The message that some bytes are. Raises InvalidArgumentError, with the byte, if they are none."""
        made = cls()
        made.MergeFromString(s)
        return made

    def ParseFromString(self, serialized: bytes) -> int:
        """Becomes the message that some bytes are; returns how many they are."""
        self.CopyFrom(type(self).FromString(serialized))
        return len(serialized)

    def MergeFromString(self, serialized: bytes) -> int:
        """Takes what some bytes hold in addition; returns how many they are."""
        try:
            self.merge(bytes(serialized), 0, len(serialized))
        except wire.Damaged as error:
            what = f"{type(self).__name__}: the text is damaged at byte {error.position}: {error.why}"
            raise InvalidArgumentError(what) from None
        return len(serialized)

    def merge(self, text: bytes, at: int, stop: int) -> None:
        """Takes what stands in a part of a text in addition. Raises Damaged."""
        names = {field.number: name for name, field in self.fields.items()}
        for number, kind, start, end in wire.fields(text, at, stop):
            if number in names:
                name = names[number]
                field = self.fields[name]
                if kind in field.kinds:
                    container = getattr(self, name)
                    self._touch(name)
                    field.read(container, text, kind, start, end)

    def Clear(self) -> None:
        """Empties the message."""
        self._containers.clear()
        self._present.clear()

    def MergeFrom(self, other: Message) -> None:
        """Takes what another message holds in addition. Raises TypeError for one of another class."""
        if type(other) is not type(self):
            raise TypeError(f"a {type(self).__name__} is needed; got {other!r} ({type(other).__name__})")
        text = other.SerializeToString()
        self._changed()
        self.merge(text, 0, len(text))

    def CopyFrom(self, other: Message) -> None:
        """Becomes the same as another message. Raises TypeError for one of another class."""
        if type(other) is type(self) and other is not self:
            self.Clear()
        if other is not self:
            self.MergeFrom(other)

    def __deepcopy__(self, memo: dict[int, Any]) -> Message:
        return type(self).FromString(self.SerializeToString())

    def __reduce__(self) -> Any:
        return type(self).FromString, (self.SerializeToString(),)
