"""The errors of the toolkit: the documented ones of autograph, under the names that writers of transformers know.

Example:
    try:
        node, source = parser.parse_entity(fn, future_features=())
    except errors.InaccessibleSourceCodeError as error:
        print(error)  # the same object that `except autograph.SourceUnavailableError` catches
"""

from autograph.errors import AutoGraphError as PyCTError
from autograph.errors import SourceUnavailableError as InaccessibleSourceCodeError
from autograph.errors import UnsupportedSyntaxError as UnsupportedLanguageElementError

__all__ = ["InaccessibleSourceCodeError", "PyCTError", "UnsupportedLanguageElementError"]
