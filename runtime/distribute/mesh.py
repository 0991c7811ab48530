"""`MeshStrategy`: one program over all of the data, on a mesh of devices, over which Variables and data are laid.

    mesh = runtime.distribute.Mesh({"data": 4, "model": 2})
    strategy = runtime.distribute.MeshStrategy(mesh, layout={"*/kernel*": (None, "model")})
    loss = strategy.run(step, args=(images, labels))        # step: a runtime.function

The program is the one that runs without it: XLA divides it, and adds what it needs from other devices. So where things
lie decides over time and memory, not over results, but for the order of sums. Variables that a program has used stay on
the devices until somebody else reads or changes them, such as a checkpoint: then their value comes here.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Any, Final

import numpy as np

from runtime import structures as nest
from runtime.context import current_recorder
from runtime.distribute.sending import spec_of
from runtime.distribute.sharded import packed
from runtime.distribute.strategies import Place, ReplicaContext, Strategy, entered
from runtime.dtypes import DType
from runtime.errors import UnimplementedError
from runtime.exits.traces import as_function
from runtime.exits.xla.library import jax, jax_library
from runtime.exits.xla.lowering import Misfit
from runtime.exits.xla.program import jax_settings
from runtime.exits.xla.pure import PureTrace
from runtime.function.concrete import ConcreteFunction
from runtime.ops.kernels.resource import Resource
from runtime.ops.records.record import Array
from runtime.state.variable import Variable
from runtime.tensor import taping

__all__ = ["Mesh", "MeshStrategy"]

KEPT: Final = 64
"""So many functions and programs are kept."""

Axes = Sequence[str | tuple[str, ...] | None]
"""For each dimension of a Variable the axis over which it is divided; None where it is whole on each device."""


class Mesh:
    """Devices in a grid whose axes have names. shape: the axes and their sizes, as {"data": 4, "model": 2}.

    devices: those of JAX to take, by default all of `jax.devices()`; the first ones are taken.
    Raises ValueError where there are too few, ImportError without the extra `jax`.
    """

    def __init__(self, shape: Mapping[str, int], devices: Sequence[Any] | None = None) -> None:
        self.shape = dict(shape)
        if not self.shape or not all(isinstance(a, str) and type(n) is int and n > 0 for a, n in self.shape.items()):
            raise ValueError(f"Mesh: axes have names and positive sizes, as {{'data': 4, 'model': 2}}; got {shape!r}")
        found = jax_library().devices() if devices is None else list(devices)
        count = math.prod(self.shape.values())
        if count > len(found):
            raise ValueError(
                f"Mesh: {self.shape} has {count} devices, and there are {len(found)}: {', '.join(map(str, found))}."
                f" A CPU counts as {count} where XLA_FLAGS=--xla_force_host_platform_device_count={count} is set before"
                " JAX starts"
            )
        grid = np.array(found[:count], object).reshape(list(self.shape.values()))
        self.jax = jax_library("jax.sharding").Mesh(grid, tuple(self.shape))
        """The `jax.sharding.Mesh`."""

    def __repr__(self) -> str:
        return f"Mesh({self.shape})"

    def parts(self, axes: str | tuple[str, ...] | None) -> int:
        """Into how many parts a dimension is cut."""
        return math.prod(self.shape[axis] for axis in _names(axes))


class MeshStrategy(Strategy):
    """See the module's docstring. There is one replica: the program sees all of the data, and sums are over all of it.

    layout: patterns of the names of Variables (as in `fnmatch`, without ":0"), and for each dimension of those the axis
    that divides it, or None: {"dense/kernel": (None, "model")}. All others are whole on each device.
    batch: the axis that divides the rows of arguments, where it can do so in equal parts; None for no axis.

    Raises ValueError for axes that the mesh has not.
    """

    def __init__(self, mesh: Mesh, layout: Mapping[str, Axes] | None = None, batch: str | None = "data") -> None:
        if jax_library().process_count() > 1:
            raise UnimplementedError("MeshStrategy has the devices of one process; JaxStrategy trains on those of many")
        if batch is not None and batch not in mesh.shape:
            raise ValueError(f"MeshStrategy: {mesh} has no axis {batch!r} for rows; name it by batch=, or give None")
        self.mesh, self._batch = mesh, batch
        self._layout = {pattern: _checked(mesh, pattern, axes) for pattern, axes in (layout or {}).items()}
        self._unknown = set(self._layout)
        """The patterns that no program has had a Variable for."""
        self._function = functools.lru_cache(KEPT)(functools.partial(as_function, "MeshStrategy.run"))
        self._program = functools.lru_cache(KEPT)(functools.partial(_Program, self))

    def run(
        self, fn: Callable[..., Any], args: Sequence[Any] = (), kwargs: Mapping[str, Any] | None = None,
        options: Any = None,
    ) -> Any:  # fmt: skip
        """fn(*args, **kwargs) as one program over the mesh. fn: a Function, or what can be one.

        It raises what fn raises: where XLA finds that something has failed, nothing of it counts, and fn runs over
        NumPy. Raises NotExportableError for what has no rule, draws random numbers or prints; ValueError for a layout
        that does not fit a Variable, or has no Variable in this program, nor in another one before; RuntimeError in a
        Function, or where a tape would record it.
        """
        if current_recorder() is not None:
            raise RuntimeError("MeshStrategy.run is a program of its own: call it outside of Functions")
        if taping.active:
            raise RuntimeError("MeshStrategy.run has no gradient for a tape around it: open the tape in the function")
        function, named = self._function(fn), dict(kwargs or {})
        with entered(Place(self, ReplicaContext(self))):
            specs = nest.map_structure(spec_of, (list(args), named))
            program = self._program(function.get_concrete_function(*specs[0], **specs[1]))
            found = program.run(args, named)
            return function(*args, **named) if found is None else found[0]

    def array(self, variable: Variable) -> Any:
        """The `jax.Array` that the Variable is on the mesh, to which it is moved if it is not there."""
        return self.placed(variable.handle)

    def placed(self, memory: Resource) -> Any:
        """The array on the mesh that has the value of a Variable. Raises ValueError where its layout does not fit."""
        sharding = self.sharding(memory)
        there = memory.elsewhere
        if isinstance(there, _OnMesh) and there.array.sharding == sharding:
            return there.array
        value = memory.read()
        self._check(memory.name, value.shape)
        made = jax.device_put(value, sharding)
        memory.leave(_OnMesh(made, memory.dtype), instead_of=value)
        return made

    def rows(self, leaf: Any) -> Any:
        """An argument on the mesh, a copy: the program may write to its own array."""
        value = np.array(leaf)
        splits = self._batch is not None and value.ndim and value.shape[0] % self.mesh.shape[self._batch] == 0
        return jax.device_put(value, self.laid((self._batch,) if splits else ()))

    def laid(self, axes: Axes) -> Any:
        """The `jax.sharding.NamedSharding`."""
        library = jax_library("jax.sharding")
        return library.NamedSharding(self.mesh.jax, library.PartitionSpec(*axes))

    def sharding(self, memory: Resource) -> Any:
        """How a Variable lies on the mesh."""
        return self.laid(self._axes(memory.name))

    def _axes(self, name: str) -> Axes:
        fitting = [p for p in self._layout if fnmatchcase(name.partition(":")[0], p)]
        if len({self._layout[pattern] for pattern in fitting}) > 1:
            raise ValueError(f"MeshStrategy: the layout has {name!r} more than once, differently: {fitting}")
        self._unknown -= set(fitting)
        return self._layout[fitting[0]] if fitting else ()

    def _check(self, name: str, shape: Sequence[int]) -> None:
        axes = self._axes(name)
        if len(axes) > len(shape):
            raise ValueError(f"MeshStrategy: {name!r} has the shape {tuple(shape)}, fewer dimensions than {axes}")
        for place, (size, axis) in enumerate(zip(shape, axes, strict=False)):
            if size % self.mesh.parts(axis):
                raise ValueError(
                    f"MeshStrategy: {name!r} has the shape {tuple(shape)}, whose dimension {place} of {size} has no"
                    f" {self.mesh.parts(axis)} equal parts for the axis {axis!r} of {self.mesh}"
                )

    def check_known(self, names: Sequence[str]) -> None:
        """Raises ValueError for patterns that fit none of the names of Variables, nor of any before."""
        for name in names:
            self._axes(name)
        if self._unknown:
            found = ", ".join(name.partition(":")[0] for name in names) or "none"
            raise ValueError(f"MeshStrategy: no Variable is {sorted(self._unknown)} of the layout; there are: {found}")


@dataclass(frozen=True)
class _OnMesh:
    """Fetches a value from the devices."""

    array: Any
    dtype: DType

    def __call__(self) -> Array:
        return np.array(self.array, self.dtype.numpy)


class _Program:
    """One trace, compiled for the mesh."""

    def __init__(self, strategy: MeshStrategy, concrete: ConcreteFunction) -> None:
        self._strategy, self._concrete = strategy, concrete
        self._pure = PureTrace("MeshStrategy.run", concrete, False, guarded=True)
        memories = self._pure.memories
        strategy.check_known([memory.name for memory in memories])
        self._written = [memories[i] for i in self._pure.program.written]
        whole, after = strategy.laid(()), [strategy.sharding(memory) for memory in self._written]
        self._compiled = jax.jit(self._pure.outcome, out_shardings=(whole, after, whole))

    def run(self, args: Sequence[Any], kwargs: Mapping[str, Any]) -> tuple[Any] | None:
        """The result, alone in a tuple; None where the program has to run over NumPy. Variables change at its end."""
        with jax_settings():
            leaves = [self._strategy.rows(leaf) for leaf in self._pure.leaves(args, kwargs)]
            values = [self._strategy.placed(memory) for memory in self._pure.memories]
            try:
                results, after, failed = jax.block_until_ready(self._compiled(leaves, values))
            except Misfit:
                return None
        if bool(failed):
            return None
        for memory, value in zip(self._written, after, strict=True):
            memory.leave(_OnMesh(value, memory.dtype))
        pairs = zip(results, self._concrete.graph.outputs, strict=True)
        return (packed(self._concrete.structured_outputs, [np.array(v, t.dtype.numpy) for v, t in pairs]),)


def _names(axes: str | tuple[str, ...] | None) -> tuple[str, ...]:
    return () if axes is None else (axes,) if isinstance(axes, str) else tuple(axes)


def _checked(mesh: Mesh, pattern: str, axes: Axes) -> Axes:
    """The axes of an entry of the layout, as a tuple."""
    if isinstance(axes, str) or not isinstance(axes, Sequence):
        raise ValueError(f"MeshStrategy: {pattern!r} needs an axis or None for each dimension; got {axes!r}")
    named = [name for one in axes for name in _names(one)]
    if len(set(named)) < len(named) or not set(named) <= set(mesh.shape):
        raise ValueError(f"MeshStrategy: {pattern!r} is laid over {tuple(axes)!r}; {mesh} has each axis once")
    return tuple(axes)
