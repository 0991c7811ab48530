"""`runtime.strings`: operations on string tensors, whose elements are bytes (text is UTF-8 in them).

>>> runtime.strings.split(["one two", "three"])
<tf.RaggedTensor [[b'one', b'two'], [b'three']]>

Where a text becomes several pieces, a scalar gives a vector, and a tensor of higher rank a ragged tensor with one more
axis. An error names the index of the element that is wrong. Regular expressions are in the syntax of RE2
(`runtime.ops.kernels.pattern_syntax` says what differs from Python's).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, cast

from runtime.composite.ragged_tensor import RaggedTensor
from runtime.dtypes import float32, string
from runtime.errors import InvalidArgumentError, ShapeMismatchError, of_the_trace
from runtime.names.elsewhere import explain
from runtime.ops.records.gradients import ops
from runtime.ops.rows import text as row_text
from runtime.ops.text import (
    codes as text_codes,
)
from runtime.ops.text import (
    elements as text_elements,
)
from runtime.ops.text import (
    filled_in as text_templates,
)
from runtime.ops.text import (
    hashes as text_hashes,
)
from runtime.ops.text import (
    numbers as text_numbers,
)
from runtime.ops.text import (
    parts as text_parts,
)
from runtime.ops.text import (
    patterns as text_patterns,
)
from runtime.tensor.convert import convert_to_tensor
from runtime.tensor.switches import switches
from runtime.tensor.tensor import Tensor

__all__ = [
    "as_string", "bytes_split", "format", "join", "length", "lower", "reduce_join", "regex_full_match",
    "regex_replace", "split", "strip", "substr", "to_hash_bucket", "to_hash_bucket_fast",
    "to_hash_bucket_strong", "to_number", "unicode_decode", "unicode_decode_with_offsets",
    "unicode_encode", "unicode_split", "unicode_split_with_offsets", "unicode_transcode", "unsorted_segment_join",
    "upper",
]  # fmt: skip

explain(__name__)

# -- one text from each text ---------------------------------------------------------------------------------------


def length(input: Any, unit: str = "BYTE", name: str | None = None) -> Tensor:
    """How long each text is, int32. unit: "BYTE", or "UTF8_CHAR" for characters of UTF-8."""
    return text_elements.string_length(input, unit=unit, name=name)


def lower(input: Any, encoding: str = "", name: str | None = None) -> Tensor:
    """Each text in small letters: those of ASCII, or with encoding="utf-8" all of Unicode."""
    return text_elements.string_lower(input, encoding=encoding, name=name)


def upper(input: Any, encoding: str = "", name: str | None = None) -> Tensor:
    """Each text in capital letters: those of ASCII, or with encoding="utf-8" all of Unicode."""
    return text_elements.string_upper(input, encoding=encoding, name=name)


def strip(input: Any, name: str | None = None) -> Tensor:
    """Each text without the blanks, tabs and ends of lines at both ends."""
    return text_elements.string_strip(input, name=name)


def substr(input: Any, pos: Any, len: Any, unit: str = "BYTE", name: str | None = None) -> Tensor:
    """`len` bytes or characters of each text from `pos` on, with broadcasting; a negative pos counts from the end.

    Fewer where the text ends before, all that follow if len is negative. Raises InvalidArgumentError for a pos outside
    of the text. unit: "BYTE" or "UTF8_CHAR".
    """
    return text_elements.string_substr(input, pos, len, unit=unit, name=name)


def join(inputs: Any, separator: str = "", name: str | None = None) -> Tensor:
    """The texts of several tensors, which broadcast, element by element as one text each, with separator between."""
    if not isinstance(inputs, list | tuple):
        raise TypeError(f"strings.join: inputs is a list of tensors; got {inputs!r}. One tensor: strings.reduce_join")
    if not isinstance(separator, str):
        raise TypeError(f"strings.join: separator is a text; got {separator!r}")
    return text_elements.string_concat(list(inputs), separator=separator, name=name)


@switches
def regex_replace(
    input: Any, pattern: Any, rewrite: Any, replace_global: bool = True, name: str | None = None
) -> Tensor:
    r"""Each text with what matches pattern replaced by rewrite, in which `\1` is the first group and `\0` the match."""
    return text_patterns.string_regex_replace(input, pattern, rewrite, replace_global=replace_global, name=name)


def regex_full_match(input: Any, pattern: Any, name: str | None = None) -> Tensor:
    """Whether the whole of each text matches pattern, bool."""
    return text_patterns.string_regex_full_match(input, pattern, name=name)


def to_number(input: Any, out_type: Any = float32, name: str | None = None) -> Tensor:
    """The number that each text is. Raises InvalidArgumentError that names a text which is none, and its index."""
    return text_numbers.parse_number(input, out_type=out_type, name=name)


def to_hash_bucket_fast(input: Any, num_buckets: int, name: str | None = None) -> Tensor:
    """A number in [0, num_buckets) for each text, int64: the same in each run and on each machine, and TensorFlow's."""
    return text_hashes.string_bucket(input, num_buckets=num_buckets, name=name)


