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

import sys
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final, NoReturn

from autograph.errors import StagingError
from autograph.operators.stager import WHILE_TRACING
from runtime.context import current_recorder
from runtime.control_flow.lists.element_types import ElementType, agreed
from runtime.control_flow.lists.kind import TENSOR_LIST
from runtime.control_flow.lists.missing_methods import missing
from runtime.control_flow.objects.identity import note_unknown
from runtime.control_flow.objects.watched import watch_element
from runtime.dtypes import as_dtype
from runtime.errors import OperatorNotAllowedInGraphError
from runtime.heap.kinds import add_kind
from runtime.ops import lists
from runtime.ops.list_value import EMPTY, boxed
from runtime.tensor.convert import make_constant
from runtime.tensor.eager import EagerTensor
from runtime.tensor.tensor import Tensor

__all__ = ["CHANGES", "TensorList"]

CHANGES: Final[dict[str, Callable[..., Any]]] = {}
"""What lists do by making other lists, or by taking the place of others: `list_changes` and `taken_in` put it here."""


class TensorList:
    """A list that may grow in a graph. See the module's docstring.

    elements: its first elements, a sequence or a tensor (its rows). element_dtype, element_shape: what they will be;
    the dtype is otherwise that of the first element. Raises TypeError and ValueError for elements that do not agree.
    """

    __ag_stager__ = WHILE_TRACING
    __ag_do_not_convert__ = True
    __ag_stack__: Any = None  # set by runtime.control_flow.lists.data_structures
    __hash__ = None  # type: ignore[assignment]

    def __init__(self, elements: Any = (), element_dtype: Any = None, element_shape: Any = None) -> None:
        self._elements: ElementType | None = None
        """What the elements are; None as long as nothing is known."""
        self.handles: tuple[Any, ...] = (make_constant(boxed(EMPTY)),)
        """The handle of each leaf of the elements (of one leaf as long as nothing is known of them)."""
        self._home = getattr(current_recorder(), "root", None)
        if element_dtype is not None:
            self._elements = ElementType.declared(as_dtype(element_dtype), element_shape)
        self._put(elements)

    @classmethod
    def like(cls, elements: ElementType | None, handles: Sequence[Any]) -> TensorList:
        """The list with these handles, whose elements are of this type."""
        made = cls.__new__(cls)
        made._elements, made.handles = elements, tuple(handles)
        made._home = getattr(current_recorder(), "root", None)
        return made

    # -- what it is ----------------------------------------------------------------------------------------------

    @property
    def elements(self) -> ElementType | None:
        """The type of the elements; None as long as nothing is known of it."""
        return self._elements

    @property
    def element_dtype(self) -> Any:
        """The dtype of the elements (a structure of dtypes where they have several leaves); None if it is unknown."""
        return None if self._elements is None else self._elements.pack(leaf.dtype for leaf in self._elements.leaves)

    @property
    def element_shape(self) -> Any:
        """What is known of the elements' shape, as `element_dtype`."""
        return None if self._elements is None else self._elements.pack(leaf.shape for leaf in self._elements.leaves)

    def set_element_type(self, dtype: Any, shape: Any = None) -> None:
        """Says what the elements are. Raises ValueError where that contradicts the elements that it has."""
        wanted = ElementType.declared(as_dtype(dtype), shape)
        if self._elements is not None:
            self._elements.check_said(wanted.leaves[0])
        self.become(wanted)

    def length(self) -> Any:
        """How many elements there are: an int32 scalar tensor."""
        return lists.list_length(self.handles[0])

    def copy(self) -> TensorList:
        """A list with the same elements, which changes by itself."""
        return TensorList.like(self._elements, self.handles)

    # -- changing ------------------------------------------------------------------------------------------------

    def append(self, element: Any) -> None:
        """Adds an element at the end."""
        self._change(lists.list_push, (), element)

    def insert(self, index: Any, element: Any) -> None:
        """Adds an element before a position; one outside of the list counts as its begin or end."""
        self._change(lists.list_insert, (index,), element)

    def __setitem__(self, index: Any, element: Any) -> None:
        """Replaces the element at a position. Raises IndexError when there is none."""
        if isinstance(index, slice):
            CHANGES["set_slice"](self, index, element)
        else:
            self._change(lists.list_set, (index,), element)

    def __delitem__(self, index: Any) -> None:
        """Removes the element at a position, or those of a slice. Raises IndexError when there is none."""
        CHANGES["delete"](self, index)

    def extend(self, elements: Any) -> None:
        """Adds the elements of a list, the rows of a tensor, or what a Python iterable gives."""
        if isinstance(elements, TensorList | Tensor):
            CHANGES["extend"](self, elements)
        else:
            for element in elements:
                self.append(element)

    def pop(self, index: Any = -1) -> Any:
        """Removes the element at a position, the last one by default, and returns it. Raises IndexError."""
        known = self._known("pop from")
        self._may_change()
        leaves = zip(self.handles, known.leaves, strict=True)
        pairs = [lists.list_pop(handle, index, **leaf.attributes) for handle, leaf in leaves]
        self.handles = tuple(handle for handle, _ in pairs)
        return note_unknown(watch_element(known.pack(element for _, element in pairs)))

    def clear(self) -> None:
        """Removes all elements."""
        self._may_change()
        self.handles = tuple(make_constant(boxed(EMPTY)) for _ in self.handles)

    def reverse(self) -> None:
        """Turns the order of the elements round."""
        self._may_change()
        self.handles = self[::-1].handles

    def __iadd__(self, other: Any) -> TensorList:
        self.extend(other)
        return self

    def __imul__(self, times: Any) -> TensorList:
        self.take(self * times)
        return self

    def take(self, other: TensorList) -> None:
        """Becomes a list with the elements of another one."""
        self._may_change()
        self._elements, self.handles = other._elements, other.handles

    def __getitem__(self, index: Any) -> Any:
        """The element at a position (an integer or an integer scalar tensor), or the list of a slice."""
        if isinstance(index, slice):
            return self._slice(index)
        known = self._known("retrieve from")
        rows = zip(self.handles, known.leaves, strict=True)
        return note_unknown(watch_element(known.pack(lists.list_get(h, index, **leaf.attributes) for h, leaf in rows)))

    def stack(self) -> Any:
        """The elements as one tensor with a new first axis; a structure of tensors if the elements are structures."""
        known = self._known("stack")
        return known.pack(
            lists.list_stack(handle, **leaf.attributes) for handle, leaf in zip(self.handles, known.leaves, strict=True)
        )

    def to_list(self) -> list[Any]:
        """The elements as a Python list; outside of a trace only, where the length is known."""
        return [self[i] for i in range(len(self))]

    def __add__(self, other: Any) -> TensorList:
        return self.copy().__iadd__(other)

    def __mul__(self, times: Any) -> TensorList:
        return CHANGES["repeated"](self, times)  # type: ignore[no-any-return]

    __rmul__ = __mul__

    def __radd__(self, other: Any) -> Any:
        take_in = CHANGES["extended_in_place"]
        if isinstance(other, list) and (made := take_in(other, self, sys._getframe(1))) is not None:
            return made
        empty = [make_constant(boxed(EMPTY)) for _ in self.handles]
        return TensorList.like(self._elements, empty).__iadd__(other).__iadd__(self)

    def __iter__(self) -> Iterator[Any]:
        if not self._is_eager():
            remedy = "use `l + [x]` (not `[*l, x]`), a `for` statement, or runtime.stack(l) in the place of np.stack(l)"
            self._refuse("unpacked, or gone through by what is not converted", remedy)
        return iter(self.to_list())

    def __len__(self) -> int:
        if not self._is_eager():
            self._refuse("given to a `len` that is not converted", "call `length()`")
        return int(self.length())

    def __bool__(self) -> bool:
        if not self._is_eager():
            self._refuse("used as a Python `bool`", "compare its `length()`")
        return len(self) > 0

    def __contains__(self, element: Any) -> NoReturn:
        raise TypeError("a list that grows in a graph has no `in`; use runtime.reduce_any(runtime.equal(l.stack(), x))")

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        raise TypeError("lists that grow in a graph are not compared; compare what `stack()` gives (runtime.equal)")

    def __getattr__(self, name: str) -> NoReturn:
        raise missing(name)

    def __repr__(self) -> str:
        return f"<TensorList of {self._elements or 'unknown elements'}>"

    def __as_tensor__(self) -> Any:
        """The list as a tensor: its elements, stacked. Operations ask for it where a tensor is expected."""
        if isinstance(stacked := self.stack(), Tensor):
            return stacked
        raise TypeError(
            f"Cannot convert {self!r} to a tensor: its elements are structures; stack() gives one for each leaf"
        )

    def truth(self) -> Any:
        """Whether it has elements, as a bool scalar tensor: what a staged condition takes in its place."""
        return self.length() > 0

    def _nest_parts(self) -> list[tuple[str, Any]]:
        return [(f".handles[{i}]", handle) for i, handle in enumerate(self.handles)]

    def _nest_rebuild(self, parts: Sequence[Any]) -> TensorList:
        return TensorList.like(self._elements, parts)

    def _nest_check(self, other: Any) -> None:
        if self._elements is not None and other._elements is not None:
            self._elements.join(other._elements)

    @staticmethod
    def _nest_joined(values: Sequence[TensorList]) -> ElementType | None:
        """The type of elements on which these lists can agree; None where there is none."""
        return agreed(value._elements for value in values)

    def _nest_as(self, wanted: ElementType | None) -> TensorList:
        """The list with elements of a wider type."""
        if wanted is None or (self._elements is not None and self._elements.leaves == wanted.leaves):
            return self
        return TensorList.like(wanted, self.handles_as(wanted))

    def _nest_static(self) -> Any:
        """What of it is no tensor: two lists that differ in it need a trace each."""
        return str(self._elements)

    def _put(self, elements: Any) -> None:
        if isinstance(elements, TensorList | Tensor):
            self.extend(elements)
            return
        items = list(elements)
        if not items:
            return
        known = self._elements or ElementType.of(items[0])
        for item in items:
            known = known.with_element(watch_element(item))
        columns = zip(*map(known.flat, items), strict=True)
        self._elements = known
        self.handles = tuple(
            lists.list_new([leaf.convert(part) for part in column], **leaf.attributes)
            for leaf, column in zip(known.leaves, columns, strict=True)
        )

    def _change(self, op: Callable[..., Any], before: tuple[Any, ...], element: Any) -> None:
        """Records an operation that puts an element into the list."""
        self._may_change()
        self.become(ElementType.of(element) if self._elements is None else self._elements.with_element(element))
        known = self._known("change")
        self.handles = tuple(
            op(handle, *before, leaf.convert(part), **leaf.attributes)
            for handle, leaf, part in zip(self.handles, known.leaves, known.flat(element), strict=True)
        )
        watch_element(element)

    def become(self, wanted: ElementType) -> None:
        """Takes in what is now known of the elements; those that came from literals get the dtype of the others."""
        self.handles, self._elements = self.handles_as(wanted), wanted

    def handles_as(self, wanted: ElementType | None) -> tuple[Any, ...]:
        """The handles of the list as one with elements of a wider type."""
        if wanted is None:
            return self.handles
        if self._elements is None:
            return self.handles * len(wanted.leaves)
        return tuple(
            handle if old.dtype is new.dtype else lists.list_cast(handle, element_dtype=new.dtype)
            for handle, old, new in zip(self.handles, self._elements.leaves, wanted.leaves, strict=True)
        )

    def _slice(self, key: slice) -> TensorList:
        start, stop = (0 if bound is None else bound for bound in (key.start, key.stop))
        given = {"has_start": key.start is not None, "has_stop": key.stop is not None}
        step = 1 if key.step is None else key.step
        return TensorList.like(
            self._elements, [lists.list_slice(handle, start, stop, step, **given) for handle in self.handles]
        )

    def _known(self, what: str) -> ElementType:
        if self._elements is None:
            raise StagingError(
                f"cannot {what} a list without knowing its element type: nothing has been put into it yet; say it with"
                " runtime.autograph.set_element_type(list, dtype, shape)"
            )
        return self._elements

    def _may_change(self) -> None:
        """Raises StagingError where a change would outlive the trace in which it is made, or be lost with it."""
        here: Any = getattr(current_recorder(), "root", None)
        if here is not None and here is not self._home:
            raise StagingError(
                f"a list that was made outside of {here.name!r} is changed while {here.name!r} is traced: the change"
                " would be made once, with values of the graph alone. Change a copy (`l = l.copy()`) and return it."
            )

    def _is_eager(self) -> bool:
        return isinstance(self.handles[0], EagerTensor)

    def _refuse(self, what: str, remedy: str) -> NoReturn:
        raise OperatorNotAllowedInGraphError(
            f"A list that grows in a graph was {what}: its length is not known while the function is traced; {remedy}."
        )


add_kind(TensorList, TENSOR_LIST)
