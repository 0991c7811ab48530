"""exp, log, tanh, expm1, sin, cos and powers of float64, erf, erfc, gelu and lgamma of float32 as expressions that LLVM
inlines and vectorises, for code that need not be numpy's to the last bit (`jit_compile=True`): at most 1 unit in the
last place from the correctly rounded value, special values as numpy.

    if own_name(operation) is not None:
        number = call_own(build, operation, [x])

exp: x = k ln 2 + r by two steps of fused multiply-add (Cody and Waite, "Software Manual for the Elementary Functions",
1980), the Taylor polynomial of r, and 2^k made of bits. log: the polynomial in (f / (2 + f))^2 of fdlibm's `e_log.c`
(Sun Microsystems, 1993; its figures are a minimax approximation). expm1 and tanh keep what rounding loses of
2^k (expm1(r) + 1) - 1 in a second number.
"""

from __future__ import annotations

import math
import platform
from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, Final

from runtime.dtypes import float32, float64
from runtime.graph.operation import Operation
from runtime.native.own_angles import COS, QUADRANT, SIN
from runtime.native.own_errors import ERF, ERFC, ERFC_WIDE, GELU
from runtime.native.own_gamma import LGAMMA
from runtime.native.own_power import POWER
from runtime.native.polynomials import MAGIC, number, polynomial, scaled, split
from runtime.native.rules import loop_name
from runtime.native.types import in_register
from runtime.native.values import Number
from runtime.ops.elementwise.error_functions import erf, erfc
from runtime.ops.elementwise.gamma import lgamma
from runtime.ops.networks.activations import gelu
from runtime.ops.records.record import Op

if TYPE_CHECKING:
    from runtime.native.build import Build

__all__ = ["call_own", "has_fused_multiply_add", "is_slow_elsewhere", "own_name"]


@cache
def has_fused_multiply_add() -> bool:
    """Whether the processor multiplies and adds in one instruction; without it these functions would be slow."""
    import llvmlite.binding as llvm

    return platform.machine().lower() in ("arm64", "aarch64") or bool(llvm.get_host_cpu_features().get("fma"))


_INTRINSICS: Final = {
    "llvm.copysign.f64": 2, "llvm.fabs.f64": 1, "llvm.fma.f64": 3, "llvm.maxnum.f64": 2, "llvm.minnum.f64": 2,
    "llvm.rint.f64": 1,
}  # fmt: skip
"""What processors have, and how many numbers it takes."""

LIMITS: Final = {"sin": 2.0**30, "cos": 2.0**30}
"""Beyond these the functions are left to numpy, by giving up."""


_OF_FLOAT32: Final[dict[Op, str]] = {erf: "erf", erfc: "erfc", gelu: "gelu", lgamma: "lgamma"}
"""Functions that numpy does not have, and others compute number by number."""


def is_slow_elsewhere(operation: Operation) -> bool:
    """Whether an expression is worth machine code by itself: of a function of float32 numbers that is no ufunc."""
    narrow = operation.op in _OF_FLOAT32 and operation.inputs[0].dtype is float32
    return narrow and not operation.attributes.get("approximate") and has_fused_multiply_add()


def own_name(operation: Operation) -> str | None:
    """The name of the expression for an operation that is elementwise, if there is one for its dtype."""
    if is_slow_elsewhere(operation):
        return _OF_FLOAT32[operation.op]
    name = loop_name(operation)
    wide = name in _OF_FLOAT64 and operation.inputs[0].dtype is float64
    return name if wide and has_fused_multiply_add() else None


