"""Control flow on tensors: the functions that users call, and the stager through which autograph's code builds graphs."""
