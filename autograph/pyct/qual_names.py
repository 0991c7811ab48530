"""Qualified names: `a`, `a.b`, `a[i]` and `a['k']` as values that can be compared, kept in sets and printed.

Example:
    node = resolve(parser.parse_expression("model.layers[0]"))
    qn = anno.getanno(node, anno.Basic.QN)
    str(qn), str(qn.parent), qn.support_set    # 'model.layers[0]', 'model.layers', {model}

A slice, a call or a computed key has no name that stays the same, so what holds one has no QN.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, NamedTuple, cast

import gast

from autograph.pyct import anno
from autograph.pyct.parser import parse_expression
from autograph.syntax import children

__all__ = ["QN", "Literal", "Symbol", "from_str", "resolve"]


class Symbol(NamedTuple):
    """The name of a variable."""

    name: str


class Literal(NamedTuple):
    """A key that is written out."""

    value: Any

    def __str__(self) -> str:
        return repr(self.value)


class QN:
    """A name: of a variable (`QN("a")`), an attribute (`QN(QN("a"), attr="b")`), or an element (`subscript=`).

    base: the text of a variable, a Literal as a key, or the QN that an attribute or element belongs to.
    subscript: the QN of the key, for `a[i]`, or of a Literal.
    """

    __slots__ = ("_hash", "_key", "base")

    def __init__(self, base: str | Literal | QN, subscript: QN | None = None, attr: str | None = None) -> None:
        if subscript is not None and attr is not None:
            raise ValueError(f"a name is an attribute or an element, not both: attr={attr!r}, subscript={subscript}")
        if (subscript is not None or attr is not None) and not isinstance(base, QN):
            raise ValueError(f"the base of an attribute or element is a QN, found {base!r}: write QN({base!r})")
        self.base = base
        self._key: QN | str | None = subscript if subscript is not None else attr
        self._hash = hash((base, self._key, subscript is None, type(getattr(base, "value", None))))

    def has_subscript(self) -> bool:
        """Whether it is an element."""
        return isinstance(self._key, QN)

    def has_attr(self) -> bool:
        """Whether it is an attribute."""
        return isinstance(self._key, str)

    def is_simple(self) -> bool:
        """Whether it is neither attribute nor element."""
        return self._key is None

    def is_composite(self) -> bool:
        """Whether it is an attribute or element."""
        return self._key is not None

    def is_symbol(self) -> bool:
        """Whether it is the name of a variable."""
        return isinstance(self.base, str)

    @property
    def parent(self) -> QN:
        """What an attribute or element belongs to. Raises ValueError for a variable."""
        if not isinstance(self.base, QN):
            raise ValueError(f"the name {self} belongs to nothing else")
        return self.base

    @property
    def attr(self) -> str:
        """The name of the attribute. Raises ValueError if it is none."""
        if not isinstance(self._key, str):
            raise ValueError(f"{self} is not an attribute")
        return self._key

    @property
    def subscript(self) -> QN:
        """The key of the element. Raises ValueError if it is none."""
        if not isinstance(self._key, QN):
            raise ValueError(f"{self} is not an element")
        return self._key

    @property
    def owner_set(self) -> set[QN]:
        """All that it belongs to: {a, a.b} for a.b.c."""
        return set(list(self._chain())[1:])

    @property
    def support_set(self) -> set[QN]:
        """The variables that it is made of: {a, i} for a.b[i]."""
        found: set[QN] = set()
        pending: list[QN] = [self]
        while pending:
            for link in pending.pop()._chain():
                if link.is_symbol():
                    found.add(link)
                elif isinstance(link._key, QN):
                    pending.append(link._key)
        return found

    @property
    def qn(self) -> tuple[Any, ...]:
        """The parts: ("a", ".", "b") for a.b."""
        return (self.base,) if self._key is None else (self.base, "[" if self.has_subscript() else ".", self._key)

    def _chain(self) -> Iterator[QN]:
        current = self
        yield current
        while isinstance(current.base, QN):
            current = current.base
            yield current

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, QN):
            return NotImplemented
        pending: list[tuple[Any, Any]] = [(self, other)]
        while pending:
            mine, its = pending.pop()
            if mine is its:
                continue
            if not isinstance(mine, QN) or not isinstance(its, QN):
                if type(mine) is not type(its) or mine != its or repr(mine) != repr(its):  # 1 is not True, nor 1.0
                    return False
            elif mine._hash != its._hash:
                return False
            else:
                pending += [(mine.base, its.base), (mine._key, its._key)]
        return True

    def __lt__(self, other: QN) -> bool:
        return str(self) < str(other)

    def __gt__(self, other: QN) -> bool:
        return str(self) > str(other)

    def __str__(self) -> str:
        endings = []
        for link in self._chain():
            if link._key is None:
                endings.append(str(link.base))
            else:
                endings.append(f"[{link._key}]" if isinstance(link._key, QN) else f".{link._key}")
        return "".join(reversed(endings))

    def __repr__(self) -> str:
        return str(self)

    def ssf(self) -> str:
        """A simple name made of all parts: 'a_b' for a.b, 'a_sub_i' for a[i]; for names of generated variables."""
        parts = re.sub(r"\[", "_sub_", str(self).replace("]", ""))
        return re.sub(r"\W", "_", parts)

    def ast(self) -> Any:
        """A tree of it, to be read; a new one each time."""
        links = list(self._chain())
        first = links.pop()
        is_name = isinstance(first.base, str)
        node: Any = (
            gast.Name(first.base, gast.Load(), None, None)
            if is_name
            else gast.Constant(cast(Literal, first.base).value, None)
        )
        anno.setanno(node, anno.Basic.QN, first)
        for link in reversed(links):
            key: Any = link._key
            if isinstance(key, QN):
                node = gast.Subscript(node, key.ast(), gast.Load())
            else:
                node = gast.Attribute(node, key, gast.Load())
            anno.setanno(node, anno.Basic.QN, link)
        return node


def from_str(qn_str: str) -> QN:
    """The QN of a text as `a.b['c']`. Raises ValueError if it is none."""
    node = resolve(parse_expression(qn_str))
    found: QN | None = anno.getanno(node, anno.Basic.QN, None)
    if found is None:
        raise ValueError(f"{qn_str!r} is not made of a variable, attributes and keys that are names or written out")
    return found


def resolve(node: Any) -> Any:
    """Annotate the variables, attributes and elements in a tree with their Basic.QN; returns the tree."""
    order, pending = [], [node]
    while pending:
        current = pending.pop()
        order.append(current)
        pending += children(current)
    for current in reversed(order):  # what a name is made of comes first
        qn = _qn_of(current)
        if qn is not None:
            anno.setanno(current, anno.Basic.QN, qn)
    return node


def _qn_of(node: Any) -> QN | None:
    if isinstance(node, gast.Name):
        return QN(node.id)
    if not isinstance(node, gast.Attribute | gast.Subscript):
        return None
    base: QN | None = anno.getanno(node.value, anno.Basic.QN, None)
    if base is None:
        return None
    if isinstance(node, gast.Attribute):
        return QN(base, attr=node.attr)
    key = _key_of(node.slice)
    return None if key is None else QN(base, subscript=key)


def _key_of(node: Any) -> QN | None:
    if isinstance(node, gast.Constant):
        return None if node.value is Ellipsis else QN(Literal(node.value))
    if isinstance(node, gast.UnaryOp) and isinstance(node.op, gast.USub) and isinstance(node.operand, gast.Constant):
        return QN(Literal(-node.operand.value)) if isinstance(node.operand.value, int | float | complex) else None
    found: QN | None = anno.getanno(node, anno.Basic.QN, None)
    return found
