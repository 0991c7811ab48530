"""What no format has, and why: effects outside of the graph, Python code, other numbers than real ones."""

from __future__ import annotations

from runtime.exits.rules import stays
from runtime.ops.records.gradients import ops

__all__: list[str] = []

stays("it prints, which a file cannot; drop_checks=True leaves it out", ops.print)
stays("it raises an error, which a file cannot; drop_checks=True leaves it out", ops.check, ops.check_finite)
stays("it raises an error, which a file cannot", getattr(ops, "raise"), ops.reraise)
stays("it handles an error, which a file cannot", getattr(ops, "try"), ops.caught, ops.caught_text, ops.caught_part)
stays("it runs Python code", ops.py_function)
stays("it reads and writes files of this machine", ops.read_file, ops.write_file)
stays(
    "it takes elements from a dataset of the program; let the function take tensors",
    ops.dataset, ops.dataset_iterator, ops.dataset_more, ops.dataset_next, ops.dataset_cardinality,
)  # fmt: skip
stays("it draws from the program's generator of random numbers; give the numbers as an argument",
      ops.random_uniform, ops.random_normal, ops.random_truncated_normal, ops.random_categorical, ops.random_shuffle)
stays("it draws random numbers by bits that no node has; give the numbers as an argument",
      ops.stateless_uniform, ops.stateless_bits, ops.stateless_normal, ops.stateless_truncated_normal,
      ops.stateless_categorical, ops.stateless_shuffle)
stays("it is of complex numbers, which onnxruntime does not compute with",
      ops.complex, ops.fft, ops.rfft, ops.irfft, ops.eig, ops.eigvals)
stays("it remembers what a program has found before", ops.memo_new, ops.memo_set, ops.memo_get, ops.memo_has)
stays("it looks at the bits of a float, which no node does", ops.bitcast, ops.nextafter)
stays("its value depends on how Python orders a set", ops.set_order)
stays("it rounds by the decimal digits of a number, which no node does", ops.round_to)
stays("it is rounded once, which no node is", ops.exact_sum)
stays("its series has no rule yet", ops.polygamma)
stays("ONNX has no factorisation of matrices like it",
      ops.qr, ops.svd, ops.svdvals, ops.eigh, ops.eigvalsh, ops.pseudo_inverse)
stays("it is of lists in a list, which ONNX has not", ops.list_rows, ops.bundle, ops.unbundle)
stays("it is of the gradient of a list, for which there is no rule yet",
      ops.list_repeated, ops.list_row_sums, ops.list_sum, ops.list_add, ops.list_at, ops.list_clear, ops.list_rows_at,
      ops.list_add_rows, ops.list_take, ops.list_put, ops.list_lengths, ops.list_joined)
stays("it is of sparse tensors, for which there is no rule yet",
      ops.cells_in_range, ops.cells_in_order, ops.cell_order, ops.distinct_cells, ops.set_operation)
stays("it is of ragged tensors, for which there is no rule yet",
      ops.row_splits_checked, ops.lengths_to_row_splits, ops.row_ids, ops.row_ids_to_splits, ops.row_places_beside,
      ops.row_item_places, ops.row_bounds, ops.row_slices, ops.value_cells, ops.ragged_range, ops.same_rows,
      ops.repeat_rows)
stays("it is of texts, which onnxruntime cuts off at a zero byte", ops.text_call)
