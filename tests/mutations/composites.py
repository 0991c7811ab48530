"""Breaks in what ragged and sparse tensors, sets and string operations promise.

python -m tests.mutations runtime/composite
"""

from .runner import Mutation

__all__ = ["OF_COMPOSITES"]

STRUCTURE = ("tests/runtime/composite/ragged/test_structure.py",)
OPERATIONS = ("tests/runtime/composite/ragged/test_operations.py",)
FUNCTIONS = ("tests/runtime/composite/ragged/test_functions.py",)
GRADIENTS = ("tests/runtime/composite/ragged/test_gradients.py",)
SPARSE = ("tests/runtime/composite/sparse/test_sparse.py",)
PATTERNS = ("tests/runtime/library/strings/test_patterns.py",)
TEXTS = ("tests/runtime/library/strings/test_strings.py",)

OF_COMPOSITES = (
    Mutation(
        "a ragged tensor is a leaf of nest",
        "runtime/structures.py",
        'return is_nested(value) and not hasattr(type(value), "_nest_parts")',
        "return is_nested(value)",
        FUNCTIONS,
    ),
    Mutation(
        "the number of values is not part of the type",
        "runtime/function/leaves.py",
        "return (None, *dims[1:]) if dims else dims",
        "return dims",
        FUNCTIONS,
    ),
    Mutation(
        "operands with other rows are refused",
        "runtime/composite/ragged_calls.py",
        "            flat = same_rows(flat, ops.cast(theirs, mine.dtype), mine)\n",
        "            pass\n",
        OPERATIONS,
    ),
    Mutation(
        "several axes have one mean, not a mean of means",
        "runtime/composite/ragged_reduce.py",
        "if op.name in _ALL_AT_ONCE and len(axes) > 1:",
        "if False:",
        OPERATIONS,
    ),
    Mutation(
        "row_splits never fall",
        "runtime/ops/rows/rows.py",
        "falls = np.flatnonzero(splits[1:] < splits[:-1])",
        "falls = np.flatnonzero(splits[1:] < splits[:1])",
        STRUCTURE,
    ),
    Mutation(
        "rows are joined with as many rows",
        "runtime/composite/ragged_joins.py",
        "        return rows._with_flat(same_rows(rows.flat_values, mine, theirs))\n",
        "        return rows\n",
        STRUCTURE,
    ),
    Mutation(
        "integers among the parts have no gradient, also where zeros are asked for",
        "runtime/autodiff/parts.py",
        "        leaves += [leaf] if whole else filter(_has_gradient, structures.flatten(leaf))\n",
        "        leaves += [leaf] if whole else structures.flatten(leaf)\n",
        GRADIENTS,
    ),
    Mutation(
        "indices that are repeated are refused",
        "runtime/ops/rows/cells.py",
        "wrong = repeated if not found.shape[1] else repeated | (",
        "wrong = repeated if not found.shape[1] else (",
        SPARSE,
    ),
    Mutation(
        "the adjoint of a complex matrix is conjugated",
        "runtime/library/sparse.py",
        "    values = ops.conj(a.values) if conjugated and a.dtype.is_complex else a.values\n",
        "    values = a.values\n",
        SPARSE,
    ),
    Mutation(
        "an operation that makes something of zero takes no sparse tensor",
        "runtime/composite/sparse_calls.py",
        '"abs", "asin",',
        '"abs", "asin", "exp",',
        SPARSE,
    ),
    Mutation(
        "$ is the end of the text alone",
        "runtime/ops/kernels/pattern_syntax.py",
        'self.pieces.append("$" if self.multiline[-1] else r"\\Z")',
        'self.pieces.append("$")',
        PATTERNS,
    ),
    Mutation(
        "a number in a text has no underscores",
        "runtime/ops/text/numbers.py",
        "        found = syntax.fullmatch(text)\n",
        '        found = syntax.fullmatch(text.replace(b"_", b""))\n',
        TEXTS,
    ),
)
