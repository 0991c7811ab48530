"""What files and messages hold, as tensors, and back."""
