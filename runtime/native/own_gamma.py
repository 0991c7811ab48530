"""The logarithm of gamma of float32 by float64: see runtime.native.own_functions.

With a = |x| and z = a + 8, or z = a from 8 on, lgamma(a) = S(z) - log(a (a + 1) ... (a + 7)), where S is Stirling's
series. Below 0 lgamma(x) = log(pi / (a |sin(pi a)|)) - lgamma(a): both are S and one more logarithm. Between 5/8 and
5/2, where the two nearly cancel, it is (x - 1)(x - 2) R(x), and R was fitted with a relative error of 9e-11.
"""

from __future__ import annotations

import math
from typing import Final

from runtime.native.polynomials import in_steps, number, polynomial

__all__ = ["LGAMMA"]

_R: Final = [
    0.4742448086486972, -0.12979420658441396, 0.050460572350558106, -0.02262006025840588, 0.010926751583037223,
    -0.0055208798982526895, 0.0028726338305844167, -0.0015192971582233537, 0.0008159499950126847,
    -0.0004706637597821951, 0.00026737835698832326, -8.247458523179515e-05, 3.164450897638457e-05,
    -0.0001188158070483823, 8.109443066544481e-05, 4.657128069445939e-05, -3.399286393126055e-05,
    -2.6861221132095957e-05, 1.70078130149698e-05,
]  # fmt: skip
"""In (x - 25/16) / (15/16)."""
_STIRLING: Final = [1 / 12, -1 / 360, 1 / 1260, -1 / 1680, 1 / 1188, -691 / 360360, 1 / 156]
_SINE: Final = [(-1) ** k * math.pi ** (2 * k + 1) / math.factorial(2 * k + 1) for k in range(11)]

_FACTORS: Final = "\n".join(
    f"f{i} = add a {i}.0\nm{i} = mul {'a' if i == 1 else f'm{i - 1}'} f{i}" for i in range(1, 8)
)

LGAMMA: Final = "\n".join([
    "define internal float @own.lgamma(float %narrow) alwaysinline {",
    "  %x = fpext float %narrow to double",
    "  %a = call double @llvm.fabs.f64(double %x)",
    in_steps(_FACTORS),
    in_steps("moved = add a 8.0"),
    "  %is_small = fcmp olt double %a, 8.0",
    "  %p = select i1 %is_small, double %m7, double 1.0",
    "  %z = select i1 %is_small, double %moved, double %a",
    "  %whole = call double @llvm.rint.f64(double %a)",
    in_steps("r = sub a whole\nrr = mul r r"),
    *polynomial("%rr", _SINE, "s"),
    in_steps("wave = mul r s0"),
    "  %sine = call double @llvm.fabs.f64(double %wave)",
    in_steps(f"below = mul a sine\nabove = mul p {math.pi!r}\nmirrored = div above below"),
    "  %is_below = fcmp olt double %x, 0.0",
    "  %q = select i1 %is_below, double %mirrored, double %p",
    "  %of_q = call double @own.log(double %q)",
    "  %of_z = call double @own.log(double %z)",
    in_steps("inverse = div 1.0 z\nw = mul inverse inverse"),
    *polynomial("%w", _STIRLING, "t"),
    in_steps("half = sub z 0.5\nmain = mul half of_z\nless = sub main z"),
    in_steps(f"more = add less {0.5 * math.log(2 * math.pi)!r}"),
    in_steps("series = fma t0 inverse more\nright = sub series of_q\nleft = neg right"),
    "  %v = select i1 %is_below, double %left, double %right",
    in_steps(f"shifted = sub x 1.5625\nu = mul shifted {16 / 15!r}"),
    *polynomial("%u", _R, "r"),
    in_steps("from1 = sub x 1.0\nfrom2 = sub x 2.0\nboth = mul from1 from2\nnear = mul both r0"),
    "  %is_above = fcmp ogt double %x, 0.625",
    "  %is_left = fcmp olt double %x, 2.5",
    "  %is_near = and i1 %is_above, %is_left",
    "  %v1 = select i1 %is_near, double %near, double %v",
    f"  %is_infinite = fcmp oeq double %a, {number(math.inf)}",
    "  %result = select i1 %is_infinite, double %a, double %v1",
    "  %found = fptrunc double %result to float",
    "  ret float %found",
    "}",
])  # fmt: skip
