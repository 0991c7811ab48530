"""The series behind lgamma and digamma: their coefficients, and how a Chebyshev series is summed without losing digits.

    chebyshev(LOG_BETWEEN, LOG_LOST, z)       # log(gamma(x)) / ((x - 1) (x - 2)) for z = 0.8 (x - 1.75)

The Chebyshev coefficients were computed in 70 digits, those of the asymptotic series are exact fractions.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Final

import numpy as np

from runtime.ops.kernels.ranges import clenshaw
from runtime.ops.kernels.two_floats import Pair, add, minus, multiply, pair_of

__all__ = [
    "BERNOULLI", "FAR", "HALF_LOG_TAU", "HARMONIC", "LOG_BETWEEN", "LOG_LOST", "PSI_BETWEEN", "PSI_LOST", "ROOT",
    "STIRLING", "chebyshev",
]  # fmt: skip

LOG_BETWEEN: Final = (
    0.4969196496241282, -0.18983770295364127, 0.051642363278249136, -0.01620888582719529, 0.005480868756901195,
    -0.0019373470781938534, 0.0007048910082035581, -0.00026169697337740814, 9.861130565519249e-05,
    -3.7584856908988406e-05, 1.4455839828556131e-05, -5.6014342781194404e-06, 2.1839963102639326e-06,
    -8.560510993494189e-07, 3.3707703487176757e-07, -1.3325698991082197e-07, 5.286623421759879e-08,
    -2.1039026610571943e-08, 8.396346115994458e-09, -3.3593279703588836e-09, 1.347128417758247e-09,
    -5.413413585081661e-10, 2.179523895564128e-10, -8.790476934031152e-11, 3.551107466208523e-11,
    -1.4366889879916915e-11, 5.820523962016641e-12, -2.361128116146316e-12, 9.589528652171644e-13,
    -3.8990699504056754e-13, 1.5870109734168948e-13, -6.465854220933822e-14, 2.6367771020705008e-14,
    -1.0762152407586304e-14, 4.396243296659399e-15, -1.797221357503132e-15, 7.352595459272878e-16,
    -3.010110271283285e-16, 1.2331372609685956e-16, -5.054910883766592e-17, 2.073363598084663e-17,
    -8.509128175401906e-18, 3.494064241874015e-18, -1.4354970125753624e-18,
)
"""log(gamma(x)) / ((x - 1) (x - 2)) for 0.5 <= x <= 3: Chebyshev coefficients, the constant first."""

LOG_LOST: Final = (2.3588284837738022e-17, 9.55128061788413e-18, 1.418982411318425e-18)
"""What rounding the first of them lost."""

ROOT: Final = (1.4616321449683622, 9.549995429965697e-17)
"""Where digamma is 0 for x > 0, as a pair."""

PSI_BETWEEN: Final = (
    0.983570260441567, -0.2270640863346444, 0.03336889902393011, -0.005320077271596548, 0.0008788656937820505,
    -0.00014773492650606044, 2.5060543468359146e-05, -4.2721034029993324e-06, 7.302769272465923e-07,
    -1.2502886813559594e-07, 2.1425009322359472e-08, -3.673295918565179e-09, 6.299717236108931e-10,
    -1.080593028883266e-10, 1.853735192053638e-11, -3.18023536582553e-12, 5.456147570322795e-13,
    -9.360993131036438e-14, 1.606064636295075e-14, -2.7555431377438815e-15, 4.727736178601912e-16,
    -8.11148420346509e-17, 1.391707769474154e-17, -2.3877901082188625e-18,
)
"""digamma(x) / (x - ROOT) for 1 <= x <= 2: Chebyshev coefficients, the constant first."""

PSI_LOST: Final = (-4.669805279777258e-17, -2.8527825091201577e-18, 6.000727788504099e-19)


def _bernoulli(count: int) -> tuple[Fraction, ...]:
    """The Bernoulli numbers B0, B1, ..., by their recurrence."""
    found = [Fraction(1)]
    for m in range(1, count):
        found.append(-sum((math.comb(m + 1, k) * found[k] for k in range(m)), Fraction(0)) / (m + 1))
    return tuple(found)


EXACT: Final = _bernoulli(30)[2::2]
"""B2, B4, B6, ..., of the asymptotic series."""

BERNOULLI: Final = tuple(map(float, EXACT[:11]))
STIRLING: Final = [pair_of(b / (2 * k * (2 * k - 1))) for k, b in enumerate(EXACT, 1)]
HARMONIC: Final = [pair_of(b / (2 * k)) for k, b in enumerate(EXACT, 1)]
HALF_LOG_TAU: Final = pair_of(Fraction("0.91893853320467274178032973640561763986139747363778"))
FAR: Final = 24.0
"""From here on 14 terms of those series are right to 32 digits."""


def chebyshev(coefficients: Sequence[float], lost: Sequence[float], z: Pair) -> Pair:
    """A Chebyshev series at z by Clenshaw's recurrence, whose last steps keep what rounding loses."""
    exact = len(lost)
    here, ahead = clenshaw(coefficients[exact:], z[0])
    one: Pair = (here, np.zeros_like(here))
    two: Pair = (ahead, 0.0)
    for k in range(exact - 1, 0, -1):
        turned = multiply((2 * z[0], 2 * z[1]), one)
        one, two = add(add(turned, minus(two)), (coefficients[k], lost[k])), one
    return add(add(multiply(z, one), minus(two)), (coefficients[0], lost[0]))
