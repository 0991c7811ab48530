"""`Model`: a layer made of layers, with the loops that train it.

    class Net(keras.Model):
        def __init__(self):
            super().__init__()
            self.last = layers.Dense(1)

        def call(self, inputs):
            return self.last(inputs)

    keras.Model(inputs, outputs)       # of symbols: runtime.layers.functional
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, Self, overload

from runtime.function.function import Function
from runtime.function.options import Options
from runtime.higher import HIGHER
from runtime.library.layers.beside import TERMS
from runtime.library.layers.describing import Layers, find_layer, read_weights, summary_lines, write_weights
from runtime.library.layers.layer import Layer

__all__ = ["Model", "as_functional"]

as_functional: Final[list[Any]] = []
"""The class of models of inputs and outputs, which that module puts here."""


class Model(Layer):
    """A layer made of layers: subclass it, make the layers in `__init__`, and use them in `call`.

    `Model(inputs, outputs)` is one of the layers between symbols. `compile`, `fit`, `evaluate` and `predict` are the
    usual loops over batches (`runtime.layers.fitting`).
    """

    def __new__(cls, *args: Any, **kwargs: Any) -> Self:
        is_functional = Model is cls and (len(args) > 1 or "outputs" in kwargs)
        return super().__new__(as_functional[0] if is_functional else cls, *args, **kwargs)

    if TYPE_CHECKING:

        @overload
        def __init__(self, inputs: Any, outputs: Any, name: str | None = None, trainable: bool = True) -> None: ...
        @overload
        def __init__(self, name: str | None = None, trainable: bool = True, dtype: Any = None) -> None: ...
        def __init__(self, *args: Any, **kwargs: Any) -> None: ...

    layers: Any = Layers(lambda value: isinstance(value, Layer))
    stop_training = False
    """Set by callbacks: `fit` ends after the epoch."""
    history: Any = None
    """What the last `fit` has returned."""

    @property
    def optimizer(self) -> Any:
        """The optimizer that `compile` was given; None before."""
        return getattr(self.__dict__.get("_training"), "optimizer", None)

    def get_layer(self, name: str | None = None, index: int | None = None) -> Any:
        """One of the `layers`, by its name or position. Raises ValueError if there is none."""
        return find_layer(self, name, index)

    def summary(self, print_fn: Any = None) -> None:
        """Prints the layers and the numbers of their weights. print_fn: called with each line instead of print."""
        for line in summary_lines(self):
            (print_fn or print)(line)

    def save_weights(self, filepath: Any) -> None:
        """Writes the weights to a file of numpy's (npz), whatever its name ends with."""
        write_weights(self, filepath)

    def load_weights(self, filepath: Any) -> None:
        """Sets the weights to those that `save_weights` has written; the model must have been built."""
        read_weights(self, filepath)

    def save(self, filepath: Any, overwrite: bool = True, zipped: Any = None) -> None:
        """Writes the model, for `keras.models.load_model`: see `keras.models.save_model`. zipped: accepted."""
        HIGHER["keras.models"]().save_model(self, filepath, overwrite)

    def adds_terms(self) -> Layer | None:
        """A layer, or the model itself, whose calls add terms to the loss; None if there is none."""
        layers = (m for m in (self, *self.submodules) if isinstance(m, Layer))
        return next((each for each in layers if each.activity_regularizer is not None or TERMS.get(each)), None)

    def __saved_functions__(self) -> dict[str, Function[..., Any]]:
        """In addition to those of a layer, the terms of the loss by regularizers of weights."""
        made = super().__saved_functions__()
        if made and self.terms_of_weights():
            terms: Function[..., Any] = Function(self.terms_of_weights, Options(name="terms_of_weights"))
            terms.get_concrete_function()
            made["terms_of_weights"] = terms
        return made

    def _saved_parts(self) -> dict[str, Any]:
        training = self.__dict__.get("_training")
        return super()._saved_parts() | ({} if training is None else {"optimizer": training.optimizer})

    def compile(
        self, optimizer: Any = "rmsprop", loss: Any = None, loss_weights: Any = None, metrics: Any = (),
        run_eagerly: bool = False,
    ) -> None:  # fmt: skip
        """Says how the model is trained. optimizer, loss: a name, an object or a function of (y_true, y_pred); metrics:
        names ("accuracy", those of losses), objects or such functions. Of several outputs loss, loss_weights and
        metrics are lists, or dicts by their names. run_eagerly: without Functions."""
        from runtime.library.layers.fitting import Training

        self._training = Training(self, optimizer, loss, metrics or (), run_eagerly, loss_weights)

    def fit(
        self, x: Any, y: Any = None, batch_size: int | None = None, epochs: int = 1, verbose: Any = "auto",
        validation_data: Any = None, shuffle: bool = True, sample_weight: Any = None, initial_epoch: int = 0,
        callbacks: Any = None, steps_per_epoch: int | None = None, validation_steps: int | None = None,
        validation_split: float = 0.0,
    ) -> Any:  # fmt: skip
        """Trains the model; returns a History, whose `history` has the numbers of each epoch.

        x, y, sample_weight: arrays of equally many rows, cut into batches of batch_size (32); or x: a Dataset of
        batches. validation_data: (x, y) or a Dataset, of which each epoch tells the numbers with val_ before them.
        verbose: 0 or False to print nothing. shuffle: the rows of arrays, anew for each epoch. callbacks: see
        `keras.callbacks`. steps_per_epoch: so many batches are an epoch, and the next one goes on where it ended;
        validation_steps: so many batches of validation_data are used, the first ones. validation_split: this share of
        the rows, the last ones, is kept from the training and used as validation_data.
        """
        from runtime.library.layers.fitting import Data, Plan

        parts = validation_data if isinstance(validation_data, tuple) else (validation_data,)
        validation = None if validation_data is None else Data(*parts)
        data = Data(x, y, sample_weight, batch_size)
        if validation_split and validation is None:
            data, validation = data.split(validation_split)
        plan = Plan(epochs, initial_epoch, steps_per_epoch, validation_steps, bool(shuffle), verbose)
        return self._compiled().fit(data, validation, plan, callbacks)

    def evaluate(
        self, x: Any, y: Any = None, batch_size: int | None = None, verbose: Any = "auto", sample_weight: Any = None,
        return_dict: bool = False, steps: int | None = None,
    ) -> Any:  # fmt: skip
        """The loss, or a list of the loss and the metrics (a dict with return_dict), over data as `fit` takes them.
        steps: use so many batches, the first ones."""
        from runtime.library.layers.fitting import Data

        found = self._compiled().evaluate(Data(x, y, sample_weight, batch_size), steps)
        if verbose:
            print(" - ".join(f"{name}: {value:.4f}" for name, value in found.items()))
        values = list(found.values())
        return found if return_dict else values[0] if len(values) == 1 else values

    def predict(
        self, x: Any, batch_size: int | None = None, verbose: Any = "auto", steps: int | None = None
    ) -> Any:
        """What the model says of all x, as an array. x: an array, or a Dataset of batches; steps: so many of them."""
        from runtime.library.layers.fitting import Data, Training, predictions

        training = self.__dict__.get("_training") or Training(self, "sgd", None, (), False)
        return predictions(training, Data(x, batch_size=batch_size), steps)

    def _compiled(self) -> Any:
        if self.__dict__.get("_training") is None:
            raise RuntimeError(f"{self.name!r} must be compiled first: model.compile(optimizer=..., loss=...)")
        return self._training
