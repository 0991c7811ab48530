"""What is built on top of the core out of its operations: `image` for now."""