def call_own(build: Build, operation: Operation, operands: Sequence[Any]) -> Number:
    """The rule of an operation that has an `own_name`."""
    name, dtype = own_name(operation) or "", operation.outputs[0].dtype
    for needed in _NEEDS[name]:
        for step in _INTRINSICS:
            if f"@{step}(" in _TEXTS[needed]:
                build.module.declare(step, f"declare double @{step}({', '.join(['double'] * _INTRINSICS[step])})")
        build.module.declare(f"own.{needed}", _TEXTS[needed])
    x, w = operands[0].text, build.w
    if name in LIMITS:
        build.module.declare("llvm.fabs.f64", "declare double @llvm.fabs.f64(double)")
        size = w.let(f"call double @llvm.fabs.f64(double {x})")
        far = w.let(f"fcmp ogt double {size}, {number(LIMITS[name])}")
        build.doubt(w.let(f"and i1 {far}, {w.let(f'fcmp olt double {size}, {number(math.inf)}')}"))
    kind = in_register(dtype)
    given = ", ".join(f"{kind} {operand.text}" for operand in operands)
    return Number(w.let(f"call {kind} @own.{name}({given})"), dtype)


_DEGREE: Final = 13
"""Of the polynomial of exp: r^14 / 14! is 4e-18 at r = ln(2) / 2."""


_REDUCED: Final = "\n".join([
    f"  %t = call double @llvm.fma.f64(double %y, double {number(1 / math.log(2))}, double {number(MAGIC)})",
    f"  %k = fsub double %t, {number(MAGIC)}",
    f"  %r0 = call double @llvm.fma.f64(double %k, double {number(-math.log(2))}, double %y)",
    f"  %r = call double @llvm.fma.f64(double %k, double {number(-2.3190468138462996e-17)}, double %r0)",
    *polynomial("%r", [1 / math.factorial(i) for i in range(2, _DEGREE + 1)], "q"),
    "  %rr = fmul double %r, %r",
])  # fmt: skip
"""From %y the integer %k (in the low bits of %t), the rest %r, its square, and q: exp(r) = 1 + r + r^2 q."""

_EXP: Final = f"""
define internal double @own.exp(double %y) alwaysinline {{
{_REDUCED}
  %e = call double @llvm.fma.f64(double %rr, double %q0, double %r)
  %p = fadd double %e, 1.0
{scaled("%p", "%k", "%t")}
  %over = fcmp ogt double %y, {number(709.782712893384)}
  %under = fcmp olt double %y, {number(-745.1332191019412)}
  %v1 = select i1 %over, double {number(math.inf)}, double %scaled
  %v2 = select i1 %under, double 0.0, double %v1
  ret double %v2
}}
"""

_PARTS: Final = f"""
define internal {{double, double}} @own.parts(double %y) alwaysinline {{
{_REDUCED}
  %c = fmul double %rr, %q0
  %hi = fadd double %r, %c
  %gap = fsub double %hi, %r
  %lo = fsub double %c, %gap
  %bits = bitcast double %t to i64
  %moved = shl i64 %bits, 52
  %field = add i64 %moved, {1023 << 52}
  %scale = bitcast i64 %field to double
  %a = fadd double %scale, -1.0
  %b = fmul double %scale, %hi
  %s = fadd double %a, %b
  %bb = fsub double %s, %a
  %aa = fsub double %s, %bb
  %da = fsub double %a, %aa
  %db = fsub double %b, %bb
  %lost = fadd double %da, %db
  %small = call double @llvm.fma.f64(double %scale, double %lo, double %lost)
  %p1 = insertvalue {{double, double}} poison, double %s, 0
  %p2 = insertvalue {{double, double}} %p1, double %small, 1
  ret {{double, double}} %p2
}}
"""
"""exp(y) - 1 as a sum of two numbers, for y between -37 and 700."""

_EXPM1: Final = f"""
define internal double @own.expm1(double %x) alwaysinline {{
  %low = fcmp olt double %x, -40.0
  %high = fcmp ogt double %x, {number(709.0)}
  %x1 = select i1 %low, double -40.0, double %x
  %y = select i1 %high, double 700.0, double %x1
  %parts = call {{double, double}} @own.parts(double %y)
  %s = extractvalue {{double, double}} %parts, 0
  %small = extractvalue {{double, double}} %parts, 1
  %sum = fadd double %s, %small
  %large = call double @own.exp(double %x)
  %v = select i1 %high, double %large, double %sum
  %zero = fcmp oeq double %x, 0.0
  %v2 = select i1 %zero, double %x, double %v
  ret double %v2
}}
"""

