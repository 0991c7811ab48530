"""Variables outside of Functions: what they are, how they change, and that nothing which was read changes with them."""

import copy
import pickle
import threading
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import runtime
from runtime import errors


def test_value_dtype_and_shape_are_those_of_the_initial_value() -> None:
    v = runtime.Variable([[1.0, 2.0], [3.0, 4.0]])
    assert (v.shape, v.dtype, v.name, v.trainable) == ((2, 2), runtime.float32, "Variable:0", True)
    assert v.numpy().tolist() == [[1, 2], [3, 4]]
    assert runtime.Variable(5, dtype=runtime.int64, name="step", trainable=False).dtype is runtime.int64
    assert runtime.Variable(lambda: [True, False]).numpy().tolist() == [True, False]
    assert runtime.Variable(np.arange(3)).dtype is runtime.int64
    assert runtime.Variable("text").numpy() == b"text"


def test_repr_as_in_the_guides() -> None:
    assert repr(runtime.Variable(1)) == "<tf.Variable 'Variable:0' shape=() dtype=int32, numpy=1>"
    shown = str(runtime.Variable([1.0, 2.0], name="w"))
    assert shown == "<tf.Variable 'w:0' shape=(2,) dtype=float32, numpy=array([1., 2.], dtype=float32)>"


def test_an_initial_value_is_needed() -> None:
    with pytest.raises(TypeError, match="initial_value"):
        runtime.Variable()  # type: ignore[call-arg]
    with pytest.raises(ValueError, match="initial_value"):
        runtime.Variable(None)


def test_assignments() -> None:
    v = runtime.Variable([1.0, 2.0])
    assert v.assign([3, 4]) is v
    assert v.assign_add([1, 1]).assign_sub([0.5, 0.5]) is v
    assert v.numpy().tolist() == [3.5, 4.5]
    assert v.assign(runtime.Variable([7.0, 8.0])).numpy().tolist() == [7, 8]


READERS: dict[str, Callable[[runtime.Variable], Any]] = {
    "numpy": lambda v: v.numpy(),
    "asarray": np.asarray,
    "slice of numpy": lambda v: v.numpy()[1:],
    "value": lambda v: v.value(),
    "read_value": lambda v: v.read_value(),
    "convert_to_tensor": runtime.convert_to_tensor,
    "constant": lambda v: runtime.constant(v.numpy()),
    "identity": runtime.identity,
    "reshape": lambda v: runtime.reshape(v, [-1]),
    "transpose": lambda v: runtime.transpose(v),
    "item": lambda v: v[1],
    "rows": lambda v: v[1:],
    "iteration": lambda v: next(iter(v)),
    "Function": runtime.function(lambda v: v),
    "view in a Function": runtime.function(lambda v: runtime.reshape(v, [-1])),
    "copy": lambda v: runtime.Variable(v),
    "deepcopy": copy.deepcopy,
}

CHANGES: dict[str, Callable[[runtime.Variable], Any]] = {
    "assign": lambda v: v.assign([[9.0, 9.0], [9.0, 9.0]]),
    "assign_add": lambda v: v.assign_add(runtime.ones([2, 2])),
    "assign_sub": lambda v: v.assign_sub(runtime.ones([2, 2])),
    "scatter_add": lambda v: v.scatter_add(runtime.IndexedSlices([[1.0, 1.0], [1.0, 1.0]], [0, 1])),
    "scatter_nd_update": lambda v: v.scatter_nd_update([[0, 0], [1, 0], [1, 1]], [8.0, 8.0, 8.0]),
    "in a Function": lambda v: runtime.function(lambda: v.assign_add(runtime.ones([2, 2])))(),
}


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("read", READERS)
def test_what_has_been_read_does_not_change(read: str, change: str) -> None:
    v = runtime.Variable([[1.0, 2.0], [3.0, 4.0]])
    seen = READERS[read](v)
    before = np.array(seen)
    CHANGES[change](v)
    CHANGES[change](v)
    assert np.array_equal(np.array(seen), before)
    assert not np.array_equal(v.numpy(), [[1, 2], [3, 4]])


