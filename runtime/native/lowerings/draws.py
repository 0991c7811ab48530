"""Random numbers of the counter-based generator of stateless operations, with the bits of numpy's.

Block n of four words is what Philox with 10 rounds (Salmon et al., "Parallel Random Numbers: As Easy as 1, 2, 3", SC
2011) makes of the counter n + 1 and the seed. A float64 takes the upper 53 bits of a word, a float32 the upper 24 of a
half, of which the lower one comes first.

Normal numbers are made by numpy's own C functions, which its manual names for that purpose ("Extending via CFFI"): they
are given a `bitgen_t` whose functions draw from these blocks.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from runtime.dtypes import bool_, float32, float64
from runtime.graph.operation import Operation
from runtime.native.build import Build
from runtime.native.lowerings.operands import as_int64, check_size, lengths, memory, write
from runtime.native.objects import NORMAL, has_normal
from runtime.native.rules import Refused, lowers
from runtime.native.types import in_register, literal
from runtime.native.values import Memory, NativeValue, Number
from runtime.ops.random.stateless import stateless_normal, stateless_uniform

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
    keys = _keys(build, operation, seed)
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


def _keys(build: Build, operation: Operation, seed: Any) -> list[str]:
    """The two numbers of a seed."""
    seed = memory(operation, seed)
    if seed.dims != ("2",):
        build.w.fail_unless(build.w.let(f"icmp eq i64 {seed.dims[0]}, 2"))
    return [as_int64(build, build.load(seed.data, str(i), seed)) for i in (0, 1)]


_SOURCE: Final = """
%source = type {i64, i64, i64, i64, i64, [4 x i64], i32, i32}
%bitgen = type {ptr, ptr, ptr, ptr, ptr}

define internal i64 @next_word(ptr %s) {
entry:
  %posp = getelementptr %source, ptr %s, i32 0, i32 4
  %pos = load i64, ptr %posp
  %words = getelementptr %source, ptr %s, i32 0, i32 5
  %some = icmp ult i64 %pos, 4
  br i1 %some, label %take, label %fill
fill:
  %n = load i64, ptr %s
  %k0p = getelementptr %source, ptr %s, i32 0, i32 1
  %k0 = load i64, ptr %k0p
  %k1p = getelementptr %source, ptr %s, i32 0, i32 2
  %k1 = load i64, ptr %k1p
  %lastp = getelementptr %source, ptr %s, i32 0, i32 3
  %last = load i64, ptr %lastp
  call void @philox(i64 %n, i64 %k0, i64 %k1, i64 %last, ptr %words)
  %n1 = add i64 %n, 1
  store i64 %n1, ptr %s
  br label %take
take:
  %at = phi i64 [%pos, %entry], [0, %fill]
  %next = add i64 %at, 1
  store i64 %next, ptr %posp
  %wp = getelementptr i64, ptr %words, i64 %at
  %w = load i64, ptr %wp
  ret i64 %w
}

define internal i32 @next_half(ptr %s) {
entry:
  %hasp = getelementptr %source, ptr %s, i32 0, i32 6
  %has = load i32, ptr %hasp
  %restp = getelementptr %source, ptr %s, i32 0, i32 7
  %there = icmp ne i32 %has, 0
  br i1 %there, label %old, label %new
old:
  store i32 0, ptr %hasp
  %rest = load i32, ptr %restp
  ret i32 %rest
new:
  %w = call i64 @next_word(ptr %s)
  store i32 1, ptr %hasp
  %upper = lshr i64 %w, 32
  %u = trunc i64 %upper to i32
  store i32 %u, ptr %restp
  %l = trunc i64 %w to i32
  ret i32 %l
}

define internal double @next_double(ptr %s) {
  %w = call i64 @next_word(ptr %s)
  %bits = lshr i64 %w, 11
  %whole = uitofp i64 %bits to double
  %d = fmul double %whole, 0x3CA0000000000000
  ret double %d
}
"""
"""A `bitgen_t` of numpy's (bitgen.h), and its functions: the number of the next block, the seed, the last word of the
counter, how many words of the block are used, the words, and the upper half of a word whose lower one is used."""

_PIECE: Final = 4096
"""So many numbers are drawn between two looks at signals."""


@lowers(stateless_normal, copies=True)
def _(build: Build, operation: Operation, operands: Sequence[Any]) -> NativeValue:
    dtype, w = operation.outputs[0].dtype, build.w
    if dtype not in NORMAL or not has_normal():
        raise Refused(operation, "these numbers are left to numpy")
    dims = lengths(build, operation, operands[0])
    check_size(build, [dim for dim in dims if not dim.isdecimal()])
    keys = _keys(build, operation, operands[1])
    build.module.declare("philox", _philox())
    build.module.declare("source", _SOURCE)
    build.module.declare(NORMAL[dtype], f"declare void @{NORMAL[dtype]}(ptr, i64, ptr)")
    source, bits = w.slot("%source"), w.slot("%bitgen")
    for i, word in enumerate(("0", *keys, str(operation.attributes["sequence"]), "4")):
        w.do(f"store i64 {word}, ptr {w.let(f'getelementptr %source, ptr {source}, i32 0, i32 {i}')}")
    w.do(f"store i32 0, ptr {w.let(f'getelementptr %source, ptr {source}, i32 0, i32 6')}")
    for i, field in enumerate((source, "@next_word", "@next_half", "@next_double", "@next_word")):
        w.do(f"store ptr {field}, ptr {w.let(f'getelementptr %bitgen, ptr {bits}, i32 0, i32 {i}')}")
    if not dims:
        place = w.slot(in_register(dtype))
        w.do(f"call void @{NORMAL[dtype]}(ptr {bits}, i64 1, ptr {place})")
        return Number(w.let(f"load {in_register(dtype)}, ptr {place}"), dtype)
    result = build.new(dims, dtype)
    total = build.elements(result)
    with build.each(w.let(f"udiv i64 {w.let(f'add i64 {total}, {_PIECE - 1}')}, {_PIECE}")) as piece:
        first = w.let(f"mul i64 {piece}, {_PIECE}")
        left = w.let(f"sub i64 {total}, {first}")
        count = w.let(f"select i1 {w.let(f'icmp ult i64 {left}, {_PIECE}')}, i64 {left}, i64 {_PIECE}")
        place = w.let(f"getelementptr {in_register(dtype)}, ptr {result.data}, i64 {first}")
        w.do(f"call void @{NORMAL[dtype]}(ptr {bits}, i64 {count}, ptr {place})")
        build.spend(count)
    return result


def _unit(build: Build, words: str, lane: str, wide: bool) -> Number:
    """The number from [0, 1) that a word, or half of one, stands for."""
    w, kind, bits = build.w, "i64" if wide else "i32", 53 if wide else 24
    word = w.let(f"load {kind}, ptr {w.let(f'getelementptr {kind}, ptr {words}, i64 {lane}')}")
    dtype = float64 if wide else float32
    whole = w.let(f"lshr {kind} {word}, {11 if wide else 8}")
    exact = Number(w.let(f"uitofp {kind} {whole} to {in_register(dtype)}"), dtype)
    return write(build, f"fmul {{t}} {{0}}, {literal(2.0**-bits, dtype)}", dtype, exact)
