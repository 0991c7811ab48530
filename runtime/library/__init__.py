"""What is made of operations, graphs and functions: the namespaces that users type, parts of models, datasets.

Each module is public one level higher, `runtime.library.math` as `runtime.math`; `runtime.late` says how. Nothing of
the small runtime beside this folder imports it.
"""
