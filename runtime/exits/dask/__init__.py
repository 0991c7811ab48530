"""Functions that leave for the workers of Dask: see docs/exports.md."""
