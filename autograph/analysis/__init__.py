"""What the converters need to know about a function, computed once, in linear time, before anything is rewritten.

scopes   which names belong to which function, read from the tree as the user wrote it
regions  the control structure of a function as a tree of parts, each with what it reads, binds and deletes
uses     what an expression does to the names of a function
places   attributes and elements that are assigned to
liveness which names are read again after a statement, or before it, backwards over the parts
state    what every statement of control flow has to carry, and which names may be unassigned, forwards over the parts

All results are side tables keyed by node; nodes get no extra fields. There is no list of edges and no fixed point to
search for: jumps are lowered before (converters/jumps.py), so that control flow is the nesting of statements, and for
gen/kill problems the solution of a loop has a closed form (docs/decisions/0003-structured-data-flow.md).
"""
