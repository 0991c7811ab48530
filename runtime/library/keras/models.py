"""Models, under the names of Keras, and models in files.

    model.save("digits.keras")
    model = runtime.keras.models.load_model("digits.keras")         # perhaps in another program
    model.fit(images, labels)                                       # goes on with the optimizer's state

What is written is a saved model, a directory whatever its name ends with: the graphs of the model, not the code.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

from runtime import saved_model
from runtime.library import nest
from runtime.library.keras.compiled import compile_again, described, keep
from runtime.library.layers import Model, Sequential, clone_model
from runtime.ops.arrays.shape import cast

__all__ = ["Model", "Sequential", "clone_model", "load_model", "save_model"]


def save_model(model: Any, filepath: Any, overwrite: bool = True) -> None:
    """Writes a model that has been built: weights, what it computes, the terms of its loss by regularizers, and how it
    was compiled, with the state of its optimizer.

    filepath: a directory, which is made. Raises FileExistsError where there is something and overwrite is False, and
    ValueError for what no file can hold, such as terms of the loss that `call` adds.
    """
    if not isinstance(model, Model):
        raise TypeError(f"save_model takes a Model; got {model!r}; others are saved by runtime.saved_model.save")
    if not model.built and model.__dict__.get("_input_specs") is None:  # a Sequential may know its input before a call
        raise ValueError(f"{model.name!r} has no weights yet, so there is nothing to save: call it once, or build it")
    if not overwrite and os.path.exists(filepath):
        raise FileExistsError(f"{os.fspath(filepath)} is there already; overwrite=True writes over it")
    if (adding := model.adds_terms()) is not None:
        raise ValueError(
            f"{model.name!r}: {adding!r} adds a term to the loss in each call, which no file can hold; for what the"
            " model computes without it take runtime.saved_model.save"
        )
    how = described(model)
    saved_model.save(model.found if isinstance(model, _Loaded) else model, filepath)
    keep(how, filepath)


def load_model(filepath: Any, custom_objects: Any = None, compile: bool = True) -> Any:
    """A model that was saved: it predicts, and is compiled as the saved one was, so that its training goes on.

    Its layers are those of the graphs that were saved. custom_objects: the program's own functions and classes that it
    was compiled with, by their names. compile: False for a model that is not compiled.
    """
    made = _Loaded(saved_model.load(filepath))
    if compile:
        compile_again(made, filepath, custom_objects)
    return made


class _Loaded(Model):
    """A model by what was saved of it."""

    def __init__(self, found: Any) -> None:
        super().__init__(name=getattr(found, "name", None), trainable=getattr(found, "trainable", True))
        self.found = found
        self.built = True
        self.output_names: list[str] = []

    @property
    def layers(self) -> Sequence[Any]:
        """What was saved of its layers."""
        return list(getattr(self.found, "layers", ()))

    @property
    def losses(self) -> list[Any]:
        """The terms of the loss by regularizers."""
        return list(self.found.terms_of_weights()) if hasattr(self.found, "terms_of_weights") else []

    def call(self, inputs: Any, training: Any = None) -> Any:
        """inputs: as the model took them that was saved; floats and integers of other widths are cast."""
        specs = nest.flatten(vars(self.found).get("_input_specs"))
        tensors = nest.flatten(inputs)
        if len(specs) == len(tensors):
            inputs = nest.pack_sequence_as(inputs, [_fitting(*pair) for pair in zip(tensors, specs, strict=True)])
        return self.found(inputs) if training is None else self.found(inputs, training=training)


def _fitting(tensor: Any, spec: Any) -> Any:
    """A tensor in the dtype that the saved model takes, where no number can become another one but by its width."""
    wanted, given = getattr(spec, "dtype", tensor.dtype), tensor.dtype
    fits = (wanted.is_floating and (given.is_floating or given.is_integer)) or (wanted.is_integer and given.is_integer)
    return cast(tensor, wanted) if fits and given is not wanted else tensor
