"""What holds the values of a field: a list of values, a list of messages, messages by key.

    message.value.append(3)                        # a ValueList checks what comes into it
    features.feature["age"].int64_list             # a MessageMap makes what is asked for

Each tells the message that it is a part of when something comes into it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, MutableSequence
from typing import Any

import numpy as np

from runtime.library.train.messages import Changed, Message

__all__ = ["MessageMap", "Messages", "ValueList", "key_of", "values_of"]


def values_of(values: Any) -> Iterable[Any]:
    """What a program gives for a list. Raises TypeError for a text, and for what is no list."""
    if isinstance(values, str) or not hasattr(values, "__iter__"):
        raise TypeError(f"a list of values is needed; got {values!r}")
    found: Iterable[Any] = values
    return found


def key_of(key: Any) -> str:
    """A key of a map. Raises TypeError for anything but a text."""
    if not isinstance(key, str):
        raise TypeError(f"the key of a feature is a str; got {key!r}")
    return key


class ValueList(MutableSequence[Any]):
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
        self._values.extend([*map(self._checked, values_of(values))])
        self._changed()

    def take(self, other: ValueList) -> None:
        """Adds the values of another list of this kind."""
        self._values.extend(other._values)
        self._changed()

    def __eq__(self, other: object) -> bool:
        return self._values == (other._values if isinstance(other, ValueList) else other)

    def __repr__(self) -> str:
        return repr(self._values)


class Messages(ValueList):
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


class MessageMap(Mapping[str, Any]):
    """Messages by key. To ask for one makes it, as protocol buffers do."""

    __slots__ = ("_changed", "_kind", "_messages")
    __hash__ = None  # type: ignore[assignment]

    def __init__(self, kind: type[Message], changed: Changed) -> None:
        self._kind, self._changed = kind, changed
        self._messages: dict[str, Message] = {}

    def __getitem__(self, key: str) -> Message:
        if key_of(key) not in self._messages:
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
