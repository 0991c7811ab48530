"""return, after its lowering to flags.

    return e    --->    try:
                            do_return = True
                            retval_ = e
                        except:
                            do_return = False
                            raise

The function ends in `return fscope.ret(retval_, do_return)` (converters/function.py). The flag is set before the value
is evaluated so that whoever stages the value knows that it is a return value; it is taken back if that fails.
"""

from __future__ import annotations

from typing import Any

import gast

from autograph.converters.rewriter import Rewriter
from autograph.syntax import At

__all__ = ["convert_return"]


def convert_return(rewriter: Rewriter, node: Any) -> list[Any]:
    at = At(node)
    did_return, value_name = rewriter.jumps.leaves[node]
    value = at.constant(None) if node.value is None else rewriter.expression(node.value)
    body = [at.assign(did_return, at.constant(True)), at.assign(value_name, value)]
    undo = [at.assign(did_return, at.constant(False)), at.put(gast.Raise(None, None))]
    return [at.put(gast.Try(body, [at.put(gast.ExceptHandler(None, None, undo))], [], []))]