def to_hash_bucket_strong(input: Any, num_buckets: int, key: Sequence[int], name: str | None = None) -> Tensor:
    """As `to_hash_bucket_fast`, by a key of two integers: who does not know it can't choose texts for one bucket."""
    return text_hashes.string_bucket(input, num_buckets=num_buckets, key=tuple(map(int, key)), name=name)


def to_hash_bucket(input: Any, num_buckets: int, name: str | None = None) -> Tensor:
    """As `to_hash_bucket_fast`. Under this name TensorFlow gives other numbers, which it may change."""
    return to_hash_bucket_fast(input, num_buckets, name)


@switches
def as_string(
    input: Any,
    precision: int = -1,
    scientific: bool = False,
    shortest: bool = False,
    width: int = -1,
    fill: str = "",
    name: str | None = None,
) -> Tensor:
    """Each element as text, as C's printf writes it: floats with six digits after the point unless options say more."""
    options = {"precision": precision, "scientific": scientific, "shortest": shortest, "width": width, "fill": fill}
    return text_numbers.as_string(input, **options, name=name)


def format(
    template: str, inputs: Any = (), placeholder: str = "{}", summarize: int = 3, name: str | None = None
) -> Tensor:
    """The template with the text of each input in the place of a placeholder, a string scalar.

    inputs: a tensor, a ragged tensor, or a list of them. summarize: elements shown at each end of an axis; -1 shows
    all. Raises ValueError if there are not as many placeholders as inputs.
    """
    if not isinstance(template, str) or not isinstance(placeholder, str) or not placeholder:
        raise TypeError(f"strings.format: template and placeholder are texts; got {template!r} and {placeholder!r}")
    values = list(inputs) if isinstance(inputs, list | tuple) else [inputs]
    parts = template.split(placeholder)
    if len(parts) != len(values) + 1:
        raise ValueError(
            f"strings.format: the template {template!r} has {len(parts) - 1} places {placeholder!r}, and there are"
            f" {len(values)} inputs"
        )
    if any(isinstance(value, RaggedTensor) for value in values):
        return _with_rows(values, parts, summarize, name)
    return text_templates.string_filled_in(values, parts=tuple(parts), summarize=summarize, name=name)


def _with_rows(values: list[Any], parts: list[str], summarize: int, name: str | None) -> Any:
    """As `format`, where ragged tensors are among the values."""
    texts: list[Any] = [parts[0]]
    for value, part in zip(values, parts[1:], strict=True):
        if isinstance(value, RaggedTensor):
            flat = value.flat_values
            items = ["'", flat, "'"] if flat.dtype is string else [text_numbers.as_string(flat)]
            written = text_elements.string_concat(items)
            texts.append(row_text.rows_in_brackets(written, list(value.nested_row_splits), summarize=summarize))
        else:
            texts.append(text_templates.string_filled_in([value], parts=("", ""), summarize=summarize))
        texts.append(part)
    return text_elements.string_concat(texts, name=name)


@switches
def unicode_transcode(
    input: Any,
    input_encoding: str,
    output_encoding: str,
    errors: str = "replace",
    replacement_char: int = 0xFFFD,
    replace_control_characters: bool = False,
    name: str | None = None,
) -> Tensor:
    """Each text in another encoding: "UTF-8", "UTF-16-BE" or "UTF-32-BE".

    errors: "strict" raises InvalidArgumentError for what is malformed, "replace" puts replacement_char, "ignore" leaves
    it out.
    """
    return text_codes.unicode_transcode(
        input, from_encoding=input_encoding, to_encoding=output_encoding, errors=errors, replacement=replacement_char,
        control=replace_control_characters, name=name,
    )  # fmt: skip


# -- several texts as one ------------------------------------------------------------------------------------------


@switches
def reduce_join(
    inputs: Any, axis: Any = None, keepdims: bool = False, separator: str = "", name: str | None = None
) -> Tensor:
    """The texts along axes as one each; axis=None: all texts, row by row. Of several axes the first varies fastest."""
    return text_parts.string_reduce_join(inputs, axis=axis, keepdims=keepdims, separator=separator, name=name)


def unsorted_segment_join(
    inputs: Any, segment_ids: Any, num_segments: Any, separator: str = "", name: str | None = None
) -> Tensor:
    """The texts with one id as one text each, in their order; negative ids leave out."""
    return text_parts.string_segment_join(inputs, segment_ids, num_segments, separator=separator, name=name)


# -- one text as several -------------------------------------------------------------------------------------------


def split(input: Any, sep: Any = None, maxsplit: int = -1, name: str | None = None) -> Any:
    """The pieces of each text between separators; without sep between runs of blanks, as Python's `split()`.

    A vector for a scalar, a RaggedTensor with one more axis for all others. maxsplit: the most cuts in a text.
    """
    between = "" if sep is None else sep
    return _pieces(input, lambda texts: text_parts.string_split(texts, between, maxsplit=maxsplit, name=name))[0]


def bytes_split(input: Any, name: str | None = None) -> Any:
    """The bytes of each text: a vector for a scalar, a RaggedTensor with one more axis for all others."""
    return _pieces(input, lambda texts: text_parts.string_bytes(texts, name=name))[0]


