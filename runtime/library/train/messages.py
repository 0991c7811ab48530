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
from runtime.ops.kernels import wire

__all__ = ["Field", "Message"]

Changed = Callable[[], None]


class Field(Protocol):
    """A row of the table: the number of a field, and what it does with the container that holds its value."""

    number: int

    def empty(self, changed: Changed) -> Any:
        """A new container, which calls `changed` when something comes into it."""

    def given(self, value: Any) -> bytes:
        """What a program gives, as `written`. Raises TypeError and ValueError for what does not belong there."""
        ...

    def merge(self, container: Any, other: Any) -> None:
        """Adds what another container of this kind holds."""

    def written(self, container: Any) -> bytes:
        """The field as bytes, its tag with it."""
        ...

    def read(self, container: Any, text: bytes, kind: int, start: int, stop: int) -> None:
        """Adds what stands in a text. Raises Damaged."""

    def shown(self, name: str, container: Any) -> Iterator[str]:
        """Lines of text."""
        ...


class _Attribute:
    """A field as an attribute of a message."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __get__(self, message: Message | None, kind: type[Message]) -> Any:
        if message is None:
            return self
        name, containers = self.name, message._containers
        if name not in containers:
            field = kind.fields[name]
            container = containers[name] = field.empty(lambda: message._touch(name))
            text = message._texts.pop(name, b"")
            for _, wire_type, start, stop in wire.fields(text) if text else ():
                field.read(container, text, wire_type, start, stop)
        return containers[name]

    def __set__(self, message: Message, value: Any) -> None:
        raise AttributeError(f"{self.name!r} of a {type(message).__name__} is changed in place, not assigned")


def _nothing() -> None:
    """What a message of its own tells others."""


class Message:
    """See the module's docstring. one_of: at most one field is set; setting another clears it.

    What a message is made of is copied. A copy is the bytes of the field, until somebody asks for what is in it: most
    messages are made to be written.
    """

    fields: ClassVar[Mapping[str, Any]] = {}
    one_of: ClassVar[str] = ""
    _names: ClassVar[Mapping[int, str]] = {}

    __slots__ = ("_changed", "_containers", "_present", "_texts")
    __hash__ = None  # type: ignore[assignment]

    def __init_subclass__(cls) -> None:
        cls._names = {field.number: name for name, field in cls.fields.items()}
        for name in cls.fields:
            setattr(cls, name, _Attribute(name))

    def __init__(self, **given: Any) -> None:
        self._take_place(_nothing)
        for name, value in given.items():
            if name not in self.fields:
                raise ValueError(f"{type(self).__name__} has no field {name!r}; it has {', '.join(self.fields)}")
            if value is not None:
                if self.one_of:
                    self.Clear()
                self._texts[name] = self.fields[name].given(value)
                self._present[name] = True

    def _take_place(self, changed: Changed) -> Message:
        """Makes it an empty message, which tells what it is a part of that something has come into it."""
        self._changed = changed
        self._containers: dict[str, Any] = {}
        self._texts: dict[str, bytes] = {}  # of fields that have no container yet
        self._present: dict[str, bool] = {}
        return self

    @classmethod
    def within(cls, changed: Changed) -> Message:
        """An empty message that is a part of another one."""
        return cls.__new__(cls)._take_place(changed)

    @classmethod
    def checked(cls, message: Any) -> Self:
        """A message of this class. Raises TypeError for anything else."""
        if type(message) is not cls:
            raise TypeError(f"a {cls.__name__} is needed; got {message!r} ({type(message).__name__})")
        return message

    def _touch(self, name: str) -> None:
        """Something has come into a field."""
        if name in self._present or name not in self._containers:
            return  # nothing new; or it was taken from the message before that was cleared, and is no part of it
        if self.one_of:
            for other in self._present:
                self._containers.pop(other, None)
            self._texts.clear()
            self._present.clear()
        self._present[name] = True
        self._changed()

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(f"{type(self).__name__} has no field {name!r}; it has {', '.join(self.fields)}")

    # -- what is there --------------------------------------------------------------------------------------------

    def HasField(self, field_name: str) -> bool:  # the names of protocol buffers
        """Whether a message is there as a field. Raises ValueError for other fields."""
        if field_name not in self.fields or not isinstance(getattr(self, field_name), Message):
            raise ValueError(f"{type(self).__name__} has no message {field_name!r}")
        return field_name in self._present

    def WhichOneof(self, oneof_group: str) -> str | None:
        """The name of the field that is set, out of those that exclude each other."""
        if not self.one_of or oneof_group != self.one_of:
            raise ValueError(f"{type(self).__name__} has no group {oneof_group!r} of fields")
        return next(iter(self._present), None)

    def _set_fields(self) -> Iterator[tuple[str, Any, Any]]:
        return ((n, field, getattr(self, n)) for n, field in self.fields.items() if n in self._present)

    def _written(self, name: str) -> bytes:
        """A field that is set, as bytes."""
        text = self._texts.get(name)
        return self.fields[name].written(self._containers[name]) if text is None else text

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
        return b"".join([self._written(name) for name in self.fields if name in self._present])

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
        names = self._names
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
        self._texts.clear()
        self._present.clear()

    def MergeFrom(self, other: Message) -> None:
        """Takes what another message holds in addition. Raises TypeError for one of another class."""
        self.checked(other)
        self._changed()
        if not self._containers and not self._present:
            self._texts = {name: other._written(name) for name in other._present}
            self._present = dict(other._present)
            return
        for name, field, container in other._set_fields():
            mine = getattr(self, name)
            self._touch(name)
            field.merge(mine, container)

    def CopyFrom(self, other: Message) -> None:
        """Becomes the same as another message. Raises TypeError for one of another class."""
        if type(other) is type(self) and other is not self:
            self.Clear()
        if other is not self:
            self.MergeFrom(other)

    def __deepcopy__(self, memo: dict[int, Any]) -> Message:
        made = type(self)()
        made.MergeFrom(self)
        return made

    def __reduce__(self) -> Any:
        return type(self).FromString, (self.SerializeToString(),)
