"""`runtime.train`: what is written and read around a training.

>>> feature = runtime.train.Feature(int64_list=runtime.train.Int64List(value=[31]))
>>> runtime.train.Example(features=runtime.train.Features(feature={"age": feature})).SerializeToString()
b'\\n\\x0e\\n\\x0c\\n\\x03age\\x12\\x05\\x1a\\x03\\n\\x01\\x1f'

    checkpoint = runtime.train.Checkpoint(model=model, optimizer=optimizer)
    manager = runtime.train.CheckpointManager(checkpoint, "training", max_to_keep=3)
    manager.restore_or_initialize()    # then, now and then: manager.save()
"""

from __future__ import annotations

from runtime.checkpoint.checkpoint import Checkpoint
from runtime.checkpoint.files import (
    CheckpointReader,
    CheckpointState,
    get_checkpoint_state,
    latest_checkpoint,
    list_variables,
    load_checkpoint,
    load_variable,
    update_checkpoint_state,
)
from runtime.checkpoint.manager import CheckpointManager
from runtime.checkpoint.waiting import checkpoints_iterator
from runtime.library.train.example import (
    BytesList,
    Example,
    Feature,
    FeatureList,
    FeatureLists,
    Features,
    FloatList,
    Int64List,
    SequenceExample,
)
from runtime.names.elsewhere import explain

__all__ = [
    "BytesList", "Checkpoint", "CheckpointManager", "CheckpointReader", "CheckpointState", "Example", "Feature",
    "FeatureList", "FeatureLists", "Features", "FloatList", "Int64List", "SequenceExample", "checkpoints_iterator",
    "get_checkpoint_state", "latest_checkpoint", "list_variables", "load_checkpoint", "load_variable",
    "update_checkpoint_state",
]  # fmt: skip

explain(__name__)
