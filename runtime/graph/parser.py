"""Reads the text of graphs into plain records: `Source` for a graph, `Line` for an operation.

    %y = add(%x, %x) : int32[]  ->  Line("y", "add", [Reference("x"), Reference("x")], {}, [Result(int32, [])])

`runtime.graph.assembly` makes graphs of them. The grammar is that of `runtime.graph.text`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from runtime.dtypes import DType, resource, variant
from runtime.errors import FormatError
from runtime.graph.literals import DTYPES, array_from_elements, array_from_raw, float_of
from runtime.graph.tokens import Reader
from runtime.ops.kernels.list_value import ListValue
from runtime.ops.records.record import Array
from runtime.ops.records.terms import HEADS, Term
from runtime.shapes import TensorShape

__all__ = ["Line", "Reference", "Result", "Source", "read_sources"]

_WORDS: Final = {"None": None, "True": True, "False": False}


@dataclass(frozen=True, slots=True)
class Reference:
    """`%name:index`, or `@name` for a graph, and where it stands."""

    name: str
    index: int
    start: int


@dataclass(frozen=True, slots=True)
class Result:
    """`float32[2, ?] weak`."""

    dtype: DType
    shape: TensorShape
    weak: bool


@dataclass(frozen=True, slots=True)
class Line:
    """One operation."""

    name: str
    type: str
    inputs: list[Reference]
    attributes: dict[str, Any]
    results: list[Result]
    start: int


@dataclass(slots=True)
class Source:
    """One graph as it is written."""

    label: str
    name: str
    start: int
    in_library: bool = False
    inputs: list[tuple[str, Result, int]] = field(default_factory=list)
    outputs: list[Reference] = field(default_factory=list)
    lines: list[Line] = field(default_factory=list)
    graphs: list[Reference] = field(default_factory=list)


def read_sources(text: str, arrays: Mapping[str, Array] | None = None) -> tuple[list[Source], Reader]:
    """The graphs of a text in its order, and the reader, whose errors know lines and columns. Raises FormatError.

    arrays: those that the text names and does not hold.
    """
    reader = Reader(text, arrays or {})
    sources: dict[str, Source] = {}
    while reader.token.kind != "end":
        source = _read_graph(reader)
        if source.label in sources:
            reader.fail_at(source.start, f"a second graph is called {source.label!r}")
        sources[source.label] = source
    if not sources:
        reader.fail("expected a graph")
    return list(sources.values()), reader


def _read_graph(reader: Reader) -> Source:
    in_library = reader.accept("function")
    if not in_library:
        reader.expect("graph")
    start = reader.token.start
    label = reader.word("the graph's name")
    name = str(reader.string()) if reader.token.kind == "string" and reader.token.text.startswith('"') else label
    source = Source(label, name, start, in_library)
    reader.expect("(")
    while not reader.accept(")"):
        reader.expect("%")
        place = reader.token.start
        parameter = reader.word("the name of an input")
        reader.expect(":")
        source.inputs.append((parameter, _read_result(reader), place))
        _separate(reader, ")")
    reader.expect("->")
    reader.expect("(")
    while not reader.accept(")"):
        source.outputs.append(_read_reference(reader))
        _separate(reader, ")")
    reader.expect("{")
    while not reader.accept("}"):
        source.lines.append(_read_line(reader, source))
    return source


def _separate(reader: Reader, end: str) -> None:
    """A comma, unless the list ends here."""
    if not reader.accept(",") and reader.token.text != end:
        reader.fail(f"expected ',' or {end!r}, found {reader.token.text[:40]!r}")


def _read_reference(reader: Reader) -> Reference:
    reader.expect("%")
    start = reader.token.start
    name = reader.word("the name of an operation")
    return Reference(name, reader.number("the number of a result") if reader.accept(":") else 0, start)


def _read_line(reader: Reader, source: Source) -> Line:
    reader.expect("%")
    start = reader.token.start
    name = reader.word("the name of an operation")
    reader.expect("=")
    kind = reader.word("an operation")
    inputs: list[Reference] = []
    reader.expect("(")
    while not reader.accept(")"):
        inputs.append(_read_reference(reader))
        _separate(reader, ")")
    attributes: dict[str, Any] = {}
    if reader.accept("{"):
        while not reader.accept("}"):
            key = reader.word("the name of an attribute")
            if key in attributes:
                reader.fail(f"attribute {key!r} is given twice")
            reader.expect("=")
            attributes[key] = _read_value(reader, source)
            _separate(reader, "}")
    results: list[Result] = []
    if reader.accept(":"):
        results.append(_read_result(reader))
        while reader.accept(","):
            results.append(_read_result(reader))
    return Line(name, kind, inputs, attributes, results, start)


def _read_result(reader: Reader) -> Result:
    dtype = _read_dtype(reader)
    return Result(dtype, _read_shape(reader), reader.accept("weak"))


def _read_dtype(reader: Reader) -> DType:
    found = DTYPES.get(reader.token.text)
    if found is None:
        reader.fail(f"expected a dtype, found {reader.token.text[:40]!r}")
    reader.take()
    return found


def _read_shape(reader: Reader) -> TensorShape:
    reader.expect("[")
    if reader.accept("*"):
        reader.expect("]")
        return TensorShape(None)
    dims: list[int | None] = []
    while not reader.accept("]"):
        dims.append(None if reader.accept("?") else reader.number("a dimension"))
        _separate(reader, "]")
    return TensorShape(dims)


def _read_value(reader: Reader, source: Source) -> Any:
    """An attribute. Open tuples and terms are kept on a list, so that nesting needs no recursion."""
    open_: list[tuple[str, list[Any]]] = []
    while True:
        head = reader.take().text if reader.token.kind == "word" and reader.token.text in HEADS else ""
        if head:
            reader.expect("(")
        if head or reader.accept("("):
            open_.append((head, []))
            if not reader.accept(")"):
                continue
            value: Any = _closed(*open_.pop())
        else:
            value = _read_plain(reader, source)
        while open_:
            open_[-1][1].append(value)
            _separate(reader, ")")
            if not reader.accept(")"):
                break
            value = _closed(*open_.pop())
        else:
            return value


def _closed(head: str, parts: list[Any]) -> Any:
    return Term(head, tuple(parts)) if head else tuple(parts)


def _read_plain(reader: Reader, source: Source) -> Any:
    token = reader.token
    if token.kind == "string":
        return reader.string()
    if reader.accept("@"):
        reference = Reference(reader.word("the name of a graph"), 0, token.start)
        source.graphs.append(reference)
        return reference
    if token.kind != "word":
        reader.fail(f"expected a value, found {token.text[:40]!r}")
    word = reader.take().text
    if word in _WORDS:
        return _WORDS[word]
    if word == "shape":
        return _read_shape(reader)
    if word == "array":
        return _read_array(reader, token.start)
    if word == "complex":
        reader.expect("(")
        real = _number(reader, reader.take().text, token.start)
        reader.expect(",")
        imaginary = _number(reader, reader.take().text, token.start)
        reader.expect(")")
        return complex(real, imaginary)
    return DTYPES[word] if word in DTYPES else _number(reader, _with_bits(reader, word), token.start)


def _with_bits(reader: Reader, word: str) -> str:
    """`nan:` and the bits behind it."""
    return f"nan:{reader.take().text}" if word == "nan" and reader.accept(":") else word


def _number(reader: Reader, text: str, start: int) -> Any:
    try:
        digits = text.removeprefix("-")
        if digits.startswith("0x") and "p" not in digits:
            return int(text, 16)
        return int(text) if digits.isdigit() and len(digits) <= 40 else float_of(text)
    except (ValueError, OverflowError):
        reader.fail_at(start, f"{text[:40]!r} is no value")


def _read_array(reader: Reader, start: int) -> Any:
    dtype, shape = _read_dtype(reader), _read_shape(reader)
    if dtype is variant and shape.dims != ():
        reader.fail_at(start, "an array of dtype variant has the shape []")
    if dtype is resource:
        reader.fail_at(start, "a resource has no value that can be written down; it is an input of the graph")
    if not shape.is_fully_defined():
        reader.fail_at(start, "the shape of an array has no unknown dimension")
    if reader.accept("@"):
        return _given_array(reader, dtype, shape, start)
    try:
        if reader.token.kind == "raw":
            return array_from_raw(dtype, shape.as_tuple(), reader.take().text[4:-1])
        elements: list[Any] = []
        reader.expect("[")
        while not reader.accept("]"):
            elements.append(_read_element(reader, dtype))
            _separate(reader, "]")
        return array_from_elements(dtype, shape.as_tuple(), elements)
    except FormatError:
        raise
    except (ValueError, OverflowError) as error:
        reader.fail_at(start, str(error))


def _given_array(reader: Reader, dtype: DType, shape: TensorShape, start: int) -> Any:
    """An array that the text only names."""
    name = reader.word("the name of an array")
    found = reader.arrays.get(name)
    if found is None:
        reader.fail_at(start, f"there is no array {name!r}")
    if found.dtype != dtype.numpy or found.shape != shape.dims:
        reader.fail_at(start, f"the array {name!r} is {found.dtype}{list(found.shape)}, and {dtype.name}{shape} here")
    return found


def _read_element(reader: Reader, dtype: DType) -> Any:
    if reader.token.kind == "string":
        return reader.string()
    if dtype is variant:
        return _read_list(reader)
    start, word = reader.token.start, _with_bits(reader, reader.take().text)
    if word in ("True", "False"):
        return word == "True"
    return word if dtype.is_floating or dtype.is_complex else _number(reader, word, start)


def _read_list(reader: Reader) -> ListValue:
    """`list(array int32[] [1], array int32[] [2])`; an element is no list itself."""
    reader.expect("list")
    reader.expect("(")
    items: list[Any] = []
    while not reader.accept(")"):
        start = reader.token.start
        reader.expect("array")
        if reader.token.text == variant.name:
            reader.fail_at(start, "a list is no element of a list")
        items.append(_read_array(reader, start))
        _separate(reader, ")")
    return ListValue.of(items)
