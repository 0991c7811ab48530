"""Breaks of numbers as arguments, of whole numbers that leave 64 bits, and of loops of the plan that count.

python -m tests.mutations number_arguments
"""

from .runner import Mutation

__all__ = ["OF_NUMBERS"]

ARGUMENTS, CALLS = "runtime/function/number_arguments.py", ("tests/runtime/function/test_number_arguments.py",)
OVERFLOW, NUMBERS = "runtime/graph/overflow.py", ("tests/runtime/test_overflow.py",)
COUNTED, LOOPS = "runtime/engine/counted.py", ("tests/runtime/engine/test_plan_counted.py",)
SCALARS, CONTROL = "runtime/engine/scalars.py", "runtime/engine/control.py"

OF_NUMBERS = (
    Mutation(
        "what changes Python while it is traced is traced for each value",
        ARGUMENTS,
        "    if state.has_numbers:\n",
        "    if False:\n",
        CALLS,
    ),
    Mutation(
        "what is returned has the dtype that a trace of the value gives",
        ARGUMENTS,
        "    return cast(leaf, dtype, exact=True)\n",
        "    return leaf\n",
        CALLS,
    ),
    Mutation(
        "a number that decides a shape is a constant",
        ARGUMENTS,
        '        raise Restart(NeedsValue("the shape of what it returns depends on it"))\n',
        "        pass\n",
        CALLS,
    ),
    Mutation(
        "code that is not converted gets numbers of Python",
        "runtime/control_flow/outside/needs_value.py",
        "    if is_own or function",
        "    if True or function",
        CALLS,
    ),
    Mutation(
        "a run that has effects is not made twice",
        "runtime/function/function.py",
        "        if general is None or has_effects(general[0].graph) or general[0].state.named:\n",
        "        if general is None:\n",
        CALLS,
    ),
    Mutation(
        "a call whose numbers leave 64 bits is traced with its value",
        "runtime/function/function.py",
        "            beyond = isinstance(error, IntegerRangeError | NotRealError)\n",
        "            beyond = isinstance(error, NotRealError)\n",
        CALLS,
    ),
    Mutation(
        "estimates near the limits are not trusted",
        OVERFLOW,
        "_SURE: Final = 1 - 1e-6\n",
        "_SURE: Final = 1 + 1e-6\n",
        NUMBERS,
    ),
    Mutation(
        "a power that leaves 64 bits raises",
        "runtime/ops/elementwise/arithmetic.py",
        "    wraps=True,\n    raises=Raises((IntegerRangeError,), shapes=True",
        "    raises=Raises((IntegerRangeError,), shapes=True",
        NUMBERS,
    ),
    Mutation(
        "what is divided may be larger, not what it is divided by",
        SCALARS,
        "    floordiv: 1, floormod: 1,",
        "    floordiv: 2, floormod: 2,",
        NUMBERS,
    ),
    Mutation(
        "numbers of tensors wrap around, and those of Python do not",
        SCALARS,
        "            read.update(id(t) for t in operation.inputs if is_checked(t) != refuses)\n",
        "",
        NUMBERS,
    ),
    Mutation(
        "behind a loop that counts its variable is one step further",
        CONTROL,
        "        _count_on(emitter, operation, counts, operands, registers)\n",
        "        pass\n",
        LOOPS,
    ),
    Mutation(
        "a loop that is left counts no further",
        CONTROL,
        "(emitter.block.depth + (counts.rest is not None), line",
        "(emitter.block.depth, line",
        LOOPS,
    ),
    Mutation(
        "a variable that may wrap around is counted by itself",
        CONTROL,
        "within[counts.state] is None:",
        "False:",
        LOOPS,
    ),
    Mutation(
        "a test with effects runs before each turn",
        COUNTED,
        "    if not all(map(_only_computes, test.operations)):\n",
        "    if False:\n",
        ("tests/runtime/control_flow/test_loop_tests.py",),
    ),
    Mutation(
        "the comparison says whether its end belongs to the loop",
        COUNTED,
        "                end = constant + apart + (1 if is_below else -1)\n",
        "                end = constant\n",
        LOOPS,
    ),
    Mutation(
        "a generator function gives its items",
        "runtime/function/function.py",
        "            return items_of(self._tracer.python_function)(",
        "            return self._tracer.python_function(",
        ("tests/runtime/function/test_generator_functions.py",),
    ),
)
