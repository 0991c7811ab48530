"""Settings that hold for the whole process.

runtime.config.run_functions_eagerly(True)      # functions run as plain Python: pdb and print see values
with runtime.config.run_functions_eagerly(True): ...     # for a while; then as before
runtime.config.list_physical_devices()          # the one device that there is
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, Literal

from runtime.backend_names import check_name

__all__ = [
    "CPU_NAME", "PhysicalDevice", "allows_inexact_algebra", "backend", "check_overflow", "default_backend",
    "experimental_functions_run_eagerly", "experimental_run_functions_eagerly", "functions_run_eagerly",
    "get_soft_device_placement", "get_unroll_limit", "get_visible_devices", "inexact_algebra", "list_logical_devices",
    "list_physical_devices", "literals_are_strict",
    "native_cache", "native_cache_directory", "optimizer", "overflow_checks", "passes_left_out",
    "run_functions_eagerly", "set_soft_device_placement",
    "set_unroll_limit", "strict_literals", "watch_calls",
]  # fmt: skip

_tapes_are_open = _numerics_are_checked = False
_attentive = False  # whether they are, or Functions run eagerly: then calls of Functions take the long way
_looking: Final = threading.Lock()
_watching: Final = threading.Lock()
_soft_placement = True
watchers: tuple[Callable[[Any, Callable[[], Any]], Callable[[], Any]], ...] = ()
"""Who watches the calls of Functions: each takes the trace and what runs it, and gives what runs instead."""


class _Values:
    """What is set now."""

    __slots__ = ("backend", "eagerly", "inexact", "native_cache", "numpy_behavior", "overflow", "strict",
                 "unroll_limit")  # fmt: skip

    def __init__(self) -> None:
        self.eagerly = self.strict = self.inexact = False
        self.unroll_limit = 64
        self.overflow: bool | None = None
        self.backend: str | None = None
        self.native_cache: str | Literal[False] | None = None
        self.numpy_behavior = ("off", False)


_now: Final = _Values()


@dataclass(frozen=True)
class PhysicalDevice:
    """A device of this machine."""

    name: str
    device_type: str


CPU_NAME: Final = "/job:localhost/replica:0/task:0/device:CPU:0"
"""The whole name of the device that everything is on."""

_DEVICES: Final = (PhysicalDevice("/physical_device:CPU:0", "CPU"),)


class _Setting:
    """A setting with its new value; at the end of a `with`, it is again what it was before."""

    __slots__ = ("_before", "_name")

    def __init__(self, name: str, value: Any) -> None:
        self._name, self._before = name, getattr(_now, name)
        _set(name, value)

    def __enter__(self) -> None:
        return None

    def __exit__(self, *error: object) -> None:
        _set(self._name, self._before)


def _set(name: str, value: Any) -> None:
    setattr(_now, name, value)
    _look()


def _look() -> None:
    global _attentive
    with _looking:  # so that what the last of several threads sees is what is kept
        _attentive = _now.eagerly or _tapes_are_open or _numerics_are_checked or bool(watchers)


def _truth(setting: str, value: object) -> object:
    if not isinstance(value, bool):
        raise TypeError(f"{setting} takes True or False; got {value!r}")
    return value


def run_functions_eagerly(run_eagerly: bool) -> _Setting:
    """True: each Function calls its Python function directly, with values. Traces that exist are kept for later.

    The setting holds from now on, in all threads; in a `with` statement, until the end of the block.
    """
    return _Setting("eagerly", _truth("run_functions_eagerly", run_eagerly))


def strict_literals(strict: bool) -> _Setting:
    """True: a Python float beside an integer tensor is a DtypeMismatchError, as in TensorFlow, for programs that are to
    run there too. False (the default): the result is float64, as in Python and NumPy. Traces that exist stay.

    The setting holds from now on, in all threads; in a `with` statement, until the end of the block.
    """
    return _Setting("strict", _truth("strict_literals", strict))


def set_numpy_behavior(mode: str, prefers_float32: bool) -> _Setting:
    """See `runtime.promotion`, which knows the modes."""
    return _Setting("numpy_behavior", (mode, prefers_float32))


def numpy_behavior() -> tuple[str, bool]:
    """What becomes of operands of two dtypes, and whether Python's floats are float32 where nothing says otherwise."""
    return _now.numpy_behavior


