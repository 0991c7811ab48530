"""Breaks made by hand: each takes one promise away in one place, and the tests named with it must notice.

python -m tests.mutations
"""
