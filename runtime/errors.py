"""The errors of operations, graphs and functions.

Each class derives from the built-in exception that a Python programmer would catch, too: a wrong dtype is a
TypeError, a wrong shape or value a ValueError.

    >>> issubclass(InvalidArgumentError, ValueError)
    True
"""

from __future__ import annotations

from typing import TypeVar

__all__ = [
    "DataLossError", "DivisionByZeroError", "DtypeMismatchError", "EndOfDataError", "FailedPreconditionError",
    "FileFormatError", "FormatError", "GraphError", "InaccessibleTensorError", "IntegerRangeError",
    "InvalidArgumentError", "NotCompiledError", "NotExportableError", "NotFoundError", "NotRealError", "OpError",
    "OperandTypeError", "OperatorNotAllowedInGraphError", "OutOfRangeError", "ResourceExhaustedError",
    "RetracingWarning", "ShapeMismatchError", "SignatureError", "TraceEffectWarning", "TruthOfTensorError",
    "UnimplementedError",
]  # fmt: skip

E = TypeVar("E", bound=BaseException)


def of_the_trace(error: E) -> E:
    """Says of an error that it is one of staging: the program would not raise it, had its tensors values.

    No handler of the program may take it.
    """
    vars(error)["__ag_of_the_trace__"] = True
    return error


def is_of_the_trace(error: BaseException) -> bool:
    """Whether an error has been declared to be one of staging."""
    return "__ag_of_the_trace__" in vars(error)


class OpError(Exception):
    """An operation failed while it ran or was being recorded.

    `message` is the text; `op` the operation in the graph, when there is one.

        runtime.constant([1, 2]) // 0      # InvalidArgumentError, an OpError

    Repair: what the message says of the operands; it shows their types and, for a graph, your line.
    """

    __ag_of_operations__ = True  # for autograph: where Python raises a class of its own, an operation raises one below

    def __init__(self, message: str, op: object = None) -> None:
        super().__init__(message)
        self.message = message
        self.op = op

    def __reduce__(self) -> tuple[object, ...]:
        """Goes to other processes without the operation: that would take its graph along."""
        return type(self), self.args, {**vars(self), "op": None}


class InvalidArgumentError(OpError, ValueError):
    """An operand has a value or shape that the operation cannot take.

        runtime.gather([1, 2, 3], 7)       # index 7 is outside [0, 3)

    Repair: the operand that the message names.
    """


class DivisionByZeroError(InvalidArgumentError, ZeroDivisionError):
    """An integer is divided by zero; floats give inf or nan.

        runtime.constant(7) // 0

    Repair: a divisor that is not zero, or `runtime.math.divide_no_nan`; `except ZeroDivisionError` catches it.
    """


DivisionByZeroError.__ag_caught_as__ = tuple(  # type: ignore[attr-defined]
    kind for kind in DivisionByZeroError.__mro__ if kind is not ValueError
)
"""In staged code `except ValueError` does not take it, as it takes no ZeroDivisionError of numbers."""


class IntegerRangeError(InvalidArgumentError, OverflowError):
    """An integer has no place in its dtype, where Python's integers would go on: it is too large, or no integer at all.

        runtime.pow(runtime.constant(2), runtime.constant(-1))       # 0.5

    Repair: floats, or smaller numbers. In a staged `try` no handler of the program takes it, but one that names it.
    """


IntegerRangeError.__ag_caught_as__ = (IntegerRangeError,)  # type: ignore[attr-defined]


class NotRealError(InvalidArgumentError):
    """A power of the program's own numbers, not of tensors, is a complex number in Python; a graph computes a float.

        @runtime.function
        def roots(n):
            return [(k - 1) ** 0.5 for k in range(n)]

        roots(runtime.constant(3))       # (-1) ** 0.5

    Repair: `complex(x) ** y`, or a test of the sign. In a staged `try` no handler of the program takes it, but one that
    names it.
    """


NotRealError.__ag_caught_as__ = (NotRealError,)  # type: ignore[attr-defined]


class DtypeMismatchError(InvalidArgumentError, TypeError):
    """Tensors of different dtypes met in one operation, or an operation does not take this dtype.

        runtime.constant(1) + runtime.constant(1.5)      # int32 and float32

    Repair: `runtime.cast` one of them. Python numbers adapt by themselves; tensors and results never do.
    """


class OperandTypeError(DtypeMismatchError):
    """An operand is of a kind that Python's operator does not take either: a text beside a number, a float for bits.

        runtime.constant(1.5) & runtime.constant(1)

    Repair: as for every DtypeMismatchError. In a staged `try` the program's handlers take this one, as they would take
    Python's TypeError; other mismatches of dtypes Python would not raise, and no handler takes them.
    """


class UnimplementedError(DtypeMismatchError, NotImplementedError):
    """An operation that takes many dtypes has no way from this one, or to that one: numbers are no text, for instance.

        runtime.cast(runtime.constant("12"), runtime.int32)

    Repair: the operation that the message names; for text they are `runtime.strings.to_number` and `as_string`.
    """


class ShapeMismatchError(InvalidArgumentError):
    """The shapes of the operands do not fit together.

        runtime.ones([2, 3]) + runtime.ones([4])

    Repair: reshape or transpose an operand so that the shapes broadcast (numpy's rules).
    """


class FailedPreconditionError(InvalidArgumentError):
    """What an operation works on is not in the state that it needs: a writer is closed, a file is a directory.

        runtime.io.read_file(".")          # is a directory

    Repair: bring it to that state first, or take another one; the same operands may work at another time.
    """


