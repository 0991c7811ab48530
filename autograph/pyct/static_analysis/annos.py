"""The keys of what activity analysis says of the parts of a statement.

Example: `anno.getanno(loop, NodeAnno.BODY_SCOPE).modified` are the names that the body of a loop changes.
"""

from autograph.pyct.anno import NoValue

__all__ = ["NodeAnno"]


class NodeAnno(NoValue):
    """Scopes of parts; each an activity.Scope."""

    IS_LOCAL = "for clients: the name belongs to the function"
    IS_PARAM = "for clients: the name is a parameter"
    IS_MODIFIED_SINCE_ENTRY = "for clients: the name was changed since the function began"
    ARGS_SCOPE = "of the parameters of a function, or the arguments of a call"
    COND_SCOPE = "of the test of `if` and `while`"
    ITERATE_SCOPE = "of the target of `for`"
    ARGS_AND_BODY_SCOPE = "of a whole function; what it binds are its variables"
    BODY_SCOPE = "of the body of a statement, handler or case"
    ORELSE_SCOPE = "of the `else` of a statement"
    FINALBODY_SCOPE = "of the `finally` of a statement"
