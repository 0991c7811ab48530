"""Programs over layers with windows and layers of attention, as the guides on sequences and images write them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np

from tests.guides.models import weights_of

__all__ = ["PROGRAMS"]

Program = Callable[[Any], Any]

SIZES: Final = {1: (9,), 2: (6, 5), 3: (5, 4, 6)}


def rows(*shape: int) -> Any:
    """Known numbers, none of which equals another."""
    return np.sin(np.arange(np.prod(shape)) * 1.7).reshape(shape).astype(np.float32)


def told(m: Any, result: Any) -> Any:
    """A tensor by its shape and three sums over its elements, with other weights each: it is kept in little space."""
    count = int(np.prod(result.shape))
    flat = m.cast(m.reshape(result, [count]), m.float64)
    weights = np.cos(np.outer([0.0, 1.0, 1.9], np.arange(count)))
    return tuple(result.shape), m.linalg.matvec(m.constant(weights), flat)


def inputs(rank: int, channels: int = 4) -> Any:
    """Two sequences, images or volumes."""
    return rows(2, *SIZES[rank], channels)


def layer(name: str, rank: int, *args: Any, **options: Any) -> Program:
    """What a layer gives, the shapes of its weights, and its result in a Function."""

    def program(m: Any) -> Any:
        made = getattr(m.keras.layers, name)(*args, **options)
        x = inputs(rank)
        first = made(x)
        if made.weights:
            weights_of(made)
        result = made(x)
        again = m.function(made)(m.constant(x))
        same = m.reduce_max(m.abs(result - again)) < 1e-5
        return [[tuple(w.shape) for w in made.weights], first.shape == result.shape, same, told(m, result)]

    return program


def _convolutions() -> dict[str, Program]:
    found = {}
    for rank in (1, 2, 3):
        found |= {
            f"Conv{rank}D": layer(f"Conv{rank}D", rank, 3, 2),
            f"Conv{rank}D same, strides": layer(f"Conv{rank}D", rank, 3, 3, strides=2, padding="same"),
            f"Conv{rank}D dilated": layer(f"Conv{rank}D", rank, 2, 2, dilation_rate=2, activation="relu"),
            f"Conv{rank}D groups": layer(f"Conv{rank}D", rank, 4, 2, groups=2, use_bias=False),
            f"Conv{rank}DTranspose": layer(f"Conv{rank}DTranspose", rank, 3, 2),
            f"Conv{rank}DTranspose same": layer(f"Conv{rank}DTranspose", rank, 2, 3, strides=2, padding="same"),
        }
    for rank in (1, 2):
        depthwise, separable = f"DepthwiseConv{rank}D", f"SeparableConv{rank}D"
        found |= {
            depthwise: layer(depthwise, rank, 3),
            f"{depthwise} many": layer(depthwise, rank, 2, depth_multiplier=3, padding="same", activation="tanh"),
            f"{depthwise} strides": layer(depthwise, rank, 3, strides=2, padding="same", use_bias=False),
            f"{depthwise} dilated": layer(depthwise, rank, 2, dilation_rate=2),
            separable: layer(separable, rank, 3, 2),
            f"{separable} many": layer(separable, rank, 5, 3, depth_multiplier=2, strides=2, padding="same"),
            f"{separable} without a bias": layer(separable, rank, 2, 2, use_bias=False, activation="relu"),
        }
    return found | {
        "Conv1D causal": layer("Conv1D", 1, 2, 3, padding="causal"),
        "Conv1D causal dilated": layer("Conv1D", 1, 2, 2, padding="causal", dilation_rate=3),
        "SeparableConv1D causal": layer("SeparableConv1D", 1, 2, 3, padding="causal"),
        "Conv2D causal": layer("Conv2D", 2, 2, 3, padding="causal"),
        "Conv2D by axes": layer("Conv2D", 2, 3, (2, 3), strides=(2, 1)),
        "Conv3D by axes": layer("Conv3D", 3, 2, (2, 1, 3), strides=(1, 2, 2), padding="same"),
        "Conv1D of images": lambda m: m.keras.layers.Conv1D(2, 2)(inputs(3)),
        "Convolution2D": layer("Convolution2D", 2, 3, 2),
        "SeparableConvolution2D": layer("SeparableConvolution2D", 2, 3, 2),
        "kernel_size of too many": lambda m: m.keras.layers.Conv1D(2, (2, 2)),
    }


def _poolings() -> dict[str, Program]:
    found = {}
    for rank in (1, 2, 3):
        for kind in ("MaxPooling", "AveragePooling"):
            name = f"{kind}{rank}D"
            found |= {
                name: layer(name, rank, 2),
                f"{name} same": layer(name, rank, 3, strides=2, padding="same"),
                f"{name} overlapping": layer(name, rank, 3, strides=1),
            }
        for kind in ("GlobalAveragePooling", "GlobalMaxPooling"):
            name = f"{kind}{rank}D"
            found |= {name: layer(name, rank), f"{name} keepdims": layer(name, rank, keepdims=True)}
        for short in (f"MaxPool{rank}D", f"AvgPool{rank}D", f"GlobalAvgPool{rank}D", f"GlobalMaxPool{rank}D"):
            found[short] = layer(short, rank, *(() if "Global" in short else (3,)))
    return found


RESIZED: Final[dict[str, Program]] = {
    "UpSampling1D": layer("UpSampling1D", 1),
    "UpSampling1D by 3": layer("UpSampling1D", 1, 3),
    "UpSampling2D": layer("UpSampling2D", 2),
    "UpSampling2D by axes": layer("UpSampling2D", 2, (1, 3)),
    "UpSampling2D bilinear": layer("UpSampling2D", 2, 2, interpolation="bilinear"),
    "UpSampling3D": layer("UpSampling3D", 3),
    "UpSampling3D by axes": layer("UpSampling3D", 3, (1, 2, 3)),
    "ZeroPadding1D": layer("ZeroPadding1D", 1),
    "ZeroPadding1D on one side": layer("ZeroPadding1D", 1, (0, 2)),
    "ZeroPadding2D": layer("ZeroPadding2D", 2),
    "ZeroPadding2D by 2": layer("ZeroPadding2D", 2, 2),
    "ZeroPadding2D by axes": layer("ZeroPadding2D", 2, (1, 2)),
    "ZeroPadding2D by sides": layer("ZeroPadding2D", 2, ((1, 0), (2, 1))),
    "ZeroPadding3D": layer("ZeroPadding3D", 3),
    "ZeroPadding3D by axes": layer("ZeroPadding3D", 3, (1, 0, 2)),
    "ZeroPadding2D of three": lambda m: m.keras.layers.ZeroPadding2D((1, 2, 3)),
    "Cropping1D": layer("Cropping1D", 1),
    "Cropping1D on one side": layer("Cropping1D", 1, (0, 3)),
    "Cropping2D": layer("Cropping2D", 2),
    "Cropping2D by axes": layer("Cropping2D", 2, (1, 2)),
    "Cropping2D by sides": layer("Cropping2D", 2, ((1, 0), (2, 1))),
    "Cropping3D": layer("Cropping3D", 3),
    "Cropping3D by sides": layer("Cropping3D", 3, ((1, 0), (0, 1), (2, 2))),
    "Cropping1D of all": lambda m: m.keras.layers.Cropping1D((5, 4))(inputs(1)),
    "Cropping2D negative": lambda m: m.keras.layers.Cropping2D(-1),
}

QUERY: Final = rows(2, 3, 4)
VALUE: Final = rows(2, 5, 4) * 2
KEY: Final = np.cos(rows(2, 5, 4) * 9)
SEEN: Final = np.array([[True, True, True, False, False], [True, False, True, True, True]])
ASKED: Final = np.array([[True, True, False], [True, True, True]])


def _attended(kind: str, parts: Any, options: Any = None, **call: Any) -> Program:
    """What a layer of attention gives with known weights."""

    def program(m: Any) -> Any:
        made = getattr(m.keras.layers, kind)(**(options or {}))
        given = {name: m.constant(value) if isinstance(value, np.ndarray) else value for name, value in call.items()}
        if "mask" in given:
            given["mask"] = [None if mask is None else m.constant(mask) for mask in given["mask"]]
        tensors = [m.constant(part) for part in parts]
        args = tensors if kind == "MultiHeadAttention" else [tensors]
        made(*args, **given)
        if made.weights:
            weights_of(made)
        found = made(*args, **given)
        parts_found = found if isinstance(found, list | tuple) else [found]
        return [[tuple(w.shape) for w in made.weights], [told(m, part) for part in parts_found]]

    return program


def _attention() -> dict[str, Program]:
    two, three = (QUERY, VALUE), (QUERY, VALUE, KEY)
    found = {}
    for kind in ("Attention", "AdditiveAttention"):
        found |= {
            kind: _attended(kind, two),
            f"{kind} with keys": _attended(kind, three),
            f"{kind} scale": _attended(kind, two, {"use_scale": True}),
            f"{kind} no scale": _attended(kind, two, {"use_scale": False}),
            f"{kind} scores": _attended(kind, two, return_attention_scores=True),
            f"{kind} causal": _attended(kind, two, use_causal_mask=True),
            f"{kind} masks": _attended(kind, two, mask=[ASKED, SEEN]),
            f"{kind} mask and causal": _attended(kind, two, mask=[None, SEEN], use_causal_mask=True),
            f"{kind} of one": _attended(kind, (QUERY,)),
            f"{kind} dropout, not trained": _attended(kind, two, {"dropout": 0.5}),
        }
    heads = {"num_heads": 2, "key_dim": 3}
    kind = "MultiHeadAttention"
    return found | {
        "Attention concat": _attended("Attention", two, {"score_mode": "concat"}),
        "Attention of a mode that there is not": _attended("Attention", two, {"score_mode": "product"}),
        kind: _attended(kind, two, heads),
        f"{kind} with keys": _attended(kind, three, heads),
        f"{kind} with itself": _attended(kind, (QUERY, QUERY), heads),
        f"{kind} value_dim": _attended(kind, two, {**heads, "value_dim": 5}),
        f"{kind} output_shape": _attended(kind, two, {**heads, "output_shape": 7}),
        f"{kind} no bias": _attended(kind, two, {**heads, "use_bias": False}),
        f"{kind} scores": _attended(kind, two, heads, return_attention_scores=True),
        f"{kind} causal": _attended(kind, two, heads, use_causal_mask=True),
        f"{kind} attention_mask": _attended(kind, two, heads, attention_mask=SEEN[:, None, :] & ASKED[:, :, None]),
        f"{kind} value_mask": _attended(kind, two, heads, value_mask=SEEN),
        f"{kind} query_mask": _attended(kind, two, heads, query_mask=ASKED, use_causal_mask=True),
        f"{kind} key_mask": _attended(kind, three, heads, key_mask=SEEN),
        f"{kind} dropout, not trained": _attended(kind, two, {**heads, "dropout": 0.9}),
        f"{kind} with masks of an Embedding": _of_words,
        f"{kind} in a model": _model_with_attention,
        "Attention in a model": _model_with_dots,
    }


def _of_words(m: Any) -> Any:
    k = m.keras.layers
    words = m.constant([[1, 2, 0, 0], [3, 0, 0, 0]])
    embedding, attention = k.Embedding(5, 4, mask_zero=True), k.MultiHeadAttention(1, 2)
    x = embedding(words)
    attention(x, x)
    weights_of(embedding)
    weights_of(attention)
    x = embedding(words)
    return attention(x, x) * m.cast(words != 0, m.float32)[:, :, None]  # the others do not count


def _model_with_attention(m: Any) -> Any:
    k = m.keras
    x = k.Input(shape=(3, 4))
    attended = k.layers.MultiHeadAttention(2, 2, name="attention")(x, x)
    model = k.Model(x, k.layers.Dense(1)(k.layers.add([x, attended])))
    weights_of(model)
    model.compile("sgd", loss="mse")
    history = model.fit(QUERY, QUERY[:, :, :1], epochs=2, batch_size=2, verbose=0, shuffle=False).history
    return [[float(v) for v in history["loss"]], m.constant(model.predict(QUERY, verbose=0))]


def _model_with_dots(m: Any) -> Any:
    k = m.keras
    x, y = k.Input(shape=(3, 4)), k.Input(shape=(5, 4))
    model = k.Model([x, y], k.layers.GlobalAveragePooling1D()(k.layers.Attention()([x, y])))
    return m.constant(model.predict([QUERY, VALUE], verbose=0))


PROGRAMS: Final[dict[str, Program]] = {**_convolutions(), **_poolings(), **RESIZED, **_attention()}
