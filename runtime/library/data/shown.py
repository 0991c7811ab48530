"""What notebooks ask of datasets; what draws is loaded when one does.

    Dataset._repr_html_, Dataset._repr_svg_ = dataset_html, dataset_svg
"""

from __future__ import annotations

from typing import Any

__all__ = ["dataset_html", "dataset_svg"]


def dataset_html(dataset: Any) -> str:
    """The steps of a dataset as HTML."""
    from runtime.library.data import drawing

    return drawing.html(dataset)


def dataset_svg(dataset: Any) -> str | None:
    """The steps as a file of SVG; None of a dataset that a graph will make."""
    from runtime.library.data import drawing

    return drawing.file(dataset)
