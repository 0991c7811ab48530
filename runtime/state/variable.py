"""`Variable`: a tensor that can be given other values. What graphs and eager code share from call to call.

    v = Variable([1.0, 2.0])
    v.assign_add([1.0, 1.0])         # in place
    v * 2                            # works like a tensor of its present value

A Function reads and writes the Variables that it meets when it runs, in the order of the program; they are no constants
of its graph. What has been read (`numpy()`, `v + 0`, the result of a Function) never changes afterwards.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Any, NoReturn

import numpy as np

from autograph.operators.stager import WHILE_TRACING
from runtime.config import CPU_NAME
from runtime.context import current_recorder
from runtime.dtypes import DType
from runtime.ops.arrays import index
from runtime.ops.flow import state
from runtime.ops.kernels.resource import Resource
from runtime.ops.records.record import Array
from runtime.ops.text.strings import content_of
from runtime.shapes import TensorShape
from runtime.state.creation import new_memory
from runtime.state.parts import part_of
from runtime.state.references import VariableReference
from runtime.state.writing import Slices, scatter, scatter_parts, write
from runtime.tensor import taping, text
from runtime.tensor.eager import EagerTensor
from runtime.tensor.numpy_protocol import array_function, array_ufunc
from runtime.tensor.quick import HOLDERS
from runtime.tensor.switches import switches
from runtime.tensor.symbolic import SymbolicTensor
from runtime.tensor.tensor import Operators, Tensor
from runtime.tensor.tensor_like import TensorLike

__all__ = ["Variable", "present_value", "stands_for"]


class Variable(Operators):
    """A value that the program changes. See the module's docstring.

    `initial_value`: anything that becomes a tensor, or a function without arguments that returns it; it is copied.
    `dtype`: that of the value unless given. `shape`: what all values must have, if that is less than the shape of the
    first one. `validate_shape=False`: any shape. `trainable=False`: tapes do not watch it. `name`: need not be unique.
    `constraint`: kept for optimizers. The others are accepted for programs that give them.

    In a Function it is created while the first trace runs, and must be kept by an object: see
    `runtime.state.creation`, which has the rules. Raises ValueError where the initial value is None.
    """

    __slots__ = ("__weakref__", "_memory", "constraint")

    __ag_stager__ = WHILE_TRACING
    __array_ufunc__ = array_ufunc
    __array_function__ = array_function

    @switches
    def __init__(
        self, initial_value: Any, trainable: bool | None = None, validate_shape: bool = True,
        caching_device: Any = None, name: str | None = None, variable_def: Any = None, dtype: Any = None,
        import_scope: str | None = None, constraint: Callable[[Any], Any] | None = None, synchronization: Any = None,
        aggregation: Any = None, shape: Any = None,
    ) -> None:  # fmt: skip
        if not validate_shape and shape is None:
            shape = TensorShape(None)
        self.constraint = constraint
        self._memory = new_memory(initial_value, dtype, shape, name, trainable is not False)
        self._memory.variable = weakref.ref(self)

    @classmethod
    def _of(cls, memory: Resource) -> Variable:
        """The Variable of a memory: the one that there is, or a new one."""
        found = memory.variable()
        if found is None:
            found = object.__new__(cls)
            found.constraint, found._memory = None, memory
            memory.variable = weakref.ref(found)
        return found

    # -- what it is ----------------------------------------------------------------------------------------------

    @property
    def dtype(self) -> DType:  # type: ignore[override]
        """The dtype of all its values."""
        return self._memory.dtype

    @property
    def shape(self) -> TensorShape:  # type: ignore[override]
        """What is known of the shapes of all its values."""
        return self._memory.shape

    @property
    def name(self) -> str:
        """Its name and `:0`, as "weights:0"; not necessarily unique."""
        return self._memory.name

    @property
    def trainable(self) -> bool:
        """Whether tapes watch it by themselves."""
        return self._memory.trainable

    @property
    def device(self) -> str:
        """Where it is: on the CPU."""
        return CPU_NAME

    @property
    def handle(self) -> Resource:
        """The memory itself: the same object for as long as the Variable exists."""
        return self._memory

    def is_initialized(self, name: str | None = None) -> bool:
        """True: a Variable has a value from its beginning."""
        return True

    def ref(self) -> VariableReference:
        """A hashable handle that is equal only to handles of this very Variable: a key for dicts and sets."""
        return VariableReference(self)

    # -- reading -------------------------------------------------------------------------------------------------

    def value(self) -> Tensor:
        """The present value as a tensor; while a function is traced, an operation that reads it when the graph runs."""
        recorder = current_recorder()
        if recorder is None:
            tensor = EagerTensor(self._memory.read())
        else:
            attributes = {"dtype": self.dtype, "shape": self.shape}
            tensor = recorder.record(state.read_variable, [self._handle(recorder)], attributes, "ReadVariable")
        if taping.active:
            taping.note_read(self, tensor)
        return tensor

    read_value = value
    __as_tensor__ = value
    __ag_present__ = value

    def numpy(self) -> Array | Any:
        """The present value: a read-only numpy array, for rank 0 a numpy scalar."""
        return self.value().numpy()

    def sparse_read(self, indices: Any, name: str | None = None) -> Tensor:
        """The rows with these numbers."""
        return index.gather(self, indices, name=name)

    def _finder(self) -> Callable[[], Variable]:
        """What finds it again and does not keep it: its memory is enough."""
        return partial(Variable._of, self._memory)

    def _present_memory(self) -> Resource:
        """The memory for code that runs at once."""
        return self._memory

    def _handle(self, recorder: Any) -> SymbolicTensor:
        return recorder.recording.handle(self._memory)

    # -- writing -------------------------------------------------------------------------------------------------

    def assign(
        self, value: Any, use_locking: bool = False, name: str | None = None, read_value: bool = True
    ) -> Variable:
        """Gives it a new value, of its dtype and shape; its memory is used again. Returns the Variable itself.

        Raises DtypeMismatchError (a TypeError and ValueError), ShapeMismatchError (a ValueError).
        """
        return write(self, state.assign_variable, "assign", value, name)

    def assign_add(
        self, delta: Any, use_locking: bool = False, name: str | None = None, read_value: bool = True
    ) -> Variable:
        """Adds a value of its dtype and shape, in place. Returns the Variable itself. Raises as `assign`."""
        return write(self, state.assign_add_variable, "assign_add", delta, name)

    def assign_sub(
        self, delta: Any, use_locking: bool = False, name: str | None = None, read_value: bool = True
    ) -> Variable:
        """Subtracts a value of its dtype and shape, in place. Returns the Variable itself. Raises as `assign`."""
        return write(self, state.assign_sub_variable, "assign_sub", delta, name)

    def scatter_update(self, sparse_delta: Slices, use_locking: bool = False, name: str | None = None) -> Variable:
        """Row indices[i] becomes values[i]. Returns the Variable, as all `scatter_` methods do. The values have its
        dtype and a row for each index (or are one scalar); InvalidArgumentError for an index that is outside."""
        return scatter(self, "update", sparse_delta, name)

    def scatter_add(self, sparse_delta: Slices, use_locking: bool = False, name: str | None = None) -> Variable:
        """values[i] is added to row indices[i]; an index may come more than once."""
        return scatter(self, "add", sparse_delta, name)

    def scatter_sub(self, sparse_delta: Slices, use_locking: bool = False, name: str | None = None) -> Variable:
        """values[i] is subtracted from row indices[i]."""
        return scatter(self, "sub", sparse_delta, name)

    def scatter_mul(self, sparse_delta: Slices, use_locking: bool = False, name: str | None = None) -> Variable:
        """Row indices[i] is multiplied by values[i]."""
        return scatter(self, "mul", sparse_delta, name)

    def scatter_div(self, sparse_delta: Slices, use_locking: bool = False, name: str | None = None) -> Variable:
        """Row indices[i] is divided by values[i]; for float variables."""
        return scatter(self, "div", sparse_delta, name)

    def scatter_min(self, sparse_delta: Slices, use_locking: bool = False, name: str | None = None) -> Variable:
        """Row indices[i] becomes the smaller of itself and values[i], element by element."""
        return scatter(self, "min", sparse_delta, name)

    def scatter_max(self, sparse_delta: Slices, use_locking: bool = False, name: str | None = None) -> Variable:
        """Row indices[i] becomes the larger of itself and values[i], element by element."""
        return scatter(self, "max", sparse_delta, name)

    def scatter_nd_update(self, indices: Any, updates: Any, name: str | None = None) -> Variable:
        """The part at the position indices[i] becomes updates[i]; the last axis of `indices` holds positions."""
        return scatter_parts(self, "update", indices, updates, name)

    def scatter_nd_add(self, indices: Any, updates: Any, name: str | None = None) -> Variable:
        """updates[i] is added to the part at the position indices[i]."""
        return scatter_parts(self, "add", indices, updates, name)

    def scatter_nd_sub(self, indices: Any, updates: Any, name: str | None = None) -> Variable:
        """updates[i] is subtracted from the part at the position indices[i]."""
        return scatter_parts(self, "sub", indices, updates, name)

    def __getitem__(self, key: Any) -> Tensor:
        """The elements at an index, as a tensor; `v[1:3].assign(value)` sets them."""
        return part_of(self, key)

    def _refuse(self, sign: str, method: str) -> NoReturn:
        raise RuntimeError(
            f"`v {sign}= x` on the variable {self.name!r} would bind the name `v` to a tensor and leave the variable"
            f" as it is: use {method} to change the variable, or `y = v {sign} x` to get a tensor"
        )

    def __iadd__(self, other: TensorLike) -> Tensor:
        self._refuse("+", "v.assign_add(x)")

    def __isub__(self, other: TensorLike) -> Tensor:
        self._refuse("-", "v.assign_sub(x)")

    def __imul__(self, other: TensorLike) -> Tensor:
        self._refuse("*", "v.assign(v * x)")

    def __itruediv__(self, other: TensorLike) -> Tensor:
        self._refuse("/", "v.assign(v / x)")

    def __ifloordiv__(self, other: TensorLike) -> Tensor:
        self._refuse("//", "v.assign(v // x)")

    def __imod__(self, other: TensorLike) -> Tensor:
        self._refuse("%", "v.assign(v % x)")

    def __ipow__(self, other: TensorLike) -> Tensor:
        self._refuse("**", "v.assign(v ** x)")

    def __imatmul__(self, other: TensorLike) -> Tensor:
        self._refuse("@", "v.assign(v @ x)")

    def __setitem__(self, key: Any, value: Any) -> NoReturn:
        raise TypeError(
            f"an element of the variable {self.name!r} cannot be set like that; use v[index].assign(value),"
            " v.scatter_nd_update(indices, values), or v.assign(...) with a whole value"
        )

    __ag_set_item__ = __setitem__

    # -- Python's own protocols ----------------------------------------------------------------------------------

    def __pos__(self) -> Tensor:
        return self.value()

    def __bool__(self) -> bool:
        return bool(self.value())

    def __int__(self) -> int:
        return int(self.value())

    def __float__(self) -> float:
        return float(self.value())

    def __complex__(self) -> complex:
        return complex(self.value())

    def __index__(self) -> int:
        return int(self.value().__index__())

    def __round__(self, digits: int | None = None) -> Any:
        return round(self.value(), digits)

    def __len__(self) -> int:
        return len(self.value())

    def __iter__(self) -> Iterator[Tensor]:
        return iter(self.value())

    def __contains__(self, item: Any) -> bool:
        return item in self.value()

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Array:
        return self.value().__array__(dtype, copy)

    def __format__(self, spec: str) -> str:
        return format(self.value(), spec) if spec else repr(self)

    def __deepcopy__(self, memo: dict[int, Any]) -> Variable:
        memory = self._memory
        name = memory.name.removesuffix(":0")
        made = Variable(self, memory.trainable, name=name, shape=memory.shape, constraint=self.constraint)
        memo[id(self)] = made
        return made

    def __reduce__(self) -> tuple[Callable[..., Variable], tuple[Any, ...]]:
        memory = self._memory
        name = memory.name.removesuffix(":0")
        return _restored, (memory.read(), memory.trainable, name, memory.shape.dims, self.constraint)

    def __repr__(self) -> str:
        return self._shown(self.name)

    def _shown(self, name: str) -> str:
        start = f"<tf.Variable {name!r} shape={self.shape} dtype={self.dtype.name}"
        if current_recorder() is None:
            return f"{start}, numpy={content_of(self._memory.read())}>"
        return f"{start}{text.mark(self.value(), 'variable')}>" if text.is_collecting() else f"{start}>"


HOLDERS.add(Variable)


def _restored(array: Array, trainable: bool, name: str, dims: Any, constraint: Any) -> Variable:
    """What `pickle` calls."""
    return Variable(np.asarray(array), trainable, name=name, shape=TensorShape(dims), constraint=constraint)


def present_value(value: Any) -> Any:
    """The value as it is; of a Variable, and of an array that is traced, the tensor that it is now."""
    method = getattr(type(value), "__ag_present__", None)
    return value if method is None else method(value)


def stands_for(tensor: SymbolicTensor, name: str, values: Iterable[Any]) -> None:
    """Takes note that the program may know a tensor as one of the Variables among the values."""
    graph = tensor.op.graph
    handles = [value._handle(graph) for value in values if isinstance(value, Variable)]
    if handles:
        graph.recording.tracing.aliases.add(tensor, name, handles)
