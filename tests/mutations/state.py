"""Breaks in `runtime/state` and in the memory of Variables: values, creation, scopes, Modules.

python -m tests.mutations runtime/state
"""

from .runner import Mutation

__all__ = ["OF_STATE"]

CREATION, SCOPES = "runtime/state/creation.py", "runtime/state/scopes.py"
VARIABLE, WRITING, MODULE = "runtime/state/variable.py", "runtime/state/writing.py", "runtime/state/module.py"
VARIABLE_TESTS = ("tests/runtime/state/test_variable.py",)
CREATION_TESTS = ("tests/runtime/state/test_creation.py",)
MODULE_TESTS = ("tests/runtime/state/test_module.py",)
RESOURCE_TESTS = ("tests/runtime/state/test_resource.py",)
SCOPE_TESTS = ("tests/runtime/state/test_scopes.py",)

OF_STATE = (
    Mutation(
        "a Variable that no object keeps is refused",
        CREATION,
        "            if memory.variable() is None:\n                raise",
        "            if False:\n                raise",
        CREATION_TESTS,
    ),
    Mutation(
        "what only refers to itself keeps no Variable",
        CREATION,
        "            gc.collect()  #",
        "            pass  #",
        CREATION_TESTS,
    ),
    Mutation(
        "no Variable is created where that depends on a tensor",
        CREATION,
        "isinstance(recorder, Graph) and recorder.recording.outer is not None",
        "False",
        CREATION_TESTS,
    ),
    Mutation(
        "an initial value does not wait for an assignment of the graph",
        CREATION,
        "        self._check_order(needed)\n",
        "",
        CREATION_TESTS,
    ),
    Mutation(
        "random initial values are drawn once, and are no part of the graph",
        CREATION,
        "        self._drop_lifted()\n",
        "",
        (*CREATION_TESTS, *MODULE_TESTS),
    ),
    Mutation(
        "an initial value must fit the shape that is given",
        CREATION,
        "if not static.is_compatible_with(array.shape):",
        "if False:",
        VARIABLE_TESTS,
    ),
    Mutation(
        "a value of another shape cannot be assigned",
        WRITING,
        "    if not variable.shape.is_compatible_with(tensor.shape):\n",
        "    if False:\n",
        ("tests/runtime/state/test_shapes_of_assignments.py",),
    ),
    Mutation(
        "only numbers are added to",
        WRITING,
        "if op is not state.assign_variable and not variable.dtype.is_numeric:",
        "if False:",
        VARIABLE_TESTS,
    ),
    Mutation(
        "writes run in the order of the program, as often as it says",
        WRITING,
        "        recorder.record(op, [handle, *operands], attributes, name)\n",
        '        op.run([variable._memory, *[getattr(t, "_array", 0) for t in operands]], attributes)\n',
        ("tests/runtime/state/test_guides.py",),
    ),
    Mutation(
        "`v += x` is refused",
        VARIABLE,
        '        self._refuse("+", "v.assign_add(x)")',
        "        return self.assign_add(other)  # type: ignore[misc]",
        VARIABLE_TESTS,
    ),
    Mutation(
        "copies share nothing",
        VARIABLE,
        "        made = Variable(self, memory.trainable, name=name, shape=memory.shape, constraint=self.constraint)\n",
        "        made = self\n",
        (*VARIABLE_TESTS, *MODULE_TESTS),
    ),
    Mutation(
        "what has been read does not change",
        "runtime/ops/kernels/resource.py",
        "            if sys.getrefcount(self._array) <= _ALONE:\n                ufunc(",
        "            if True:\n                ufunc(",
        (*VARIABLE_TESTS, *RESOURCE_TESTS),
    ),
    Mutation(
        "updates use the memory again",
        "runtime/ops/kernels/resource.py",
        "            if sys.getrefcount(self._array) <= _ALONE:\n                ufunc(",
        "            if False:\n                ufunc(",
        RESOURCE_TESTS,
    ),
    Mutation(
        "what is handed over is not written to while others see it",
        "runtime/ops/kernels/resource.py",
        "return array if array.base is None and array.flags.writeable else array.copy()",
        "return array",
        RESOURCE_TESTS,
    ),
    Mutation(
        "a trace that asks which Variable it was given serves that one alone",
        "runtime/state/parameters.py",
        "        self._observed = True\n",
        "",
        ("tests/runtime/state/test_arguments.py",),
    ),
    Mutation(
        "what stands for an argument cannot be used when the trace is over",
        "runtime/state/parameters.py",
        "return self._leak() if current_recorder() is None else Variable.value(self)",
        "return Variable.value(self)",
        ("tests/runtime/state/test_arguments.py",),
    ),
    Mutation(
        "what is inside of init_scope runs at once",
        SCOPES,
        "binding(_left, trace), recording(None), without_tapes():",
        "binding(_left, trace), without_tapes():",
        ("tests/runtime/state/test_guides.py",),
    ),
    Mutation(
        "control flow inside of init_scope is Python's",
        SCOPES,
        "binding(tracing_stager, None)",
        "binding(tracing_stager, tracing_stager.get())",
        CREATION_TESTS,
    ),
    Mutation(
        "name scopes nest",
        SCOPES,
        'else f"{_scope.get()}{name}/"',
        'else f"{name}/"',
        SCOPE_TESTS,
    ),
    Mutation(
        "a device that is not there is an error when soft placement is off",
        SCOPES,
        "if not soft:",
        "if False:",
        SCOPE_TESTS,
    ),
    Mutation(
        "trainable_variables leaves out what is not trainable",
        MODULE,
        "        return tuple(v for v in self.variables if v.trainable)\n",
        "        return self.variables\n",
        MODULE_TESTS,
    ),
    Mutation(
        "Modules are looked into at any depth",
        MODULE,
        "        waiting += reversed(inner)\n",
        "",
        MODULE_TESTS,
    ),
    Mutation(
        "each Variable is found once",
        MODULE,
        "            seen.add(id(leaf))\n",
        "",
        MODULE_TESTS,
    ),
    Mutation(
        "Variables come by the names of their attributes",
        MODULE,
        "key=lambda item: item[0]",
        "key=lambda item: 0",
        MODULE_TESTS,
    ),
    Mutation(
        "Variables are found in dicts",
        MODULE,
        "    if isinstance(value, Mapping):\n        return [value[key] for key in nest.keys(value)]\n",
        "    if isinstance(value, Mapping):\n        return []\n",
        MODULE_TESTS,
    ),
    Mutation(
        "with_name_scope names what is created",
        MODULE,
        "            with self.name_scope:\n",
        "            if True:\n",
        MODULE_TESTS,
    ),
    Mutation(
        "a part of a Variable is written to, where it stands in the program",
        "runtime/ops/flow/state.py",
        "    resource.change(lambda array: write_item(array, value, *indices, spec=spec))\n",
        "",
        ("tests/runtime/state/test_parts.py",),
    ),
    Mutation(
        "a tensor that was read from a part of a Variable does not keep it alive",
        "runtime/state/variable.py",
        "        return partial(Variable._of, self._memory)\n",
        "        return lambda: self\n",
        ("tests/runtime/state/test_parts.py",),
    ),
    Mutation(
        "the text of a Variable has the value of the run",
        "runtime/state/variable.py",
        "if text.is_collecting() else",
        "if False else",
        ("tests/runtime/state/test_text.py",),
    ),
)
