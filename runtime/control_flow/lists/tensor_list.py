"""`TensorList`: a Python list that grows in a graph, because its length depends on a tensor.

    squares = TensorList(element_dtype=runtime.int32)
    for i in runtime.range(n):
        squares.append(i * i)
    return squares.stack()                      # or the list itself: the Function returns a Python list of tensors

It is used like a list (`append`, `pop`, `extend`, `insert`, `l[i]`, `l[i] = v`, `l[a:b]`, `len`, `for`), and as a
tensor where an operation wants one (its elements, stacked). The elements have one structure and one dtype a leaf. What
changes is `handles`: one immutable tensor of dtype variant for each leaf, which staged code can carry as its state.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import reduce
from typing import TYPE_CHECKING, Any, Final

from autograph.errors import StagingError
from autograph.operators.stager import WHILE_TRACING
from runtime.context import current_recorder, outermost_recorder
from runtime.control_flow.lists.array_elements import note_copy, note_put, note_set
from runtime.control_flow.lists.element_structures import of_columns
from runtime.control_flow.lists.element_types import ElementType, LeafType, nothing, own_list
from runtime.control_flow.lists.exact import note_pushes
from runtime.control_flow.lists.kind import TENSOR_LIST, as_a_list
from runtime.control_flow.lists.member_elements import as_leaf
from runtime.control_flow.objects.identity import note_unknown
from runtime.control_flow.objects.refs import objects_of
from runtime.control_flow.objects.watched import watch_element
from runtime.control_flow.outside.operands import check_left_operand, check_lists, check_no_array
from runtime.dtypes import as_dtype
from runtime.errors import OperatorNotAllowedInGraphError
from runtime.graph.graph import Graph
from runtime.heap.kinds import add_kind
from runtime.ops.lists import lists
from runtime.tensor import text
from runtime.tensor.eager import EagerTensor
from runtime.tensor.symbolic import SymbolicTensor
from runtime.tensor.tensor import Tensor

__all__ = ["CHANGES", "TensorList", "add_methods"]

CHANGES: Final[dict[str, Callable[..., Any]]] = {}
"""What lists do by making other lists, or by taking the place of others: `changes` and `taken_in` put it here."""


@as_a_list
class TensorList:
    """A list that may grow in a graph. See the module's docstring.

    elements: its first elements, a sequence or a tensor (its rows). element_dtype, element_shape: what they will be;
    the dtype is otherwise that of the first element. kind: what is known of them. instead_of: the Python list whose
    place it takes. Raises TypeError and ValueError for elements that do not agree.
    """

    __ag_stager__ = WHILE_TRACING
    __ag_do_not_convert__ = __ag_copies_items__ = True  # as elements that are arrays: after a write they are put back
    __array_priority__ = 100.0  # `array + l` asks the list
    __ag_stack__: Any = None  # set by runtime.control_flow.lists.data_structures
    __hash__ = None  # type: ignore[assignment]
    order = 0  # how often its elements were given other places

    def __init__(
        self, elements: Any = (), element_dtype: Any = None, element_shape: Any = None,
        kind: ElementType | None = None, instead_of: Any = None,
    ) -> None:  # fmt: skip
        self._elements: ElementType | None = kind
        """What the elements are; None as long as nothing is known."""
        self.handles: tuple[Any, ...] = tuple(nothing() for _ in ((None,) if kind is None else kind.leaves))
        """The handle of each leaf of the elements (of one leaf as long as nothing is known of them)."""
        self._home = outermost_recorder()
        if element_dtype is not None:
            self._elements = ElementType.declared(as_dtype(element_dtype), element_shape)
        self._put(elements, instead_of)

    @staticmethod
    def like(elements: ElementType | None, handles: Sequence[Any]) -> TensorList:
        """The list with these handles, whose elements are of this type."""
        made = TensorList.__new__(TensorList)
        made._elements, made.handles = elements, tuple(handles)
        made._home = outermost_recorder()
        return made

    # -- what it is ----------------------------------------------------------------------------------------------

    @property
    def elements(self) -> ElementType | None:
        """The type of the elements; None as long as nothing is known of it."""
        return self._elements

    @property
    def element_dtype(self) -> Any:
        """The dtype of the elements (a structure of dtypes where they have several leaves); None if it is unknown."""
        return self._elements and self._elements.pack(leaf.dtype for leaf in self._elements.leaves)

    @property
    def element_shape(self) -> Any:
        """What is known of their shape, as `element_dtype`."""
        return self._elements and self._elements.pack(leaf.shape for leaf in self._elements.leaves)

    def length(self) -> Any:
        """How many elements there are: an integer scalar tensor, which takes the dtype of one beside it."""
        self.note_use()
        length = lists.list_length(self.handles[0])
        if isinstance(length, SymbolicTensor):
            length.weak = True
        return length

    def copy(self) -> TensorList:
        """A list with the same elements, which changes by itself."""
        self.note_use(copies=True)
        return TensorList.like(own_list(self._elements), self.handles)

    # -- changing ------------------------------------------------------------------------------------------------

    def append(self, element: Any) -> None:
        """Adds an element at the end."""
        self.change(lists.list_push, (), element)

    def __setitem__(self, index: Any, element: Any) -> None:
        """Replaces the element at a position. Raises IndexError when there is none."""
        if isinstance(index, slice):
            CHANGES["set_slice"](self, index, element)
        elif not (hasattr(type(element), "__ag_view__") and element.is_at(self, index)):  # it is there already
            CHANGES["put"](self, index, element)

    def __delitem__(self, index: Any) -> None:
        """Removes the element at a position, or those of a slice. Raises IndexError when there is none."""
        CHANGES["delete"](self, index)

    def packed(self, known: ElementType, parts: Sequence[Any]) -> Any:
        """The element with these leaves, as the program gets it."""
        parts = [as_leaf(leaf, part) for leaf, part in zip(known.leaves, parts, strict=True)]
        if known.has_rows:
            parts = [CHANGES["as_part"](leaf, part) for leaf, part in zip(known.leaves, parts, strict=True)]
        return note_unknown(watch_element(known.pack(parts)))

    def __iadd__(self, other: Any) -> TensorList:
        check_no_array(other)
        self.extend(other)
        return self

    def __imul__(self, times: Any) -> TensorList:
        self.take(self * times)
        return self

    def take(self, other: TensorList) -> None:
        """Becomes a list with the elements of another one."""
        self.may_change(moves=True)
        self._elements, self.handles = own_list(other._elements), other.handles

    def __getitem__(self, index: Any) -> Any:
        """The element at a position (an integer or an integer scalar tensor), or the list of a slice."""
        if isinstance(index, slice):
            return CHANGES["sliced"](self, index)
        known = self.known("retrieve from")
        is_traced = isinstance(current_recorder(), Graph)
        if known.has_rows and is_traced:
            return CHANGES["read"](self, index)
        leaves = zip(self.handles, known.leaves, strict=True)
        found = self.packed(known, [lists.list_get(handle, index, **leaf.attributes) for handle, leaf in leaves])
        return CHANGES["note_read"](found, self, index) if is_traced else found

    def stack(self) -> Any:
        """The elements as one tensor with a new first axis; a structure of tensors if the elements are structures."""
        return self.known("stack").pack(self.columns())

    def columns(self) -> list[Any]:
        """For each leaf of the elements: all of them, stacked."""
        known = self.known("stack")
        if known.has_rows:
            CHANGES["refuse_columns"](self)
        pairs = zip(self.handles, known.leaves, strict=True)
        return [lists.list_stack(handle, **leaf.attributes) for handle, leaf in pairs]

    def to_list(self) -> list[Any]:
        """The elements as a Python list; outside of a trace only, where the length is known."""
        return [self[i] for i in range(len(self))]

    def __add__(self, other: Any) -> TensorList:
        check_lists(self, other)
        return self.copy().__iadd__(other)

    def __mul__(self, times: Any) -> TensorList:
        return CHANGES["repeated"](self, times)

    __rmul__ = __mul__

    def __radd__(self, other: Any) -> Any:
        check_left_operand(other)
        check_lists(other, self)
        return self[:0].__iadd__(other).__iadd__(self)

    def __iter__(self) -> Iterator[Any]:
        remedy = "use a list (`[*l, x]`), a `for` statement, or runtime.stack(l) in the place of np.stack(l)"
        self._check_eager("unpacked, or gone through by what is not converted", remedy)
        return iter(self.to_list())

    def __len__(self) -> int:
        self._check_eager("given to a `len` that is not converted", "call `length()`")
        return int(self.length())

    def __bool__(self) -> bool:
        self._check_eager("used as a Python `bool`", "compare its `length()`")
        return len(self) > 0

    if TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            """A method of lists: see `add_methods`."""

    def __repr__(self) -> str:
        return text.mark(self, "r") or f"<TensorList of {self._elements or 'unknown elements'}>"

    def __as_tensor__(self) -> Any:
        """The list as a tensor: its elements, stacked, and the rows of lists and tuples. Operations ask for it where a
        tensor is expected."""
        if (stacked := of_columns(self.stack())) is not None:
            return stacked
        raise TypeError(
            f"Cannot convert {self!r} to a tensor: its elements are structures; stack() gives one for each leaf"
        )

    def detached(self) -> TensorList:
        """The list as the value of a variable of a staged statement: a copy, if it is one in another list."""
        return self

    def __ag_truth__(self) -> Any:
        """Whether it has elements, as a bool scalar tensor: what a staged condition takes in its place."""
        return self.length() > 0

    def _nest_parts(self) -> list[tuple[str, Any]]:
        return [(f".handles[{i}]", handle) for i, handle in enumerate(self.handles)]

    def _nest_rebuild(self, parts: Sequence[Any]) -> TensorList:
        return TensorList.like(self._elements, parts)

    def _nest_check(self, other: Any) -> None:
        if self._elements is not None and other._elements is not None:
            self._elements.join(other._elements)

    def _nest_static(self) -> Any:
        """What of it is no tensor: two lists that differ in it need a trace each."""
        return str(self._elements)

    def _put(self, elements: Any, instead_of: Any) -> None:
        if isinstance(elements, TensorList | Tensor):
            self.extend(elements)
            return
        items = [CHANGES["values_of"](_watched(item, instead_of)) for item in elements]
        if not items:
            return
        first: Any = self._elements or ElementType.of_all(items)
        known = reduce(ElementType.with_element, items, first)
        columns = zip(*map(known.flat, items), strict=True)
        self._elements = known
        self.handles = tuple(
            lists.list_new([_closed(leaf, part, instead_of) for part in column], **leaf.attributes)
            for leaf, column in zip(known.leaves, columns, strict=True)
        )

    def change(self, op: Callable[..., Any], before: tuple[Any, ...], element: Any) -> None:
        """Records an operation that puts an element into the list."""
        self.may_change()
        value = CHANGES["values_of"](element)
        self.become(ElementType.of(value) if self._elements is None else self._elements.with_element(value))
        known = self.known("change")
        parts = known.flat(value)
        rows = zip(self.handles, known.leaves, parts, strict=True)
        self.handles = tuple(op(h, *before, _closed(leaf, part), **leaf.attributes) for h, leaf, part in rows)
        note_pushes(zip(self.handles, known.leaves, parts, strict=True))
        if op is lists.list_set:
            note_set(element)
        _watched(element)

    def become(self, wanted: ElementType) -> None:
        """Takes in what is now known of the elements; those that came from literals get the dtype of the others."""
        self.handles, self._elements = self.handles_as(wanted), wanted

    def handles_as(self, wanted: ElementType | None) -> tuple[Any, ...]:
        """The handles of the list as one with elements of a wider type."""
        if wanted is None:
            return self.handles
        known = self._elements
        return self.handles * len(wanted.leaves) if known is None else known.cast(self.handles, wanted)

    def known(self, what: str) -> ElementType:
        """The type of the elements. Raises StagingError if nothing is known of it."""
        if self._elements is None:
            raise StagingError(
                f"cannot {what} a list without knowing its element type: nothing has been put into it yet; say it with"
                " runtime.autograph.set_element_type(list, dtype, shape)"
            )
        self.note_use()
        return self._elements

    def note_use(self, copies: bool = False) -> None:
        """To be called where the program uses the list. copies: another list gets its elements."""
        known = self._elements
        if known is not None and (known.of_row or (copies and known.has_rows)):
            CHANGES["note"]("copied" if known.of_row else "shared")
        if copies and known is not None:
            note_copy(known.model)

    def may_change(self, moves: bool = False) -> None:
        """Raises StagingError where a change would outlive the trace in which it is made, or be lost with it.

        moves: whether other elements are at some places after it.
        """
        known = self._elements
        if known is not None and known.of_row:
            CHANGES["refuse_change"]()
        if moves and known is not None and known.has_rows:
            self.order += 1
            CHANGES["note"]("moved")
        here: Any = outermost_recorder()
        if here is not None and here is not self._home:
            raise StagingError(
                f"a list that was made outside of {here.name!r} is changed while {here.name!r} is traced: the change"
                " would be made once, with values of the graph alone. Change a copy (`l = l.copy()`) and return it."
            )

    def _check_eager(self, what: str, remedy: str) -> None:
        if not isinstance(self.handles[0], EagerTensor):
            why = "its length is not known while the function is traced"
            raise OperatorNotAllowedInGraphError(f"A list that grows in a graph was {what}: {why}; {remedy}.")


def add_methods(**methods: Callable[..., Any]) -> None:
    """Gives lists the rest of their methods: `changes` has those that change a list, `builtins` those that compare."""
    for name, method in methods.items():
        setattr(TensorList, name, method)


def _closed(leaf: Any, part: Any, besides: Any = None) -> Any:
    """A leaf of an element as the tensor that the list keeps. besides: a list that has the element, too."""
    is_row = not isinstance(leaf, LeafType)
    return CHANGES["closed"](leaf, part, besides) if is_row else leaf.adopted(part, "append to a list")


def _watched(element: Any, besides: Any = None) -> Any:
    """An element that is put into the list: its values are kept, and not itself."""
    for one in objects_of(element) if isinstance(current_recorder(), Graph) else ():
        CHANGES["note_put"](one, besides)
    note_put(element)
    return watch_element(element)


add_kind(TensorList, TENSOR_LIST)
