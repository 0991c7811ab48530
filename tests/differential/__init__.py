"""Differential testing: seeded random programs, run as they are, converted, and staged; every run must agree.

A program is source text made from a seed, so a failure is one number, and a shrinker turns that number into a few
lines.  What is compared is everything that a program can do: the values that it logs, in order, what it returns, the
state that it leaves in its arguments and globals, and its exception with the user's line.

Example (a longer run than the one of the test suite):

    python -m tests.differential --count 20000 --seed 7 --family staged
    python -m tests.differential --count 2000 --family containers               # lists, dicts, objects that names share
    python -m tests.differential --count 3000 --family arrays                   # ndarrays as memory, against numpy
    python -m tests.differential --count 1000 --family stateful                 # methods that are called again
    python -m pytest tests/differential -m slow -s -n 0         # 20,000 programs of both modes, with the table of pairs
"""
