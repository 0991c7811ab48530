"""The names that programs know as `autograph.experimental`.

Example:
    @autograph.experimental.do_not_convert
    def plot(x): ...
"""

from autograph.api import do_not_convert
from autograph.directives import set_loop_options
from autograph.options import Feature

__all__ = ["Feature", "do_not_convert", "set_loop_options"]
