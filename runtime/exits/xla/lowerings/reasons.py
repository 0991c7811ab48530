"""What XLA has not, or what has no rule yet, where it is not so for every format."""

from __future__ import annotations

from runtime.exits.xla.rules import stays
from runtime.ops.records.gradients import ops

__all__: list[str] = []

_DRAWN = "it draws random numbers that XLA draws in another way; give the numbers as an argument"
stays(_DRAWN, ops.stateless_uniform, ops.stateless_bits, ops.stateless_normal, ops.stateless_truncated_normal,
      ops.stateless_categorical, ops.stateless_shuffle)
stays("it prints, which a program of XLA cannot; drop_checks=True leaves it out of a file", ops.print)
stays("it raises an error, which a program of XLA cannot; drop_checks=True leaves it out of a file",
      ops.check, ops.check_finite)
stays("it raises an error, which a program of XLA cannot", getattr(ops, "raise"), ops.reraise)
stays("it handles an error, which a program of XLA cannot", getattr(ops, "try"), ops.caught, ops.caught_text,
      ops.caught_part)
stays("XLA has it on some devices alone, and JAX on CPUs", ops.eig, ops.eigvals)
stays("how many values are different depends on values, and every shape in XLA is fixed before a program runs",
      ops.unique_sorted, ops.unique_in_order, ops.bincount)
stays("it is rounded once, for which there is no rule yet", ops.exact_sum)
stays("it rounds by the decimal digits of a number, which no operation of XLA does", ops.round_to)
stays("its series has no rule yet", ops.polygamma)
stays("it is of lists in a list, for which there is no rule in XLA yet", ops.list_rows, ops.bundle, ops.unbundle)
stays("it is of texts, which XLA has not", ops.text_call)
