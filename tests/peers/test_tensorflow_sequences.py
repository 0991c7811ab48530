"""SequenceExample messages and records of CSV against TensorFlow, and the classes of errors."""

from __future__ import annotations

from typing import Any

import pytest
import tensorflow as tf

import runtime
from tests.peers.messages import MODULES, feature, features, plain

pytestmark = pytest.mark.filterwarnings("ignore")

CSV: dict[str, tuple[Any, list[Any], dict[str, Any]]] = {
    "columns": (["1,2.5,a", "3,,b"], [0, 1.5, "x"], {}), "scalar": ("1,2.5,a", [0, 1.5, "x"], {}),
    "matrix": ([["1,2"], ["3,4"]], [0, 0], {}), "spaces": ([" 1 , 2.5 , a "], [0, 0.0, ""], {}),
    "quotes": (['1,"a,""b"""', '2,"x\ny"'], [0, ""], {}), "an empty text": (['"",2'], [[7], [0]], {}),
    "no quotes": (['"a",2'], ["", 0], {"use_quote_delim": False}),
    "not there": (["NA,NA"], ["z", 1], {"na_value": "NA"}),
    "selected": (["1,2,3,4"], [0, 0], {"select_cols": [1, 3]}), "infinite": (["inf", "1e400", "-1e-400"], [0.0], {}),
    "few": (["1,2", "2"], [0, 0], {}), "many": (["1,2,3"], [0, 0], {}), "letters": (["1,x"], [0, 0], {}),
    "a fraction": (["1.5"], [0], {}), "large": (["99999999999"], [0], {}), "a quote": (['a"b,2'], ["", 0], {}),
    "open": (['"ab,2', "3,4"], ["", 0], {}), "a line": (["a,2\r\n"], ["", 0], {}), "nothing": ([""], ["z"], {}),
    "a delimiter of two": (["a||2"], ["z", 1], {"field_delim": "||"}), "bool": (["1"], [True], {}),
    "columns that fall": (["1,2"], [0, 0], {"select_cols": [1, 0]}), "two defaults": (["1"], [[1, 2]], {}),
}  # fmt: skip


@pytest.mark.parametrize("case", CSV)
def test_records_of_csv(case: str) -> None:
    records, defaults, options = CSV[case]
    try:
        wanted = tf.io.decode_csv(records, defaults, **options)
    except (ValueError, tf.errors.InvalidArgumentError) as error:
        kind = ValueError if isinstance(error, ValueError) else runtime.errors.InvalidArgumentError
        with pytest.raises(kind):
            runtime.io.decode_csv(records, defaults, **options)
        return
    for found, other in zip(runtime.io.decode_csv(records, defaults, **options), wanted, strict=True):
        assert found.dtype.name == other.dtype.name
        assert plain(found) == plain(other)


def sequence(train: Any, ident: int | None, **lists: Any) -> bytes:
    """A SequenceExample; each list is a list of the values of its steps."""
    context = features(train, {} if ident is None else {"id": [ident]})
    steps = {k: train.FeatureList(feature=[feature(train, v) for v in rows]) for k, rows in lists.items()}
    whole = train.SequenceExample(context=context, feature_lists=train.FeatureLists(feature_list=steps))
    made: bytes = whole.SerializeToString(deterministic=True)
    return made


SEQUENCES = [
    sequence(tf.train, 5, w=[[b"a", b"b"], None, [b"c"]], p=[[1.0, 2.0], [3.0, 4.0]], n=[[1], [2], [3]]),
    sequence(tf.train, 6, w=[[b"d"]], p=[[5.0, 6.0]], n=[[4]]), sequence(tf.train, 7, p=[], n=[[5], [6]]),
]  # fmt: skip


@pytest.mark.parametrize("count", [1, 3, 30])
def test_sequences(count: int) -> None:
    texts = (SEQUENCES * 10)[:count]

    def ask(module: Any, texts: Any, call: str) -> Any:
        io = module.io
        context = {"id": io.FixedLenFeature([], module.int64)}
        steps, many = io.FixedLenSequenceFeature, io.VarLenFeature
        forms: list[dict[str, Any]] = [
            {"p": steps([2], module.float32), "w": many(module.string), "n": steps([], module.int64)},
            {"w": io.RaggedFeature(module.string), "p": io.RaggedFeature(module.float32, None, (), module.int64)},
            {"absent": steps([2], module.float32, allow_missing=True), "w": many(module.string)},
        ]
        read = getattr(io, call)
        return [part for form in forms for part in read(texts, context, form)]

    for given, call in ((texts, "parse_sequence_example"), (texts[0], "parse_sequence_example"),
                        (texts[0], "parse_single_sequence_example")):  # fmt: skip
        for wanted, found in zip(*(ask(module, given, call) for module in MODULES), strict=True):
            assert wanted.keys() == found.keys()
            for key, value in wanted.items():
                assert plain(found[key]) == plain(value), (call, key)
                assert found[key].dtype.name == value.dtype.name


WRONG_LISTS: dict[str, Any] = {
    "a list that is missing": lambda m: ({"w": m.io.FixedLenSequenceFeature([], m.string)}, SEQUENCES),
    "another size": lambda m: ({"p": m.io.FixedLenSequenceFeature([3], m.float32)}, SEQUENCES),
    "another dtype": lambda m: ({"p": m.io.FixedLenSequenceFeature([2], m.int64)}, SEQUENCES),
    "another dtype of any length": lambda m: ({"p": m.io.VarLenFeature(m.int64)}, SEQUENCES),
    "a feature": lambda m: ({"p": m.io.FixedLenFeature([2], m.float32)}, SEQUENCES),
    "nothing": lambda m: (None, SEQUENCES),
}  # fmt: skip


@pytest.mark.parametrize("case", WRONG_LISTS)
def test_lists_that_are_refused(case: str) -> None:
    kinds = {tf.errors.InvalidArgumentError: runtime.errors.InvalidArgumentError}
    raised = []
    for module in MODULES:
        lists, texts = WRONG_LISTS[case](module)
        with pytest.raises((ValueError, tf.errors.InvalidArgumentError)) as error:
            module.io.parse_sequence_example(texts, None, lists)
        raised.append(error.type)
    assert issubclass(raised[1], kinds.get(raised[0], raised[0]))
