"""`saved_model.load`: from a file to objects. Nothing of the file is run, and nothing is believed before it is checked.

    loaded = load("models/1")

All that can be wrong with a file is one error, FileFormatError. First come the objects without their parts, then the
Variables, then the traces, which need those, then the parts.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final, Protocol

from runtime.checkpoint.json_text import parsed
from runtime.errors import FailedPreconditionError, FileFormatError, FormatError
from runtime.function.concrete import ConcreteFunction
from runtime.function.function import Function
from runtime.function.loaded import add_trace, loaded_function
from runtime.function.signature import Signature
from runtime.graph.graph import Graph
from runtime.graph.literals import DTYPES
from runtime.ops.kernels.resource import Resource
from runtime.ops.records.record import Array
from runtime.saved_model.arrays import view_in
from runtime.saved_model.exceptions import Classes
from runtime.saved_model.graphs import graph_of
from runtime.saved_model.loaded_objects import LOADED, NotSaved, Origin, give_origin, is_loaded, origin_of
from runtime.saved_model.places import CONTROL
from runtime.saved_model.signatures import SPEC_READERS, signature_of
from runtime.saved_model.traces import Reading, add_composites, trace_of
from runtime.saved_model.values import dims_of, text_of, value_of, with_named_tuples
from runtime.state.variable import Variable
from runtime.tensor.eager import EagerTensor

__all__ = ["FORMAT", "MODEL", "VERSION", "read_model"]

FORMAT: Final = "autograph-runtime saved model"

VERSION: Final = "1"

MODEL: Final = "model"
"""The name of the array that holds the description of all else, as JSON."""


class Arrays(Protocol):
    """What a model is read from: a file, or what is like one."""

    @property
    def path(self) -> str:
        """How messages call it."""
        ...

    @property
    def metadata(self) -> Mapping[str, str]:
        """Format and version."""
        ...

    @property
    def entries(self) -> Mapping[str, Any]:
        """What there is, with its dtype, by name."""
        ...

    def array(self, name: str) -> Array:
        """A new array."""
        ...


def read_model(container: Arrays, allow_files: bool) -> tuple[Any, Mapping[str, ConcreteFunction]]:
    """The root object of a saved model, and its signatures. allow_files: whether its graphs may use files.

    Raises FileFormatError, and FailedPreconditionError for graphs that use files.
    """
    found = container.metadata.get("format"), container.metadata.get("version")
    if found != (FORMAT, VERSION):
        shown = f"it says it is {found[0]!r:.80}, version {found[1]!r:.80}"
        raise FileFormatError(f"{container.path}: is no saved model that this version can read: {shown}")
    try:
        entry = container.entries.get(MODEL)
        if entry is None or entry.dtype.name != "uint8":
            raise FormatError("the description of the model is missing")
        model = parsed(container.array(MODEL).tobytes(), f"{container.path}: the description of the model")
        return _Loader(model, container, allow_files).load()
    except FileFormatError:
        raise
    except FormatError as error:
        raise FileFormatError(f"{container.path}: {error}") from None


class _SharedArrays(Mapping[str, Array]):
    """The arrays of a file, each read when it is first asked for: tensors and constants, which never change."""

    def __init__(self, container: Arrays) -> None:
        self._container = container
        self._read: dict[str, Array] = {}

    def __getitem__(self, name: str) -> Array:
        if name not in self._read:
            self._read[name] = self._container.array(name)
        return self._read[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._container.entries)

    def __len__(self) -> int:
        return len(self._container.entries)


class _Loader:
    def __init__(self, model: Any, container: Arrays, allow_files: bool) -> None:
        self._nodes, self._traces, self._described_signatures, self._described_graphs, self._served = (
            _items(model, key) for key in ("objects", "traces", "signatures", "graphs", "served")
        )
        self._container = container
        self._allow_files = allow_files
        self._made: list[Any] = []
        self._variables: list[Variable] = []  # which their memories alone do not keep
        self._signatures: list[Signature] = []
        self._graphs: dict[int, Graph] = {}
        self._classes: Classes = {}
        self._shared = _SharedArrays(container)
        self._loaded: dict[int, ConcreteFunction] = {}
        self._leaves: dict[str, Callable[[Any], Any]] = {
            **SPEC_READERS,
            "lost": lambda body: NotSaved(_shown(str(body))),
            "object": self._object,
        }
        add_composites(self._leaves)

    def load(self) -> tuple[Any, Mapping[str, ConcreteFunction]]:
        self._reading = Reading(self._argument, self._object, self._signatures, self._graph)
        for number, node in enumerate(self._nodes):
            self._made.append(None)
            self._made[number] = self._at(number, _BEGINNINGS, node)
        self._go_on(_VIEWS)
        self._signatures += [signature_of(described, self._leaves) for described in self._described_signatures]
        for stage in (_FUNCTIONS, _TRACES, _CONTENTS):
            self._go_on(stage)
        if not self._made:
            raise FormatError("a saved model has no objects")
        return self._made[0], self._served_traces()

    def _go_on(self, stage: Mapping[str, Any]) -> None:
        for number, node in enumerate(self._nodes):
            if node["kind"] in stage:
                self._made[number] = self._at(number, stage, node)

    def _at(self, number: int, stage: Mapping[str, Any], node: Any) -> Any:
        kind = text_of(node, "kind")
        if kind not in KINDS:
            raise FormatError(f"an object of a saved model is of the unknown kind {kind!r:.80}")
        try:
            return stage[kind](self, number, node) if kind in stage else None
        except (FormatError, FailedPreconditionError):
            raise
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise FormatError(f"object {number} of a saved model, a {kind}, cannot be read: {error}") from None

    def _object(self, number: Any) -> Any:
        if type(number) is not int or not 0 <= number < len(self._made) or self._made[number] is None:
            raise FormatError(f"a saved model has no object {number!r:.80} here")
        return self._made[number]

    def _argument(self, number: Any) -> Any:
        """An object that a trace was made with."""
        found = self._object(number)
        if not (is_loaded(found) or isinstance(found, Function)):
            raise FormatError(f"object {number} of a saved model was no argument of a trace")
        return found

    def _value(self, described: Any) -> Any:
        return value_of(described, self._leaves)

    def _graph(self, number: Any) -> Graph:
        if type(number) is not int or not 0 <= number < len(self._described_graphs):
            raise FormatError(f"a saved model has no graph {number!r:.80}")
        found = self._graphs.get(number)
        if found is None:
            described = self._described_graphs[number]
            found = self._graphs[number] = graph_of(described, self._shared, self._classes, self._allow_files)
        return found

    def _trace(self, number: Any) -> ConcreteFunction:
        if type(number) is not int or not 0 <= number < len(self._traces):
            raise FormatError(f"a saved model has no trace {number!r:.80}")
        found = self._loaded.get(number)
        if found is None:
            found = self._loaded[number] = trace_of(self._traces[number], self._reading)
        return found

    def _served_traces(self) -> dict[str, ConcreteFunction]:
        found: dict[str, ConcreteFunction] = {}
        for pair in self._served:
            if type(pair) is not list or len(pair) != 2 or type(pair[0]) is not str or pair[0] in found:
                raise FormatError(f"{pair!r:.80} is no signature of a saved model")
            found[pair[0]] = self._trace(pair[1])
        return found

    # -- one kind of object after the other -------------------------------------------------------------------------

    def _array(self, name: Any) -> Array:
        """A new array."""
        if type(name) is not str or name not in self._container.entries:
            raise FormatError(f"a saved model lacks the array {name!r:.80}")
        return self._container.array(name)

    def _variable(self, number: int, node: Any) -> Variable:
        array, shape, dtype = self._array(node["array"]), dims_of(node["shape"]), DTYPES[node["dtype"]]
        name = text_of(node, "name")
        if array.dtype != dtype.numpy or not shape.is_compatible_with(array.shape):
            raise ValueError(f"its value is {array.dtype}{list(array.shape)}, not {dtype.name}{shape}")
        made = Variable._of(Resource(array, dtype, shape, name, node["trainable"] is True))
        self._variables.append(made)
        return made

    def _begin_object(self, number: int, node: Any) -> Any:
        made = object.__new__(LOADED[node["kind"]])
        origin = Origin(_shown(text_of(node, "class")))
        if node["kind"] == "module":
            origin.listed_by_name, origin.freezes = node["by_name"] is not False, node["freezes"] is True
            vars(made)["_module_name"] = text_of(node, "name")
        give_origin(made, origin)
        return made

    def _fill_object(self, number: int, node: Any) -> Any:
        made: Any = self._made[number]
        held = vars(made)
        for name, described in node["attributes"]:
            if type(name) is not str or name in held or (name.startswith("__") and name != "__call__"):
                raise ValueError(f"{name!r:.80} is no name of an attribute, or comes twice")
            value = self._value(described)
            if isinstance(value, NotSaved):
                origin_of(made).lost[name] = value.what
            else:
                held[name] = value
        return made

    def _function(self, number: int, node: Any) -> Function[..., Any]:
        position = node["signature"]
        if type(position) is not int or not 0 <= position < len(self._signatures):
            raise ValueError(f"there is no signature {position!r:.80}")
        return loaded_function(text_of(node, "name"), self._signatures[position], with_named_tuples)

    def _fill_function(self, number: int, node: Any) -> Function[..., Any]:
        made: Function[..., Any] = self._made[number]
        for trace in node["traces"]:
            add_trace(made, self._trace(trace))
        return made

    def _fill_list(self, number: int, node: Any) -> list[Any]:
        made: list[Any] = self._made[number]
        made += [self._value(item) for item in node["items"]]
        return made

    def _fill_dict(self, number: int, node: Any) -> dict[Any, Any]:
        made: dict[Any, Any] = self._made[number]
        for key, value in node["items"]:
            made[self._value(key)] = self._value(value)
        return made


_BEGINNINGS: Final[dict[str, Callable[[_Loader, int, Any], Any]]] = {
    "array": lambda loader, number, node: loader._array(node["array"]),
    "dict": lambda loader, number, node: {},
    "number": lambda loader, number, node: loader._array(node["array"])[()],
    "list": lambda loader, number, node: [],
    **dict.fromkeys(LOADED, _Loader._begin_object),
    "ordered": lambda loader, number, node: OrderedDict(),
    "tensor": lambda loader, number, node: EagerTensor(loader._shared[node["array"]]),
    "variable": _Loader._variable,
}

_VIEWS: Final[dict[str, Callable[[_Loader, int, Any], Any]]] = {
    "view": lambda loader, number, node: view_in(loader._object(node["of"]), node),
}

_FUNCTIONS: Final[dict[str, Callable[[_Loader, int, Any], Any]]] = {"function": _Loader._function}

_TRACES: Final[dict[str, Callable[[_Loader, int, Any], Any]]] = {
    "function": _Loader._fill_function,
    "trace": lambda loader, number, node: loader._trace(node["trace"]),
}

_CONTENTS: Final[dict[str, Callable[[_Loader, int, Any], Any]]] = {
    "dict": _Loader._fill_dict,
    "list": _Loader._fill_list,
    **dict.fromkeys(LOADED, _Loader._fill_object),
    "ordered": _Loader._fill_dict,
}

KINDS: Final = {*_BEGINNINGS, *_VIEWS, *_FUNCTIONS, *_TRACES}


def _shown(text: str) -> str:
    """A text of a file that is shown to people, perhaps in a terminal."""
    return CONTROL.sub("?", text[:200])


def _items(model: Any, key: str) -> list[Any]:
    found = model.get(key) if type(model) is dict else None
    if type(found) is not list:
        raise FormatError(f"the description of the model has no list {key!r}")
    return found
