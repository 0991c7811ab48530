"""Reads of lists that grow, which the engine has no code for."""

import runtime  # noqa: F401
from runtime.backends import backend_named
from runtime.graph.graph import Graph


def test_reads_that_name_no_shape_are_left_to_the_plan():
    text = """
graph main(%n: int32[], %l: variant[]) -> (%r:1) {
  %z = constant() {value=array int32[] [0]} : int32[]
  %f = constant() {value=array float32[] [0.0]} : float32[]
  %r = while(%z, %f, %n, %l) {cond_graph=@test, body_graph=@body, maximum_iterations=None} : int32[], float32[]
}
graph test(%i: int32[], %s: float32[], %n: int32[], %l: variant[]) -> (%c) { %c = less(%i, %n) : bool[] }
graph body(%i: int32[], %s: float32[], %n: int32[], %l: variant[]) -> (%j, %t) {
  %one = constant() {value=array int32[] [1]} : int32[]
  %shape = constant() {value=array int32[0] []} : int32[0]
  %j = add(%i, %one) : int32[]
  %e = list_at(%l, %i, %shape) {element_dtype=float32} : float32[]
  %t = add(%s, %e) : float32[]
}
"""
    plan = backend_named("native").compile(Graph.from_text(text.strip()))
    assert "list_at" in plan.source
