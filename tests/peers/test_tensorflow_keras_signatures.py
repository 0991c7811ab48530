"""The parts of training are made and called as in Keras: the parameters that Keras names, in its order.

What a class takes by `**options` it takes from the classes above it. A parameter that only Keras has is in `LEFT_OUT`
with a reason, a name that is called in another way in `OTHERWISE`; a row that nothing needs any more fails.
"""

from __future__ import annotations

import inspect
from typing import Any, Final

import runtime
from tests.peers.test_tensorflow_signatures import difference_of, names_of, parameters_of

MODULES: Final = tuple(
    f"keras.{room}" for room in ("activations", "initializers", "layers", "losses", "metrics", "optimizers")
) + ("keras",)

_PRINTED: Final = "a summary is one table"
_FILES: Final = "weights are in one file, which fits the model"
_CONSTRAINED: Final = "a Variable takes a constraint; layers do not hand one on"
_LOOPS: Final = "fit is the plain loop; others are written out with a tape"
_SHAPES: Final = "an input says its shape without the batch, and is dense"
_PRECISION: Final = "about models in several precisions"

LEFT_OUT: Final[dict[str, str]] = {
    **dict.fromkeys(("line_length", "positions", "expand_nested", "show_trainable", "layer_range"), _PRINTED),
    **dict.fromkeys(("skip_mismatch", "overwrite", "max_shard_size"), _FILES),
    **dict.fromkeys(("_", "output_shape"), "nothing is done with it"),
    **dict.fromkeys(("constraint", "kernel_constraint", "recurrent_constraint", "bias_constraint",
                     "embeddings_constraint", "beta_constraint", "gamma_constraint", "depthwise_constraint",
                     "pointwise_constraint"), _CONSTRAINED),
    **dict.fromkeys(("attention_axes", "sliding_window", "flash_attention", "use_gate"),
                    "attention between the rows of the second axis, all of them, in the plain way"),
    **dict.fromkeys(("callbacks", "class_weight", "validation_batch_size", "validation_freq",
                     "weighted_metrics", "steps_per_execution", "jit_compile", "auto_scale_loss"), _LOOPS),
    **dict.fromkeys(("sparse", "ragged", "tensor", "input_tensor", "optional"), _SHAPES),
    **dict.fromkeys(("autocast", "loss_scale_factor", "quantization_config"), _PRECISION),
    **dict.fromkeys(("lora_rank", "lora_alpha"), "about models that are trained again in few numbers"),
    **dict.fromkeys(("use_ema", "ema_momentum", "ema_overwrite_frequency"), "running means of weights"),
    **dict.fromkeys(("input_axes", "output_axes"), "the last two axes of a shape are those of inputs and outputs"),
    **dict.fromkeys(("mask",), "the mask of the inputs reaches layers that take it"),
    **dict.fromkeys(("renorm", "renorm_clipping", "renorm_momentum"), "another layer than this one"),
    **dict.fromkeys(("aggregation", "synchronized"), "of devices, of which there is one"),
    **dict.fromkeys(("top_k", "class_id"), "several classes are several measures, each over its column"),
    **dict.fromkeys(("summation_method", "multi_label", "num_labels", "label_weights", "from_logits"),
                    "one curve over probabilities, by trapezoids"),
    "gradient_accumulation_steps": "gradients add up in the program",
    "ignore_class": "sample_weight leaves rows out",
    "output_padding": "the result has the size that it has without it",
    "overwrite_with_gradient": "gradients are no weights",
    "rebuild": "a model is never built anew",
    "use_cudnn": "about graphics cards",
    "weights": "set_weights sets them",
}  # fmt: skip
"""Parameters that only Keras has, and why."""

_TRAINING: Final = "training changes nothing in it; a call of the layer takes it"

