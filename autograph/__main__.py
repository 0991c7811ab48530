"""`python -m autograph FILE...`: the same command line as the console script `autograph`.

`python -m` puts the current folder first in the import path. The folder may hold the very files that are to be
converted, and a `difflib.py` among them must not be imported in place of the library's, so it is taken out first.
"""

import sys

if not sys.flags.safe_path and sys.path:
    del sys.path[0]

from autograph.cli import main

if __name__ == "__main__":
    sys.exit(main())