_TANH: Final = """
define internal double @own.tanh(double %x) alwaysinline {
  %m = call double @llvm.fabs.f64(double %x)
  %far = fcmp ogt double %m, 22.0
  %n = select i1 %far, double 22.0, double %m
  %y = fadd double %n, %n
  %parts = call {double, double} @own.parts(double %y)
  %s = extractvalue {double, double} %parts, 0
  %small = extractvalue {double, double} %parts, 1
  %d = fadd double %s, 2.0
  %back = fsub double %d, %s
  %rest = fsub double %d, %back
  %dl = fsub double %s, %rest
  %dm = fsub double 2.0, %back
  %dn = fadd double %dl, %dm
  %dlow = fadd double %dn, %small
  %inverse = fdiv double 1.0, %d
  %q = fmul double %s, %inverse
  %minus = fneg double %q
  %left = call double @llvm.fma.f64(double %minus, double %d, double %s)
  %left1 = fadd double %left, %small
  %left2 = call double @llvm.fma.f64(double %minus, double %dlow, double %left1)
  %v = call double @llvm.fma.f64(double %left2, double %inverse, double %q)
  %signed = call double @llvm.copysign.f64(double %v, double %x)
  ret double %signed
}
"""

_LOG: Final = f"""
define internal double @own.log(double %x) alwaysinline {{
{split("%x")}
  %f = fadd double %m, -1.0
  %g = fadd double %f, 2.0
  %s = fdiv double %f, %g
  %z = fmul double %s, %s
{chr(10).join(polynomial("%z", [
    6.666666666666735130e-01, 3.999999999940941908e-01, 2.857142874366239149e-01, 2.222219843214978396e-01,
    1.818357216161805012e-01, 1.531383769920937332e-01, 1.479819860511658591e-01,
], "q"))}
  %rest = fmul double %z, %q0
  %half = fmul double %f, 0.5
  %hfsq = fmul double %half, %f
  %sum = fadd double %hfsq, %rest
  %low = fmul double %k, {number(1.90821492927058770002e-10)}
  %p = call double @llvm.fma.f64(double %s, double %sum, double %low)
  %a = fsub double %hfsq, %p
  %b = fsub double %a, %f
  %high = fmul double %k, {number(6.93147180369123816490e-01)}
  %v = fsub double %high, %b
  %zero = fcmp oeq double %x, 0.0
  %v1 = select i1 %zero, double {number(-math.inf)}, double %v
  %below = fcmp olt double %x, 0.0
  %v2 = select i1 %below, double {number(math.nan)}, double %v1
  %whole = fcmp olt double %x, {number(math.inf)}
  %v3 = select i1 %whole, double %v2, double %x
  ret double %v3
}}
"""

_OF_FLOAT64: Final = {
    "exp": _EXP, "parts": _PARTS, "expm1": _EXPM1, "tanh": _TANH, "log": _LOG, "quadrant": QUADRANT, "sin": SIN,
    "cos": COS, "power": POWER,
}  # fmt: skip
_TEXTS: Final = {**_OF_FLOAT64, "erf": ERF, "erfc_wide": ERFC_WIDE, "erfc": ERFC, "gelu": GELU, "lgamma": LGAMMA}
_NEEDS: Final = {
    "exp": ("exp",), "expm1": ("exp", "parts", "expm1"), "log": ("exp", "log"),
    "tanh": ("exp", "parts", "expm1", "tanh"), "sin": ("exp", "quadrant", "sin"), "cos": ("exp", "quadrant", "cos"),
    "power": ("exp", "power"), "erf": ("exp", "erf"), "erfc": ("exp", "erfc_wide", "erfc"),
    "gelu": ("exp", "erfc_wide", "gelu"), "lgamma": ("exp", "log", "lgamma"),
}  # fmt: skip