OTHERWISE: Final[dict[str, str]] = {
    "keras.Model.evaluate": "data are always given",
    "keras.Model.fit": "data are always given",
    "keras.Sequential.build": "the first call builds it, or a layer that knows the shape of its input",
    "keras.Sequential.evaluate": "data are always given",
    "keras.Sequential.fit": "data are always given",
    "keras.layers.Dense.call": _TRAINING,
    "keras.layers.Lambda.call": "training reaches layers; a function gets what arguments= gives it",
    **dict.fromkeys((f"keras.layers.{name}.build" for name in ("Bidirectional", "GRU", "LSTM", "RNN", "SimpleRNN")),
                    "input_shape is that of all inputs, as in the class above it"),
    "keras.layers.MultiHeadAttention.build": "the first call builds it, by what it is called with",
    "keras.layers.SimpleRNNCell.call": "sequence is called inputs, as in the other cells",
    "keras.optimizers.Adagrad.build": "var_list is called variables, as in the class above it",
    "keras.optimizers.Adam.build": "var_list is called variables, as in the class above it",
    "keras.optimizers.AdamW.build": "var_list is called variables, as in the class above it",
    "keras.optimizers.RMSprop.build": "var_list is called variables, as in the class above it",
}  # fmt: skip
"""Names that are called in another way, and why. `add_weight` is one for all classes: see below."""


def named(function: Any) -> list[inspect.Parameter]:
    """The parameters with names."""
    found = parameters_of(function) or []
    return [p for p in found if p.kind not in (p.VAR_KEYWORD, p.VAR_POSITIONAL) and p.name != "self"]


def all_named(function: Any) -> list[inspect.Parameter]:
    """Also those that a class hands on to the classes above it."""
    found = parameters_of(function) or []
    above = iter(function.__mro__[1:] if isinstance(function, type) else ())
    while any(p.kind is p.VAR_KEYWORD for p in found) and (base := next(above, None)) not in (None, object):
        found = [p for p in found if p.kind is not p.VAR_KEYWORD]
        known = {p.name for p in found}
        found += [p for p in parameters_of(base) or [] if p.name not in known]
    return [p for p in found if p.kind not in (p.VAR_KEYWORD, p.VAR_POSITIONAL) and p.name != "self"]


def compared() -> list[tuple[str, list[inspect.Parameter], list[inspect.Parameter]]]:
    rows = ((name, named(theirs), all_named(ours)) for name, theirs, ours in names_of(MODULES))
    return [(name, theirs, ours) for name, theirs, ours in rows if theirs or not ours]


def why_not_the_same(theirs: list[inspect.Parameter], ours: list[inspect.Parameter]) -> str | None:
    return difference_of(theirs, ours, LEFT_OUT.keys() - {p.name for p in ours})


def test_layers_losses_metrics_and_optimizers_are_called_as_in_keras() -> None:
    every = compared()
    rows = [row for row in every if not row[0].endswith(".add_weight")]
    found = {name: why for name, theirs, ours in rows if (why := why_not_the_same(theirs, ours)) is not None}
    assert {name: why for name, why in found.items() if name not in OTHERWISE} == {}
    assert sorted(OTHERWISE) == sorted(found), "a row that is not needed any more"
    assert len(rows) > 100
    used = {p.name for _, theirs, ours in every for p in theirs if p.name not in {q.name for q in ours}}
    assert LEFT_OUT.keys() <= used, "a parameter that is not needed any more"


def test_weights_are_added_by_name() -> None:
    """In Keras 3 the shape comes first, in Keras 2 the name; all programs give them by name."""
    rows = [row for row in compared() if row[0].endswith(".add_weight")]
    for name, theirs, ours in rows:
        missing = {p.name for p in theirs} - {p.name for p in ours} - LEFT_OUT.keys()
        assert not missing, (name, missing)
    layer, metric = runtime.keras.layers.Layer(), runtime.keras.metrics.Metric()
    assert layer.add_weight(shape=(2,), initializer="zeros", name="w").shape == [2]
    assert metric.add_weight(name="total", initializer="zeros").shape == []
