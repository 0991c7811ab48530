"""`cond`, `while_loop`, `case`, `switch_case`: control flow written as function calls.

    cond(x > 0, lambda: x, lambda: -x)
    while_loop(lambda i, s: i < n, lambda i, s: (i + 1, s + i), [0, 0])

With values (eager tensors) they just run; while a graph is built they become operations. Autograph's statements build
the same operations.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, overload

from runtime import structures as nest
from runtime.context import executing_eagerly
from runtime.control_flow.branches.values import cond_values, switch_values
from runtime.control_flow.loops.options import is_length, parts_of_invariant, shape_of_invariant
from runtime.control_flow.loops.values import Loop, while_values
from runtime.control_flow.statement.subgraph import as_bool_scalar, current_graph
from runtime.errors import InvalidArgumentError
from runtime.ndarrays.callbacks import apart
from runtime.ops.records.record import REGISTRY
from runtime.tensor.convert import convert_to_tensor
from runtime.tensor.literals import literal_dtype
from runtime.tensor.switches import switches
from runtime.tensor.symbolic import SymbolicTensor
from runtime.tensor.tensor import Tensor

__all__ = ["case", "cond", "switch_case", "while_loop"]

Branch = Callable[[], Any]


@overload
def cond(
    pred: Any, true_fn: Callable[[], Tensor], false_fn: Callable[[], Tensor], name: str | None = None
) -> Tensor: ...
@overload
def cond(pred: Any, true_fn: Branch | None = None, false_fn: Branch | None = None, name: str | None = None) -> Any: ...
def cond(pred: Any, true_fn: Branch | None = None, false_fn: Branch | None = None, name: str | None = None) -> Any:
    """`true_fn()` if `pred` else `false_fn()`. pred: bool scalar tensor or Python bool.

    In a graph both functions are traced, one runs; they return the same structure with the same dtypes (Python numbers
    adapt), shapes may differ. Raises TypeError and ValueError where they do not agree.
    """
    _check_callable("cond", true_fn=true_fn, false_fn=false_fn)
    assert true_fn is not None and false_fn is not None
    if not isinstance(pred, SymbolicTensor) and (executing_eagerly() or not isinstance(pred, Tensor)):
        return true_fn() if pred else false_fn()
    predicate = as_bool_scalar(pred, "condition of cond")
    return cond_values(predicate, _listed(true_fn), _listed(false_fn), ["the result of cond"])[0]


@switches
def while_loop(
    cond: Callable[..., Any],
    body: Callable[..., Any],
    loop_vars: Sequence[Any],
    shape_invariants: Sequence[Any] | None = None,
    parallel_iterations: int = 10,
    back_prop: bool = True,
    swap_memory: bool = False,
    maximum_iterations: Any = None,
    name: str | None = None,
    checkpoint_every: int | bool | None = None,
) -> Any:
    """Repeats `loop_vars = body(*loop_vars)` while `cond(*loop_vars)`. Returns the last loop_vars, in their structure.

    loop_vars: list or tuple of tensors, numbers and structures of them. In a graph a variable keeps its dtype; its
    shape is relaxed where it changes, or must stay within `shape_invariants` (a list like loop_vars).
    checkpoint_every: in a graph, gradients save the state before each so many iterations only, and run what is between
    a second time: with the root of the number of iterations they need memory for about that many; with True so too,
    without knowing the number (see `runtime.control_flow.loops.checkpoints`). The body must have no effects then.
    `parallel_iterations`, `back_prop` and `swap_memory` are accepted for compatibility and change nothing.
    """
    _check_callable("while_loop", cond=cond, body=body)
    if not isinstance(loop_vars, list | tuple) or not loop_vars:
        raise ValueError(f"while_loop: loop_vars is a non-empty list or tuple; got {loop_vars!r}")
    if executing_eagerly():
        return _run_loop(cond, body, loop_vars, maximum_iterations)
    loop_vars = type(loop_vars)(nest.map_structure(convert_to_tensor, v) for v in loop_vars)
    names = [f"loop_vars[{i}]" for i in range(len(loop_vars))]
    pairs = _invariants(loop_vars, shape_invariants)
    cond, body = apart(cond), apart(body)
    run = lambda values: _as_list(body(*values), len(loop_vars))
    loop = Loop(lambda values: cond(*values), run, names, loop_vars, pairs, maximum_iterations)
    if checkpoint_every is None or checkpoint_every is False:
        return type(loop_vars)(while_values(loop))
    from runtime.control_flow.loops.checkpoints import checkpointed  # which few programs need

    if not is_length(checkpoint_every):
        raise InvalidArgumentError(
            f"while_loop: checkpoint_every is a number of iterations, 1 or more, or True; got {checkpoint_every!r}"
        )
    return type(loop_vars)(checkpointed(loop, checkpoint_every, InvalidArgumentError, "while_loop"))


def _invariants(loop_vars: Sequence[Any], shapes: Sequence[Any] | None) -> list[tuple[Any, Any]]:
    """Pairs (tensor before the loop, its shape invariant). Raises TypeError or ValueError if they do not correspond."""
    if shapes is None:
        return []
    if not isinstance(shapes, list | tuple) or len(shapes) != len(loop_vars):
        raise ValueError(
            f"while_loop: shape_invariants has one entry for each of {len(loop_vars)} loop_vars; got {shapes!r}"
        )
    pairs: list[tuple[Any, Any]] = []
    for variable, shape in zip(loop_vars, shapes, strict=True):
        pairs += _variable_invariants(variable, shape)
    return pairs


def _variable_invariants(variable: Any, shape: Any) -> list[tuple[Any, Any]]:
    if not nest.is_nested(variable):
        return [(variable, shape_of_invariant(shape))]
    try:
        parts = parts_of_invariant(variable, shape)
    except TypeError:
        raise TypeError(
            f"while_loop: the shape invariant {shape!r} has not the structure of its loop variable {variable!r}"
        ) from None
    return [pair for part, invariant in parts for pair in _variable_invariants(part, invariant)]


@switches
def case(
    pred_fn_pairs: Any, default: Branch | None = None, exclusive: bool = False, strict: bool = False, name: Any = None
) -> Any:
    """The function beside the first predicate that holds is called, or `default`.

    pred_fn_pairs: list of (bool scalar, function). Raises InvalidArgumentError at run time if no predicate holds and
    there is no default, and with `exclusive=True` if two hold.
    """
    listed = isinstance(pred_fn_pairs, dict | list | tuple)
    if not listed or not all(isinstance(p, list | tuple) and len(p) == 2 for p in _items(pred_fn_pairs)):
        raise TypeError(f"case: pred_fn_pairs is a list of pairs (bool scalar, function); got {pred_fn_pairs!r}")
    pairs = list(_items(pred_fn_pairs))
    if not pairs:
        raise ValueError("case: pred_fn_pairs is empty")
    _check_callable("case", **{f"function {i}": fn for i, (_, fn) in enumerate(pairs)})
    if exclusive:
        _check_exclusive([p for p, _ in pairs])
    chosen = default
    if chosen is None:
        _check_some([p for p, _ in pairs])
        *pairs, (_, chosen) = pairs
    for predicate, fn in reversed(pairs):
        chosen = partial(cond, predicate, fn, chosen)
    return chosen()


def _items(table: Any) -> Any:
    return table.items() if isinstance(table, dict) else table


def _check_some(predicates: Sequence[Any]) -> None:
    some = REGISTRY["cast"](predicates[0], "bool")
    for predicate in predicates[1:]:
        some = REGISTRY["logical_or"](some, predicate)
    REGISTRY["check"](some, message="case: no predicate holds, and no default was given")


def _check_exclusive(predicates: Sequence[Any]) -> None:
    count = REGISTRY["cast"](predicates[0], "int32")
    for predicate in predicates[1:]:
        count = count + REGISTRY["cast"](predicate, "int32")
    REGISTRY["check"](count <= 1, message="case: more than one predicate holds, and exclusive=True was given")


def switch_case(branch_index: Any, branch_fns: Any, default: Branch | None = None, name: str | None = None) -> Any:
    """Calls the function with the number `branch_index`; `default` (or else the last) for an index without a function.

    branch_fns: list of functions, or of pairs (int, function), or a dict int -> function.
    """
    if not isinstance(branch_fns, dict | list | tuple):
        raise TypeError(f"switch_case: branch_fns is a list of functions, or a dict; got {branch_fns!r}")
    items = _items(branch_fns)
    table = dict(enumerate(items)) if not any(isinstance(i, tuple) for i in items) else dict(items)
    if not table or sorted(table) != list(range(len(table))):
        raise ValueError(f"switch_case: the keys must be 0 to {len(table) - 1}; got {sorted(table)}")
    branches = [table[i] for i in range(len(table))]
    if default is not None:
        branches.append(default)
    _check_callable("switch_case", **{f"branch {i}": fn for i, fn in enumerate(branches)})
    dtype = branch_index.dtype if isinstance(branch_index, Tensor) else literal_dtype(branch_index)
    if not dtype.is_integer:
        raise InvalidArgumentError(f"switch_case: branch_index must be an integer; got {dtype.name}")
    if not isinstance(branch_index, SymbolicTensor):
        number = int(branch_index)
        return branches[number if 0 <= number < len(branches) else -1]()
    index = current_graph().recording.localize(branch_index, "switch_case")
    return switch_values(index, [_listed(fn) for fn in branches], ["the result of switch_case"])[0]


def _listed(fn: Branch) -> Callable[[], list[Any]]:
    call = apart(fn)
    return lambda: [call()]


def _run_loop(cond: Callable[..., Any], body: Callable[..., Any], loop_vars: Any, limit: Any) -> Any:
    values = [nest.map_structure(convert_to_tensor, v) for v in loop_vars]
    count = 0
    while (limit is None or count < limit) and cond(*values):
        values = [nest.map_structure(convert_to_tensor, v) for v in _as_list(body(*values), len(values))]
        count += 1
    return type(loop_vars)(values)


def _as_list(result: Any, size: int) -> list[Any]:
    """What the body returned, as one value for each loop variable."""
    values = list(result) if isinstance(result, list | tuple) and (size > 1 or len(result) == 1) else [result]
    if len(values) != size:
        raise ValueError(f"while_loop: the body returned {len(values)} values for {size} loop variables")
    return values


def _check_callable(where: str, **functions: Any) -> None:
    for name, fn in functions.items():
        if not callable(fn):
            raise TypeError(f"{where}: {name} must be callable; got {fn!r}")
