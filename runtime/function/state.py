"""Places of the program that a trace leaves tensors in: they are read when a run begins, and written when it is over.

    def step(self, x):
        self.total = self.total + x       # `self.total` is an input of the graph, and what it becomes an output

    state.read()                          # [the tensor in self.total]: for the inputs after the arguments
    state.made(outputs)                   # what the run has made of it, for self.total

Nothing is written by a run that raises. How the places are found is in `runtime.function.places`.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from autograph.errors import StagingError
from runtime import structures as nest
from runtime.dtypes import ALL, bfloat16
from runtime.errors import InvalidArgumentError
from runtime.function.left import Left
from runtime.heap.kind import PLAIN
from runtime.heap.place import LastingPlace
from runtime.ndarrays.arguments import Mark, mark_of
from runtime.ndarrays.layout import owner_of
from runtime.ndarrays.restart import can_be_memory
from runtime.tensor.eager import EagerTensor
from runtime.tensor.literals import literal_dtype, to_array

if TYPE_CHECKING:  # what traces is imported by the first trace
    from runtime.function.concrete import ConcreteFunction

__all__ = [
    "TEXTS", "Read", "State", "fits", "form_of", "holds_texts", "inputs_in", "relaxed", "test_of", "texts_in",
    "with_inputs",
]  # fmt: skip

Arrays = Mapping[int, Any]
"""ndarrays by the numbers of the inputs of the graph that they are given to."""

NUMBERS: Final = frozenset({bool, int, float, complex})
NUMPYS: Final = frozenset(d.numpy.type for d in ALL if d is not bfloat16 and d.numpy.kind in "biufc")
"""The classes of numbers of NumPy's."""
TEXTS: Final = frozenset({str, bytes})


def inputs_in(value: Any, texts: Container[type] = ()) -> list[Any] | None:
    """The tensors, arrays and numbers in a value, which a graph may be given anew in each run: those of a structure of
    nothing else but constants, or a text alone; None for other values. texts: the classes of texts that are given where
    they are in structures; others are constants there."""
    if _is_given(value) or type(value) in TEXTS:
        return [value]
    try:
        leaves = nest.flatten(value, nest.is_plain)
    except ValueError:  # it contains itself
        return None
    if not all(_is_given(leaf) or (type(leaf) in PLAIN and not _is_large(leaf)) for leaf in leaves):
        return None
    return [leaf for leaf in leaves if type(leaf) in NUMBERS or type(leaf) in texts or _is_given(leaf)] or None


def holds_texts(value: Any) -> bool:
    """Whether a value is a text, or a structure with texts that a graph may be given anew in each run."""
    return any(type(leaf) in TEXTS for leaf in inputs_in(value, TEXTS) or ())


def _is_given(leaf: Any) -> bool:
    return type(leaf) is EagerTensor or type(leaf) in NUMPYS or (type(leaf) is np.ndarray and can_be_memory(leaf))


def _is_large(leaf: Any) -> bool:
    return type(leaf) is int and not -(2**63) <= leaf < 2**63


class Held(NamedTuple):
    """The form of a tensor or array; None for dims that a trace leaves open, or for all of them. mark: of an array."""

    dtype: Any
    shape: tuple[int | None, ...] | None
    mark: Mark | None = None


def form_of(value: Any, texts: Container[type] = ()) -> Any:
    """What a trace depends on of such a value: its structure, its constants, and dtype and shape of the others."""
    return _form_of(value, TEXTS, texts)


def _form_of(value: Any, texts: Container[type], inside: Container[type]) -> Any:
    kind = type(value)
    if kind is EagerTensor:
        return Held(value.dtype.numpy, value._array.shape)
    if kind is np.ndarray:
        return Held(value.dtype, value.shape, mark_of(value))
    if kind in NUMBERS or kind in NUMPYS or kind in texts:
        return kind, literal_dtype(value)
    if not nest.is_plain(value):
        return kind, repr(value) if kind in PLAIN else id(value)
    order = tuple(value) if isinstance(value, Mapping) else None
    return kind, order, tuple([(step, _form_of(part, inside, inside)) for step, part in nest.children(value)])


