"""Programs over texts, rows of several lengths, sparse tensors and sets: functions of the module they run with.

    PROGRAMS["upper"](tensorflow)         # what TensorFlow gives
    PROGRAMS["upper"](runtime)            # and what is given here
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np

__all__ = ["PROGRAMS"]

Program = Callable[[Any], Any]

WORDS: Final = ["", "a", "Ab c", "é", "naïve €", "  x y  ", "1.5", "a,b,,c"]
ROWS: Final = [[3, 1, 2], [], [4, 5]]
DEEP: Final = [[[1, 2], []], [], [[3], [4, 5, 6]]]
DENSE: Final = np.array([[0, 2, 0], [3, 0, 0], [0, 0, 4]], np.float32)


def _rows(m: Any) -> Any:
    return m.ragged.constant(ROWS)


def _nested(m: Any) -> Any:
    """Two rows of two rows each."""
    return m.RaggedTensor.from_uniform_row_length(m.ragged.constant([[1, 2], [3], [4, 5, 6], [7]]), 2)


def _floats(m: Any) -> Any:
    return m.ragged.constant([[1.0, 2.5], [], [-1.0, 4.0, 0.5]])


def _words(m: Any) -> Any:
    return m.ragged.constant([["a", "bc"], [], ["d e"]])


def _sparse(m: Any) -> Any:
    return m.sparse.from_dense(m.constant(DENSE))


TEXTS: Final[dict[str, Program]] = {
    "upper": lambda m: m.strings.upper(WORDS, encoding="utf-8"),
    "upper of bytes": lambda m: m.strings.upper(WORDS),
    "lower": lambda m: m.strings.lower(WORDS),
    "length": lambda m: m.strings.length(WORDS),
    "length of characters": lambda m: m.strings.length(WORDS, unit="UTF8_CHAR"),
    "strip": lambda m: m.strings.strip(WORDS),
    "join": lambda m: m.strings.join([WORDS, "x", WORDS], separator="-"),
    "split": lambda m: m.strings.split(WORDS),
    "split at": lambda m: m.strings.split(WORDS, sep=","),
    "split once": lambda m: m.strings.split(WORDS, sep=",", maxsplit=1),
    "split of one": lambda m: m.strings.split("a b  c"),
    "split of a matrix": lambda m: m.strings.split([["a b", "c"], ["", "d e f"]]),
    "substr": lambda m: m.strings.substr(["abcdef", "ghijkl"], 2, 3),
    "substr from the end": lambda m: m.strings.substr(["abcdef", "ghijkl"], -3, 2),
    "substr of characters": lambda m: m.strings.substr(["naïve"], 2, 2, unit="UTF8_CHAR"),
    "substr of several places": lambda m: m.strings.substr(["abcdef", "ghijkl"], [1, 2], [3, 9]),
    "substr too far": lambda m: m.strings.substr(["abc"], 5, 1),
    "to_number": lambda m: m.strings.to_number(["1.5", "-2", "1e3", "inf", " 7 "]),
    "to_number of integers": lambda m: m.strings.to_number(["15", "-2"], m.int64),
    "to_number of what is none": lambda m: m.strings.to_number(["x"]),
    "to_number of too much": lambda m: m.strings.to_number(["99999999999"], m.int32),
    "as_string": lambda m: m.strings.as_string([1.5, -2.25, 1e10]),
    "as_string with digits": lambda m: m.strings.as_string([1.5, -2.25], precision=3),
    "as_string in columns": lambda m: m.strings.as_string([15, -2], width=6, fill="0"),
    "as_string of bools": lambda m: m.strings.as_string([True, False]),
    "as_string shortest": lambda m: m.strings.as_string([1.5, 1e-7], shortest=True),
    "as_string scientific": lambda m: m.strings.as_string([1.5, 1e-7], scientific=True, precision=2),
    "regex_replace": lambda m: m.strings.regex_replace(WORDS, "[a-c]", "<\\0>"),
    "regex_replace once": lambda m: m.strings.regex_replace(["aaa", "bab"], "a", "x", replace_global=False),
    "regex_full_match": lambda m: m.strings.regex_full_match(WORDS, "a.*"),
    "regex_replace with groups": lambda m: m.strings.regex_replace(["ab-cd"], r"(\w+)-(\w+)", r"\2-\1"),
    "bad regex": lambda m: m.strings.regex_replace(["a"], "(", "x"),
    "reduce_join": lambda m: m.strings.reduce_join([["a", "b"], ["c", "d"]], axis=1, separator="+"),
    "reduce_join of all": lambda m: m.strings.reduce_join([["a", "b"], ["c", "d"]]),
    "unicode_decode": lambda m: m.strings.unicode_decode(WORDS, "UTF-8"),
    "unicode_encode": lambda m: m.strings.unicode_encode([[104, 233], [8364, 0x1F600]], "UTF-8"),
    "unicode_split": lambda m: m.strings.unicode_split(WORDS, "UTF-8"),
    "unicode_transcode": lambda m: m.strings.unicode_transcode(["é€"], "UTF-8", "UTF-16-BE"),
    "unicode_decode of what is none": lambda m: m.strings.unicode_decode([b"a\xffb"], "UTF-8"),
    "bytes_split": lambda m: m.strings.bytes_split(["ab", "", "é"]),
    "ngrams": lambda m: m.strings.ngrams(["a", "b", "c", "d"], 2, separator=" "),
    "format": lambda m: m.strings.format("x {} y {}", (m.constant([1, 2]), m.constant(2.5))),
    "equal": lambda m: m.constant(WORDS) == "a",
    "add": lambda m: m.constant(WORDS) + "!",
    "base64": lambda m: m.io.encode_base64(WORDS),
    "base64 back": lambda m: m.io.decode_base64(m.io.encode_base64(WORDS, pad=True)),
    "decode_raw": lambda m: m.io.decode_raw(["abcd", "efgh"], m.int16),
    "unique": lambda m: m.unique(["b", "a", "b"]),
    "gather": lambda m: m.gather(WORDS, [1, 0]),
    "where": lambda m: m.where([True, False], ["a", "b"], "z"),
    "argsort": lambda m: m.argsort([3, 1, 2]),
}  # fmt: skip

RAGGED: Final[dict[str, Program]] = {
    "constant": _rows,
    "deep constant": lambda m: m.ragged.constant(DEEP),
    "constant with an inner shape": lambda m: m.ragged.constant([[[1, 2]], [], [[3, 4]]], ragged_rank=1),
    "shape": lambda m: m.constant(_rows(m).bounding_shape()),
    "row_lengths": lambda m: [_rows(m).row_lengths(), _rows(m).row_splits, _rows(m).value_rowids(), _rows(m).nrows()],
    "row starts": lambda m: [_rows(m).row_starts(), _rows(m).row_limits(), _rows(m).flat_values],
    "from_row_splits": lambda m: m.RaggedTensor.from_row_splits([1, 2, 3], [0, 2, 2, 3]),
    "from_value_rowids": lambda m: m.RaggedTensor.from_value_rowids([1, 2, 3], [0, 0, 2], nrows=4),
    "from_row_lengths": lambda m: m.RaggedTensor.from_row_lengths([1, 2, 3], [2, 0, 1]),
    "from_row_starts": lambda m: m.RaggedTensor.from_row_starts([1, 2, 3], [0, 2, 2]),
    "from_uniform_row_length": lambda m: m.RaggedTensor.from_uniform_row_length([1, 2, 3, 4], 2),
    "from splits that do not fit": lambda m: m.RaggedTensor.from_row_splits([1, 2, 3], [0, 2, 4]),
    "from splits that fall": lambda m: m.RaggedTensor.from_row_splits([1, 2, 3], [0, 2, 1, 3]),
    "from_tensor": lambda m: m.RaggedTensor.from_tensor([[1, 2, 0], [3, 0, 0]], padding=0),
    "from_tensor with lengths": lambda m: m.RaggedTensor.from_tensor([[1, 2, 0], [3, 0, 0]], lengths=[1, 3]),
    "to_tensor": lambda m: _rows(m).to_tensor(),
    "to_tensor with a default": lambda m: _rows(m).to_tensor(default_value=-1, shape=[None, 2]),
    "deep to_tensor": lambda m: m.ragged.constant(DEEP).to_tensor(),
    "to_sparse": lambda m: _rows(m).to_sparse(),
    "from_sparse": lambda m: m.RaggedTensor.from_sparse(_rows(m).to_sparse()),
    "row": lambda m: [_rows(m)[0], _rows(m)[1], _rows(m)[-1]],
    "slices": lambda m: [_rows(m)[1:], _rows(m)[:, :1], _rows(m)[:, -2:], _rows(m)[::-1]],
    "slices of columns": lambda m: [_rows(m)[:, ::-1], _rows(m)[:, 1:], m.ragged.constant(DEEP)[:, :, :1]],
    "item": lambda m: _rows(m)[2, 1],
    "item out of a row": lambda m: _rows(m)[1, 0],
    "deep item": lambda m: [m.ragged.constant(DEEP)[2, 1], m.ragged.constant(DEEP)[0]],
    "new axis": lambda m: [_rows(m)[:, None], _rows(m)[m.newaxis]],
    "arithmetic": lambda m: [_rows(m) + 1, _rows(m) * _rows(m), -_rows(m), 2 - _rows(m), _rows(m) // 2],
    "of rows and a column": lambda m: _rows(m) + [[10], [20], [30]],
    "of several lengths": lambda m: _rows(m) + m.ragged.constant([[1], [2], [3, 4]]),
    "comparisons": lambda m: [_rows(m) > 2, m.equal(_rows(m), 3), m.logical_not(_rows(m) > 2)],
    "element by element": lambda m: [m.sqrt(m.abs(_floats(m))), m.exp(_floats(m)), m.cast(_rows(m), m.float32)],
    "reduce_sum": lambda m: [m.reduce_sum(_rows(m)), m.reduce_sum(_rows(m), 1), m.reduce_sum(_rows(m), 0)],
    "reduce_mean": lambda m: [m.reduce_mean(_floats(m), 1), m.reduce_mean(_floats(m), 0), m.reduce_mean(_floats(m))],
    "reduce_max": lambda m: [m.reduce_max(_rows(m), 1), m.reduce_min(_rows(m), 0), m.reduce_prod(_rows(m), 1)],
    "reduce keepdims": lambda m: m.reduce_sum(_rows(m), 1, keepdims=True),
    "reduce_any": lambda m: [m.reduce_any(_rows(m) > 3, 1), m.reduce_all(_rows(m) > 1, 1)],
    "deep reduce": lambda m: [m.reduce_sum(m.ragged.constant(DEEP), a) for a in (0, 1, 2)],
    "variance": lambda m: [m.math.reduce_std(_floats(m), 1), m.math.reduce_variance(_floats(m), 0)],
    "concat": lambda m: [m.concat([_rows(m), _rows(m)], 0), m.concat([_rows(m), [[7], [8], [9]]], 1)],
    "stack": lambda m: [m.stack([_rows(m), _rows(m)], 0), m.ragged.stack([[1, 2], [3]])],
    "stack of columns": lambda m: m.stack([_rows(m), _rows(m)], 1),
    "gather": lambda m: [m.gather(_rows(m), [2, 0]), m.gather([1, 2, 3, 4], m.ragged.constant([[0, 3], [], [1]]))],
    "gather in rows": lambda m: m.gather(_rows(m), m.ragged.constant([[1, 0], [], [1]]), batch_dims=1),
    "gather in dense rows": lambda m: [m.gather(_rows(m)[::2], [[2, 0], [1, 1]], batch_dims=1),
                                       m.gather([[1, 2], [3, 4]], m.ragged.constant([[0, 1, 1], [0]]), batch_dims=1)],
    "gather along rows": lambda m: [m.gather(_rows(m)[::2], i, axis=1) for i in (0, [0, 1], [[1], [0]])],
    "gather deep": lambda m: [m.gather(_nested(m), [1, 0], axis=1), m.gather(_nested(m), 0, axis=2),
                              m.gather(_nested(m), [[1], [0]], batch_dims=1)],
    "gather deep in batches": lambda m: [m.gather(_nested(m), [[0], [0]], axis=2, batch_dims=1),
                                         m.gather(_nested(m), [[[0], [0]], [[2], [0]]], batch_dims=2)],
    "gather ragged along rows": lambda m: [m.gather([[1, 2, 3]], m.ragged.constant([[0, 1], [0]]), axis=1),
                                           m.gather(_nested(m), m.ragged.constant([[1], [0, 0]]), axis=1)],
    "gather outside": lambda m: m.gather(_rows(m), [3]),
    "gather_nd": lambda m: m.gather_nd(_rows(m), [[0, 1], [2, 0]]),
    "gather_nd deep": lambda m: [m.gather_nd(_nested(m), [[0, 1], [1, 0]]), m.gather_nd(_nested(m), [[1, 0, 2]])],
    "split": lambda m: [*m.split(_rows(m), 3), *m.split(_rows(m), [1, 2])],
    "split of values": lambda m: m.split(m.ragged.constant([[[1, 2]], []], ragged_rank=1, inner_shape=(2,)), 2, axis=2),
    "split that does not fit": lambda m: m.split(_rows(m), 2),
    "split of ragged axes": lambda m: m.split(_rows(m), 1, axis=1),
    "split of ragged axes in two": lambda m: m.split(_rows(m), 2, axis=1),
    "uniform rows": lambda m: [_nested(m), _nested(m).uniform_row_length, _nested(m).shape.as_list(), _nested(m)[:, 1]],
    "uniform rows of tensors": lambda m: m.RaggedTensor.from_tensor([[[1, 2], [3, 4]]], ragged_rank=2).shape.as_list(),
    "uniform rows kept": lambda m: [(_nested(m) + 1).shape.as_list(), *m.split(_nested(m), 2, axis=1)],
    "uniform rows cut": lambda m: [_nested(m)[:, :1].shape.as_list(), m.reverse(_nested(m), [1]).shape.as_list(),
                                   m.expand_dims(_rows(m), 0).shape.as_list(), _nested(m)[:1].shape.as_list()],
    "uniform rows that do not fit": lambda m: m.RaggedTensor.from_uniform_row_length([1, 2, 3], 2),
    "column outside": lambda m: _nested(m)[:, 2],
    "format": lambda m: [m.strings.format("{} {}", [_rows(m), m.constant([1, 2])]), m.strings.format("{}", _words(m)),
                         m.strings.format("{}", _floats(m)), m.strings.format("{}", m.ragged.range(m.range(9)))],
    "boolean_mask": lambda m: m.ragged.boolean_mask([[1, 2, 3], [4, 5, 6]], [[True, False, True], [False] * 3]),
    "boolean_mask of rows": lambda m: m.ragged.boolean_mask(_rows(m), m.ragged.constant([[True, False, True], [],
                                                                                         [False, True]])),
    "where": lambda m: [m.where(_rows(m) > 2), m.where(_rows(m) > 2, _rows(m), -_rows(m))],
    "expand_dims": lambda m: [m.expand_dims(_rows(m), 0), m.expand_dims(_rows(m), 1), m.expand_dims(_rows(m), 2)],
    "squeeze": lambda m: m.squeeze(m.expand_dims(_rows(m), 1), [1]),
    "size": lambda m: [m.size(_rows(m)), m.rank(_rows(m))],
    "tile": lambda m: m.tile(_rows(m), [2, 1]),
    "tile in rows": lambda m: m.tile(_rows(m), [1, 2]),
    "reverse": lambda m: m.reverse(_rows(m), [1]),
    "range": lambda m: [m.ragged.range([3, 0, 2]), m.ragged.range([0, 5], [4, 1], [1, -2])],
    "row_splits_to_segment_ids": lambda m: m.ragged.row_splits_to_segment_ids([0, 2, 2, 3]),
    "segment_ids_to_row_splits": lambda m: m.ragged.segment_ids_to_row_splits([0, 0, 2]),
    "map_flat_values": lambda m: m.ragged.map_flat_values(lambda x: x * 2, _rows(m)),
    "map_fn": lambda m: m.map_fn(m.reduce_sum, _rows(m), fn_output_signature=m.int32),
    "map_fn to rows": lambda m: m.map_fn(lambda n: m.range(n), m.constant([2, 0, 3]),
                                         fn_output_signature=m.RaggedTensorSpec([None], m.int32)),
    "with_values": lambda m: _rows(m).with_values(m.constant([9, 8, 7, 6, 5])),
    "merge_dims": lambda m: [m.ragged.constant(DEEP).merge_dims(0, 1), m.ragged.constant(DEEP).merge_dims(1, 2)],
    "words": lambda m: [m.strings.upper(_words(m)), m.strings.length(_words(m)), _words(m) + "!"],
    "joined words": lambda m: [m.strings.reduce_join(_words(m), axis=-1), m.strings.join([_words(m), _words(m)])],
    "split words": lambda m: m.strings.split(_words(m)),
    "one_hot": lambda m: m.one_hot(m.ragged.constant([[0, 2], [1]]), 3),
    "clip": lambda m: m.clip_by_value(_rows(m), 2, 4),
    "softmax": lambda m: m.nn.softmax(m.ragged.constant([[1.0, 2.0], [0.5]])),
    "equal rows": lambda m: m.ragged.constant([[1], []]) == m.ragged.constant([[1], []]),
    "cross": lambda m: m.ragged.cross([_words(m), _words(m)]),
    "cross of three": lambda m: m.ragged.cross([_rows(m), m.constant([["x", "y"]] * 3), _words(m)]),
    "cross of sparse": lambda m: m.ragged.cross([_words(m), m.sparse.from_dense([["", "p"], ["q", ""], ["r", "s"]])]),
    "cross of other rows": lambda m: m.ragged.cross([_words(m), _words(m)[:2]]),
    "cross of floats": lambda m: m.ragged.cross([_floats(m)]),
    "top": lambda m: m.sort(_rows(m).to_tensor(), axis=1, direction="DESCENDING"),
    "spec": lambda m: [str(m.RaggedTensorSpec([None, None], m.int32).dtype.name), _rows(m).shape.as_list()],
    "broken constant": lambda m: m.ragged.constant([[1], 2]),
}  # fmt: skip

SPARSE: Final[dict[str, Program]] = {
    "from_dense": _sparse,
    "to_dense": lambda m: [m.sparse.to_dense(_sparse(m)), m.sparse.to_dense(_sparse(m), default_value=-1)],
    "SparseTensor": lambda m: m.sparse.SparseTensor([[0, 1], [2, 0]], [1.5, 2.5], [3, 2]),
    "unordered": lambda m: m.sparse.reorder(m.sparse.SparseTensor([[2, 0], [0, 1]], [1, 2], [3, 2])),
    "unordered to_dense": lambda m: m.sparse.to_dense(m.sparse.SparseTensor([[2, 0], [0, 1]], [1, 2], [3, 2])),
    "outside": lambda m: m.sparse.to_dense(m.sparse.SparseTensor([[5, 0]], [1], [3, 2])),
    "add": lambda m: m.sparse.add(_sparse(m), _sparse(m)),
    "add a tensor": lambda m: m.sparse.add(_sparse(m), m.ones([3, 3])),
    "multiply": lambda m: [_sparse(m) * 2.0, _sparse(m) * m.constant([[1.0, 2.0, 3.0]])],
    "divide": lambda m: _sparse(m) / 2.0,
    "matmul": lambda m: m.sparse.sparse_dense_matmul(_sparse(m), m.constant(DENSE)),
    "matmul of adjoints": lambda m: m.sparse.sparse_dense_matmul(_sparse(m), m.constant(DENSE[:, :2]), adjoint_a=True),
    "transpose": lambda m: [m.sparse.transpose(_sparse(m)), m.sparse.transpose(_sparse(m), [1, 0])],
    "reshape": lambda m: m.sparse.reshape(_sparse(m), [1, -1]),
    "slice": lambda m: m.sparse.slice(_sparse(m), [0, 0], [2, 2]),
    "concat": lambda m: [m.sparse.concat(0, [_sparse(m), _sparse(m)]), m.sparse.concat(1, [_sparse(m), _sparse(m)])],
    "split": lambda m: m.sparse.split(_sparse(m), num_split=3, axis=1),
    "expand_dims": lambda m: [m.sparse.expand_dims(_sparse(m), 0), m.sparse.expand_dims(_sparse(m))],
    "reduce_sum": lambda m: [m.sparse.reduce_sum(_sparse(m), a) for a in (None, 0, 1)],
    "reduce_max": lambda m: [m.sparse.reduce_max(_sparse(m), a) for a in (None, 0, 1)],
    "retain": lambda m: m.sparse.retain(_sparse(m), [True, False, True]),
    "fill_empty_rows": lambda m: m.sparse.fill_empty_rows(m.sparse.SparseTensor([[0, 1], [2, 0]], [1, 2], [4, 2]), 7),
    "reset_shape": lambda m: m.sparse.reset_shape(_sparse(m), [4, 5]),
    "mask": lambda m: m.sparse.mask(m.IndexedSlices(m.constant([[1], [2]]), m.constant([3, 4])), [3]),
    "eye": lambda m: m.sparse.eye(2, 3),
    "maximum": lambda m: m.sparse.maximum(_sparse(m), m.sparse.eye(3)),
    "minimum": lambda m: m.sparse.minimum(_sparse(m), m.sparse.eye(3)),
    "softmax": lambda m: m.sparse.softmax(_sparse(m)),
    "map_values": lambda m: m.sparse.map_values(lambda x: x * x, _sparse(m)),
    "segment_sum": lambda m: m.sparse.segment_sum(m.constant(DENSE), [0, 2], [0, 0]),
    "segment_mean": lambda m: m.sparse.segment_mean(m.constant(DENSE), [0, 2], [0, 0]),
    "bincount": lambda m: m.sparse.bincount([[1, 1, 3], [0, 0, 0]], axis=-1),
    "to_indicator": lambda m: m.sparse.to_indicator(m.sparse.SparseTensor([[0, 0], [1, 0]], [2, 1], [2, 1]), 3),
    "embedding": lambda m: m.nn.embedding_lookup_sparse(
        m.constant(DENSE), m.sparse.SparseTensor([[0, 0], [0, 1], [1, 0]], m.constant([1, 2, 0], m.int64), [2, 2]),
        None, combiner="mean"),
    "cast": lambda m: m.cast(_sparse(m), m.int32),
    "wrong rank": lambda m: m.sparse.SparseTensor([[0, 1]], [1.5, 2.5], [3, 2]),
}  # fmt: skip

SETS: Final[dict[str, Program]] = {
    **{
        call: (lambda m, call=call: getattr(m.sets, call)([[1, 2, 2], [3, 4, 5]], [[2, 6], [9, 9]]))
        for call in ("union", "intersection", "difference")
    },
    "size": lambda m: m.sets.size(m.sparse.from_dense([[1, 2, 0], [3, 3, 0]])),
    "backwards": lambda m: m.sets.difference(m.constant([[1, 2]]), m.constant([[2, 3]]), aminusb=False),
}


def _named(prefix: str, programs: dict[str, Program]) -> dict[str, Program]:
    return {f"{prefix}: {name}": program for name, program in programs.items()}


PROGRAMS: Final = {
    **_named("texts", TEXTS), **_named("ragged", RAGGED), **_named("sparse", SPARSE), **_named("sets", SETS),
}  # fmt: skip
