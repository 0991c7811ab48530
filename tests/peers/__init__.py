"""The records of operations against TensorFlow: values, dtypes, gradients and errors.

    python -m tests.peers.environment .peers        # a virtual environment with TensorFlow, and these tests in it

They are collected where TensorFlow can be imported, and nowhere else.
"""