def fits(form: Any, general: Any) -> bool:
    """Whether a value of a form can be given to a trace that was made for another one."""
    if type(form) is not type(general) or not isinstance(form, tuple):
        return bool(form == general)
    if not isinstance(form, Held):
        return len(form) == len(general) and all(map(fits, form, general))
    dims, wanted = form.shape or (), general.shape
    if form.dtype != general.dtype or (form.mark is None) is not (general.mark is None):
        return False
    if wanted is None:  # nothing is computed of it
        return True
    if form.mark != general.mark:
        return False
    return len(dims) == len(wanted) and all(b is None or a == b for a, b in zip(dims, wanted, strict=True))


def texts_in(form: Any) -> Iterator[Any]:
    """What a form says of texts, in order."""
    if isinstance(form, tuple) and form[:1] in ((str,), (bytes,)):
        yield form
    elif isinstance(form, tuple) and not isinstance(form, Held):
        for part in form:
            yield from texts_in(part)


def test_of(form: Any, texts: Container[type] = ()) -> Callable[[Any], bool]:
    """Tells whether a value can be given to a trace that was made for values of a form. The usual arrays are known at a
    look."""
    usual = type(form) is Held and form.mark == Mark() and form.shape is not None and None not in form.shape

    def test(value: Any) -> bool:
        if usual and type(value) is np.ndarray and value.base is None and value.flags.carray:
            return bool(value.shape == form.shape and value.dtype == form.dtype)
        return inputs_in(value, texts) is not None and fits(form_of(value, texts), form)

    return test


def relaxed(form: Any, other: Any) -> Any:
    """The form for values of two forms that differ in the shapes of tensors alone; else the first one."""
    if isinstance(form, Held) and isinstance(other, Held):
        dims, known = form.shape, other.shape
        if form.dtype != other.dtype or (form.mark is None) is not (other.mark is None):
            return form
        if dims is None or known is None or len(dims) != len(known) or form.mark != other.mark:
            return Held(form.dtype, None, form.mark)
        return Held(form.dtype, tuple([a if a == b else None for a, b in zip(dims, known, strict=True)]), form.mark)
    if type(form) is not tuple or type(other) is not tuple or len(form) != len(other):
        return form
    made = tuple(map(relaxed, form, other))
    return made if fits(other, made) else form


def _shapes_in(form: Any) -> Iterator[Any]:
    """The shapes of its tensors, in order."""
    if isinstance(form, Held):
        yield form.shape
    elif isinstance(form, tuple):
        for part in form:
            yield from _shapes_in(part)


def with_inputs(graph: Any, value: Any, form: Any, words: str, texts: Container[type] = ()) -> Any:
    """The value of a place with inputs of the graph for its tensors, arrays and numbers. form: of the values that
    fit; texts: see `inputs_in`."""
    name = "".join(c if c.isalnum() else "_" for c in words).strip("_") or "place"
    shapes = _shapes_in(form)

    def to_input(leaf: Any) -> Any:
        kind = type(leaf)
        is_pythons = kind in NUMBERS or kind in (TEXTS if leaf is value else texts)
        if kind in PLAIN and not is_pythons:
            return leaf
        array = leaf._array if kind is EagerTensor else to_array(leaf)
        shape = () if is_pythons or kind in NUMPYS else next(shapes)
        tensor = graph.placeholder(EagerTensor(array).dtype, shape, name, is_pythons)
        tensor.of_array, tensor.of_bytes = kind in NUMPYS, kind is bytes
        if graph.recording.tracing.creations is not None:
            graph.recording.tracing.creations.given[id(tensor)] = array
        return tensor

    return nest.map_structure(to_input, value, nested=nest.is_plain)


@dataclass(frozen=True, slots=True)
class Read:
    """A place whose value each run is given. form: of the values that fit; is_used: whether anything is computed of
    it; at: what holds it, by its id, and the key; test: whether a value fits; texts: see `inputs_in`."""

    place: LastingPlace
    form: Any
    is_used: bool
    at: tuple[Any, Any]
    test: Callable[[Any], bool]
    texts: Container[type]


