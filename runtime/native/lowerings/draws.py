"""Random numbers of the counter-based generator of stateless operations, with the bits of numpy's.

Block n of four words is what Philox with 10 rounds (Salmon et al., "Parallel Random Numbers: As Easy as 1, 2, 3", SC
2011) makes of the counter n + 1 and the seed. A float64 takes the upper 53 bits of a word, a float32 the upper 24 of a
half, of which the lower one comes first.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from runtime.dtypes import bool_, float32, float64
from runtime.graph.operation import Operation
from runtime.native.build import Build
from runtime.native.lowerings.operands import as_int64, check_size, lengths, memory, write
from runtime.native.rules import Refused, lowers
from runtime.native.types import in_register, literal
from runtime.native.values import Memory, NativeValue, Number
from runtime.ops.random.stateless import stateless_uniform

__all__: list[str] = []

_FACTORS: Final = 0xD2E7470EE14C6C93, 0xCA5A826395121157
_STEPS: Final = 0x9E3779B97F4A7C15, 0xBB67AE8584CAA73B
_ROUNDS: Final = 10


def _signed(word: int) -> int:
    return word - (1 << 64) if word >> 63 else word


def _philox() -> str:
    """A function of the number of a block, the seed and the last word of the counter; it writes four words."""
    lines = ["define internal void @philox(i64 %n, i64 %k0, i64 %k1, i64 %last, ptr %out) {", "  %c = add i64 %n, 1"]
    words = ["%c", "0", "0", "%last"]
    for turn in range(_ROUNDS):
        keys = []
        for i in (0, 1):
            keys.append(f"%k{i}_{turn}")
            lines.append(f"  {keys[i]} = add i64 %k{i}, {_signed(_STEPS[i] * turn % (1 << 64))}")
            lines += [
                f"  %w{i}_{turn} = zext i64 {words[2 * i]} to i128",
                f"  %p{i}_{turn} = mul i128 %w{i}_{turn}, {_FACTORS[i]}",
                f"  %l{i}_{turn} = trunc i128 %p{i}_{turn} to i64", f"  %s{i}_{turn} = lshr i128 %p{i}_{turn}, 64",
                f"  %h{i}_{turn} = trunc i128 %s{i}_{turn} to i64",
            ]  # fmt: skip
        for i, name in ((0, "x"), (1, "y")):
            lines.append(f"  %{name}a{turn} = xor i64 %h{1 - i}_{turn}, {words[2 * i + 1]}")
            lines.append(f"  %{name}{turn} = xor i64 %{name}a{turn}, {keys[i]}")
        words = [f"%x{turn}", f"%l1_{turn}", f"%y{turn}", f"%l0_{turn}"]
    for i, word in enumerate(words):
        lines += [f"  %o{i} = getelementptr i64, ptr %out, i64 {i}", f"  store i64 {word}, ptr %o{i}"]
    return "\n".join([*lines, "  ret void", "}"])


@lowers(stateless_uniform, copies=True)
def _(build: Build, operation: Operation, operands: Sequence[Any]) -> NativeValue:
    shape, seed, least, most = operands
    dtype, w = operation.outputs[0].dtype, build.w
    if dtype not in (float32, float64) or isinstance(least, Memory) or isinstance(most, Memory):
        raise Refused(operation, "other numbers than floats between two others are left to numpy")
    dims = lengths(build, operation, shape)
    check_size(build, [dim for dim in dims if not dim.isdecimal()])
    seed = memory(operation, seed)
    if seed.dims != ("2",):
        w.fail_unless(w.let(f"icmp eq i64 {seed.dims[0]}, 2"))
    keys = [as_int64(build, build.load(seed.data, str(i), seed)) for i in (0, 1)]
    width = write(build, "fsub {t} {0}, {1}", dtype, most, least)
    gap = write(build, "fsub {t} {0}, {0}", dtype, width)
    w.fail_if(write(build, "fcmp uno {t} {0}, {0}", bool_, gap).text)  # numpy looks at all numbers together then
    build.module.declare("philox", _philox())
    words = w.slot("[4 x i64]")
    given = f"i64 {keys[0]}, i64 {keys[1]}, i64 {operation.attributes['sequence']}, ptr {words}"

    def number(lane: str) -> Number:
        scaled = write(build, "fmul {t} {0}, {1}", dtype, _unit(build, words, lane, dtype is float64), width)
        found = write(build, "fadd {t} {0}, {1}", dtype, scaled, least)
        beyond = write(build, "fcmp oge {t} {0}, {1}", bool_, found, most).text
        kind = in_register(dtype)
        return Number(w.let(f"select i1 {beyond}, {kind} {least.text}, {kind} {found.text}"), dtype)

    if not dims:
        w.do(f"call void @philox(i64 0, {given})")
        return number("0")
    result, each = build.new(dims, dtype), 4 if dtype is float64 else 8
    total = build.elements(result)
    with build.each(w.let(f"udiv i64 {w.let(f'add i64 {total}, {each - 1}')}, {each}")) as block:
        w.do(f"call void @philox(i64 {block}, {given})")
        first = w.let(f"mul i64 {block}, {each}")
        left = w.let(f"sub i64 {total}, {first}")
        count = w.let(f"select i1 {w.let(f'icmp ult i64 {left}, {each}')}, i64 {left}, i64 {each}")
        with build.each(count) as lane:
            build.store(result.data, w.let(f"add i64 {first}, {lane}"), number(lane))
    return result


def _unit(build: Build, words: str, lane: str, wide: bool) -> Number:
    """The number from [0, 1) that a word, or half of one, stands for."""
    w, kind, bits = build.w, "i64" if wide else "i32", 53 if wide else 24
    word = w.let(f"load {kind}, ptr {w.let(f'getelementptr {kind}, ptr {words}, i64 {lane}')}")
    dtype = float64 if wide else float32
    whole = w.let(f"lshr {kind} {word}, {11 if wide else 8}")
    exact = Number(w.let(f"uitofp {kind} {whole} to {in_register(dtype)}"), dtype)
    return write(build, f"fmul {{t}} {{0}}, {literal(2.0**-bits, dtype)}", dtype, exact)