def literals_are_strict() -> bool:
    """Whether a Python float beside an integer tensor is an error."""
    return _now.strict


def set_unroll_limit(limit: int) -> _Setting:
    """How many iterations a loop over a range or a list of Python may have to be unrolled while a function is traced
    (64): a longer one is one loop of the graph, where its body is the same program for each item. Traces that exist
    stay. `autograph.experimental.set_loop_options(unroll=...)` says it for one loop.

    The setting holds from now on, in all threads; in a `with` statement, until the end of the block.
    """
    if type(limit) is not int or limit < 0:
        raise ValueError(f"set_unroll_limit takes a number of iterations, 0 or more; got {limit!r}")
    return _Setting("unroll_limit", limit)


def get_unroll_limit() -> int:
    """How many iterations a loop of Python may have to be unrolled while a function is traced."""
    return _now.unroll_limit


def check_overflow(checks: bool | None) -> _Setting:
    """What happens to integers that leave their dtype while a graph runs. None (the default): whole numbers that the
    program computes from its own, as Python's they have no limit, raise IntegerRangeError, an OverflowError, where they
    leave 64 bits; integers of tensors wrap around, as in NumPy. True: both raise. False: both wrap around.

    It holds for what is compiled from now on, in all threads; in a `with` statement, until the end of the block.
    Operations outside of Functions are NumPy's in any case.
    """
    if checks not in (True, False, None) or (isinstance(checks, int) and type(checks) is not bool):
        raise TypeError(f"check_overflow takes True, False or None; got {checks!r}")
    return _Setting("overflow", checks)


def overflow_checks() -> bool | None:
    """Whether integers that leave their dtype raise; None: those of Python."""
    return _now.overflow


def inexact_algebra(allowed: bool) -> _Setting:
    """Whether operations may be replaced by cheaper ones that give the same in the real numbers alone: `x ** 0.5` by a
    root, a reciprocal for `x ** -1`. False (the default): every result keeps its bits.

    It holds for what is compiled from now on, in all threads; in a `with` statement, until the end of the block.
    """
    return _Setting("inexact", _truth("inexact_algebra", allowed))


def allows_inexact_algebra() -> bool:
    """What `inexact_algebra` was told."""
    return _now.inexact


def backend(name: str | None) -> _Setting:
    """The engine of Functions that name none: "numpy", "native" (loops as machine code, at once), "adaptive" (machine
    code for loops that have cost time), "interpreter" (one operation after the other: slow, and obviously right). None
    (the default): "adaptive" where llvmlite is installed, else "numpy".

    It holds for what is compiled from now on, in all threads; in a `with` statement, until the end of the block. Raises
    ValueError for a name that there is not, ImportError for an engine whose library is not installed.
    """
    if name is not None:
        check_name(name)
    return _Setting("backend", name)


def default_backend() -> str | None:
    """The engine that was set."""
    return _now.backend


def native_cache(directory: str | os.PathLike[str] | Literal[False] | None) -> _Setting:
    """Where machine code is kept for the next start of the program. A directory, which is made if it is not there; it
    is used if it belongs to the user who runs the program and nobody else can write to it. False: nowhere. None (the
    default): in `autograph-runtime/native` where this user's caches are. Raises TypeError or ValueError for what is no
    path; a directory that cannot be used is no error.

    It holds for what is compiled from now on, in all threads; in a `with` statement, until the end of the block.
    """
    if directory is not None and directory is not False:
        if not isinstance(directory, str | os.PathLike):
            raise TypeError(f"native_cache takes a directory, False or None; got {directory!r}")
        if "\0" in os.fspath(directory):
            raise ValueError(f"native_cache takes a directory, False or None; got {directory!r}")
        directory = os.path.abspath(directory)
    return _Setting("native_cache", directory)


def native_cache_directory() -> str | Literal[False] | None:
    """The directory that was set; False: none."""
    return _now.native_cache


def let_functions_look(tapes_are_open: bool) -> None:
    """Says whether Functions have to look for tapes when they are called; `runtime.tensor.taping` knows."""
    global _tapes_are_open
    _tapes_are_open = tapes_are_open
    _look()


