"""`runtime.layers`: parts of models that make their weights when they are first called.

>>> model = runtime.layers.Sequential([runtime.layers.Dense(4, activation="relu"), runtime.layers.Dense(1)])
>>> model(runtime.ones([2, 3])).shape
TensorShape([2, 1])
>>> [v.name for v in model.trainable_variables]
['sequential/dense/kernel:0', 'sequential/dense/bias:0', 'sequential/dense_1/kernel:0', 'sequential/dense_1/bias:0']

A layer is a `runtime.Module`: `variables`, `trainable_variables` and `submodules` are found through attributes, lists
and dicts. It works eagerly and in Functions, also when a Function is the first to call it.
"""

from __future__ import annotations

from runtime.library.layers import activations, callbacks, initializers, operators, regularizers
from runtime.library.layers.cells import GRUCell, LSTMCell, SimpleRNNCell
from runtime.library.layers.core import (
    Activation,
    Dense,
    Dropout,
    Embedding,
    Flatten,
    Input,
    InputLayer,
    Lambda,
    LeakyReLU,
    ReLU,
    Reshape,
    Softmax,
)
from runtime.library.layers.directions import Bidirectional
from runtime.library.layers.functional import Functional, clone_model
from runtime.library.layers.layer import Layer
from runtime.library.layers.merging import (
    Add,
    Average,
    Concatenate,
    Dot,
    Maximum,
    Minimum,
    Multiply,
    Subtract,
    add,
    average,
    concatenate,
    dot,
    maximum,
    minimum,
    multiply,
    subtract,
)
from runtime.library.layers.model import Model
from runtime.library.layers.normalizing import BatchNormalization, LayerNormalization
from runtime.library.layers.over_time import GlobalAveragePooling1D, GlobalMaxPooling1D
from runtime.library.layers.recurrent import GRU, LSTM, RNN, SimpleRNN
from runtime.library.layers.sequential import Sequential
from runtime.library.layers.windows import (
    AveragePooling2D,
    Conv2D,
    Conv2DTranspose,
    GlobalAveragePooling2D,
    GlobalMaxPooling2D,
    MaxPool2D,
    MaxPooling2D,
    UpSampling2D,
)
from runtime.names.elsewhere import explain

assert operators is not None  # what makes steps of Python's operators

__all__ = [
    "GRU", "LSTM", "RNN", "Activation", "Add", "Average", "AveragePooling2D", "BatchNormalization", "Bidirectional",
    "Concatenate", "Conv2D", "Conv2DTranspose", "Dense", "Dot", "Dropout", "Embedding", "Flatten", "Functional",
    "GRUCell", "GlobalAveragePooling1D", "GlobalAveragePooling2D", "GlobalMaxPooling1D", "GlobalMaxPooling2D", "Input",
    "InputLayer", "LSTMCell", "Lambda", "Layer", "LayerNormalization", "LeakyReLU", "MaxPool2D", "MaxPooling2D",
    "Maximum", "Minimum", "Model", "Multiply", "ReLU", "Reshape", "Sequential", "SimpleRNN", "SimpleRNNCell",
    "Softmax", "Subtract", "UpSampling2D", "activations", "add", "average", "callbacks", "clone_model", "concatenate",
    "dot", "initializers", "maximum", "minimum", "multiply", "regularizers", "subtract",
]  # fmt: skip

explain(__name__)
