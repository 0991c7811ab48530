"""x ** y of float64 by multiplications and additions: see runtime.native.own_functions.

|x| = 2^k m, log(m) = 2 artanh(s) with s = (m - 1) / (m + 1). The logarithm, and its product with y, are sums of two
numbers (as in Dekker, "A Floating-Point Technique for Extending the Available Precision", 1971), of which about 65 bits
are right; so the exponential has some bits to spare. Signs, zeros, infinities and nan are chosen at the end, as C has
them.
"""

from __future__ import annotations

import math
from typing import Final

from runtime.native.polynomials import MAGIC, in_steps, number, polynomial, scaled, split

__all__ = ["POWER"]

_LOG: Final = in_steps("""
g = add m 1.0
g1 = sub g 1.0
gl = sub m g1
f = sub m 1.0
by = div 1.0 g
s = mul f by
minus_s = neg s
left = fma minus_s g f
left1 = fma minus_s gl left
sl = mul left1 by
z = mul s s
minus_z = neg z
ze = fma s s minus_z
s2 = add s s
zl = fma s2 sl ze
""")
"""From %m: s and z = s * s, each as two numbers."""

_SERIES: Final = polynomial("%z", [1 / (2 * i + 1) for i in range(2, 12)], "w")
"""artanh(s) = s + s z (1/3 + z w0)"""

_SUM: Final = in_steps(f"""
zw = mul z w0
p = add {1 / 3} zw
p1 = sub {1 / 3} p
p2 = add p1 zw
pl = add p2 {1.850371707708594e-17}
t = mul z p
minus_t = neg t
te = fma z p minus_t
t1 = fma z pl te
tl = fma zl p t1
a = mul s t
minus_a = neg a
ae = fma s t minus_a
a1 = fma s tl ae
a2 = fma sl t a1
al = add a2 sl
l = add s a
l1 = sub s l
l2 = add l1 a
ll = add l2 al
d = add l l
dl = add ll ll
kh = mul k {6.93147180369123816490e-01}
h = add kh d
h1 = sub kh h
h2 = add h1 d
h3 = fma k {1.9082149292705877e-10} dl
hl = add h2 h3
n = add h hl
n1 = sub h n
nl = add n1 hl
e = mul y n
minus_e = neg e
e1 = fma y n minus_e
el = fma y nl e1
low_e = max e -800.0
near = min low_e 800.0
q = fma near {1 / math.log(2)} {MAGIC}
kk = sub q {MAGIC}
r0 = fma kk {-math.log(2)} near
rl = fma kk {-2.3190468138462996e-17} el
r = add r0 rl
r1 = sub r0 r
rest = add r1 rl
""")
"""The logarithm of |x|, that of the result, and what of it is no whole number of ln 2."""

_END: Final = in_steps("""
rr = mul r r
c = fma rr x0 rest
c1 = add c r
v = add c1 1.0
""")

POWER: Final = f"""
define internal double @own.power(double %x, double %y) alwaysinline {{
  %ax = call double @llvm.fabs.f64(double %x)
{split("%ax")}
{_LOG}
{chr(10).join(_SERIES)}
{_SUM}
{chr(10).join(polynomial("%r", [1 / math.factorial(i) for i in range(2, 14)], "x"))}
{_END}
{scaled("%v", "%kk", "%q")}
  %over = fcmp ogt double %e, 709.8
  %under = fcmp olt double %e, -745.2
  %v3 = select i1 %over, double {number(math.inf)}, double %scaled
  %v4 = select i1 %under, double 0.0, double %v3
  %zero = fcmp oeq double %ax, 0.0
  %endless = fcmp oeq double %ax, {number(math.inf)}
  %edge = or i1 %zero, %endless
  %positive = fcmp ogt double %y, 0.0
  %grows = xor i1 %zero, %positive
  %limit = select i1 %grows, double {number(math.inf)}, double 0.0
  %v5 = select i1 %edge, double %limit, double %v4
  %ay = call double @llvm.fabs.f64(double %y)
  %far = fcmp oeq double %ay, {number(math.inf)}
  %large = fcmp ogt double %ax, 1.0
  %apart = xor i1 %large, %positive
  %limit1 = select i1 %apart, double 0.0, double {number(math.inf)}
  %v6 = select i1 %far, double %limit1, double %v5
  %unit = fcmp oeq double %ax, 1.0
  %v7 = select i1 %unit, double 1.0, double %v6
  %whole = call double @llvm.rint.f64(double %y)
  %is_whole = fcmp oeq double %whole, %y
  %half = fmul double %y, 0.5
  %half_whole = call double @llvm.rint.f64(double %half)
  %is_odd0 = fcmp one double %half_whole, %half
  %is_odd = and i1 %is_odd0, %is_whole
  %xbits = bitcast double %x to i64
  %xsign = and i64 %xbits, {-(2**63)}
  %vbits = bitcast double %v7 to i64
  %signs = select i1 %is_odd, i64 %xsign, i64 0
  %signed = xor i64 %vbits, %signs
  %v8 = bitcast i64 %signed to double
  %below = fcmp olt double %x, 0.0
  %bounded = xor i1 %endless, true
  %broken0 = xor i1 %is_whole, true
  %broken1 = and i1 %below, %bounded
  %broken = and i1 %broken0, %broken1
  %v9 = select i1 %broken, double {number(math.nan)}, double %v8
  %unordered = fcmp uno double %x, %y
  %v10 = select i1 %unordered, double {number(math.nan)}, double %v9
  %none = fcmp oeq double %y, 0.0
  %one = fcmp oeq double %x, 1.0
  %certain = or i1 %none, %one
  %v11 = select i1 %certain, double 1.0, double %v10
  ret double %v11
}}
"""
