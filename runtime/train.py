"""`runtime.train`: the state of a training in files.

    checkpoint = runtime.train.Checkpoint(model=model, optimizer=optimizer)
    manager = runtime.train.CheckpointManager(checkpoint, "training", max_to_keep=3)
    manager.restore_or_initialize()
    ...
    manager.save()
"""

from runtime.io.checkpoint import Checkpoint
from runtime.io.checkpoint_files import (
    CheckpointReader,
    CheckpointState,
    get_checkpoint_state,
    latest_checkpoint,
    list_variables,
    load_checkpoint,
    load_variable,
    update_checkpoint_state,
)
from runtime.io.checkpoint_manager import CheckpointManager
from runtime.io.checkpoint_waiting import checkpoints_iterator

__all__ = [
    "Checkpoint", "CheckpointManager", "CheckpointReader", "CheckpointState", "checkpoints_iterator",
    "get_checkpoint_state", "latest_checkpoint", "list_variables", "load_checkpoint", "load_variable",
    "update_checkpoint_state",
]  # fmt: skip
