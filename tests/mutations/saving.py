"""Breaks in `runtime.saved_model`: what is saved, what is refused, and what files may not do.

python -m tests.mutations runtime/saved_model runtime/function/loaded
"""

from .runner import Mutation

__all__ = ["OF_SAVING"]

TESTS = "tests/runtime/saving/"
FUNCTIONS, VALUES = (TESTS + "test_saved_functions.py",), (TESTS + "test_saved_values.py",)
STATE, REFUSED = (TESTS + "test_saved_state.py",), (TESTS + "test_refused_models.py",)
DAMAGED, SERVED = (TESTS + "test_damaged_models.py",), (TESTS + "test_signatures.py",)

OF_SAVING = (
    Mutation(
        "a stale trace is made anew before it is saved",
        "runtime/saved_model/functions.py",
        "    if trace.guards.hold() or (changed := trace.guards.changed()) is None:\n",
        "    if True:\n",
        FUNCTIONS,
    ),
    Mutation(
        "what a graph has of its process is refused",
        "runtime/saved_model/graphs.py",
        '        if value.head in ("python", "dataset", "structure"):\n',
        "        if False:\n",
        REFUSED,
    ),
    Mutation(
        "a trace that depends on which Variable it is given is refused",
        "runtime/saved_model/traces.py",
        "    if any(isinstance(part, ObjectKey) and isinstance(part.target(), Resource) for part in trace.key[0]):\n",
        "    if False:\n",
        REFUSED,
    ),
    Mutation(
        "files are used only where that is allowed",
        "runtime/saved_model/graphs.py",
        "            if not allow_files and _uses_files(operation):\n",
        "            if False:\n",
        REFUSED,
    ),
    Mutation(
        "graphs that stand in many places count there",
        "runtime/saved_model/graphs.py",
        "        sizes[id(graph)] = len(graph.operations) + sum(map(sizes.__getitem__, inner))\n",
        "        sizes[id(graph)] = len(graph.operations)\n",
        DAMAGED,
    ),
    Mutation(
        "no name of a file becomes code of a named tuple",
        "runtime/saved_model/values.py",
        "    if not _are_names(name, fields):\n",
        "    if False:\n",
        DAMAGED,
    ),
    Mutation(
        "no attribute of Python's own is set",
        "runtime/saved_model/loading.py",
        ' or (name.startswith("__") and name != "__call__"):\n',
        ":\n",
        DAMAGED,
    ),
    Mutation(
        "a loaded loop computes again what it did not save",
        "runtime/saved_model/graphs.py",
        "            graphs[number].recompute = True\n",
        "            pass\n",
        VALUES,
    ),
    Mutation(
        "an argument may be a Variable that the function has",
        "runtime/saved_model/graphs.py",
        '        graph.distinct_handles = described["distinct_handles"] is True\n',
        "        graph.distinct_handles = True\n",
        VALUES,
    ),
    Mutation(
        "a trace for a list takes no tuple",
        "runtime/function/loaded.py",
        "    if type(wanted) is not type(given):\n",
        "    if False:\n",
        VALUES,
    ),
    Mutation(
        "a shape that is not known is checked when the trace runs",
        "runtime/function/loaded.py",
        "        return ensure_shape(tensor, parameter.shape)\n",
        "        return tensor\n",
        FUNCTIONS,
    ),
    Mutation(
        "a copy of a loaded model has Variables of its own",
        "runtime/function/concrete.py",
        "        memories = tuple([copy.deepcopy(variable, memo)._memory for variable in self.variables])\n",
        "        memories = self._memories\n",
        STATE,
    ),
    Mutation(
        "the eleventh result of a signature is not the second",
        "runtime/saved_model/served.py",
        "    if any(a is not b for a, b in zip(in_order, graph.outputs, strict=True)):",
        "    if False:",
        SERVED,
    ),
)
