"""What an exported graph gives in onnxruntime, beside what it gives here.

    check_sample(op, sample, dynamic=True)      # None, or why the operation cannot leave; AssertionError if they differ
    ran = exported(function, [spec], x)         # the outputs of a session of the file
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import onnxruntime

import runtime
from runtime.exits.onnx.exporting import graph_model
from runtime.ops.records.record import Op
from runtime.ops.records.samples import Sample
from tests.runtime.leaving import sample_graph

onnxruntime.set_default_logger_severity(3)

OPTIONS = onnxruntime.SessionOptions()
OPTIONS.intra_op_num_threads = OPTIONS.inter_op_num_threads = 1

NEAR = {"float16": (4e-3, 4e-3), "float32": (1e-5, 1e-6), "float64": (1e-5, 1e-6)}
"""Relative to each element, and to elements of about 1."""

SHAPES = {"minlength", "multiples", "num_segments", "paddings", "shape", "sizes"}
"""Operands that say shapes: programs mostly know them."""


def same(found: Any, wanted: Any, what: str) -> None:
    found, wanted = np.asarray(found), np.asarray(wanted)
    assert (found.dtype, found.shape) == (wanted.dtype, wanted.shape), what
    if wanted.dtype.kind == "f":
        relative, absolute = NEAR[wanted.dtype.name]
        np.testing.assert_allclose(found, wanted, rtol=relative, atol=absolute, err_msg=what)
    else:
        assert found.tolist() == wanted.tolist(), what


def session(model: bytes | str) -> onnxruntime.InferenceSession:
    return onnxruntime.InferenceSession(model, OPTIONS, providers=["CPUExecutionProvider"])


def run(ran: onnxruntime.InferenceSession, arrays: Sequence[Any], state: Mapping[str, Any] | None = None) -> list[Any]:
    """The outputs of a session. arrays: for the inputs in their order; state: for Variables, by name."""
    names = [given.name for given in ran.get_inputs()]
    given = dict(zip(names, (np.array(a, order="C") for a in arrays), strict=True))
    return ran.run(None, {**given, **(state or {})})


def next_state(ran: onnxruntime.InferenceSession, outputs: Sequence[Any]) -> dict[str, Any]:
    """What the Variables are after a run, by name."""
    known = {given.name for given in ran.get_overridable_initializers()}
    named = zip((made.name.removesuffix("_next") for made in ran.get_outputs()), outputs, strict=True)
    return {name: value for name, value in named if name in known}


def written(function: Any, path: Path, signature: Any = None, **options: Any) -> onnxruntime.InferenceSession:
    """The session of a file; the whole of it is checked, and twice the same bytes come out."""
    runtime.export.onnx(function, path, input_signature=signature, **options)
    onnx.checker.check_model(str(path), full_check=True)
    return session(str(path))


def known_operands(op: Op) -> list[int]:
    return [place for place, name in enumerate(op.tensors) if name in SHAPES]


def check_sample(op: Op, sample: Sample, dynamic: bool = False, known: Sequence[int] = ()) -> str | None:
    graph = sample_graph(op, sample, known, dynamic)
    names = [tensor.op.name for tensor in graph.inputs], [f"y{i}" for i in range(len(graph.outputs))]
    model, problems = graph_model(graph, (), 21, *names)
    if problems:
        return "; ".join(problem.reason for problem in problems)
    if not graph.outputs:
        return "it has no result"
    message = model()
    onnx.checker.check_model(message, full_check=True)
    given = [operand for place, operand in enumerate(sample.operands) if place not in known]
    found = run(session(message.SerializeToString()), given)
    attributes = {**op.attributes, **sample.attributes}
    wanted = op.run([np.asarray(o) for o in sample.operands], attributes)
    for one, other in zip(found, wanted if isinstance(wanted, tuple) else [wanted], strict=True):
        same(one, other, f"{op.name} {[np.shape(o) for o in sample.operands]} {dict(sample.attributes)}")
    return None
