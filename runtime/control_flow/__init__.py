"""Control flow on tensors: the functions that users call, and the stager for autograph's code."""
