"""The names that libraries know as `tf.__internal__`.

    ctx = runtime.__internal__.autograph.control_status_ctx()
"""

from autograph import internal as autograph

__all__ = ["autograph"]
