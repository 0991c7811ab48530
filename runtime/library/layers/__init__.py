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
from runtime.library.layers.attention import AdditiveAttention, Attention, MultiHeadAttention
from runtime.library.layers.cells import GRUCell, LSTMCell, SimpleRNNCell
from runtime.library.layers.convolutions import (
    Conv1D,
    Conv1DTranspose,
    Conv2D,
    Conv2DTranspose,
    Conv3D,
    Conv3DTranspose,
    DepthwiseConv1D,
    DepthwiseConv2D,
    SeparableConv1D,
    SeparableConv2D,
)
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
from runtime.library.layers.recurrent import GRU, LSTM, RNN, SimpleRNN
from runtime.library.layers.sequential import Sequential
from runtime.library.layers.windows import (
    AveragePooling1D,
    AveragePooling2D,
    AveragePooling3D,
    Cropping1D,
    Cropping2D,
    Cropping3D,
    GlobalAveragePooling1D,
    GlobalAveragePooling2D,
    GlobalAveragePooling3D,
    GlobalMaxPooling1D,
    GlobalMaxPooling2D,
    GlobalMaxPooling3D,
    MaxPooling1D,
    MaxPooling2D,
    MaxPooling3D,
    UpSampling1D,
    UpSampling2D,
    UpSampling3D,
    ZeroPadding1D,
    ZeroPadding2D,
    ZeroPadding3D,
)
from runtime.names.elsewhere import explain

assert operators is not None  # what makes steps of Python's operators

Convolution1D, Convolution2D, Convolution3D = Conv1D, Conv2D, Conv3D
Convolution1DTranspose, Convolution2DTranspose = Conv1DTranspose, Conv2DTranspose
Convolution3DTranspose = Conv3DTranspose
SeparableConvolution1D, SeparableConvolution2D = SeparableConv1D, SeparableConv2D
MaxPool1D, MaxPool2D, MaxPool3D = MaxPooling1D, MaxPooling2D, MaxPooling3D
AvgPool1D, AvgPool2D, AvgPool3D = AveragePooling1D, AveragePooling2D, AveragePooling3D
GlobalAvgPool1D, GlobalAvgPool2D = GlobalAveragePooling1D, GlobalAveragePooling2D
GlobalMaxPool1D, GlobalMaxPool2D = GlobalMaxPooling1D, GlobalMaxPooling2D
GlobalAvgPool3D, GlobalMaxPool3D = GlobalAveragePooling3D, GlobalMaxPooling3D

__all__ = [
    "GRU",
    "LSTM",
    "RNN",
    "Activation",
    "Add",
    "AdditiveAttention",
    "Attention",
    "Average",
    "AveragePooling1D",
    "AveragePooling2D",
    "AveragePooling3D",
    "AvgPool1D",
    "AvgPool2D",
    "AvgPool3D",
    "BatchNormalization",
    "Bidirectional",
    "Concatenate",
    "Conv1D",
    "Conv1DTranspose",
    "Conv2D",
    "Conv2DTranspose",
    "Conv3D",
    "Conv3DTranspose",
    "Convolution1D",
    "Convolution1DTranspose",
    "Convolution2D",
    "Convolution2DTranspose",
    "Convolution3D",
    "Convolution3DTranspose",
    "Cropping1D",
    "Cropping2D",
    "Cropping3D",
    "Dense",
    "DepthwiseConv1D",
    "DepthwiseConv2D",
    "Dot",
    "Dropout",
    "Embedding",
    "Flatten",
    "Functional",
    "GRUCell",
    "GlobalAveragePooling1D",
    "GlobalAveragePooling2D",
    "GlobalAveragePooling3D",
    "GlobalAvgPool1D",
    "GlobalAvgPool2D",
    "GlobalAvgPool3D",
    "GlobalMaxPool1D",
    "GlobalMaxPool2D",
    "GlobalMaxPool3D",
    "GlobalMaxPooling1D",
    "GlobalMaxPooling2D",
    "GlobalMaxPooling3D",
    "Input",
    "InputLayer",
    "LSTMCell",
    "Lambda",
    "Layer",
    "LayerNormalization",
    "LeakyReLU",
    "MaxPool1D",
    "MaxPool2D",
    "MaxPool3D",
    "MaxPooling1D",
    "MaxPooling2D",
    "MaxPooling3D",
    "Maximum",
    "Minimum",
    "Model",
    "MultiHeadAttention",
    "Multiply",
    "ReLU",
    "Reshape",
    "SeparableConv1D",
    "SeparableConv2D",
    "SeparableConvolution1D",
    "SeparableConvolution2D",
    "Sequential",
    "SimpleRNN",
    "SimpleRNNCell",
    "Softmax",
    "Subtract",
    "UpSampling1D",
    "UpSampling2D",
    "UpSampling3D",
    "ZeroPadding1D",
    "ZeroPadding2D",
    "ZeroPadding3D",
    "activations",
    "add",
    "average",
    "callbacks",
    "clone_model",
    "concatenate",
    "dot",
    "initializers",
    "maximum",
    "minimum",
    "multiply",
    "regularizers",
    "subtract",
]  # fmt: skip

explain(__name__)
