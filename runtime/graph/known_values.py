"""Values that are known while a graph is built: constants, and small integers that are computed from them.

    reshape(x, [shape(y)[0], -1])        # has a static shape, because shape(y)[0] has a known value

`SymbolicTensor.value` is the whole of it, `parts` the elements of an integer vector where only some are known.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from runtime.graph.operation import Operation
from runtime.ops.flow.control import call_node
from runtime.ops.flow.core import constant_node
from runtime.ops.records.record import Operand

__all__ = ["remember_value"]

KNOWN_ELEMENTS = 32
"""Values of up to this many integers are computed while the graph is built, so that static shapes can use them."""


def remember_value(operation: Operation, operands: Sequence[Operand]) -> None:
    """Computes small integer values at once: `reshape(x, [shape(y)[0], -1])` then has a static shape."""
    outputs = operation.outputs
    if operation.op is constant_node:
        outputs[0].value = operation.attributes["value"]
    elif operation.op.static_value is not None:
        outputs[0].value = operation.op.static_value(*operands, **operation.attributes)
        _remember_parts(operation, operands)
    elif len(outputs) == 1 and not operation.op.stateful and outputs[0].dtype.is_integer:
        elements = outputs[0].shape.num_elements()
        if elements is None or elements > KNOWN_ELEMENTS or not _all_known(operands, operation):
            _remember_parts(operation, operands)
            return
        arrays = [o.value for o in operands if o.value is not None]
        try:
            result = operation.op.run(arrays, operation.attributes)
        except (ValueError, TypeError, ArithmeticError, LookupError):
            return  # it fails at run time too, with the error that belongs there
        outputs[0].value = np.asarray(result, outputs[0].dtype.numpy)


def _remember_parts(operation: Operation, operands: Sequence[Operand]) -> None:
    """The elements of an integer vector that are known, where others are not: `shape(x)` of a partly known shape."""
    rule, output = operation.op.static_parts, operation.outputs[0]
    if rule is None or output.value is not None or not output.dtype.is_integer:
        return
    output.parts = parts = rule(*operands, **operation.attributes)
    if parts is not None and None not in parts and len(parts) <= KNOWN_ELEMENTS:
        output.value = np.array(parts, output.dtype.numpy).reshape(output.shape.as_tuple())


def _all_known(operands: Sequence[Operand], operation: Operation) -> bool:
    small = all(o.value is not None and o.value.size <= KNOWN_ELEMENTS for o in operands)
    return bool(operands) and small and not operation.op.nests and operation.op is not call_node
