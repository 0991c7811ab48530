"""The table of mutations: what Functions, state and tensors promise, each promise broken by hand in one place."""

from .functions import OF_FUNCTIONS
from .order import OF_ORDER
from .state import OF_STATE
from .tensors import OF_TENSORS

__all__ = ["MUTATIONS"]

MUTATIONS = (*OF_FUNCTIONS, *OF_STATE, *OF_ORDER, *OF_TENSORS)
