"""Breaks of code that is moved out of loops, of what plans write as Python does, and of arrays that are arguments.

python -m tests.mutations hoist choice indexing python_calls quick_calls
"""

from .runner import Mutation

__all__ = ["OF_PLANS"]

HOIST, MOVED = "runtime/passes/hoist.py", ("tests/runtime/passes/test_hoisting.py",)
CHOICE, CHOSEN = "runtime/engine/choice.py", ("tests/runtime/engine/test_plan_choices.py",)
INDEXING, INDEXED = "runtime/engine/indexing.py", ("tests/runtime/engine/test_plan_index.py",)
QUICK, CALLS = "runtime/function/quick_calls.py", ("tests/runtime/function/test_quick_calls.py",)
ARRAYS = ("tests/runtime/ndarrays/test_names_of_made_arrays.py",)

OF_PLANS = (
    Mutation(
        "what can raise is not moved out of a loop",
        HOIST,
        "    return not may_raise(operation) and not may_leave(operation)\n",
        "    return not may_leave(operation)\n",
        MOVED,
    ),
    Mutation(
        "a loop that may not end is not moved out of another one",
        "runtime/passes/hoist.py",
        "    if op in (call_node, while_node) or op in READS or operation.acts:\n",
        "    if op is call_node or op in READS or operation.acts:\n",
        ("tests/runtime/passes/test_hoisting.py",),
    ),
    Mutation(
        "state of a loop whose shape is less known stays",
        "runtime/passes/constant_state.py",
        "return bool(dims == start.shape.dims == made.shape.dims and",
        "return bool(",
        ("tests/runtime/passes/test_hoisting.py",),
    ),
    Mutation(
        "the sign of a zero decides which row fits",
        "runtime/passes/patterns.py",
        " or math.copysign(1.0, first) != math.copysign(1.0, number):",
        ":",
        ("tests/runtime/passes/test_algebra.py",),
    ),
    Mutation(
        "a result that is larger than the operand keeps its operation",
        "runtime/passes/patterns.py",
        "        and tensor.shape.dims == result.shape.dims\n",
        "",
        ("tests/runtime/passes/test_algebra.py",),
    ),
    Mutation(
        "draws and reads of Variables stay in their loop",
        HOIST,
        " or op in READS or operation.acts",
        "",
        MOVED,
    ),
    Mutation(
        "nothing writes to an array that was chosen",
        CHOICE,
        "        emitter.values[id(tensor)].storage.escape()\n",
        "        emitter.values[id(tensor)].storage\n",
        CHOSEN,
    ),
    Mutation(
        "a step of 0 raises",
        INDEXING,
        "    steps = all(part[2] != AT for part in spec if isinstance(part, tuple))\n",
        "    steps = True\n",
        INDEXED,
    ),
    Mutation(
        "roots of negative numbers are the kernel's",
        "runtime/engine/python_calls.py",
        "if {operands[0]} >= 0.0 else {",
        "if {operands[0]} >= -1e300 else {",
        CHOSEN,
    ),
    Mutation(
        "results show nothing of the arrays of the caller",
        QUICK,
        "        result if result.base is None and id(result) not in given else result.copy()\n",
        "        result\n",
        CALLS,
    ),
    Mutation(
        "arrays that share memory are not taken for arrays that share none",
        QUICK,
        "    return len(caller) == 1 or all(array.base is None for _, array in caller)\n",
        "    return True\n",
        CALLS,
    ),
    Mutation(
        "no jump out of `finally` drops what is no exception of the program",
        "runtime/control_flow/tries/raised.py",
        " RecursionError, Signal,",
        " RecursionError,",
        ("tests/runtime/control_flow/test_signals_in_try.py",),
    ),
    Mutation(
        "two names of what a branch has made are one array after it",
        "runtime/control_flow/objects/chosen_arrays.py",
        "    if not any(map(is_shared, values)):\n",
        "    if not any(world.knows(a.buffer) for row in rows for _, a in row):\n",
        ARRAYS,
    ),
    Mutation(
        "an array that is returned from two loops is the array itself",
        "runtime/control_flow/objects/world_values.py",
        "        return with_inside(value, kept(inside_of(value), world, read, refs, name))\n",
        "        return value\n",
        ARRAYS,
    ),
)
