"""erf, erfc and gelu of float32 by multiplications and additions of float64: see runtime.native.own_functions.

erf(x) = x P(x²) / Q(x²) for |x| <= 4, beyond which it is 1. erfc(t) = exp(-t²) R((t - 3) / (t + 3)) / (1 + 2t) for
t >= 0, and 2 - erfc(-t) below. P, Q and R were fitted to values of 53 bits, with a relative error of at most 3e-9, a
20th of what float32 can tell.
"""

from __future__ import annotations

import math
from typing import Final

from runtime.native.polynomials import in_steps, number, polynomial

__all__ = ["ERF", "ERFC", "ERFC_WIDE", "GELU"]

_P: Final = [
    1.1283791693636969, 0.1852094105628563, 0.054317792001221485, 0.003849875670529249, 0.0003796161268841895,
    4.68480283674358e-06, -1.3202714605775234e-08,
]  # fmt: skip
_Q: Final = [
    1.0, 0.497470979901956, 0.11396102695770365, 0.01546264111104678, 0.0013076340399287912, 6.311094417780976e-05,
]  # fmt: skip
_R: Final = [
    1.2530080593808066, -0.13562110680888528, -0.047562427680004585, 0.12964515181731223, -0.11927107018377256,
    0.06830916905701395, -0.02378853931642673, 0.0025155119421657215, 0.0019406273937317099, -0.0007233880672784876,
    -0.00015665593991550666, 4.465660190626382e-05,
]  # fmt: skip

ERF: Final = "\n".join([
    "define internal float @own.erf(float %narrow) alwaysinline {",
    "  %x = fpext float %narrow to double",
    "  %size = call double @llvm.fabs.f64(double %x)",
    in_steps("m = min size 4.0\nz = mul m m"),
    *polynomial("%z", _P, "p"),
    *polynomial("%z", _Q, "q"),
    in_steps("share = div p0 q0\nv = mul m share"),
    "  %signed = call double @llvm.copysign.f64(double %v, double %x)",
    "  %is_number = fcmp ord double %x, %x",
    "  %result = select i1 %is_number, double %signed, double %x",
    "  %found = fptrunc double %result to float",
    "  ret float %found",
    "}",
])  # fmt: skip

ERFC_WIDE: Final = "\n".join([
    "define internal double @own.erfc_wide(double %x) alwaysinline {",
    "  %size = call double @llvm.fabs.f64(double %x)",
    in_steps("t = min size 12.0\nbelow = sub t 3.0\nabove = add t 3.0\nf = fma t 2.0 1.0\nboth = mul above f"),
    in_steps("by = div 1.0 both\nhalf = mul below f\ny = mul half by\nrest = mul above by\nminus = neg t"),
    in_steps("square = mul minus t"),
    *polynomial("%y", _R, "r"),
    "  %e = call double @own.exp(double %square)",
    in_steps("g = mul e r0\nnear = mul g rest"),
    "  %is_far = fcmp ogt double %size, 11.0",
    "  %right = select i1 %is_far, double 0.0, double %near",
    in_steps("left = sub 2.0 right"),
    "  %is_left = fcmp olt double %x, 0.0",
    "  %v = select i1 %is_left, double %left, double %right",
    "  %is_number = fcmp ord double %x, %x",
    "  %result = select i1 %is_number, double %v, double %x",
    "  ret double %result",
    "}",
])  # fmt: skip
"""As exact as it takes to round it to float32."""

ERFC: Final = """
define internal float @own.erfc(float %narrow) alwaysinline {
  %x = fpext float %narrow to double
  %v = call double @own.erfc_wide(double %x)
  %found = fptrunc double %v to float
  ret float %found
}
"""

GELU: Final = f"""
define internal float @own.gelu(float %narrow) alwaysinline {{
  %x = fpext float %narrow to double
  %t = fmul double %x, {number(-math.sqrt(0.5))}
  %twice = call double @own.erfc_wide(double %t)
  %half = fmul double %x, 0.5
  %v = fmul double %half, %twice
  %found = fptrunc double %v to float
  ret float %found
}}
"""
