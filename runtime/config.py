"""Settings that hold for the whole process.

runtime.config.run_functions_eagerly(True)      # functions run as plain Python: pdb and print see values
with runtime.config.run_functions_eagerly(True): ...     # for a while; then as before
runtime.config.list_physical_devices()          # the one device that there is
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

__all__ = [
    "CPU_NAME", "PhysicalDevice", "experimental_functions_run_eagerly", "experimental_run_functions_eagerly",
    "functions_run_eagerly", "get_soft_device_placement", "get_visible_devices", "list_logical_devices",
    "list_physical_devices", "run_functions_eagerly", "set_soft_device_placement",
]  # fmt: skip

_eagerly = False
_tapes_are_open = False
_attentive = False  # whether one of them is true: then calls of Functions take the long way
_soft_placement = True


@dataclass(frozen=True)
class PhysicalDevice:
    """A device of this machine."""

    name: str
    device_type: str


CPU_NAME: Final = "/job:localhost/replica:0/task:0/device:CPU:0"
"""The whole name of the device that everything is on."""

_DEVICES: Final = (PhysicalDevice("/physical_device:CPU:0", "CPU"),)


class _Setting:
    """What `run_functions_eagerly` returns: at the end of a `with`, the setting is again what it was before."""

    __slots__ = ("_before",)

    def __init__(self, before: bool) -> None:
        self._before = before

    def __enter__(self) -> None:
        return None

    def __exit__(self, *error: object) -> None:
        _set_eagerly(self._before)


def run_functions_eagerly(run_eagerly: bool) -> _Setting:
    """True: each Function calls its Python function directly, with values. Traces that exist are kept for later.

    The setting holds from now on, in all threads; in a `with` statement, until the end of the block.
    """
    if not isinstance(run_eagerly, bool):
        raise TypeError(f"run_functions_eagerly takes True or False; got {run_eagerly!r}")
    before = _eagerly
    _set_eagerly(run_eagerly)
    return _Setting(before)


def _set_eagerly(value: bool) -> None:
    global _eagerly, _attentive
    _eagerly = value
    _attentive = _eagerly or _tapes_are_open


def let_functions_look(tapes_are_open: bool) -> None:
    """Says whether Functions have to look for tapes when they are called; `runtime.tensor.taping` knows."""
    global _tapes_are_open, _attentive
    _tapes_are_open = tapes_are_open
    _attentive = _eagerly or _tapes_are_open


def functions_run_eagerly() -> bool:
    """Whether Functions run as plain Python."""
    return _eagerly


experimental_run_functions_eagerly = run_functions_eagerly
experimental_functions_run_eagerly = functions_run_eagerly
# Their names in older guides.


def list_physical_devices(device_type: str | None = None) -> list[PhysicalDevice]:
    """The devices of this machine, or those of one type ("CPU", "GPU"): there is one CPU."""
    return [d for d in _DEVICES if device_type in (None, d.device_type)]


def list_logical_devices(device_type: str | None = None) -> list[PhysicalDevice]:
    """The devices that programs use: the same one, under the name that `device` takes."""
    return [PhysicalDevice("/device:CPU:0", "CPU")] if device_type in (None, "CPU") else []


get_visible_devices = list_physical_devices


def set_soft_device_placement(enabled: bool) -> None:
    """True (the default): a `device` that is not there is replaced by the CPU. False: it is an error."""
    global _soft_placement
    _soft_placement = bool(enabled)


def get_soft_device_placement() -> bool:
    """Whether a device that is not there is replaced by the CPU."""
    return _soft_placement