def test_the_source_of_the_initial_value_is_copied() -> None:
    array, tensor = np.zeros(3, np.float32), runtime.zeros([3])
    variables = [runtime.Variable(array), runtime.Variable(tensor)]
    for v in variables:
        v.assign_add([1, 1, 1])
    assert array.tolist() == [0, 0, 0]
    assert tensor.numpy().tolist() == [0, 0, 0]
    array[0] = 5
    assert variables[0].numpy().tolist() == [1, 1, 1]
    v = runtime.Variable([0.0])
    v.assign(array[:1])
    array[0] = 6
    assert v.numpy().tolist() == [5]


def address(v: runtime.Variable) -> int:
    return int(v.numpy().__array_interface__["data"][0])


@pytest.mark.parametrize("inside", [False, True])
def test_updates_use_the_memory_again(inside: bool) -> None:
    v = runtime.Variable(np.zeros(1000, np.float32))
    one = runtime.ones([1000])

    def update() -> None:
        v.assign_add(one)
        v.assign_sub(one)
        v.assign(one)

    step = runtime.function(update) if inside else update
    step()
    before = address(v)
    step()
    assert address(v) == before
    assert v.numpy().tolist() == [1.0] * 1000


def test_works_as_a_tensor() -> None:
    v = runtime.Variable([1.0, 2.0])
    one = runtime.constant([1.0, 1.0])
    assert (v + 1).numpy().tolist() == (1 + v).numpy().tolist() == (one + v).numpy().tolist() == [2, 3]
    assert (np.ones(2, np.float32) + v).numpy().tolist() == [2, 3]
    assert (v * v).numpy().tolist() == [1, 4]
    assert (-v).numpy().tolist() == [-1, -2]
    assert (v == [1.0, 3.0]).numpy().tolist() == [True, False]
    assert (v != None) is True
    assert runtime.reduce_sum(v).numpy() == 3
    assert np.sum(v) == 3
    assert np.sqrt(v).numpy().tolist() == np.sqrt(np.array([1, 2], np.float32)).tolist()
    assert runtime.stack([v, one]).shape == (2, 2)
    assert v[0].numpy() == 1
    assert [float(x) for x in v] == [1, 2]
    assert len(v) == 2
    assert runtime.is_tensor(v)


def test_scalars_are_numbers_for_python() -> None:
    v = runtime.Variable(3)
    assert (int(v), float(v), bool(v), [0, 1, 2, 3][v], f"{v:03d}") == (3, 3.0, True, 3, "003")
    assert round(runtime.Variable(2.6)) == 3


WRONG: dict[str, tuple[Callable[[runtime.Variable], Any], type[Exception], str]] = {
    "shape": (lambda v: v.assign([1.0]), errors.ShapeMismatchError, r"'w:0' has the shape \(2,\).*shape \(1,\)"),
    "scalar": (lambda v: v.assign_add(1.0), ValueError, r"'w:0' has the shape \(2,\).*shape \(\)"),
    "dtype": (lambda v: v.assign(runtime.constant([1, 2])), TypeError, "'w:0' is float32, the value is int32.*cast"),
    "text": (lambda v: v.assign("a"), ValueError, "'w:0' is float32"),
    "index": (
        lambda v: v.scatter_update(runtime.IndexedSlices([1.0], [2])),
        errors.InvalidArgumentError,
        r"'w:0': index 2 is outside \[0, 2\)",
    ),
    "rows": (
        lambda v: v.scatter_add(runtime.IndexedSlices([1.0, 2.0, 3.0], [0, 1])),
        errors.ShapeMismatchError,
        r"'w:0': the values must have the shape \(2,\)",
    ),
    "slices": (lambda v: v.scatter_add(1.0), TypeError, "IndexedSlices"),
    "+=": (lambda v: v.__iadd__(1.0), RuntimeError, r"'w:0'.*assign_add"),
    "[]": (lambda v: v.__setitem__(0, 1.0), TypeError, "'w:0'.*scatter_nd_update"),
    "hash": (lambda v: hash(v), TypeError, "unhashable"),
}


@pytest.mark.parametrize("name", WRONG)
def test_mistakes_name_the_variable_and_change_nothing(name: str) -> None:
    run, kind, words = WRONG[name]
    v = runtime.Variable([1.0, 2.0], name="w")
    with pytest.raises(kind, match=words):
        run(v)
    assert v.numpy().tolist() == [1, 2]


def test_augmented_assignment_is_no_assignment_to_the_variable() -> None:
    v = runtime.Variable(1.0)
    with pytest.raises(RuntimeError, match="assign_add"):
        v += 1.0


