"""AutoGraph: Python functions with `if`, `while` and `for` become functions whose control flow can be staged.

With plain Python values a converted function does what the original does; with values that a stager owns (symbolic
tensors, for instance), each statement over them becomes a call of the stager.

Example:
    import autograph

    def f(x):
        if x > 0:
            x = x * x
        return x

    print(autograph.to_code(f))  # the generated code
    autograph.to_graph(f)(3)  # 9
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from autograph import operators
from autograph.api import convert, converted, do_not_convert, to_code, to_graph, trace
from autograph.directives import set_loop_options
from autograph.errors import (
    AutoGraphError,
    ConversionError,
    ConversionWarning,
    MixedStagersError,
    SourceSyntaxError,
    SourceUnavailableError,
    StagingError,
    StagingTypeError,
    StagingValueError,
    StaleSourceError,
    UnrolledLoopWarning,
    UnsupportedSyntaxError,
)
from autograph.explain import explain
from autograph.logs import set_verbosity
from autograph.operators.call import converted_call
from autograph.operators.data_structures import set_element_type, stack, tensor_list
from autograph.options import ConversionOptions, Feature
from autograph.selection import set_conversion_rules
from autograph.show import show

from autograph import experimental, internal  # isort: skip  (they are made of the names above)
from autograph.internal import StackTraceMapper, control_status_ctx  # isort: skip

if TYPE_CHECKING:
    from autograph import pyct
    from autograph.report import Report

__version__ = "0.1.0"

__all__ = [
    "AutoGraphError",
    "ConversionError",
    "ConversionOptions",
    "ConversionWarning",
    "Feature",
    "MixedStagersError",
    "Report",
    "SourceSyntaxError",
    "SourceUnavailableError",
    "StackTraceMapper",
    "StagingError",
    "StagingTypeError",
    "StagingValueError",
    "StaleSourceError",
    "UnrolledLoopWarning",
    "UnsupportedSyntaxError",
    "__version__",
    "control_status_ctx",
    "convert",
    "converted",
    "converted_call",
    "do_not_convert",
    "experimental",
    "explain",
    "internal",
    "operators",
    "pyct",
    "set_conversion_rules",
    "set_element_type",
    "set_loop_options",
    "set_verbosity",
    "show",
    "stack",
    "tensor_list",
    "to_code",
    "to_graph",
    "trace",
]

if not TYPE_CHECKING:  # to a checker every name would be there

    def __getattr__(name: str) -> Any:
        """What few programs need is loaded when somebody asks for it."""
        if name == "pyct":
            return importlib.import_module("autograph.pyct")
        if name == "Report":
            return importlib.import_module("autograph.report").Report
        raise AttributeError(f"module 'autograph' has no attribute {name!r}")
