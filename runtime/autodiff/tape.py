"""`GradientTape`: records what is computed from what it watches, eagerly or in a trace, and gives gradients of it.

    x = runtime.constant(3.0)
    with runtime.GradientTape() as tape:
        tape.watch(x)                    # trainable Variables are watched when they are read
        y = x * x
    tape.gradient(y, x)                  # 6.0; in a trace it becomes a part of the graph
"""

from __future__ import annotations

import contextlib
import enum
import sys
import warnings
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from autograph.errors import StagingError
from autograph.rules import users_frame
from runtime.autodiff import branches as _branches  # noqa: F401 - which knows the gradients of cond and switch
from runtime.autodiff import calls as _calls  # noqa: F401 - those of call
from runtime.autodiff import loops as _loops  # noqa: F401 - and those of while
from runtime.autodiff.parts import parts_of, with_parts
from runtime.autodiff.places import Place, refuse_ended
from runtime.autodiff.python_calls import NEW_TAPE
from runtime.autodiff.rules import carries
from runtime.autodiff.signatures import by_sources
from runtime.autodiff.sweep import sweep
from runtime.autodiff.tracked import EagerTracks, GraphTracks, refuse_within
from runtime.autodiff.upstreams import upstream_of, upstreams_of
from runtime.context import current_recorder
from runtime.ops.records.gradients import ops
from runtime.state.scopes import init_scope
from runtime.state.variable import Variable
from runtime.tensor.convert import convert_to_tensor
from runtime.tensor.switches import switches
from runtime.tensor.symbolic import SymbolicTensor
from runtime.tensor.taping import Record, opened
from runtime.tensor.tensor import Tensor

__all__ = ["GradientTape", "UnconnectedGradients"]


class UnconnectedGradients(enum.Enum):
    """What `gradient` gives for a source that the target does not depend on: None, or zeros."""

    NONE = "none"
    ZERO = "zero"


