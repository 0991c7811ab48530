"""Analyses of one function: what its statements read and change, which definitions reach where, what is read later.

Example:
    node = qual_names.resolve(node)
    node = activity.resolve(node, ctx)
    graphs = cfg.build(node)
    reaching_definitions.resolve(node, ctx, graphs)
    liveness.resolve(node, ctx, graphs)
    anno.getanno(node.body[0], anno.Static.LIVE_VARS_OUT)      # the names whose values may still be read

Each leaves its findings as annotations. What they say of the variables of a function is true of every run, also through
exceptions, jumps and inner functions; attributes and elements are known by their text only, so aliases are not seen.
"""

from autograph.pyct.static_analysis import activity, annos, liveness, reaching_definitions, reaching_fndefs

__all__ = ["activity", "annos", "liveness", "reaching_definitions", "reaching_fndefs"]
