"""Elements by a key that only the graph knows, and elements that are written.

values = [a, b, c]
values[i]              # i is a tensor: the three are stacked, and i picks one while the graph runs
x[i] = v               # x is a tensor: x becomes setitem(x, v, i)
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np

from autograph.errors import StagingError
from autograph.operators import slices
from runtime.as_python import raise_as_python
from runtime.control_flow.branches.values import switch_values
from runtime.control_flow.builtins import characters
from runtime.control_flow.lattice.leaf import is_weak
from runtime.control_flow.lattice.stacked import are_alike, stacked, stacked_at
from runtime.control_flow.lists.keyed import known_key
from runtime.control_flow.lists.keyed_calls import KEYED, can_be_keyed, grown_dict, has_scalars, is_staged_key
from runtime.control_flow.lists.of_arrays import as_a_list
from runtime.control_flow.lists.replacements import moved_to
from runtime.control_flow.lists.taken_in import is_of_the_run, replaced_in_place
from runtime.control_flow.lists.tensor_list import TensorList
from runtime.control_flow.objects.chosen_items import branched_at, is_item_at, item_at
from runtime.control_flow.objects.ref_each import each_key, has_refs
from runtime.control_flow.objects.ref_members import as_value, is_new_key, with_values
from runtime.control_flow.objects.references import is_shared
from runtime.control_flow.objects.refs import Ref, can_be_chosen, selected
from runtime.control_flow.objects.watched import CHOSEN, watch_parts
from runtime.control_flow.optional.values import MaybeNone, inside_of, presence
from runtime.dtypes import int32
from runtime.errors import of_the_trace
from runtime.ndarrays.joined import JOINERS, joined
from runtime.ndarrays.parts import note_part, part_of_array
from runtime.ndarrays.restart import restart, restart_with
from runtime.ndarrays.traced import TracedArray
from runtime.ops.records.record import REGISTRY
from runtime.tensor.convert import constant, convert_to_tensor
from runtime.tensor.indexing import written
from runtime.tensor.symbolic import SymbolicTensor, text_class
from runtime.tensor.tensor import Operators, Tensor

__all__ = ["get_item", "item_state", "set_item"]

RAISES_AS_PYTHON = True  # see runtime.control_flow.tries.raised


_OF_POSITIONS: Final = (Tensor, TracedArray, TensorList, np.ndarray, list, tuple, str, bytes, range, deque)


# -- reads


def get_item(x: Any, k: Any) -> Any:
    """`x[k]`, where the key or a part of it is a tensor."""
    k = with_values(k) if isinstance(x, _OF_POSITIONS) else k
    if isinstance(x, Tensor | TracedArray | Ref):
        return x[k]
    if isinstance(x, JOINERS):
        return joined(x, k)
    if has_refs(k) and not is_new_key(x, k):
        return each_key(k, lambda key: slices.get_item(x, key), x)
    if not is_of_the_run(k) and not is_new_key(x, k):
        return x[known_key(k)]
    if isinstance(x, np.ndarray):
        return part_of_array(x, k)
    if isinstance(k, slice) and type(x) in (list, str):  # only the run knows how many elements it has
        return _of_text(x, k) if isinstance(x, str) else TensorList(x)[k]
    is_grown = isinstance(x, dict) and is_staged_key(k) and (not x or hasattr(type(x), "__missing__"))
    if (is_grown or type(x) is deque) and can_be_keyed(x):
        return grown_dict(x)[k]
    if not isinstance(k, SymbolicTensor):
        return x[k]  # pyright: ignore[reportArgumentType]  # a deque refuses a slice, as it does in Python
    for kind, read in _READERS.items():
        if isinstance(x, kind):
            return read(x, k)
    return x[k]


def _position(k: Any, what: str) -> Any:
    """The key as an integer scalar; a bool counts as 0 or 1, as in Python."""
    if k.dtype.is_bool:
        k = REGISTRY["cast"](k, int32)
    if not k.dtype.is_integer or k._shape.rank not in (0, None):
        raise TypeError(
            f"{what} indices must be integers; got {k}. To take several elements at once, make the {what} a tensor"
            " (runtime.stack) and index that."
        )
    return k


def _checked(k: SymbolicTensor, size: int, what: str) -> Any:
    """The position, after a check that it is in range."""
    position = _position(k, what)
    if not size:
        raise_as_python(IndexError(f"{what} index out of range"))
    fits = position < size
    if not position.dtype.is_unsigned:
        fits = REGISTRY["logical_and"](position >= -size, fits)
    REGISTRY["check"](fits, message=f"{what} index out of range", exception="IndexError")
    return position


def _of_sequence(x: Sequence[Any], k: SymbolicTensor) -> Any:
    if type(x).__getitem__ not in (list.__getitem__, tuple.__getitem__):
        return x[k]  # type: ignore[call-overload]  # it has its own idea of an element
    return _chosen(x, lambda: list(x), _checked(k, len(x), "list" if isinstance(x, list) else "tuple"), k)


def _chosen(holder: Any, read: Callable[[], list[Any]], position: Any, key: Any) -> Any:
    """The item of a holder at a position that is in range: of a stack where all are alike, else by a branch for each.

    read: gives the items that are counted.
    """
    items = read()
    if all(item is items[0] for item in items):
        return items[0]
    if are_alike(items):
        found = stacked_at(items, position)
        note_part(found, items)
        return found
    if not position.dtype.is_unsigned:
        position = REGISTRY["where"](position < 0, position + len(items), position)
    if (chosen := item_at(position, holder, key, read)) is not None:
        return chosen
    found = branched_at(position, items)
    note_part(found, items)
    for value in (found, *items):
        watch_parts(inside_of(value), CHOSEN)
    return found


def _of_range(x: range, k: SymbolicTensor) -> Any:
    position = _checked(k, len(x), "range object")
    if not position.dtype.is_unsigned:
        position = REGISTRY["where"](position < 0, position + len(x), position)
    return x.start + position * x.step


def _of_dict(x: dict[Any, Any], k: SymbolicTensor) -> Any:
    """The value whose key equals the tensor; KeyError while the graph runs if there is none."""
    if type(x).__getitem__ is not dict.__getitem__ or hasattr(type(x), "__missing__"):
        return x[k]
    keys, equal = _equal_keys(x, k)
    message = "no key of the dict is equal to "
    REGISTRY["check"](REGISTRY["reduce_any"](equal), [k], message=message, exception="KeyError")
    return _chosen(x, lambda: [x[key] for key in keys], REGISTRY["argmax"](REGISTRY["cast"](equal, int32), 0), k)


def _equal_keys(x: dict[Any, Any], k: SymbolicTensor) -> tuple[list[Any], Any]:
    """The keys that may be equal to a tensor, and which of them are: a vector of booleans."""
    if k._shape.rank not in (0, None):
        raise TypeError(f"a key of a dict must be a scalar; got {k}")
    texts = (str, bytes) if (kind := text_class(k)) is None else (kind,)
    fitting = texts if k.dtype.family == "string" else (bool, int, float)
    keys = [key for key in x if type(key) in fitting]
    if not keys:
        raise KeyError(f"{k}, a tensor of dtype {k.dtype.name}: no key of this dict can be equal to it")
    try:
        return keys, REGISTRY["equal"](k, constant(keys, k.dtype))
    except (TypeError, ValueError):
        raise TypeError(
            f"the keys of this dict do not fit the dtype {k.dtype.name} of the tensor that looks one up ({k}); use"
            " runtime.cast on the tensor"
        ) from None


def _of_text(x: str, k: Any) -> Any:
    """A character, or a part, of a Python text."""
    return characters.item(x, _position(k, "string") if isinstance(k, Tensor) else k)


def _of_bytes(x: bytes, k: SymbolicTensor) -> Any:
    raise of_the_trace(TypeError(f"a byte of Python's bytes cannot be chosen by a tensor, {k}: index a list of them"))


_READERS: Final[dict[type, Callable[[Any, SymbolicTensor], Any]]] = {
    str: _of_text,
    bytes: _of_bytes,
    list: _of_sequence,
    tuple: _of_sequence,
    range: _of_range,
    dict: _of_dict,
}


# -- writes


def set_item(x: Any, k: Any, v: Any) -> Any:
    """`x[k] = v`; returns what x is after it."""
    x = x if (moved := moved_to(x)) is None else moved  # by what gives v
    k = with_values(k) if isinstance(x, _OF_POSITIONS) else k
    v = as_value(v) if isinstance(x, Tensor | TracedArray | np.ndarray) else v
    if isinstance(x, Tensor):
        return x.__ag_set_item__(k, v)
    if isinstance(x, TracedArray | Ref):
        x[k] = v
        return x
    if isinstance(x, np.ndarray) and (is_of_the_run(k) or is_of_the_run(v) or isinstance(v, Operators)):
        restart(x)
        return written(_as_tensor(x), k, v)
    if isinstance(x, np.flatiter) and (is_of_the_run(k) or is_of_the_run(v) or isinstance(v, Operators)):
        restart(x.base)
    if is_item_at(x, v, k):  # which was changed in place, and is put back where it is
        return x
    if isinstance(x, list) and isinstance(k, SymbolicTensor) and is_of_the_run(k):
        _write_into_list(x, k, v)
        return x
    if isinstance(x, tuple) and isinstance(k, SymbolicTensor):
        if all(item is v for item in x):  # an object that was changed in place, whichever of them it was
            return x
        raise TypeError(f"'{type(x).__name__}' object does not support item assignment")
    if isinstance(x, list) and isinstance(k, slice):
        taken = as_a_list(v)
        v = v if taken is NotImplemented else taken
        if isinstance(v, TensorList) or is_of_the_run(k):
            x = replaced_in_place(x, is_statement=True) if type(x) is list else x
    if type(x) is deque and is_staged_key(k) and can_be_keyed(x):
        x = grown_dict(x, is_statement=True)
    if type(x) is dict and has_refs(k) and not is_new_key(x, k):
        each_key(k, lambda key: slices.set_item(x, key, v), x, v)
        return x
    if isinstance(x, dict) and is_staged_key(k):
        if not x or hasattr(type(x), "__missing__") or has_scalars(x, v):
            if type(x) not in KEYED:
                raise StagingError(
                    f"a key that only the run knows is put into an object of {type(x).__name__}: only a dict,"
                    " OrderedDict, defaultdict or Counter can become one of the graph. Use one of these, or derive the"
                    " class from collections.UserDict"
                )
            x = grown_dict(x, is_statement=True)
        elif type(x) is dict and isinstance(k, SymbolicTensor):
            _write_into_dict(x, k, v)
            return x
    x[known_key(k)] = v  # pyright: ignore[reportIndexIssue]  # a tuple refuses it, as it does in Python
    return x


def _as_tensor(array: Any) -> Any:
    if is_shared(array):
        raise StagingError(
            "an element of a numpy array is set to, or at, what only the graph knows, and something else refers to the"
            " array too: that would not see the change. Make a tensor of the array before (runtime.constant), or copy"
            " it (array.copy()) into a variable of its own."
        )
    return convert_to_tensor(array)


def _write_into_list(x: list[Any], k: SymbolicTensor, v: Any) -> None:
    position = _checked(k, len(x), "list assignment")
    if all(map(can_be_chosen, (*x, v))):
        for place in range(len(x)):
            _replace(x, place, v, REGISTRY["logical_or"](position == place, position == place - len(x)))
        return
    if not are_alike([*x, v]):
        if len(x) <= _MOST_BRANCHES and all(map(_never_changes, (*x, v))) and _replaced_in_branches(x, position, v):
            return
        restart_with(x)
        raise StagingError(
            f"an element of a list of {len(x)} is replaced at a position that only the graph knows ({k}), but the"
            " elements and the new value are not all numbers or tensors of one shape and dtype. Make them so, or keep"
            " them in a tensor (runtime.stack), whose elements can be assigned."
        )
    weak = all(map(is_weak, (*x, v)))
    rows = written(stacked(x, v), position, v)
    for place in range(len(x)):
        x[place] = rows[place]
        x[place].weak = weak and isinstance(x[place], SymbolicTensor)


def _replaced_in_branches(x: list[Any], position: Any, v: Any) -> bool:
    """Replaces an element by a branch for each; whether the new value goes together with all of them."""
    before = list(x)
    try:
        for place in range(len(x)):
            _replace(x, place, v, REGISTRY["logical_or"](position == place, position == place - len(x)))
    except StagingError:
        x[:] = before
        return False
    return True


_MOST_BRANCHES: Final = 256
"""An element of so many may be replaced by a branch for each."""


def _never_changes(value: Any) -> bool:
    """Whether it is a tensor, a number, a text or None, or a tuple of such."""
    if type(value) is tuple:
        return all(map(_never_changes, value))
    return isinstance(value, SymbolicTensor) or type(value) in (bool, int, float, complex, str, type(None))


def _write_into_dict(x: dict[Any, Any], k: SymbolicTensor, v: Any) -> None:
    """Gives the key that equals the tensor the value. Which keys there are does not change while the graph runs."""
    keys, equal = _equal_keys(x, k)
    message = "a dict gets no new keys while the graph runs: make all keys before, each with a value; there is no key "
    REGISTRY["check"](REGISTRY["reduce_any"](equal), [k], message=message, exception="KeyError")
    for place, key in enumerate(keys):
        _replace(x, key, v, equal[place])


def _replace(x: Any, key: Any, v: Any, is_meant: Any) -> None:
    """Gives x[key] the value if `is_meant`."""
    old = x[key]
    if old is v:  # an object that was changed in place and is put back where it was, by `x[key][0] += 1`
        return
    if can_be_chosen(old) and can_be_chosen(v):
        x[key] = selected(is_meant, v, old)
        return
    branches = [lambda: [old], lambda: [v]]
    x[key] = switch_values(REGISTRY["cast"](is_meant, int32), branches, [f"[{key!r}]"])[0]
    for value in (old, v, x[key]):
        watch_parts(value, CHOSEN)


def item_state(x: Any, name: str) -> Any:
    """What stands for x in the state of a statement that writes its elements: see `Stager.item_state`."""
    if isinstance(x, MaybeNone):
        return x if item_state(presence(x).value, name) is not NotImplemented else NotImplemented
    if isinstance(x, Tensor):
        return x
    if isinstance(x, TracedArray):
        return NotImplemented
    if isinstance(x, np.ndarray):
        restart(x)
        if is_shared(x):
            return NotImplemented  # it stays an array; what is staged cannot be written to it
        return convert_to_tensor(x) if name else x
    if isinstance(x, np.flatiter):
        restart(x.base)
    is_value = getattr(type(x), "__ag_stager__", None) is not None and not hasattr(type(x), "__setitem__")
    return x if is_value else NotImplemented