class GradientTape:
    """See the module's docstring.

    persistent: `gradient` may be called more than once; what was recorded is kept as long as the tape.
    watch_accessed_variables: trainable Variables are watched when they are read; otherwise only what `watch` names.
    """

    __ag_do_not_convert__ = True

    @switches
    def __init__(self, persistent: bool = False, watch_accessed_variables: bool = True) -> None:
        self.persistent = persistent
        self.records_itself = persistent
        self._watches_reads = watch_accessed_variables
        self._tracks: EagerTracks | GraphTracks | None = None
        self._stack: contextlib.ExitStack | None = None
        self._recording = False
        self._used = False
        self._home = self._opened_in = current_recorder()
        self._places: list[Place] = []
        """Where it was opened, in graphs."""

    # -- recording -----------------------------------------------------------------------------------------------

    def __enter__(self) -> GradientTape:
        if self._stack is not None:
            raise ValueError("this GradientTape is open already; make another one to nest them")
        graph = current_recorder()
        if self._tracks is None or not self._tracks.goes_on_in(graph):
            home = self._home if self.persistent else graph
            self._tracks = EagerTracks() if graph is None else GraphTracks(graph, home)
        self._places = [] if graph is None else [*self._places, Place.here()]
        self._opened_in = graph
        self._used = False
        self._open()
        return self

    def __exit__(self, *error: object) -> None:
        self._close()

    def _open(self) -> None:
        self._stack = contextlib.ExitStack()
        self._stack.enter_context(opened(self))
        if isinstance(self._tracks, GraphTracks):
            self._stack.enter_context(self._tracks.listening())
        self._recording = True

    def _close(self) -> None:
        self._recording = False
        if self._stack is not None:
            self._stack.close()
            self._stack = None

    def note(self, record: Record) -> None:
        """`runtime.tensor.taping.Watcher`"""
        if self._recording and isinstance(self._tracks, EagerTracks):
            self._tracks.note(record)

    def note_read(self, variable: Variable, tensor: Tensor) -> None:
        """`runtime.tensor.taping.Watcher`"""
        if self._recording and self._tracks is not None:
            self._tracks.note_read(variable, tensor, self._watches(variable))

    def is_watched(self, value: Any) -> bool:
        """`runtime.tensor.taping.Watcher`"""
        return self._recording and isinstance(self._tracks, EagerTracks) and self._tracks.knows(value)

    def note_access(self, variable: Variable) -> None:
        """`runtime.tensor.taping.Watcher`"""
        tracks = self._tracks
        wanted = self._recording and self._watches(variable)
        if wanted and tracks is not None and (tracks.graph is None) == (current_recorder() is None):
            tracks.watch(variable)

    def _watches(self, value: Any) -> bool:
        """Whether to read a value makes it one that is watched."""
        return self._watches_reads and isinstance(value, Variable) and value.trainable

    def watch(self, tensor: Any) -> None:
        """From now on what is computed from `tensor` (a tensor, a Variable, or a structure of them) is recorded.

        Raises ValueError for anything else, RuntimeError if the tape is not open. Integers have no gradients: it warns.
        """
        if not self._recording or self._tracks is None:
            raise RuntimeError("watch: the tape is not open; call it inside of `with GradientTape() as tape:`")
        for value in parts_of(tensor):
            if not isinstance(value, Tensor | Variable):
                raise ValueError(
                    f"watch takes tensors and Variables; got {value!r}; make a tensor of it with runtime.constant first"
                )
            if not carries(value):
                _warn(f"the watched tensor is {value.dtype.name}; gradients are of floats, so it gets None")
                continue
            self._tracks.watch(value)

    def watched_variables(self) -> tuple[Variable, ...]:
        """The Variables that the tape watches, in the order in which it met them."""
        return () if self._tracks is None else tuple(self._tracks.variables.values())

    @contextlib.contextmanager
    def stop_recording(self) -> Iterator[None]:
        """What is inside the block is not recorded. Raises RuntimeError if the tape is not open."""
        if not self._recording:
            raise RuntimeError("stop_recording: the tape is not open")
        self._check_place("stop_recording", self._opened_in, "use runtime.stop_gradient")
        with self.paused():
            yield

    @contextlib.contextmanager
    def paused(self) -> Iterator[None]:
        """What is inside the block, and of no interest to the program, is not recorded."""
        self._recording = False
        if self._tracks is not None:
            self._tracks.paused = True
        try:
            yield
        finally:
            self._recording = True
            if self._tracks is not None:
                self._tracks.paused = False

    def reset(self) -> None:
        """Forgets all that was recorded and watched."""
        self._used = False
        if self._tracks is not None:
            self._check_place("reset", self._tracks.graph, "reset it outside")
            self._tracks.clear()
        self._places = self._places[-1:] if self._recording else []

    def _check_place(self, what: str, graph: Any, remedy: str) -> None:
        """Refuses what would hold in a part of what the tape records as a whole, in this graph."""
        if current_recorder() is not graph:
            refuse_within(what, remedy)

    # -- gradients -----------------------------------------------------------------------------------------------

    @by_sources
    def gradient(
        self,
        target: Any,
        sources: Any,
        output_gradients: Any = None,
        unconnected_gradients: Any = UnconnectedGradients.NONE,
    ) -> Any:
        """The gradient of `target` (a structure of tensors: of their sum) by each of `sources`, in their structure.

        sources: tensors and Variables that the tape watches, or what was computed from them. output_gradients: for each
        target what its gradient is multiplied with, of its shape; ones unless given. A source that no target depends on
        gets None, or with unconnected_gradients=UnconnectedGradients.ZERO zeros.

        Raises RuntimeError if it is called again and the tape is not persistent; LookupError if an operation on the way
        has no gradient.
        """
        if self._tracks is None:
            raise RuntimeError("gradient: nothing was recorded; open the tape by `with GradientTape() as tape:`")
        if self._used:
            raise RuntimeError(
                "A non-persistent GradientTape can only be used to compute one set of gradients (or jacobians): make it"
                " with GradientTape(persistent=True) to use it more often"
            )
        unconnected = UnconnectedGradients(unconnected_gradients)
        if not self.persistent and self._recording:
            self._close()
        found = self._gradients(parts_of(target), parts_of(sources), upstreams_of(output_gradients, target))
        if not self.persistent:
            self._used = True
            self._tracks.release()
            self._places.clear()
        if unconnected is UnconnectedGradients.ZERO:
            pairs = zip(parts_of(sources), found, strict=True)
            found = [ops.zeros_like(convert_to_tensor(s)) if g is None else g for s, g in pairs]
        return with_parts(sources, found)

    @by_sources
    @switches
    def jacobian(
        self,
        target: Any,
        sources: Any,
        unconnected_gradients: Any = UnconnectedGradients.NONE,
        parallel_iterations: int | None = None,
        experimental_use_pfor: bool = True,
    ) -> Any:
        """The gradients of each element of `target`, a tensor, by each of `sources`: of shape target.shape +
        source.shape, in the structure of `sources`. Of a source that is not connected None, or zeros.

        experimental_use_pfor: compute all rows at once where the way back allows it, which takes memory for all of
        them; else one after the other. parallel_iterations is accepted for compatibility. Raises as `gradient`.
        """
        from runtime.autodiff.jacobians import jacobian  # which few programs need

        tensor, pull = self._repeated(target, parts_of(sources))
        found = jacobian(tensor, parts_of(sources), pull, experimental_use_pfor)
        if UnconnectedGradients(unconnected_gradients) is UnconnectedGradients.ZERO:
            pairs = zip(parts_of(sources), found, strict=True)
            found = [_zeros(tensor, convert_to_tensor(s)) if g is None else g for s, g in pairs]
        return with_parts(sources, found)

    @switches
    def batch_jacobian(
        self,
        target: Any,
        source: Any,
        unconnected_gradients: Any = UnconnectedGradients.NONE,
        parallel_iterations: int | None = None,
        experimental_use_pfor: bool = True,
    ) -> Tensor | Any:
        """The jacobian of each example: target[i] by source[i], of shape target.shape + source.shape[1:].

        The first axes of both count the examples, none of which depends on another one. Raises as `gradient`.
        """
        from runtime.autodiff.jacobians import batch_jacobian

        tensor, pull = self._repeated(target, [source])
        known = convert_to_tensor(source)
        found = batch_jacobian(tensor, known, pull, experimental_use_pfor)
        if found is None and UnconnectedGradients(unconnected_gradients) is UnconnectedGradients.ZERO:
            shape = ops.concat([ops.shape(tensor), ops.shape(known)[1:]], axis=0)
            return ops.zeros(shape, dtype=known.dtype)
        return found

    def _repeated(self, target: Any, sources: Sequence[Any]) -> tuple[Any, Callable[[Any], list[Any]]]:
        """The target, and what gives gradients of it for an upstream, as often as it is called; the tape is used."""
        if self._tracks is None or self._used:
            self.gradient(target, sources)  # which says what is wrong
            raise RuntimeError("the tape is used up")
        if not self.persistent and self._recording:
            self._close()
        tensor = self._tracks.target(target, self._watches(target))
        self._used = not self.persistent
        return tensor, lambda upstream: self._gradients([tensor], sources, [upstream])

    def _gradients(self, targets: Sequence[Any], sources: Sequence[Any], upstreams: Sequence[Any]) -> list[Any]:
        """The gradients of flat targets by flat sources."""
        assert self._tracks is not None
        tracks = self._tracks
        within = any(isinstance(upstream, SymbolicTensor) for upstream in upstreams)
        if tracks.graph is None and current_recorder() is not None and not within:
            with init_scope():  # what has run eagerly has an eager gradient, a constant of the trace
                return self._gradients(targets, sources, upstreams)
        if tracks.graph is not None:
            refuse_ended(tracks.graph, self._places)
        for source in sources:
            if not isinstance(source, Tensor | Variable):
                raise TypeError(f"gradient: a source is a tensor or a Variable; got {source!r}")
        pairs = []
        for target, upstream in zip(targets, upstreams, strict=True):
            tensor = tracks.target(target, self._watches(target))
            if tensor is None:
                continue
            if not carries(tensor):
                _warn(f"the target of a gradient is {tensor.dtype.name}; gradients are of floats, so it gives None")
                continue
            pairs.append((tensor, upstream_of(tensor, upstream)))
        key = tracks.key()
        records, watched, unknown = tracks.records()
        keyed = [tracks.source(s) for s in sources]
        watched |= {key(t) for t, _ in pairs}  # of itself a tensor is the gradient, watched or not
        known = [s if s is not None and key(s) in watched else None for s in keyed]
        given_keys = {key(s) for s in known if s is not None}
        loose = [(t, why) for t, why in unknown if key(t) not in given_keys]
        wanted = [*(s for s in known if s is not None), *(t for t, _ in loose)]
        found = sweep(records, pairs, wanted, key)
        for (_, why), gradient in zip(loose, found[len(found) - len(loose) :], strict=True):
            if gradient is not None:
                raise StagingError(why)
        given = iter(found)
        return [None if s is None else next(given) for s in known]


def _zeros(target: Any, source: Any) -> Any:
    """The jacobian of a target by a source that it does not depend on."""
    return ops.zeros(ops.concat([ops.shape(target), ops.shape(source)], axis=0), dtype=source.dtype)


def _warn(message: str) -> None:
    frame = users_frame(sys._getframe())
    warnings.warn_explicit(message, UserWarning, frame.f_code.co_filename, frame.f_lineno)


NEW_TAPE.append(GradientTape)