def test_numbers_only_are_added() -> None:
    with pytest.raises(TypeError, match="'Variable:0' is bool"):
        runtime.Variable(True).assign_add(True)
    with pytest.raises(TypeError, match="integers"):
        runtime.Variable([4]).scatter_div(runtime.IndexedSlices([2], [0]))


@pytest.mark.parametrize(
    ("how", "expected"),
    [
        ("update", [5, 2, 7]),
        ("add", [6, 2, 16]),
        ("sub", [-4, 2, -10]),
        ("mul", [5, 2, 126]),
        ("min", [1, 2, 3]),
        ("max", [5, 2, 7]),
        ("div", [0.2, 2, 3 / 42]),
    ],
)
def test_scatter(how: str, expected: list[float]) -> None:
    slices = runtime.IndexedSlices(values=[5.0, 6.0, 7.0], indices=[0, 2, 2])
    v, w = runtime.Variable([1.0, 2.0, 3.0]), runtime.Variable([1.0, 2.0, 3.0])
    assert getattr(v, f"scatter_{how}")(slices) is v
    runtime.function(lambda: getattr(w, f"scatter_{how}")(slices))()
    assert np.allclose(v.numpy(), expected)
    assert np.array_equal(v.numpy(), w.numpy())


def test_scatter_nd() -> None:
    v = runtime.Variable(np.zeros((2, 3), np.float32))
    v.scatter_nd_add([[0, 1], [0, 1], [1, 2]], [1.0, 2.0, 4.0])
    v.scatter_nd_sub([[1]], [[1.0, 1.0, 1.0]])
    v.scatter_nd_update([[0, 0]], [9.0])
    assert v.numpy().tolist() == [[9, 3, 0], [-1, -1, 3]]
    with pytest.raises(errors.ShapeMismatchError, match="must have the shape"):
        v.scatter_nd_add([[0]], [1.0])


def test_sparse_read() -> None:
    assert runtime.Variable([1.0, 2.0, 3.0]).sparse_read([2, 0]).numpy().tolist() == [3, 1]


def test_open_shapes() -> None:
    v = runtime.Variable([1.0], shape=runtime.TensorShape([None]))
    w = runtime.Variable(1.0, validate_shape=False)
    v.assign([1.0, 2.0, 3.0])
    assert v.shape == (None,) or v.shape.as_list() == [None]
    assert v.numpy().tolist() == [1, 2, 3]
    assert w.assign([[1.0]]).numpy().tolist() == [[1]]
    with pytest.raises(ValueError, match="shape"):
        v.assign([[1.0]])
    with pytest.raises(ValueError, match="shape"):
        runtime.Variable([1.0], shape=[2])


def test_references() -> None:
    v, w = runtime.Variable(1.0), runtime.Variable(1.0)
    table = {v.ref(): "v", w.ref(): "w"}
    assert (table[v.ref()], table[w.ref()]) == ("v", "w")
    assert v.ref().deref() is v
    assert v.handle is v.handle
    assert v.handle is not w.handle


def test_copies_and_pickles_share_nothing() -> None:
    v = runtime.Variable([1.0, 2.0], name="w", trainable=False, shape=runtime.TensorShape([None]))
    for made in (copy.deepcopy(v), pickle.loads(pickle.dumps(v))):
        assert (made.name, made.trainable, made.shape.as_list()) == ("w:0", False, [None])
        made.assign_add([1.0, 1.0])
        assert made.numpy().tolist() == [2, 3]
    pair = copy.deepcopy([v, v])
    assert pair[0] is pair[1]
    assert v.numpy().tolist() == [1, 2]


def test_updates_of_many_threads_all_count() -> None:
    v = runtime.Variable(np.zeros(10_000, np.int64))
    one = runtime.ones([10_000], runtime.int64)
    add = runtime.function(lambda: v.assign_add(one))
    torn = []

    def work(update: Callable[[], Any]) -> None:
        for _ in range(50):
            update()
            seen = v.numpy()
            if seen.min() != seen.max():
                torn.append(seen)

    threads = [threading.Thread(target=work, args=(u,)) for u in (add, lambda: v.assign_add(one)) * 4]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not torn
    assert v.numpy().tolist() == [400] * 10_000
