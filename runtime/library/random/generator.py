"""`Generator`: a sequence of random numbers as an object.

    g = runtime.random.Generator.from_seed(1)
    g.normal([2, 3])                   # advances g
    first, second = g.split(2)         # two independent sequences

The state is a Variable of three int64: how many draws there were (two words, as in TensorFlow; the second stays 0), and
the key. The n-th draw (from 0) depends on the key and n alone; the stateless functions never draw the same numbers.
"""

from __future__ import annotations

import secrets
import threading
from typing import Any, Final

from runtime.context import current_recorder
from runtime.dtypes import as_dtype, float32, int64
from runtime.errors import ShapeMismatchError
from runtime.library.random.limits import check_algorithm, limits_of, scaled
from runtime.ops.arrays import index, join
from runtime.ops.arrays.shape import transpose
from runtime.ops.random import stateless as records
from runtime.ops.random.random import seed_of
from runtime.state.module import Module
from runtime.state.scopes import init_scope, note_answer
from runtime.state.variable import Variable
from runtime.state.writing import advance
from runtime.tensor.convert import convert_to_tensor
from runtime.tensor.tensor import Tensor

__all__ = ["Generator", "get_global_generator", "set_global_generator"]

WORD: Final = 1 << 64
OWN: Final = 1
"""The sequence of a seed that Generators draw from: 0 is that of the stateless functions."""


class Generator(Module):
    """A sequence of random numbers. Made by `from_seed`, `from_non_deterministic_state`, `from_state` or `split`."""

    __guarded__ = ("_state",)

    def __init__(self, copy_from: Generator | None = None, state: Any = None, alg: Any = None) -> None:
        """copy_from: a generator whose state is taken; or state: three integers, see the module's docstring.

        alg: "philox". Raises ValueError unless one of copy_from and state is given.
        """
        super().__init__()
        check_algorithm(alg)
        if (copy_from is None) == (state is None):
            raise ValueError("random.Generator: give copy_from, another generator, or state, three integers")
        if copy_from is not None:
            if not isinstance(copy_from, Generator):
                raise TypeError(f"random.Generator: copy_from is a generator; got {copy_from!r}")
            state = copy_from.state.read_value()
        self._state = Variable(_checked_state(state), trainable=False, name="generator_state")

    @classmethod
    def from_seed(cls, seed: Any, alg: Any = None) -> Generator:
        """The sequence of a seed: an integer, of which 64 bits count."""
        return cls(state=_state_of(seed), alg=alg)

    @classmethod
    def from_non_deterministic_state(cls, alg: Any = None) -> Generator:
        """A sequence that nobody can foretell, from the entropy of the system."""
        return cls(state=_state_of(secrets.randbits(64)), alg=alg)

    @classmethod
    def from_state(cls, state: Any, alg: Any = None) -> Generator:
        """The sequence that goes on from a state, as `state` gives it."""
        return cls(state=state.read_value() if isinstance(state, Variable) else state, alg=alg)

    @classmethod
    def from_key_counter(cls, key: Any, counter: Any, alg: Any = None) -> Generator:
        """The sequence of a key that goes on after `counter` draws. key: an integer; counter: an integer or two."""
        words = [counter, 0] if hasattr(counter, "__index__") else list(counter)
        return cls(state=[_signed(int(w)) for w in (*words, key)], alg=alg)

    # -- the state -----------------------------------------------------------------------------------------------

    @property
    def state(self) -> Variable:
        """The Variable of the state, three int64."""
        return self._state

    @property
    def key(self) -> Any:
        """The key, an int64 scalar."""
        return self._state.read_value()[2]

    @property
    def algorithm(self) -> int:
        """1, which stands for Philox."""
        return 1

    def reset(self, state: Any) -> None:
        """Goes on from another state, three integers."""
        self._state.assign(_checked_state(state))

    def reset_from_seed(self, seed: Any) -> None:
        """Starts the sequence of a seed."""
        self._state.assign(_checked_state(_state_of(seed)))

    def reset_from_key_counter(self, key: Any, counter: Any) -> None:
        """Goes on with a key after `counter` draws."""
        words = [counter, 0] if hasattr(counter, "__index__") else list(counter)
        self._state.assign(_checked_state([*words, key]))

    def skip(self, delta: Any) -> Any:
        """Goes on as after `delta` draws more. Returns the state before."""
        return advance(self._state, join.stack([convert_to_tensor(delta, int64), 0, 0]))

    def make_seeds(self, count: Any = 1) -> Any:
        """Seeds for the stateless functions: int64, [2, count], one in each column."""
        return transpose(records.stateless_bits([count, 2], self._seed(), dtype=int64, sequence=OWN))

    def split(self, count: int = 1) -> list[Generator]:
        """New generators whose sequences are independent of each other and of this one, which advances."""
        if current_recorder() is not None:
            with init_scope():
                return self.split(count)
        keys = records.stateless_bits([count], self._seed(), dtype=int64, sequence=OWN)
        return [Generator(state=[0, 0, int(key)]) for key in keys.numpy()]

    def _seed(self) -> Any:
        """The seed of the next draw; advances in one step, also for other threads."""
        return index.gather(advance(self._state, [1, 0, 0]), [2, 0])

    # -- numbers -------------------------------------------------------------------------------------------------

    def uniform(
        self, shape: Any, minval: Any = 0, maxval: Any = None, dtype: Any = float32, name: str | None = None
    ) -> Tensor:
        """Numbers from [minval, maxval), all equally likely. shape: integers; maxval: 1 for floats."""
        limits = limits_of(minval, maxval, as_dtype(dtype))
        return records.stateless_uniform(shape, self._seed(), *limits, sequence=OWN, name=name)

    def uniform_full_int(self, shape: Any, dtype: Any = None, name: str | None = None) -> Tensor:
        """Integers out of all that the dtype (uint64) has. shape: integers."""
        dtype = "uint64" if dtype is None else dtype
        return records.stateless_bits(shape, self._seed(), dtype=dtype, sequence=OWN, name=name)

    def normal(
        self, shape: Any, mean: Any = 0.0, stddev: Any = 1.0, dtype: Any = float32, name: str | None = None
    ) -> Tensor:
        """Numbers of the normal distribution with this mean and standard deviation. shape: integers."""
        return scaled(records.stateless_normal(shape, self._seed(), dtype=dtype, sequence=OWN, name=name), mean, stddev)

    def truncated_normal(
        self, shape: Any, mean: Any = 0.0, stddev: Any = 1.0, dtype: Any = float32, name: str | None = None
    ) -> Tensor:
        """As `normal`, but numbers further than two standard deviations from the mean are drawn again."""
        drawn = records.stateless_truncated_normal(shape, self._seed(), dtype=dtype, sequence=OWN, name=name)
        return scaled(drawn, mean, stddev)


