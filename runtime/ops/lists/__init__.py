"""Lists that grow, and arrays of tensors."""
