"""`runtime.optimizers`: steps of gradient descent that change Variables.

>>> w = runtime.Variable(3.0)
>>> optimizer = runtime.optimizers.SGD(learning_rate=0.5)
>>> optimizer.minimize(lambda: w * w, [w])
<tf.Variable 'sgd/iterations:0' shape=() dtype=int64, numpy=1>
>>> w.numpy()
np.float32(0.0)

They work eagerly and in Functions. `iterations` counts the steps, and `variables` are the state that is saved.
`schedules` has learning rates that change with the steps.
"""

from __future__ import annotations

from runtime.library.optimizers import schedules
from runtime.library.optimizers.methods import SGD, Adagrad, Adam, AdamW, Momentum, RMSprop
from runtime.library.optimizers.optimizer import Optimizer
from runtime.names.elsewhere import explain

__all__ = ["SGD", "Adagrad", "Adam", "AdamW", "Momentum", "Optimizer", "RMSprop", "schedules"]

explain(__name__)
