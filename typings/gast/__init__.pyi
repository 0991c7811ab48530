"""gast for type checkers: the node classes of `ast` that are used here, and those of gast where they differ.

A parameter is a Name (with what `annotation` says of it), and so is what `except ... as` binds; the nodes of Python 3.12
are there on every version; a constructor takes the fields in their order.
"""

import ast
from ast import (
    AST as AST, Add as Add, And as And, AnnAssign as AnnAssign, Assert as Assert, Assign as Assign,
    AsyncFor as AsyncFor, AsyncWith as AsyncWith, Attribute as Attribute, AugAssign as AugAssign, Await as Await,
    BinOp as BinOp, BitAnd as BitAnd, BitOr as BitOr, BitXor as BitXor, BoolOp as BoolOp, Break as Break, Call as Call,
    Compare as Compare, Constant as Constant, Continue as Continue, Del as Del, Delete as Delete, Dict as Dict,
    DictComp as DictComp, Div as Div, Eq as Eq, Expr as Expr, FloorDiv as FloorDiv, For as For,
    FormattedValue as FormattedValue, GeneratorExp as GeneratorExp, Global as Global, Gt as Gt, GtE as GtE, If as If,
    IfExp as IfExp, Import as Import, ImportFrom as ImportFrom, In as In, Is as Is, IsNot as IsNot,
    JoinedStr as JoinedStr, LShift as LShift, List as List, ListComp as ListComp, Load as Load, Lt as Lt, LtE as LtE,
    MatMult as MatMult, Match as Match, MatchAs as MatchAs, MatchClass as MatchClass, MatchMapping as MatchMapping,
    MatchOr as MatchOr, MatchSequence as MatchSequence, MatchSingleton as MatchSingleton, MatchStar as MatchStar,
    MatchValue as MatchValue, Mod as Mod, Module as Module, Mult as Mult, NamedExpr as NamedExpr,
    NodeTransformer as NodeTransformer, NodeVisitor as NodeVisitor, Nonlocal as Nonlocal, Not as Not, NotEq as NotEq,
    NotIn as NotIn, Or as Or, Pass as Pass, Pow as Pow, RShift as RShift, Raise as Raise, Return as Return, Set as Set,
    SetComp as SetComp, Slice as Slice, Starred as Starred, Store as Store, Sub as Sub, Subscript as Subscript,
    Try as Try, TryStar as TryStar, Tuple as Tuple, USub as USub, UnaryOp as UnaryOp, While as While, With as With,
    Yield as Yield, YieldFrom as YieldFrom, alias as alias, comprehension as comprehension, dump as dump, expr as expr,
    expr_context as expr_context,
    iter_child_nodes as iter_child_nodes, keyword as keyword, match_case as match_case, pattern as pattern,
    stmt as stmt, walk as walk, withitem as withitem,
)
from typing import Any

class _Fields(AST):
    def __init__(self, *fields: Any, **named: Any) -> None: ...

class Param(expr_context): ...

class Name(_Fields, expr):
    id: str
    ctx: expr_context
    annotation: expr | None
    type_comment: str | None

class arguments(_Fields):
    args: list[Name]
    posonlyargs: list[Name]
    vararg: Name | None
    kwonlyargs: list[Name]
    kw_defaults: list[expr | None]
    kwarg: Name | None
    defaults: list[expr]

class Lambda(_Fields, expr):
    args: arguments
    body: expr

class _Definition(_Fields, stmt):
    name: str
    body: list[stmt]
    decorator_list: list[expr]
    type_params: list[_TypeParameter]

class _Function(_Definition):
    args: arguments
    returns: expr | None
    type_comment: str | None

class FunctionDef(_Function): ...
class AsyncFunctionDef(_Function): ...

class ClassDef(_Definition):
    bases: list[expr]
    keywords: list[keyword]

class ExceptHandler(_Fields, ast.excepthandler):
    type: expr | None
    name: Name | None
    body: list[stmt]

class _TypeParameter(_Fields):
    name: str
    lineno: int
    default_value: expr | None

class TypeVar(_TypeParameter):
    bound: expr | None

class ParamSpec(_TypeParameter): ...
class TypeVarTuple(_TypeParameter): ...

class TypeAlias(_Fields, stmt):
    name: Name
    type_params: list[_TypeParameter]
    value: expr

def ast_to_gast(node: AST) -> Any: ...