class OutOfRangeError(OpError, IndexError):
    """An iteration went past the end, or a loop over its bound.

        runtime.constant([1, 2])[5]

    Repair: an index within the shape that the message shows.
    """


class ResourceExhaustedError(OpError, MemoryError):
    """There is not enough memory for the result of an operation.

        runtime.zeros([2**20, 2**20])      # 4 TiB

    Repair: a smaller shape, or the work in parts; the message has the operands, and the size that was asked for.
    """


class DataLossError(OpError, ValueError):
    """A file is damaged: a checksum does not fit, or it ends too early. The message has the file and the position.

        list(runtime.data.TFRecordDataset(runtime.__file__))       # which is no TFRecord file

    Repair: the file, or the name of it.
    """


class EndOfDataError(OutOfRangeError, StopIteration):
    """An iterator over a dataset has no more elements.

        iterator = iter(runtime.data.Dataset.range(1))
        next(iterator), next(iterator)

    Repair: a `for` statement, `next(iterator, default)`, or `except StopIteration`; all of them work in graphs, too.
    """

    def __init__(self, message: str = "End of sequence", op: object = None) -> None:
        super().__init__(message, op)


class NotCompiledError(OpError, NotImplementedError):
    """A Function with `jit_compile=True` has operations in its loops for which there is no machine code.

        @runtime.function(jit_compile=True)
        def shout(n):
            text = runtime.constant("")
            for _ in range(n):
                text += "!"
            return text
        shout(runtime.constant(3))

    Repair: those operations, which the message names with their lines and reasons, in another way or outside of the
    loop; or leave `jit_compile` out: what can be machine code is, the rest is not.
    """


class NotExportableError(OpError, NotImplementedError):
    """A function has operations that the format in which it is to leave does not know.

        @runtime.function
        def log(x):
            runtime.print("x is", x)
            return runtime.math.log(x)
        runtime.export.onnx(log, "log.onnx", input_signature=[runtime.TensorSpec([], runtime.float32)])

    Repair: those operations, which the message names with their lines and reasons, in another way or outside of the
    function; docs/exports.md has the table of what can leave. Nothing was written.
    """


class NotFoundError(OpError, LookupError):
    """A name that was asked for does not exist.

        runtime.Graph().get_operation_by_name("nope")

    Repair: one of the names that the message lists.
    """


class GraphError(Exception):
    """A graph breaks one of its own rules; `runtime.graph.verify` says which, and at which operation.

        Graph.from_text("graph f() -> (%7)")      # %7 is not defined

    Repair: the operation that the message names; from a pass of the optimiser it is a defect of that pass.
    """


class FormatError(GraphError, ValueError):
    """The text of a graph cannot be read; the message gives line and column.

        Graph.from_text("graph f(")

    Repair: the text at that place.
    """


class FileFormatError(DataLossError, FormatError):
    """A file of saved values or graphs is damaged, or is no such file. The message has the file and the position.

        from runtime.checkpoint.container import read_container
        read_container(runtime.__file__)   # is a file of Python

    Repair: another copy of the file, or the name of the one that was meant; a file of a newer release needs that one.
    """


class SignatureError(InvalidArgumentError, TypeError):
    """A Function was called with arguments that its signature does not accept.

        @runtime.function(input_signature=[runtime.TensorSpec([None], runtime.int32)])
        def f(x): ...
        f(runtime.constant([[1]]))          # rank 2

    Repair: an argument of the dtype and shape that the message shows, or another signature.
    """


class OperatorNotAllowedInGraphError(TypeError):
    """A symbolic tensor was used where Python needs a value now: bool, int, len, iteration.

        @runtime.function(autograph=False)
        def f(x):
            if x > 0: ...
        f(runtime.constant(1))

    Repair: let the function be converted (the default), or use `runtime.cond`, `runtime.while_loop`, `runtime.shape`.
    """


class TruthOfTensorError(OperatorNotAllowedInGraphError):
    """Code that is not converted asks for the truth of a symbolic tensor.

        @runtime.function(autograph=False)
        def f(x):
            if x > 0: ...
        f(runtime.constant(1))

    Repair: that of OperatorNotAllowedInGraphError.
    """


class InaccessibleTensorError(AttributeError, TypeError):
    """A symbolic tensor was used outside of the trace that made it.

        leaked = []
        @runtime.function
        def f(x): leaked.append(x)
        f(runtime.constant(1.0))
        leaked[0] + 1

    Repair: return the value from the function.
    """


class RetracingWarning(UserWarning):
    """A Function is traced again and again, so that most of its time goes into tracing.

        rate = 0.1
        @runtime.function
        def f(x): return x * rate
        for _ in range(10):
            f(runtime.constant(1.0))
            rate = rate * 0.9               # what the trace took is not so any more

    Repair: keep what changes in a `runtime.Variable`, or pass it as a tensor.
    """


class TraceEffectWarning(UserWarning):
    """A Function changes a Python object: that happens when it is traced, not each time that it is called.

        calls = []
        @runtime.function
        def f(x): calls.append(x)
        f(runtime.constant(1))

    Repair: keep the value in a `runtime.Variable`; or do it in Python, outside of the Function; or call a Python
    function each time, with `runtime.py_function`. If once for each trace is meant, ignore the warning by its class.
    It comes, too, where a function changes a list, dict or object among its arguments that is a copy because it holds
    tensors (return what becomes of it), and where a trace keeps a tensor of an object with a TraceType of its own.
    """
