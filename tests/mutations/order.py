"""Breaks in what keeps reads, writes and the names of Variables in the order of the program.

python -m tests.mutations runtime/passes/cse.py runtime/graph
"""

from .runner import Mutation

__all__ = ["OF_ORDER"]

CSE, ALIASES = "runtime/passes/cse.py", "runtime/graph/aliases.py"
ORDER = "tests/runtime/state/test_program_order.py"
READ_TESTS = (f"{ORDER}::test_reads_are_one_unless_a_write_lies_between",)
HANDLE_TESTS = (f"{ORDER}::test_an_argument_may_be_a_variable_that_is_captured",)
BRANCH_TESTS = (f"{ORDER}::test_effects_of_nested_graphs_are_known_by_handle",)
CONTROL_TESTS = ("tests/runtime/state/test_control_flow.py",)

OF_ORDER = (
    Mutation(
        "reads are one unless a write lies between",
        CSE,
        "        self._written.update(touch.writes)\n",
        "",
        READ_TESTS,
    ),
    Mutation(
        "a write through one name is seen by reads through another",
        CSE,
        "if touch.anything or not self._distinct:",
        "if touch.anything:",
        HANDLE_TESTS,
    ),
    Mutation(
        "a write does not keep reads of other Variables apart",
        CSE,
        "if touch.anything or not self._distinct:",
        "if True:",
        READ_TESTS,
    ),
    Mutation(
        "the effects of all branches count",
        "runtime/graph/effects.py",
        "    for inner in operation.subgraphs:\n        read, written",
        "    for inner in operation.subgraphs[:1]:\n        read, written",
        BRANCH_TESTS,
    ),
    Mutation(
        "an argument may be a Variable that the function captures, too",
        "runtime/function/tracing.py",
        "    graph.distinct_handles = not (given and len(graph.inputs) > arguments)\n",
        "    graph.distinct_handles = True\n",
        HANDLE_TESTS,
    ),
    Mutation(
        "a value that may be a Variable is not used when that was assigned",
        ALIASES,
        "if self.written.get(handle, 0) != version:",
        "if False:",
        CONTROL_TESTS,
    ),
    Mutation(
        "nor in a loop that assigns it",
        ALIASES,
        "any(g.recording.assumption is None and id(tensor) in g.recording.captured for g in inside)",
        "False",
        CONTROL_TESTS,
    ),
    Mutation(
        "nor where an argument was assigned that may be that Variable",
        ALIASES,
        "*(key for key in others if (key in captured) != (id(handle) in captured))",
        "*()",
        CONTROL_TESTS,
    ),
    Mutation(
        "nor where a called Function assigned it",
        "runtime/function/inlining.py",
        "    note_writes(concrete.graph, given, graph)\n",
        "",
        CONTROL_TESTS,
    ),
    Mutation(
        "nor where the trace itself assigned it",
        "runtime/state/writing.py",
        "        recorder.recording.tracing.aliases.write(handle, variable._memory.name, recorder)\n",
        "",
        CONTROL_TESTS,
    ),
)