class State:
    """See the module's docstring."""

    def __init__(
        self,
        reads: Sequence[Read] = (),
        left: Sequence[Left] = (),
        of_call: Sequence[Any] = (),
        kept: Sequence[Any] = (),
        writes_arrays: bool = False,
        guesses: bool = True,
    ) -> None:
        """of_call: where containers are among the arguments that runs change (`argument_containers`); kept: and
        those that they leave elsewhere; writes_arrays: whether runs write to arrays in places; guesses: whether the
        next trace may take what has changed in places as what each run is given."""
        self.of_call = of_call
        self.named = (*of_call, *kept)
        """All that runs must find among the arguments of their call."""
        self._reads = reads
        self._left = left
        self._writes_arrays = writes_arrays
        self.guesses = guesses
        places = [*[row.place for row in left], *[row.place for row in reads]]
        self.first = next((place.words for place in places), "")
        """How the user calls one of the places; empty where there is none."""
        self.count = sum(len(row.types) for row in left)
        """How many outputs of the graph are for it: the last ones."""

    @property
    def has_numbers(self) -> bool:
        """Whether it leaves numbers of Python's that a run computes, or changes containers of the caller."""
        return bool(self.named) or any(kind.weak for row in self._left for kind in row.types)

    def left_dtypes(self) -> dict[Any, tuple[Any, ...]]:
        """The dtypes of what runs leave, by the places."""
        return {(id(row.place.find()), row.place.key): tuple(kind.dtype for kind in row.types) for row in self._left}

    @property
    def only_reads(self) -> bool:
        """Whether runs write to no place, and read some."""
        return bool(self._reads) and not (self._left or self._writes_arrays)

    @property
    def given(self) -> dict[Any, Read]:
        """What runs are given, by where it is."""
        return {row.at: row for row in self._reads}

    def refuse(self, what: str, remedy: str) -> None:
        """Raises StagingError where there are places, for a use of the trace that knows nothing of them."""
        if self.first:
            raise StagingError(f"{what} within another graph, and it writes to {self.first!r} in each run: {remedy}")

    def read(self, trace: ConcreteFunction, arguments: Sequence[Any]) -> tuple[list[Any], Arrays]:
        """What the graph is given, the arguments first, and all arrays by the numbers of their inputs.

        Raises InvalidArgumentError where a place holds what the trace was not made for.
        """
        given = [*arguments]
        arrays = dict(getattr(arguments, "arrays", ()))
        for row in self._reads:
            value = row.place.read()
            if not row.test(value):
                raise InvalidArgumentError(
                    f"{trace.header}: {row.place.words!r} holds another kind of value now than when it was traced: call"
                    " the Function itself, which is traced anew for it"
                )
            for leaf in inputs_in(value, row.texts) or ():
                if type(leaf) is np.ndarray:
                    arrays[len(given)] = leaf
                    leaf = EagerTensor(leaf.copy())
                given.append(leaf if type(leaf) is EagerTensor else EagerTensor(to_array(leaf)))
        return given, arrays

    def arrays(self, first: int = 0) -> Iterator[tuple[int, str, Any]]:
        """The arrays that runs find in places now, each with the number of its input and words for the place. first:
        the number of the first input for these."""
        for row in self._reads:
            for leaf in inputs_in(row.place.read(), row.texts) or ():
                if type(leaf) is np.ndarray:
                    yield first, row.place.words, leaf
                first += 1

    def owners(self) -> set[int]:
        """The ids of the arrays that own the memory of those."""
        return {id(owner_of(array)) for _, _, array in self.arrays()}

    def made(self, outputs: Sequence[Any], arrays: Arrays) -> list[tuple[LastingPlace, Any]]:
        """What a run has made for the places, which is yet to be put there. arrays: what `read` has found."""
        tensors = iter([value if type(value) is EagerTensor else EagerTensor(value) for value in outputs])
        known: dict[int, Any] = {}
        return [(row.place, row.made(tensors, known, arrays)) for row in self._left]
