"""`runtime.distribute`: strategies, and functions on the workers of Dask.

    strategy = runtime.distribute.DaskStrategy(client)
    strategy.fit(model, images, labels, epochs=3, checkpoint="training")

See docs/exports.md.
"""

from __future__ import annotations

from runtime.distribute.dask import DaskStrategy
from runtime.distribute.jax import JaxStrategy
from runtime.distribute.mesh import Mesh, MeshStrategy
from runtime.distribute.sharded import ShardedStrategy
from runtime.distribute.shards import PerReplica
from runtime.distribute.strategies import (
    InputContext,
    MirroredStrategy,
    OneDeviceStrategy,
    ReduceOp,
    ReplicaContext,
    Strategy,
    get_replica_context,
    get_strategy,
    has_strategy,
    in_cross_replica_context,
)
from runtime.exits.dask.blocks import map_blocks

__all__ = [
    "DaskStrategy", "InputContext", "JaxStrategy", "Mesh", "MeshStrategy", "MirroredStrategy", "OneDeviceStrategy",
    "PerReplica", "ReduceOp", "ReplicaContext", "ShardedStrategy", "Strategy", "get_replica_context", "get_strategy",
    "has_strategy", "in_cross_replica_context", "map_blocks",
]  # fmt: skip
