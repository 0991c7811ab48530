"""ONNX: graphs as files that other programs run, and files as Functions. The public names are in `runtime.export`."""