def let_functions_check(numerics: bool) -> None:
    """Says whether Functions have to check numerics when they are called; `runtime.engine.numerics` knows."""
    global _numerics_are_checked
    _numerics_are_checked = numerics
    _look()


def watch_calls(watcher: Callable[[Any, Callable[[], Any]], Callable[[], Any]], ended: bool = False) -> None:
    """Has the calls of Functions watched from now on in all threads, or ends that."""
    global watchers
    with _watching:
        others = tuple(each for each in watchers if each != watcher)
        watchers = others if ended else (*others, watcher)
    _look()


def functions_run_eagerly() -> bool:
    """Whether Functions run as plain Python."""
    return _now.eagerly


experimental_run_functions_eagerly = run_functions_eagerly
experimental_functions_run_eagerly = functions_run_eagerly
# Their names in older guides.


def list_physical_devices(device_type: str | None = None) -> list[PhysicalDevice]:
    """The devices of this machine, or those of one type ("CPU", "GPU"): there is one CPU."""
    return [d for d in _DEVICES if device_type in (None, d.device_type)]


def list_logical_devices(device_type: str | None = None) -> list[PhysicalDevice]:
    """The devices that programs use: the same one, under the name that `device` takes."""
    return [PhysicalDevice("/device:CPU:0", "CPU")] if device_type in (None, "CPU") else []


get_visible_devices = list_physical_devices


def set_soft_device_placement(enabled: bool) -> None:
    """True (the default): a `device` that is not there is replaced by the CPU. False: it is an error."""
    global _soft_placement
    _soft_placement = bool(enabled)


def get_soft_device_placement() -> bool:
    """Whether a device that is not there is replaced by the CPU."""
    return _soft_placement


# -- passes --------------------------------------------------------------------------------------------------------

_PASSES: Final[dict[str, tuple[str, ...]]] = {
    "arithmetic_optimization": ("simplify", "merge_common"),
    "constant_folding": ("fold_constants",),
    "dependency_optimization": ("join_conditions",),
    "disable_model_pruning": ("drop_dead",),
    "loop_optimization": ("hoist_invariants",),
}
"""What the options of `optimizer` leave out where they are False; `disable_` where they are True."""

_OTHERS: Final = frozenset({
    "auto_mixed_precision", "auto_mixed_precision_mkl", "auto_mixed_precision_onednn_bfloat16", "auto_parallel",
    "debug_stripper", "disable_meta_optimizer", "function_optimization", "implementation_selector", "layout_optimizer",
    "min_graph_nodes", "pin_to_host_optimization", "remapping", "scoped_allocator_optimization", "shape_optimization",
    "use_plugin_optimizers",
})  # fmt: skip
"""Options that have no passes of their own here."""

_UNSOUND: Final = ("debug_stripper", "auto_mixed_precision", "auto_mixed_precision_mkl")
"""Those that would change what a program does."""

_options: Final[dict[str, Any]] = {"disable_model_pruning": False, "disable_meta_optimizer": False}


class optimizer:
    """`config.optimizer`: which passes graphs go through. They give the same results with and without."""

    @staticmethod
    def get_experimental_options() -> dict[str, Any]:
        """The options that were set, and those that are False from the start."""
        return dict(_options)

    @staticmethod
    def set_experimental_options(options: dict[str, Any]) -> None:
        """Sets options by name, for graphs that are optimised from now on: constant_folding, arithmetic_optimization,
        dependency_optimization and loop_optimization leave out passes where they are False, disable_model_pruning and
        disable_meta_optimizer (all) where they are True. Raises ValueError for unknown names."""
        for name, value in options.items():
            if name not in _PASSES and name not in _OTHERS:
                raise ValueError(f"config.optimizer has no option {name!r}; it has {', '.join(sorted(_PASSES))}")
            if name in _UNSOUND and value:
                raise ValueError(f"config.optimizer: {name} would change what a program does; there is no such pass")
        _options.update(options)


def passes_left_out() -> frozenset[str]:
    """The names of the passes that the options leave out."""
    if _options.get("disable_meta_optimizer"):
        return frozenset(name for names in _PASSES.values() for name in names) | {"fix_state"}
    off: list[str] = []
    for name, passes in _PASSES.items():
        disables = name.startswith("disable_")
        if bool(_options.get(name, not disables)) == disables:
            off += passes
    return frozenset(off)
