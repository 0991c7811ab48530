"""The example in the docstring of each error raises that error: docs/errors.md is made of them."""

from __future__ import annotations

import inspect
import linecache
import textwrap
import warnings

import pytest

import runtime
from runtime import array_errors, errors


def example_of(error: type[Exception]) -> str:
    """The indented block of the docstring."""
    lines = inspect.cleandoc(error.__doc__ or "").splitlines()
    indented = [line for line in lines if line.startswith("    ") or not line]
    return textwrap.dedent("\n".join(indented)).strip() + "\n"


@pytest.mark.parametrize("name", [*errors.__all__, *(n for n in array_errors.__all__ if n.endswith("Error"))])
def test_the_example_of_an_error_raises_it(name: str) -> None:
    error = getattr(errors, name, None) or getattr(array_errors, name)
    text = example_of(error)
    assert text.strip(), "each public error shows an example"
    filename = f"<example of {name}>"
    linecache.cache[filename] = (len(text), None, text.splitlines(keepends=True), filename)
    with pytest.raises(error), warnings.catch_warnings():
        if issubclass(error, Warning):
            warnings.simplefilter("error", error)
        exec(compile(text, filename, "exec"), {"runtime": runtime, "Graph": runtime.Graph})
