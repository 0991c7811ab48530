"""The same work by several libraries, each in a process of its own: what `python -m benchmarks native` measures.

    work.py      one piece of work: how each library does it, and how many times as fast as which of them ours is to be
    worker.py    the process of one library, which measures on request
    scalars.py, arrays.py, networks.py, programs_*.py      the works
"""