_shared: list[Generator] = []
_lock: Final = threading.Lock()


def get_global_generator() -> Generator:
    """The generator that the whole program shares; nobody can foretell its numbers unless `set_global_generator` sets
    another one."""
    with _lock, init_scope():
        if not _shared:
            _shared.append(Generator.from_non_deterministic_state())
        found = _shared[0]
    note_answer("random.get_global_generator()", get_global_generator, found)
    return found


def set_global_generator(generator: Generator) -> None:
    """Sets the generator that `get_global_generator` gives, also in Functions, which are traced again for it."""
    if not isinstance(generator, Generator):
        raise TypeError(f"random.set_global_generator takes a random.Generator; got {generator!r}")
    with _lock:
        _shared[:] = [generator]


def _signed(word: int) -> int:
    """64 bits as a number that int64 has."""
    word %= WORD
    return word - WORD if word >= WORD // 2 else word


def _state_of(seed: Any) -> list[int]:
    number = seed_of(seed)
    if number is None:
        raise TypeError("random.Generator: a seed is an integer; from_non_deterministic_state() needs none")
    return [0, 0, _signed(number)]


def _checked_state(state: Any) -> Any:
    tensor = convert_to_tensor(state, int64)
    if not tensor.shape.is_compatible_with([3]):
        raise ShapeMismatchError(f"the state of a random.Generator is three integers; its shape is {tensor.shape}")
    return tensor
