"""`scipy.special`: what has an operation here gives what SciPy gives."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.special as sc

CALLS: dict[str, Any] = {
    "erf": lambda x: (sc.erf(x), sc.erfc(x), sc.erfinv(np.tanh(x)), sc.ndtr(x)),
    "erf of integers": lambda k: (sc.erf(k), sc.erfc(k[0]), sc.expit(k)),
    "gamma": lambda positive: (sc.gammaln(positive), sc.gamma(positive), sc.rgamma(positive), sc.digamma(positive)),
    "psi": lambda x: (sc.psi(x), sc.gammaln(x)),
    "polygamma": lambda positive: (sc.polygamma(1, positive), sc.polygamma(2, positive[0]), sc.polygamma(0, positive)),
    "logistic": lambda x: (sc.expit(x), sc.log_expit(x), sc.logit(1 / (1 + np.exp(-x)))),
    "xlogy": lambda x, positive, k: (sc.xlogy(x, positive), sc.xlog1py(x, positive), sc.xlogy(k - 1, 0.5)),
    "xlogy at 0": lambda gaps: (sc.xlogy(0, gaps * 0), sc.xlog1py(0, -1 + 0 * gaps), sc.xlogy(gaps, 2.0)),
    "entropies": lambda positive, x: (
        sc.entr(positive), sc.entr(x), sc.rel_entr(positive, positive + 1), sc.kl_div(positive, np.abs(x)),
        sc.rel_entr(x, positive), sc.rel_entr(0 * x, positive), sc.rel_entr(0 * x, -positive)),
    "elementary": lambda x, positive: (
        sc.exp2(x), sc.exp10(x), sc.expm1(x), sc.log1p(positive), sc.cbrt(x), sc.cosm1(x), sc.sinc(x), sc.round(x)),
    "huber": lambda x: (sc.huber(0.7, x), sc.huber(np.abs(x), x[::-1])),
    "i0": lambda x: sc.i0(x),
    "softmax": lambda x, v: (sc.softmax(x), sc.softmax(x, axis=1), sc.softmax(v, 0), sc.softmax(x, axis=-2)),
    "log_softmax": lambda x, v: (sc.log_softmax(x), sc.log_softmax(x, axis=0), sc.log_softmax(v)),
    "logsumexp": lambda x, cube: (
        sc.logsumexp(x), sc.logsumexp(x, axis=1), sc.logsumexp(x, 0, keepdims=True), sc.logsumexp(cube, axis=(0, 2))),
    "one number": lambda one: (sc.erf(one) * 2, sc.xlogy(2, one), sc.logit(one)),
}  # fmt: skip

SLOPES = {"erf", "gamma", "polygamma", "logistic", "xlogy", "huber", "softmax", "log_softmax",
          "logsumexp", "i0"}  # fmt: skip
OF_NUMPY = set(CALLS)
UNSEEN = {sc.logsumexp, sc.softmax, sc.log_softmax, sc.polygamma, getattr(sc, "softplus", None)}
"""What numpy does not see."""
TRACED_ALONE = {"polygamma", "softmax", "log_softmax", "logsumexp"}
"""What is SciPy's own eagerly."""
ALONE = TRACED_ALONE
