"""What kernels are made of: work on arrays and values without a record of its own."""
