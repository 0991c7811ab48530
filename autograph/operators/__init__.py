"""The names that generated code uses: `import autograph.operators as ag__`.

Example (generated):
    def f(x):
        with ag__.FunctionScope('f', 'fscope', ag__.STD) as fscope:
            ...
            ag__.if_stmt(x > 0, if_body, else_body, get_state, set_state, ('y',), 1)
"""

from __future__ import annotations

import sys

from autograph import template
from autograph.operators import patterns as pattern
from autograph.operators.as_written import runs_as_written
from autograph.operators.assertion import assert_stmt
from autograph.operators.augmented import update
from autograph.operators.branch import if_exp, if_stmt
from autograph.operators.call import converted_call
from autograph.operators.class_body import in_class
from autograph.operators.comprehension import dict_comp, generator_exp, list_comp, set_comp
from autograph.operators.displays import dict_of, dict_with, displayed, list_with, set_of, unpacked
from autograph.operators.finally_scope import FinallyScope
from autograph.operators.frame_readers import call_with_locals, locals_of
from autograph.operators.item_state import container, item, put_attribute, put_item, put_item_of, rebound
from autograph.operators.late_annotations import late_annotations
from autograph.operators.logic import and_, eq, ge, gt, le, lt, not_, not_eq, or_
from autograph.operators.loop import for_stmt, while_stmt
from autograph.operators.membership import in_, is_, is_not, not_in
from autograph.operators.patterns import is_singleton, match_case
from autograph.operators.scope import FunctionScope, with_function_scope
from autograph.operators.scope import make_options as ConversionOptions
from autograph.operators.slices import del_item, get_item, place, put, set_item, set_item_of, slice_, update_item
from autograph.operators.stack import frame_locals, outer_frame
from autograph.operators.stager import Stager, register_stager, stager_of, stager_of_all, tracing_stager
from autograph.operators.strings import format_string, format_value, mod
from autograph.operators.try_statement import end_of_try, start_of_try, try_stmt
from autograph.operators.unpack import unpack
from autograph.operators.variables import Undefined, UndefinedReturnValue, first_argument, ld, ld_free, ldu
from autograph.operators.with_statement import passing, with_stmt
from autograph.options import STANDARD_OPTIONS as STD
from autograph.options import Feature
from autograph.template import autograph_artifact

__all__ = [
    "STD",
    "ConversionOptions",
    "Feature",
    "FinallyScope",
    "FunctionScope",
    "Stager",
    "Undefined",
    "UndefinedReturnValue",
    "and_",
    "assert_stmt",
    "autograph_artifact",
    "call_with_locals",
    "container",
    "converted_call",
    "del_item",
    "dict_comp",
    "dict_of",
    "dict_with",
    "displayed",
    "end_of_try",
    "eq",
    "first_argument",
    "for_stmt",
    "format_string",
    "format_value",
    "frame_locals",
    "ge",
    "generator_exp",
    "get_item",
    "gt",
    "if_exp",
    "if_stmt",
    "in_",
    "in_class",
    "is_",
    "is_not",
    "is_singleton",
    "item",
    "late_annotations",
    "ld",
    "ld_free",
    "ldu",
    "le",
    "list_comp",
    "list_with",
    "locals_of",
    "lt",
    "match_case",
    "mod",
    "not_",
    "not_eq",
    "not_in",
    "or_",
    "outer_frame",
    "passing",
    "pattern",
    "place",
    "put",
    "put_attribute",
    "put_item",
    "put_item_of",
    "rebound",
    "register_stager",
    "runs_as_written",
    "set_comp",
    "set_item",
    "set_item_of",
    "set_of",
    "slice_",
    "stager_of",
    "stager_of_all",
    "start_of_try",
    "tracing_stager",
    "try_stmt",
    "unpack",
    "unpacked",
    "update",
    "update_item",
    "while_stmt",
    "with_function_scope",
    "with_stmt",
]

template.NAMESPACE.cell_contents = sys.modules[__name__]
