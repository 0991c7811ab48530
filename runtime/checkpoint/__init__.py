"""Checkpoints: the state of objects in files, and back into the same or other objects of the same structure."""
