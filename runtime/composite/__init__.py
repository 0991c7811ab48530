"""Values that are made of several tensors: ragged and sparse tensors, and what makes them travel like one tensor."""
