"""sin and cos of float64 by multiplications and additions: see runtime.native.own_functions.

x = k pi/2 + r, with pi/2 in three numbers: the first step is exact, since all bits of x - k p stand above the last one
of p and |r| < 1; what the others lose is kept in a second number (Cody and Waite, 1980, with fused multiply-add). Then
the Taylor polynomials of r, whose next terms are below 1e-19.
"""

from __future__ import annotations

import math
from typing import Final

from runtime.native.polynomials import MAGIC, number, polynomial

__all__ = ["COS", "QUADRANT", "SIN"]

_HALF_PI: Final = (1.5707963267948966, 6.123233995736766e-17, -1.4973849048591698e-33)

_SIN: Final = [(-1) ** i / math.factorial(2 * i + 1) for i in range(1, 9)]
"""(sin(r) - r) / r^3 in r^2"""
_COS: Final = [(-1) ** i / math.factorial(2 * i) for i in range(2, 10)]
"""(cos(r) - 1 + r^2/2) / r^4 in r^2"""

QUADRANT: Final = f"""
define internal double @own.quadrant(double %x, i64 %turns) alwaysinline {{
  %t = call double @llvm.fma.f64(double %x, double {number(2 / math.pi)}, double {number(MAGIC)})
  %k = fsub double %t, {number(MAGIC)}
  %minus = fneg double %k
  %r0 = call double @llvm.fma.f64(double %minus, double {number(_HALF_PI[0])}, double %x)
  %th = fmul double %minus, {number(_HALF_PI[1])}
  %te0 = fneg double %th
  %te = call double @llvm.fma.f64(double %minus, double {number(_HALF_PI[1])}, double %te0)
  %r = fadd double %r0, %th
  %back = fsub double %r, %r0
  %rest = fsub double %r, %back
  %lost = fsub double %r0, %rest
  %gained = fsub double %th, %back
  %lo0 = fadd double %lost, %gained
  %lo1 = fadd double %lo0, %te
  %lo = call double @llvm.fma.f64(double %minus, double {number(_HALF_PI[2])}, double %lo1)
  %z = fmul double %r, %r
{chr(10).join(polynomial("%z", _SIN, "s"))}
{chr(10).join(polynomial("%z", _COS, "c"))}
  %half = fmul double %z, 0.5
  %one = fsub double 1.0, %half
  %cube = fmul double %r, %z
  %low = fmul double %lo, %one
  %rise = call double @llvm.fma.f64(double %cube, double %s0, double %low)
  %sin = fadd double %r, %rise
  %over = fsub double 1.0, %one
  %error = fsub double %over, %half
  %square = fmul double %z, %z
  %minus_r = fneg double %r
  %side = fmul double %minus_r, %lo
  %fall = call double @llvm.fma.f64(double %square, double %c0, double %side)
  %rest1 = fadd double %error, %fall
  %cos = fadd double %one, %rest1
  %bits = bitcast double %t to i64
  %quarter = add i64 %bits, %turns
  %odd = trunc i64 %quarter to i1
  %found = select i1 %odd, double %cos, double %sin
  %two = and i64 %quarter, 2
  %sign = shl i64 %two, 62
  %as_bits = bitcast double %found to i64
  %signed = xor i64 %as_bits, %sign
  %value = bitcast i64 %signed to double
  ret double %value
}}
"""
"""sin(x + turns pi/2)"""

SIN: Final = """
define internal double @own.sin(double %x) alwaysinline {
  %v = call double @own.quadrant(double %x, i64 0)
  %zero = fcmp oeq double %x, 0.0
  %v1 = select i1 %zero, double %x, double %v
  ret double %v1
}
"""

COS: Final = """
define internal double @own.cos(double %x) alwaysinline {
  %v = call double @own.quadrant(double %x, i64 1)
  ret double %v
}
"""
