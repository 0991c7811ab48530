"""The integer work behind ragged and sparse tensors."""
