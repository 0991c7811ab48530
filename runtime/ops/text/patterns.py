r"""Regular expressions in string tensors: `string_regex_replace`, `string_regex_full_match`.

>>> string_regex_replace("a<b>c", "<[^>]+>", r"[\0]")
<tf.Tensor: shape=(), dtype=string, numpy=b'a[<b>]c'>

`runtime.ops.kernels.pattern_syntax` has the syntax.
"""

from __future__ import annotations

import re
from typing import Any, Final

import numpy as np

from runtime.dtypes import STRINGS, DType, bool_
from runtime.errors import InvalidArgumentError, ShapeMismatchError
from runtime.ops.kernels.pattern_syntax import compiled, replaced
from runtime.ops.kernels.values import elements
from runtime.ops.records.raises import VALUES
from runtime.ops.records.record import Operand, op
from runtime.ops.records.samples import Failure, Sample
from runtime.ops.text.elements import each_text, texts_of
from runtime.shapes import TensorShape

__all__ = ["string_regex_full_match", "string_regex_replace"]


def _one_text(name: str, what: str, shape: TensorShape) -> None:
    if shape.rank not in (0, None):
        raise ShapeMismatchError(f"{name}: {what} is one text; its shape is {shape}")


def _replace_shape(x: Operand, pattern: Operand, rewrite: Operand, *, replace_global: bool) -> TensorShape:
    _one_text("string_regex_replace", "pattern", pattern.shape)
    _one_text("string_regex_replace", "rewrite", rewrite.shape)
    return x.shape


_PATTERNS: Final = (("b", "<\\0>"), ("", "-"), ("a(.)", "\\1\\1"), ("[^a]+", ""), ("é", "\\\\"))


def _replace_samples(dtype: DType) -> Any:
    for x in (texts_of("abc", "aé b"), texts_of([["x", ""], ["ba", "bb"]]), texts_of("aba"), np.zeros((0, 2), object)):
        for pattern, rewrite in _PATTERNS:
            for everywhere in (True, False):
                yield Sample((x, texts_of(pattern), texts_of(rewrite)), {"replace_global": everywhere})


def _replace_reference(x: Any, pattern: Any, rewrite: Any, replace_global: bool) -> Any:
    template = rewrite[()].decode().replace("\\0", "\\g<0>")
    change = lambda t: re.sub(pattern[()].decode(), template, t.decode(), count=not replace_global).encode()
    return np.frompyfunc(change, 1, 1)(x)


@op(
    raises=VALUES,
    shape=_replace_shape, dtypes=STRINGS, samples=_replace_samples, reference=_replace_reference,
    errors=[Failure((["a"], "(", "b"), InvalidArgumentError, ("Invalid pattern: (",)),
            Failure((["a"], "a", "\\1"), InvalidArgumentError, ("Invalid rewrite", "group 1")),
            Failure((["a"], ["a", "b"], "c"), ShapeMismatchError, ("pattern", "(2,)"))],
)  # fmt: skip
def string_regex_replace(x: Any, pattern: Any, rewrite: Any, *, replace_global: bool = True) -> Any:
    r"""Each text of x with what matches `pattern` replaced by `rewrite`, where `\1` is the first group and `\0` all.

    x: string tensor; pattern, rewrite: scalar string tensors. replace_global: False replaces the first match only.
    """
    _one_text("string_regex_replace", "pattern", TensorShape(elements(pattern).shape))
    _one_text("string_regex_replace", "rewrite", TensorShape(elements(rewrite).shape))
    found, new = bytes(elements(pattern)[()]), bytes(elements(rewrite)[()])
    _named("string_regex_replace", lambda: replaced(b"", found, new, False))
    return each_text("string_regex_replace", lambda text: replaced(text, found, new, replace_global), x)


def _named(name: str, check: Any) -> Any:
    """The result of a check of a pattern, whose error then names the operation."""
    try:
        return check()
    except InvalidArgumentError as error:
        raise InvalidArgumentError(f"{name}: {error}") from None


def _match_shape(x: Operand, pattern: Operand) -> TensorShape:
    _one_text("string_regex_full_match", "pattern", pattern.shape)
    return x.shape


def _match_samples(dtype: DType) -> Any:
    for x in (texts_of("abc", "aé b", ""), texts_of([["x"], ["ba"]]), texts_of("aba"), np.zeros((0, 2), object)):
        for pattern in (".*", "[a-c]*", "x|ba", ""):
            yield Sample((x, texts_of(pattern)))


@op(
    raises=VALUES,
    shape=_match_shape, dtypes=STRINGS, result=bool_, samples=_match_samples,
    reference=lambda x, pattern: np.frompyfunc(
        lambda t: re.fullmatch(pattern[()].decode(), t.decode()) is not None, 1, 1
    )(x),
    errors=[Failure((["a"], "["), InvalidArgumentError, ("Invalid pattern: [",)),
            Failure((["a"], ["a", "b"]), ShapeMismatchError, ("pattern", "(2,)"))],
)  # fmt: skip
def string_regex_full_match(x: Any, pattern: Any) -> Any:
    """Whether the whole of each text matches, bool. x: string tensor; pattern: scalar string tensor."""
    _one_text("string_regex_full_match", "pattern", TensorShape(elements(pattern).shape))
    regex = _named("string_regex_full_match", lambda: compiled(bytes(elements(pattern)[()])))
    match = lambda text: regex.fullmatch(text.decode("utf-8", "surrogateescape")) is not None
    return np.asarray(each_text("string_regex_full_match", match, x), np.bool_)
