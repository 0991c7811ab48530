"""Machine code for the loops of a graph: the backend "native", with LLVM through llvmlite (the extra `native`).

    @runtime.function(jit_compile=True)
    def steps(n):
        count = 0
        while n != 1:
            n = n // 2 if n % 2 == 0 else 3 * n + 1
            count += 1
        return count

What can be compiled becomes a *region*: a loop with all that is nested in it. The rest of the graph is the plan over
numpy that it always was, in which a region is one statement. `backend` picks the regions, `module` writes each as the
text of an LLVM module with the rules of `lowerings`, `compiler` makes machine code of it, `region` calls that.

A region has no effects, and it never raises: where anything would raise, or would be a case that the machine code does
not know, the code stops and the plan runs the same operations again from the same operands. So errors, their messages
and their lines are those of the plan, always.
"""
