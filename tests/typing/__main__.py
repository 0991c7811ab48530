"""`python -m tests.typing`: see tests/typing/checking.py."""

import sys

from tests.typing.checking import main

sys.exit(main(sys.argv[1:]))
