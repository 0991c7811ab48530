"""What nodes are here, one file per family; importing the package fills the table (runtime.exits.onnx.reading)."""

from runtime.exits.onnx.readings import arithmetic, elements, reductions, shapes

__all__ = ["arithmetic", "elements", "reductions", "shapes"]
