"""Breaks of Variables, Modules and the order of effects."""

from __future__ import annotations

from tests.mutations.break_ import Break

__all__ = ["STATE"]

HERE = "tests/runtime/state"
ORDER = f"{HERE}/test_program_order.py"
RESOURCE = f"{HERE}/test_resource.py"
CREATION = f"{HERE}/test_creation.py"
ARGUMENTS = f"{HERE}/test_arguments.py"
MODULE = f"{HERE}/test_module.py"
CONTROL = f"{HERE}/test_control_flow.py"

STATE = (
    Break(
        "runtime/ops/resource.py", "            if sys.getrefcount(self._array) <= _ALONE:\n                ufunc(",
        "            if True:\n                ufunc(", RESOURCE,
    ),
    Break(
        "runtime/ops/resource.py", "            if sys.getrefcount(self._array) <= _ALONE:\n                ufunc(",
        "            if False:\n                ufunc(", RESOURCE,
    ),
    Break("runtime/ops/resource.py", "return array if array.base is None and array.flags.writeable else array.copy()",
          "return array", RESOURCE),
    Break("runtime/passes/cse.py", "        self._written.update(touch.writes)", "        pass", ORDER),
    Break("runtime/passes/cse.py", "if touch.anything or not self._distinct:", "if touch.anything:", ORDER),
    Break("runtime/passes/cse.py", "if touch.anything or not self._distinct:", "if True:", ORDER),
    Break("runtime/graph/effects.py", "    for inner in operation.subgraphs:\n        read, written",
          "    for inner in operation.subgraphs[:1]:\n        read, written", ORDER),
    Break("runtime/graph/aliases.py", "if self.written[handle] != version:", "if False:", CONTROL),
    Break("runtime/graph/aliases.py", "if inner.assumed is None and id(alias.tensor) in inner._captured:", "if False:",
          CONTROL),
    Break("runtime/function/concrete.py", "        note_writes(self.graph, given, graph)", "        pass", CONTROL),
    Break("runtime/function/tracing.py", "    graph.distinct_handles = not (given and len(graph.inputs) > arguments)",
          "    graph.distinct_handles = True", ORDER),
    Break("runtime/function/trace_types.py", "first = next(i for i, t in enumerate(tensors) if t is value)",
          "first = len(tensors)", ARGUMENTS),
    Break("runtime/state/parameters.py", "        self._observed = True", "        pass", ARGUMENTS),
    Break("runtime/state/creation.py", "            gc.collect()  #", "            pass  #", CREATION),
    Break("runtime/state/creation.py", "        self._drop_lifted()\n        if", "        if", MODULE),
    Break("runtime/state/creation.py", "        self._check_order(needed)\n", "", CREATION),
    Break("runtime/state/creation.py", "if isinstance(recorder, Graph) and recorder.outer is not None:", "if False:",
          CREATION),
    Break("runtime/state/scopes.py", "tracing_stager.set(None)", "tracing_stager.set(tracing_stager.get())", CREATION),
    Break("runtime/state/module.py", "            if id(leaf) in seen:\n                continue\n", "", MODULE),
    Break("runtime/state/module.py", "key=lambda item: item[0]", "key=lambda item: 0", MODULE),
    Break("runtime/state/writing.py", "recorder.aliases.write(handle, variable._memory.name, recorder)", "pass",
          CONTROL),
    Break("runtime/function/cache.py", "                if not self._is_changing:", "                if False:",
          f"{HERE}/test_lifetime.py"),
)  # fmt: skip