@switches
def unicode_decode(
    input: Any,
    input_encoding: str,
    errors: str = "replace",
    replacement_char: int = 0xFFFD,
    replace_control_characters: bool = False,
    name: str | None = None,
) -> Any:
    """The code of each character, int32: a vector for a scalar, a RaggedTensor with one more axis for all others."""
    given = (input, input_encoding, errors, replacement_char, replace_control_characters, name)
    return unicode_decode_with_offsets(*given)[0]


@switches
def unicode_decode_with_offsets(
    input: Any,
    input_encoding: str,
    errors: str = "replace",
    replacement_char: int = 0xFFFD,
    replace_control_characters: bool = False,
    name: str | None = None,
) -> tuple[Any, Any]:
    """As `unicode_decode`, and at which byte of its text each character begins, int64."""
    decode = lambda texts: text_codes.unicode_decode(
        texts, encoding=input_encoding, errors=errors, replacement=replacement_char, control=replace_control_characters,
        name=name,
    )  # fmt: skip
    codes, offsets = _pieces(input, decode)
    return codes, offsets


def unicode_split(
    input: Any, input_encoding: str, errors: str = "replace", replacement_char: int = 0xFFFD, name: str | None = None
) -> Any:
    """The characters of each text as texts in its encoding: a vector for a scalar, else a RaggedTensor."""
    return unicode_split_with_offsets(input, input_encoding, errors, replacement_char, name)[0]


def unicode_split_with_offsets(
    input: Any, input_encoding: str, errors: str = "replace", replacement_char: int = 0xFFFD, name: str | None = None
) -> tuple[Any, Any]:
    """As `unicode_split`, and at which byte of its text each character begins, int64."""
    codes, offsets = unicode_decode_with_offsets(input, input_encoding, errors, replacement_char, False, name)
    flat = codes.flat_values if isinstance(codes, RaggedTensor) else codes
    count = ops.shape(flat, out_type="int64")[0]
    each = ops.range(convert_to_tensor(0, "int64"), ops.add(count, 1), 1)
    texts = text_codes.unicode_encode(flat, each, encoding=input_encoding, replacement=replacement_char)
    return (codes._with_flat(texts) if isinstance(codes, RaggedTensor) else texts), offsets


def unicode_encode(
    input: Any, output_encoding: str, errors: str = "replace", replacement_char: int = 0xFFFD, name: str | None = None
) -> Tensor:
    """The texts whose characters have the codes along the last axis. input: int32 tensor or RaggedTensor, rank >= 1."""
    wanted = None if isinstance(input, Tensor) else "int32"
    rows = input if isinstance(input, RaggedTensor) else convert_to_tensor(input, wanted)
    rank = rows.shape.rank
    if not rank:
        raise ShapeMismatchError(f"unicode_encode: codes along a last axis are needed; the shape is {rows.shape}")

    def encode(codes: Any, splits: Any) -> Any:
        return text_codes.unicode_encode(
            codes, splits, encoding=output_encoding, errors=errors, replacement=replacement_char, name=name
        )

    if not isinstance(rows, RaggedTensor):
        if rank == 1:
            zero = convert_to_tensor([0], "int64")
            return encode(rows, ops.concat([zero, ops.shape(rows, out_type="int64")], axis=0))[0]
        shape = ops.shape(rows)
        flat = RaggedTensor.from_tensor(ops.reshape(rows, ops.stack([ops.reduce_prod(shape[:-1]), shape[-1]])))
        return ops.reshape(encode(flat.values, flat.row_splits), shape[:-1])
    flat_rank: Any = rows.flat_values.shape.rank
    if flat_rank != 1:
        rows = rows._with_flat(RaggedTensor.from_tensor(rows.flat_values, ragged_rank=flat_rank - 1))
    levels = rows._levels()
    made = encode(levels[-1].values, levels[-1].row_splits)
    for level in reversed(levels[:-1]):
        made = cast(Any, level._with(made))
    return made


def _pieces(input: Any, cut: Callable[[Any], tuple[Any, ...]]) -> list[Any]:
    """What `cut` makes of the vector of all texts, in the form of the input with one more axis.

    cut: from a vector to vectors of pieces and, last, row_splits.
    """
    if isinstance(input, RaggedTensor):
        *vectors, splits = cut(input.flat_values)
        return [input._with_flat(RaggedTensor(v, splits, internal=True)) for v in vectors]
    texts = convert_to_tensor(input)
    rank = texts.shape.rank
    if rank is None:
        raise of_the_trace(InvalidArgumentError(
            "the rank of the texts must be known while the function is traced, since the result of a scalar is a vector"
            " and that of others a RaggedTensor; use ensure_shape or reshape"
        ))
    if rank == 0:
        return list(cut(ops.reshape(texts, [1]))[:-1])
    *vectors, splits = cut(texts if rank == 1 else ops.reshape(texts, [-1]))
    rows = [RaggedTensor(v, splits, internal=True) for v in vectors]
    if rank == 1:
        return rows
    outer = RaggedTensor.from_tensor(texts, ragged_rank=rank - 1)
    return [outer._with_flat(r) for r in rows]

