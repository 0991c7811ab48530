"""What programs ask of the backend of Keras."""

from runtime.library.layers.naming import clear_session

__all__ = ["clear_session"]
