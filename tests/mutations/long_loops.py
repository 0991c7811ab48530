"""Breaks of loops over many items that Python knows, which are tried as one loop of the graph.

python -m tests.mutations loops/known
"""

from .runner import Mutation

__all__ = ["OF_LONG_LOOPS"]

HERE = "tests/runtime/control_flow"
KNOWN, LOOPS = "runtime/control_flow/loops/known.py", (f"{HERE}/test_known_loops.py",)
COMPREHENSIONS = (f"{HERE}/test_long_comprehensions.py",)

OF_LONG_LOOPS = (
    Mutation(
        "what comes of Python's values alone is computed by Python",
        KNOWN,
        "        if not self.required and self.is_of_python:\n",
        "        if False:\n",
        COMPREHENSIONS,
    ),
    Mutation(
        "whole numbers that may outgrow 64 bits are Python's",
        KNOWN,
        "            bounds.check_loop(operation)\n",
        "            pass\n",
        LOOPS,
    ),
    Mutation(
        "a loop whose body prints is unrolled",
        KNOWN,
        '    give_up("what it prints while it is traced would appear once")\n',
        "    pass\n",
        LOOPS,
    ),
    Mutation(
        "an attempt that is given up leaves the list of a comprehension as it was",
        "runtime/control_flow/lists/collecting.py",
        "            self._grown = begun\n            raise\n",
        "            raise\n",
        COMPREHENSIONS,
    ),
    Mutation(
        "a list of rows is the matrix of them",
        "runtime/control_flow/lists/element_structures.py",
        '["stack"](parts, axis=1)',
        '["stack"](parts, axis=0)',
        ("tests/runtime/control_flow/lists/test_staged_lists.py",),
    ),
    Mutation(
        "a tensor that is only left behind is a leak",
        "runtime/function/places.py",
        "if is_left and not (found and slot.is_leak(original, self._values(graph).called)):",
        "if is_left:",
        ("tests/runtime/test_seed_limits.py",),
    ),
    Mutation(
        "a number of the program is compared with all its bits",
        "runtime/tensor/dispatch.py",
        "            dtype = compared(dtype, values) if op.result is bool_ else dtype\n",
        "",
        ("tests/runtime/test_dtype_rules.py",),
    ),
)
