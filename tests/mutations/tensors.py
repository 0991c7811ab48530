"""Breaks in `runtime/tensor`: values that do not change, dtypes, leaks, and what Python may ask of a tensor.

python -m tests.mutations runtime/tensor
"""

from .runner import Mutation

__all__ = ["OF_TENSORS"]

EAGER, SYMBOLIC = "runtime/tensor/eager.py", "runtime/tensor/symbolic.py"
TENSOR, LITERALS = "runtime/tensor/tensor.py", "runtime/tensor/literals.py"
DISPATCH, QUICK = "runtime/tensor/dispatch.py", "runtime/tensor/quick.py"
TENSOR_TESTS = ("tests/runtime/test_tensor.py",)
CONVERT_TESTS = ("tests/runtime/test_convert.py",)
DTYPE_TESTS = ("tests/runtime/test_dtype_rules.py",)

OF_TENSORS = (
    Mutation(
        "numpy() is read-only",
        EAGER,
        "        view = array.view()\n        view.flags.writeable = False\n        return view\n",
        "        return array\n",
        TENSOR_TESTS,
    ),
    Mutation(
        "np.asarray(tensor) is read-only",
        EAGER,
        "        if not copy:\n            view.flags.writeable = False\n",
        "",
        TENSOR_TESTS,
    ),
    Mutation(
        "np.array(tensor) is a copy",
        EAGER,
        "self._array.copy() if copy else",
        "self._array.view() if copy else",
        TENSOR_TESTS,
    ),
    Mutation(
        "a tensor of several elements is no condition",
        EAGER,
        "        if self._array.size != 1:\n            raise ValueError(",
        "        if self._array.size > 9:\n            raise ValueError(",
        TENSOR_TESTS,
    ),
    Mutation(
        "only integers are indices",
        EAGER,
        "        if not self.dtype.is_integer or self._array.ndim:\n",
        "        if self._array.ndim:\n",
        TENSOR_TESTS,
    ),
    Mutation(
        "elements of a tensor are not set",
        TENSOR,
        "    def __setitem__(self, key: Any, value: Any) -> None:\n        raise TypeError(",
        "    def __setitem__(self, key: Any, value: Any) -> None:\n        print(",
        TENSOR_TESTS,
    ),
    Mutation(
        "tensors are no keys of dicts and sets",
        TENSOR,
        "    __hash__ = None  # type: ignore[assignment]\n",
        "    __hash__ = object.__hash__  # type: ignore[assignment]\n",
        TENSOR_TESTS,
    ),
    Mutation(
        "== with None is False",
        TENSOR,
        "        if other is None:\n            return True\n",
        "",
        DTYPE_TESTS,
    ),
    Mutation(
        "== of shapes that cannot broadcast is False",
        TENSOR,
        "        return any(x not in (y, 1, None) and y not in (1, None) for",
        "        return False and any(x not in (y, 1, None) and y not in (1, None) for",
        DTYPE_TESTS,
    ),
    Mutation(
        "a symbolic tensor has no truth value",
        SYMBOLIC,
        "            raise leak(self, what)\n        raise error",
        "            raise leak(self, what)\n        return True  # type: ignore\n        raise error",
        TENSOR_TESTS,
    ),
    Mutation(
        "a leaked tensor that Python asks for a value is out of scope",
        SYMBOLIC,
        "        if not is_in_scope(self):\n            raise leak(self, what)\n",
        "",
        ("tests/runtime/function/test_effects.py",),
    ),
    Mutation(
        "a leaked tensor is an operand of nothing",
        DISPATCH,
        '            raise leak(tensor, f"used in {op.name!r}")\n',
        '            raise AttributeError("no value")\n',
        (*TENSOR_TESTS, "tests/runtime/test_seed_limits.py"),
    ),
    Mutation(
        "a symbolic tensor has no attribute numpy",
        SYMBOLIC,
        '        if name == "numpy":\n            raise no_value(self, ',
        '        if name == "numpy":\n            raise RuntimeError(self, ',
        ("tests/runtime/test_seed_effects.py",),
    ),
    Mutation(
        "tensors of different dtypes do not mix",
        "runtime/tensor/group_dtypes.py",
        "if found is not None and tensor.dtype is not found:",
        "if False:",
        (*DTYPE_TESTS, *TENSOR_TESTS),
    ),
    Mutation(
        "the shortest way does not mix dtypes either",
        QUICK,
        "            return (x, y) if x.dtype == y.dtype else None\n",
        "            return (x, y)\n",
        (*DTYPE_TESTS, *TENSOR_TESTS),
    ),
    Mutation(
        "a float does not become an integer beside a tensor of integers",
        QUICK,
        '"i": (int,)',
        '"i": (int, float)',
        DTYPE_TESTS,
    ),
    Mutation(
        "a literal adapts to dtypes of its own kind or a higher one only",
        LITERALS,
        "low is not None and high is not None and low <= high",
        "low is not None and high is not None",
        (*DTYPE_TESTS, *CONVERT_TESTS),
    ),
    Mutation(
        "an integer that does not fit is an error",
        LITERALS,
        "        if int(array.min()) < info.min or int(array.max()) > info.max:\n",
        "        if False:\n",
        (*DTYPE_TESTS, *CONVERT_TESTS),
    ),
    Mutation(
        "constant copies the array that it is given",
        LITERALS,
        "        array = np.array(value, copy=True)\n",
        "        array = np.asarray(value)\n",
        (*CONVERT_TESTS, *TENSOR_TESTS),
    ),
    Mutation(
        "numbers and bools are no list of one dtype",
        LITERALS,
        "    if bool in kinds and kinds & {int, float, complex}:\n",
        "    if False:\n",
        CONVERT_TESTS,
    ),
    Mutation(
        "integers beyond int32 are int64",
        LITERALS,
        "array.min() >= -(2**31) and array.max() < 2**31",
        "True",
        CONVERT_TESTS,
    ),
    Mutation(
        "results of literals stay weak in a graph",
        DISPATCH,
        "                    tensor.weak = not any(isinstance(v, np.ndarray | np.generic) for v in values)\n",
        "                    tensor.weak = False\n",
        DTYPE_TESTS,
    ),
    Mutation(
        "a spec is a subtype of another by dtype, too",
        "runtime/tensor/spec.py",
        "isinstance(other, TensorSpec) and self.dtype is other.dtype and self.shape.is_subtype_of(other.shape)",
        "isinstance(other, TensorSpec) and self.shape.is_subtype_of(other.shape)",
        ("tests/runtime/test_shapes.py", "tests/runtime/function/test_input_signature.py"),
    ),
    Mutation(
        "a tensor from around a branch is in scope",
        "runtime/tensor/leaks.py",
        "    return tensor.op.graph in outwards(current_recorder())\n",
        "    return tensor.op.graph is current_recorder()\n",
        ("tests/runtime/test_tensors_of_outer_graphs.py",),
    ),
    Mutation(
        "a reduction of numpy's leaves out what its mask leaves out",
        "runtime/tensor/numpy_calls/masked.py",
        "    return x if mask is None else call(",
        "    return x if mask is mask else call(",
        ("tests/runtime/tensor/numpy_calls/test_functions.py",),
    ),
    Mutation(
        "the first value of a reduction counts",
        "runtime/tensor/numpy_calls/masked.py",
        "    return call(combine, result, _first(initial, result))\n",
        "    return result\n",
        ("tests/runtime/tensor/numpy_calls/test_functions.py",),
    ),
    Mutation(
        "converted code gives numpy's functions sizes that the run knows",
        "runtime/control_flow/builtins/numpy_functions.py",
        "    if function in FUNCTIONS or is_refused(name_of(function)) or scipy_name(function):\n",
        "    if False:\n",
        ("tests/runtime/tensor/numpy_calls/test_creation.py",),
    ),
    Mutation(
        "np.digitize counts from the end of edges that descend",
        "runtime/tensor/numpy_calls/order.py",
        'return call("where", one_way, rising, falling)',
        "return rising",
        ("tests/runtime/tensor/numpy_calls/test_families.py",),
    ),
    Mutation(
        "ufunc.accumulate takes each row with all before it",
        "runtime/tensor/numpy_calls/ufunc_methods.py",
        "        shift = shift * 2\n",
        "        shift = shift * 3\n",
        ("tests/runtime/tensor/numpy_calls/test_families.py",),
    ),
    Mutation(
        "transforms take the sizes that they are asked for",
        "runtime/tensor/numpy_calls/fourier.py",
        "    if known and n == size:\n",
        "    if known:\n",
        ("tests/runtime/tensor/numpy_calls/test_families.py",),
    ),
    Mutation(
        "numpy's short way leaves operations to those who look at them",
        "runtime/tensor/numpy_calls/eager.py",
        " or not carried_out_by(dispatch):",
        ":",
        ("tests/runtime/tensor/numpy_calls/test_eager.py",),
    ),
)
