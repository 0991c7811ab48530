"""Every error that autograph raises on purpose, in one place, so that users can catch them and the docs can list them.

Example:
    try:
        autograph.to_graph(fn)
    except autograph.ConversionError as error:
        print(error)  # train.py:12: 'yield' in 'batches' cannot be converted: ...

All of them derive from AutoGraphError. Errors that the *user's* code raises pass through unchanged, never wrapped.
"""

from __future__ import annotations

__all__ = [
    "AutoGraphError",
    "ConversionError",
    "ConversionWarning",
    "MixedStagersError",
    "SourceSyntaxError",
    "SourceUnavailableError",
    "StagingError",
    "StagingTypeError",
    "StagingValueError",
    "StaleSourceError",
    "UnrolledLoopWarning",
    "UnsupportedSyntaxError",
]


class AutoGraphError(Exception):
    """The base of all errors of autograph. Catch it to catch them all; its message says what to do.

    Fails:
        autograph.to_graph(3)
    Repair: give a function, a method, a lambda or an object with a `__call__` method.
    """


class ConversionError(AutoGraphError):
    """A function could not be converted, so nothing of it ran.

    Fails:
        autograph.to_graph(len)  # a function written in C has no Python source
    Repair: convert the Python function that calls it, or mark a function that is to stay Python with
    `@autograph.do_not_convert`.
    """

    _caller = ""

    def called_from(self, filename: str, lineno: int, function: str) -> None:
        """Say which line of converted code called the function; the first caller is kept."""
        if not self._caller:
            self._caller = (
                f"\n(called at {filename}:{lineno} in {function!r}; to let it run as plain Python there, mark it with "
                "@autograph.do_not_convert)"
            )

    def __str__(self) -> str:
        return self._message() + self._caller

    def _message(self) -> str:
        return Exception.__str__(self)


class UnsupportedSyntaxError(ConversionError, NotImplementedError):
    """The function holds a construct that has no converted form.

    Fails:
        @autograph.convert()
        def batches(n):
            for i in range(n):
                yield i  # generators are not converted
    Repair: take the construct out of the function, or mark the function with `@autograph.do_not_convert`.

    construct: what was found, in the words of the language ("'yield'", "'async for'").
    filename, lineno: where. reason: why it has no converted form. remedy: what to write instead.
    """

    def __init__(self, construct: str, filename: str, lineno: int, reason: str, remedy: str) -> None:
        super().__init__(construct, filename, lineno, reason, remedy)
        self.construct = construct
        self.filename = filename
        self.lineno = lineno
        self.reason = reason
        self.remedy = remedy

    def _message(self) -> str:
        return f"{self.filename}:{self.lineno}: {self.construct} cannot be converted: {self.reason}. {self.remedy}"


class SourceUnavailableError(ConversionError, ValueError):
    """The text of the function cannot be found, and it has branches or loops, so there is nothing to convert.

    Fails:
        namespace = {}
        exec("def positive(x): return x if x > 0 else -x", namespace)
        autograph.to_graph(namespace["positive"])
    Repair: put the function into a file; or give the text a name in `linecache` before compiling it under that name:
        linecache.cache["<cell 1>"] = (len(text), None, text.splitlines(True), "<cell 1>")
        exec(compile(text, "<cell 1>", "exec"), namespace)
    """


class StaleSourceError(ConversionError):
    """The text on disk is not the text that the running function was made from, so converting it would be wrong.

    Fails:
        import model          # model.py is edited after this line
        autograph.to_graph(model.predict)
    Repair: restart the program, or `importlib.reload(model)` and take the function from the new module.
    """


class SourceSyntaxError(ConversionError):
    """The text is not Python, or Python's own parser refuses it (too deeply nested, a NUL character).

    Fails:
        $ autograph broken.py  # holds the line `def f(:`
    Repair: mend the line that the message names.

    msg, filename, lineno, offset, text: as in SyntaxError; lineno, offset and text are None where nothing is known.
    """

    def __init__(
        self,
        msg: str,
        filename: str,
        lineno: int | None = None,
        offset: int | None = None,
        text: str | None = None,
    ) -> None:
        super().__init__(msg, filename, lineno, offset, text)
        self.msg = msg
        self.filename = filename
        self.lineno = lineno
        self.offset = offset
        self.text = text

    def _message(self) -> str:
        place = self.filename if self.lineno is None else f"{self.filename}:{self.lineno}"
        return f"{place}: cannot parse: {self.msg}"


class StagingError(AutoGraphError):
    """A converted function ran, and one of its statements cannot be staged with the values that it met.

    Fails:
        for part in parts:        # a Python list, unrolled while tracing
            if total > limit:     # a symbolic value ...
                parts.append(0)   # ... and a Python effect that cannot depend on it
    Repair: keep Python effects out of statements that depend on symbolic values; the message names the variable.
    """


class StagingTypeError(StagingError, TypeError):
    """The values that a variable has on the ways through a staged statement do not fit in type.

    Fails:
        if total > limit:
            result = (total, limit)
        else:
            result = [total, limit]   # a tuple there, a list here
    Repair: the same structure and dtype on each way; the message names the variable and what was found.
    """


class StagingValueError(StagingError, ValueError):
    """The values that a variable has on the ways through a staged statement do not fit in shape, or one is missing.

    Fails:
        for _ in range(count):
            autograph.experimental.set_loop_options(shape_invariants=[(x, TensorShape([2]))])
            x = concat([x, x], 0)     # its shape is (4,) after an iteration
    Repair: what the message says of the variable that it names.
    """


class MixedStagersError(StagingError, TypeError):
    """One operation met values of two different stagers, and neither can stage the other's.

    Fails:
        len_or_range = range(symbolic_of_library_a, symbolic_of_library_b)
    Repair: convert the values to one library before the operation.
    """


class ConversionWarning(UserWarning):
    """A function that was met on the way runs as plain Python because its source cannot be found; said once for each.

    Causes it:
        exec("def helper(x): return x or 1", namespace)  # and a converted function calls namespace["helper"](x)
    Repair: put `helper` into a file; or mark it with `@autograph.do_not_convert` to say that this is meant.
    """


class UnrolledLoopWarning(UserWarning):
    """A Python loop has been traced more than 1,000 times over, and makes the graph longer with each iteration.

    Causes it:
        for i in range(100_000):  # a Python range: traced iteration by iteration
            total = total + x[i]
    Repair: loop over a tensor, `for i in runtime.range(100_000)`, which is one loop of the graph.
    """
