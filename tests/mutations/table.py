"""The table of mutations: what Functions, state, tensors and exceptions promise, each broken by hand in one place."""

from .checkpoints import OF_CHECKPOINTS
from .composites import OF_COMPOSITES
from .data import OF_DATA
from .exceptions import OF_EXCEPTIONS
from .functions import OF_FUNCTIONS
from .long_loops import OF_LONG_LOOPS
from .native import OF_MACHINE_CODE
from .numbers import OF_NUMBERS
from .numbers_and_texts import OF_NUMBERS_AND_TEXTS
from .order import OF_ORDER
from .pictures import OF_PICTURES
from .plans import OF_PLANS
from .presence import OF_PRESENCE
from .rows import OF_ROWS
from .saving import OF_SAVING
from .state import OF_STATE
from .tensors import OF_TENSORS

__all__ = ["MUTATIONS"]

MUTATIONS = (
    *OF_COMPOSITES, *OF_DATA, *OF_FUNCTIONS, *OF_STATE, *OF_ORDER, *OF_TENSORS, *OF_EXCEPTIONS, *OF_SAVING,
    *OF_CHECKPOINTS, *OF_ROWS, *OF_PLANS, *OF_PRESENCE, *OF_NUMBERS_AND_TEXTS, *OF_LONG_LOOPS, *OF_NUMBERS,
    *OF_MACHINE_CODE, *OF_PICTURES,
)  # fmt: skip
