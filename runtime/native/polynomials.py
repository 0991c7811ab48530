"""Lines of LLVM that the functions of our own have in common."""

from __future__ import annotations

from typing import Final

from runtime.dtypes import float64
from runtime.native.types import literal

__all__ = ["MAGIC", "in_steps", "number", "polynomial", "scaled", "split"]


def number(value: float) -> str:
    return literal(value, float64)


MAGIC: Final = 6755399441055744.0
"""1.5 * 2^52: added to a number, it leaves no digits behind the point, and the integer in the low bits."""

def polynomial(argument: str, coefficients: list[float], name: str) -> list[str]:
    """Lines for c0 + x (c1 + x (c2 + ...)), as %name0."""
    *others, last = coefficients
    lines, text = [], number(last)
    for i, coefficient in reversed(list(enumerate(others))):
        lines.append(f"  %{name}{i} = call double @llvm.fma.f64(double {argument}, double {text}, double "
                     f"{number(coefficient)})")  # fmt: skip
        text = f"%{name}{i}"
    return lines


def scaled(value: str, power: str, bits: str) -> str:
    """Lines for value * 2^power, as %scaled: in two steps where 2^power itself is none of the normal numbers.

    bits: the power with MAGIC added to it, which is what its low bits say.
    """
    return f"""  %low = fcmp olt double {power}, -1000.0
  %high = fcmp ogt double {power}, 1000.0
  %up = fadd double {bits}, 200.0
  %down = fadd double {bits}, -200.0
  %moved1 = select i1 %low, double %up, double {bits}
  %moved2 = select i1 %high, double %down, double %moved1
  %f1 = select i1 %low, double {number(2.0**-200)}, double 1.0
  %f2 = select i1 %high, double {number(2.0**200)}, double %f1
  %bits = bitcast double %moved2 to i64
  %moved = shl i64 %bits, 52
  %field = add i64 %moved, {1023 << 52}
  %scale = bitcast i64 %field to double
  %half_scaled = fmul double {value}, %scale
  %scaled = fmul double %half_scaled, %f2"""


def split(value: str) -> str:
    """Lines for the number as %m * 2^%k, with %m between sqrt(1/2) and sqrt(2)."""
    return f"""  %tiny = fcmp olt double {value}, {number(2.0**-1022)}
  %grown = fmul double {value}, {number(2.0**54)}
  %given = select i1 %tiny, double %grown, double {value}
  %ibits = bitcast double %given to i64
  %ix = add i64 %ibits, {0x3FF0000000000000 - 0x3FE6A09E667F3BCD}
  %kb = lshr i64 %ix, 52
  %mb = and i64 %ix, {(1 << 52) - 1}
  %mbits = add i64 %mb, {0x3FE6A09E667F3BCD}
  %m = bitcast i64 %mbits to double
  %kbits = or i64 %kb, {0x433 << 52}
  %kf = bitcast i64 %kbits to double
  %bias = select i1 %tiny, double {number(2.0**52 + 1023 + 54)}, double {number(2.0**52 + 1023)}
  %k = fsub double %kf, %bias"""


_STEPS: Final = {
    "add": "fadd double {0}, {1}", "sub": "fsub double {0}, {1}", "mul": "fmul double {0}, {1}",
    "div": "fdiv double {0}, {1}", "neg": "fneg double {0}",
    "fma": "call double @llvm.fma.f64(double {0}, double {1}, double {2})",
    "min": "call double @llvm.minnum.f64(double {0}, double {1})",
    "max": "call double @llvm.maxnum.f64(double {0}, double {1})",
}  # fmt: skip


def in_steps(text: str) -> str:
    """Lines `name = fma x y 1.0` as LLVM writes them; what stands for no number is a name."""
    lines = []
    for line in text.split("\n"):
        if line:
            name, _, step, *operands = line.split()
            lines.append(f"  %{name} = {_STEPS[step].format(*map(_operand, operands))}")
    return "\n".join(lines)


def _operand(text: str) -> str:
    return f"%{text}" if text[0].isalpha() else number(float(text))
