"""Tests, laid out as the packages are; a package so that `python -m tests.differential` works."""
