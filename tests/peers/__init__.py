"""The same with TensorFlow and JAX: operations, random programs and pipelines, whole programs, training.

    python -m tests.peers.environment .peers        # a virtual environment with both, and these tests in it
    .peers/bin/python -m pytest -n auto tests/peers

They are collected where TensorFlow or JAX can be imported, and nowhere else. What differs is listed with its reason: in
`tensorflow_calls.py`, `jax_calls.py` and `test_tensorflow_values.py`.
"""
