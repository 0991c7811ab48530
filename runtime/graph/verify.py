"""`verify(graph)`: checks every rule that a graph keeps, and says how to repair the first one that is broken.

    graph 'step', operation 'add_1' (add): input 'x:0' comes later in the graph; move add_1 behind x

The rules: operations and tensors belong to the graph they are in; inputs come before their use; names are unique;
the types of outputs are those that the record infers; operands of control flow fit the graphs that take them; captures
are inputs. Passes are tested with it after each step.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, NoReturn

from runtime.dtypes import bool_
from runtime.errors import GraphError, InvalidArgumentError
from runtime.graph.graph import Graph
from runtime.graph.nesting import nested_graphs
from runtime.graph.operation import Operation
from runtime.ops.flow.control import call_node, cond_node, switch_node, try_node, while_node
from runtime.ops.flow.core import placeholder
from runtime.ops.records.record import REGISTRY, Op, Operand
from runtime.ops.records.terms import Term
from runtime.tensor.symbolic import SymbolicTensor

__all__ = ["verify"]


def verify(graph: Graph) -> None:
    """Checks the graph, its library and all graphs inside of them. Raises GraphError at the first broken rule."""
    for root in (graph, *graph.functions.values()):
        for inner in nested_graphs(root):
            _verify_one(inner, graph.functions)


def _verify_one(graph: Graph, library: Mapping[str, Graph]) -> None:
    names: set[str] = set()
    made: set[int] = set()
    inputs = {id(t) for t in graph.inputs}
    _verify_inputs(graph, inputs)
    for operation in graph.operations:
        if operation.graph is not graph:
            _fail(graph, operation, f"it belongs to graph {operation.graph.name!r}", "copy it (runtime.graph.rebuild)")
        if operation.name in names:
            _fail(graph, operation, "another operation has this name", "take a name from graph.unique_name")
        names.add(operation.name)
        if REGISTRY.get(operation.type) is not operation.op:
            _fail(graph, operation, "its record is not the registered one", "use the record in REGISTRY")
        if operation.op is placeholder and not all(id(t) in inputs for t in operation.outputs):
            _fail(graph, operation, "it is a placeholder but no input of the graph", "add its output to graph.inputs")
        _verify_operands(graph, operation, made)
        rule = _SIGNATURES.get(operation.op)
        if rule is not None:
            rule(graph, operation)
        if operation.op is call_node:
            _verify_call(graph, operation, library)
        _verify_types(graph, operation)
        made.update(map(id, operation.outputs))
    for tensor in graph.outputs:
        if id(tensor) not in made:
            raise GraphError(
                f"graph {graph.name!r}: output {tensor.name!r} is not computed by it (it belongs to"
                f" {tensor.op.graph.name!r}); return a tensor of this graph"
            )


def _verify_inputs(graph: Graph, inputs: set[int]) -> None:
    if len(inputs) != len(graph.inputs):
        raise GraphError(f"graph {graph.name!r}: a tensor is listed twice among the inputs; list it once")
    for tensor in graph.inputs:
        if tensor.op.op is not placeholder or tensor.op.graph is not graph:
            raise GraphError(
                f"graph {graph.name!r}: input {tensor.name!r} is no placeholder of this graph;"
                " make inputs with graph.placeholder"
            )
    for outer, inner in () if graph._recording is None else graph._recording.captures:
        if id(inner) not in inputs:
            raise GraphError(f"graph {graph.name!r}: the capture of {outer.name!r} is no input; add it to graph.inputs")
        if outer.dtype is not inner.dtype:
            raise GraphError(
                f"graph {graph.name!r}: the capture of {outer.name!r} ({outer.dtype.name}) is {inner.dtype.name};"
                " capture it again (graph.recording.capture)"
            )


def _verify_operands(graph: Graph, operation: Operation, made: set[int]) -> None:
    op = operation.op
    count, least = len(operation.inputs), len(op.tensors)
    if count < least or (count > least and op.variadic is None):
        _fail(graph, operation, f"it has {count} inputs, {op!r} takes {least}", "pass one tensor for each parameter")
    if set(operation.attributes) != set(op.attributes):
        wanted = ", ".join(op.attributes) or "none"
        _fail(graph, operation, f"its attributes are {', '.join(operation.attributes) or 'none'}", f"give {wanted}")
    for tensor in operation.inputs:
        if id(tensor) in made:
            continue
        if tensor.op.graph is graph:
            _fail(graph, operation, f"input {tensor.name!r} comes later in the graph", "move it behind that operation")
        other = tensor.op.graph.name
        _fail(
            graph,
            operation,
            f"input {tensor.name!r} belongs to graph {other!r}",
            "capture it (graph.recording.capture)",
        )
    for group in () if op in _SIGNATURES else op.groups:
        dtypes = [t.dtype for n, t in zip(op.tensors, operation.inputs, strict=False) if n in group.names]
        if op.variadic in group.names and not op.mixed:
            dtypes += [t.dtype for t in operation.inputs[least:]]
        if len(set(dtypes)) > 1 or not set(dtypes) <= group.allowed:
            found = ", ".join(d.name for d in dtypes)
            allowed = ", ".join(sorted(d.name for d in group.allowed))
            _fail(graph, operation, f"{', '.join(group.names)} are {found}", f"cast them to one dtype of {allowed}")


def _verify_types(graph: Graph, operation: Operation) -> None:
    try:
        # Without the values of constants: a value that the kernel refuses is an error of the run, not of the graph.
        operands = [Operand(t.dtype, t.shape) for t in operation.inputs]
        inferred = operation.op.infer(operands, operation.attributes)
    except InvalidArgumentError as error:
        _fail(graph, operation, f"its operands do not fit: {error}", "change the operand that does not")
    if len(inferred) != len(operation.outputs):
        _fail(graph, operation, f"it has {len(operation.outputs)} outputs, not {len(inferred)}", "infer its types anew")
    for index, (tensor, (dtype, shape)) in enumerate(zip(operation.outputs, inferred, strict=True)):
        if tensor.op is not operation or tensor.value_index != index:
            _fail(graph, operation, f"output {index} says it is {tensor.name!r}", "make its outputs anew")
        if tensor.dtype is not dtype or not tensor.shape.is_compatible_with(shape):
            found, right = f"{tensor.dtype.name}{tensor.shape}", f"{dtype.name}{shape}"
            _fail(graph, operation, f"output {index} is {found} but the record infers {right}", "infer its types anew")


# -- control flow -------------------------------------------------------------------------------------------------


def _verify_cond(graph: Graph, operation: Operation) -> None:
    branches = {k: operation.attributes[k] for k in ("then_graph", "else_graph")}
    _verify_branches(graph, operation, branches)
    predicate = operation.inputs[0]
    if predicate.dtype is not bool_ or predicate.shape.rank not in (0, None):
        _fail(graph, operation, f"the predicate is {predicate.dtype.name}{predicate.shape}", "make it a bool scalar")


def _verify_switch(graph: Graph, operation: Operation) -> None:
    branches = operation.attributes["branches"]
    if not branches:
        _fail(graph, operation, "it has no branch", "give one graph at least")
    _verify_branches(graph, operation, {f"branch {i}": b for i, b in enumerate(branches)})
    index = operation.inputs[0]
    if not index.dtype.is_integer or index.shape.rank not in (0, None):
        _fail(graph, operation, f"the index is {index.dtype.name}{index.shape}", "make it an integer scalar")


def _verify_branches(graph: Graph, operation: Operation, branches: dict[str, Any]) -> None:
    if not operation.inputs:
        _fail(graph, operation, "it has no inputs", "the first one chooses the branch")
    _verify_alike(graph, operation, branches, operation.inputs[1:])


def _verify_try(graph: Graph, operation: Operation) -> None:
    handlers, classes = operation.attributes["handlers"], operation.attributes["classes"]
    graphs = {"body_graph": operation.attributes["body_graph"]}
    graphs |= {f"handler {i}": handler for i, handler in enumerate(handlers)}
    _verify_alike(graph, operation, graphs, operation.inputs)
    if not handlers or len(classes) != len(handlers):
        _fail(graph, operation, f"it has {len(handlers)} handlers for {len(classes)} tuples of classes", "give as many")
    for kinds in classes:
        if not (isinstance(kinds, tuple) and all(isinstance(k, Term) and k.head == "class" for k in kinds)):
            _fail(graph, operation, f"classes has {kinds!r}", "give a tuple of terms class(...) for each handler")


def _verify_alike(
    graph: Graph, operation: Operation, branches: dict[str, Any], operands: Sequence[SymbolicTensor]
) -> None:
    first = next(iter(branches.values()))
    for name, branch in branches.items():
        _verify_inner(graph, operation, name, branch, operands)
        dtypes = [t.dtype.name for t in branch.outputs]
        wanted = [t.dtype.name for t in first.outputs]
        if dtypes != wanted:
            _fail(graph, operation, f"{name} returns {dtypes}, the first branch {wanted}", "return the same dtypes")


def _verify_while(graph: Graph, operation: Operation) -> None:
    body, condition = operation.attributes["body_graph"], operation.attributes["cond_graph"]
    _verify_inner(graph, operation, "body_graph", body, operation.inputs)
    _verify_inner(graph, operation, "cond_graph", condition, operation.inputs)
    if len(body.outputs) > len(body.inputs):
        _fail(graph, operation, "body_graph returns more than it takes", "return one value for each state")
    for index, (before, after) in enumerate(zip(body.inputs, body.outputs, strict=False)):
        if before.dtype is not after.dtype or not after.shape.is_subtype_of(before.shape):
            found, wanted = f"{after.dtype.name}{after.shape}", f"{before.dtype.name}{before.shape}"
            _fail(graph, operation, f"state {index} is {wanted}, the body returns {found}", "widen the state's type")
    answer = condition.outputs
    if len(answer) != 1 or answer[0].dtype is not bool_ or answer[0].shape.rank not in (0, None):
        _fail(graph, operation, "cond_graph does not return one bool scalar", "let it return the loop's condition")
    limit = operation.attributes["maximum_iterations"]
    if limit is not None and type(limit) is not int:
        _fail(graph, operation, f"maximum_iterations is {limit!r}", "give an integer or None")


def _verify_call(graph: Graph, operation: Operation, library: Mapping[str, Graph]) -> None:
    name = operation.attributes["function"]
    function = library.get(name)
    if function is None:
        known = ", ".join(library) or "nothing"
        _fail(graph, operation, f"the library has no {name!r}; it has {known}", "add it to the outermost graph")
    _verify_inner(graph, operation, f"function {name!r}", function, operation.inputs)
    found = [(t.dtype, t.shape) for t in function.outputs]
    dtypes, shapes = operation.attributes["dtypes"], operation.attributes["shapes"]
    said = list(zip(dtypes, shapes, strict=False))
    fit = (
        len(dtypes) == len(shapes)
        and len(said) == len(found)
        and all(a is b and x.is_subtype_of(y) for (a, x), (b, y) in zip(found, said, strict=True))
    )
    if not fit:
        shown = [", ".join(f"{dtype.name}{shape}" for dtype, shape in types) for types in (found, said)]
        _fail(graph, operation, f"{name!r} returns {shown[0]}, the call says {shown[1]}", "say what it returns")
    if function.stateful and operation.attributes["stateful"] is not True:
        _fail(graph, operation, f"{name!r} has effects, the call says it has none", "set stateful")


def _verify_inner(
    graph: Graph, operation: Operation, name: str, inner: Any, operands: Sequence[SymbolicTensor]
) -> None:
    if not isinstance(inner, Graph):
        _fail(graph, operation, f"{name} is {inner!r}", "give a Graph")
    if len(inner.inputs) != len(operands):
        count = f"{name} takes {len(inner.inputs)} values, {len(operands)} are given"
        _fail(graph, operation, count, "pass one for each of its inputs")
    for parameter, operand in zip(inner.inputs, operands, strict=True):
        if parameter.dtype is not operand.dtype or not operand.shape.is_subtype_of(parameter.shape):
            found, wanted = f"{operand.dtype.name}{operand.shape}", f"{parameter.dtype.name}{parameter.shape}"
            problem = f"{name}: input {parameter.name!r} is {wanted}, it gets {found}"
            _fail(graph, operation, problem, "make the types agree")


_SIGNATURES: Final[dict[Op, Callable[[Graph, Operation], None]]] = {
    cond_node: _verify_cond,
    switch_node: _verify_switch,
    try_node: _verify_try,
    while_node: _verify_while,
}


def _fail(graph: Graph, operation: Operation, problem: str, repair: str) -> NoReturn:
    place = f" (made at {operation.location})" if operation.location else ""
    where = f"graph {graph.name!r}, operation {operation.name!r} ({operation.type}){place}"
    raise GraphError(f"{where}: {problem}; {repair}")
