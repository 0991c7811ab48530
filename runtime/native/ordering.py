"""Sorting in machine code: positions in order of their keys, by merging runs from the bottom up; equals stay in order.

    sort_positions(build, keys, positions, spare, count, down=False)
    pick_positions(build, keys, positions, count, 5)        # those of the five greatest
"""

from __future__ import annotations

from string import Template
from typing import TYPE_CHECKING, Final

from runtime.native.shorthand import written_out
from runtime.native.types import in_memory
from runtime.native.values import Memory

if TYPE_CHECKING:
    from runtime.native.build import Build

__all__ = ["declared_less", "pick_positions", "sort_positions"]


def _is_less(dtype_is_floating: bool, signed: bool, kind: str) -> str:
    """A function of two keys: whether the first one is smaller. nan is larger than all others, as numpy has it."""
    if not dtype_is_floating:
        return f"  %less = icmp {'s' if signed else 'u'}lt {kind} %x, %y\n  ret i1 %less"
    return (
        f"  %below = fcmp olt {kind} %x, %y\n  %last = fcmp uno {kind} %y, %y\n  %number = fcmp ord {kind} %x, %x\n"
        "  %apart = and i1 %last, %number\n  %less = or i1 %below, %apart\n  ret i1 %less"
    )


def declared_less(build: Build, keys: Memory) -> str:
    """The name of that function in the module."""
    kind = in_memory(keys.dtype)
    signed = keys.dtype.is_integer and not keys.dtype.is_unsigned
    name = f"less.{kind}{'.signed' if signed else ''}"
    body = _is_less(keys.dtype.is_floating, signed, kind)
    build.module.declare(name, f"define internal i1 @{name}({kind} %x, {kind} %y) alwaysinline {{\n{body}\n}}")
    return name


def sort_positions(build: Build, keys: Memory, positions: str, spare: str, count: str, down: bool) -> None:
    """Writes the call that puts 0, 1, ... into the order of the keys. positions, spare: arrays of so many int64."""
    less = declared_less(build, keys)
    name = f"order.{less}{'.down' if down else ''}"
    build.module.declare("llvm.umin.i64", "declare i64 @llvm.umin.i64(i64, i64)")
    build.module.declare(name, _text(name, in_memory(keys.dtype), less, down))
    build.w.do(f"call void @{name}(ptr {keys.data}, ptr {positions}, ptr {spare}, i64 {count})")
    build.spend(count)


def pick_positions(build: Build, keys: Memory, positions: str, count: str, most: int) -> None:
    """Writes the call that finds the positions of the greatest keys, of which there are as many, in order."""
    less = declared_less(build, keys)
    name = f"greatest.{less}"
    build.module.declare(name, _PICKING.substitute(name=name, kind=in_memory(keys.dtype), less=less))
    build.w.do(f"call void @{name}(ptr {keys.data}, ptr {positions}, i64 {count}, i64 {most})")
    build.spend(count)


def _text(name: str, kind: str, less: str, down: bool) -> str:
    given = f"{kind} %left_key, {kind} %right_key" if down else f"{kind} %right_key, {kind} %left_key"
    return _MERGING.substitute(name=name, kind=kind, less=less, given=given)


_MERGING: Final = Template(written_out("""
define internal void @$name(ptr noalias %keys, ptr noalias %a, ptr noalias %b, i64 %n) {
entry:
  br label %numbers
numbers:
  %number = phi i64 [0, %entry], [%following, %one]
  if ult i64 %number, %n, label %one, label %widths
one:
  put i64 %number, i64, ptr %a, i64 %number
  %following = add i64 %number, 1
  br label %numbers
widths:
  %width = phi i64 [1, %numbers], [%doubled, %merged]
  %from = phi ptr [%a, %numbers], [%to, %merged]
  %to = phi ptr [%b, %numbers], [%from, %merged]
  if ult i64 %width, %n, label %pairs, label %end
pairs:
  %low = phi i64 [0, %widths], [%high, %step]
  if ult i64 %low, %n, label %pair, label %merged
pair:
  %middle = add i64 %low, %width
  %mid = call i64 @llvm.umin.i64(i64 %middle, i64 %n)
  %top = add i64 %mid, %width
  %high = call i64 @llvm.umin.i64(i64 %top, i64 %n)
  br label %step
step:
  %i = phi i64 [%low, %pair], [%i_after, %take]
  %j = phi i64 [%mid, %pair], [%j_after, %take]
  %k = phi i64 [%low, %pair], [%k_after, %take]
  if ult i64 %k, %high, label %choose, label %pairs
choose:
  %has_left = icmp ult i64 %i, %mid
  %none_left = xor i1 %has_left, true
  %has_right = icmp ult i64 %j, %high
  %both = and i1 %has_left, %has_right
  br i1 %both, label %compare, label %take
compare:
  %left_number = get i64, i64, ptr %from, i64 %i
  %left_key = get $kind, $kind, ptr %keys, i64 %left_number
  %right_number = get i64, i64, ptr %from, i64 %j
  %right_key = get $kind, $kind, ptr %keys, i64 %right_number
  %before = call i1 @$less($given)
  br label %take
take:
  %right = phi i1 [%before, %compare], [%none_left, %choose]
  %place = select i1 %right, i64 %j, i64 %i
  %moved = get i64, i64, ptr %from, i64 %place
  put i64 %moved, i64, ptr %to, i64 %k
  %by = zext i1 %right to i64
  %j_after = add i64 %j, %by
  %not_by = xor i64 %by, 1
  %i_after = add i64 %i, %not_by
  %k_after = add i64 %k, 1
  br label %step
merged:
  %doubled = shl i64 %width, 1
  br label %widths
end:
  if eq ptr %from, %a, label %out, label %copy
copy:
  %bytes = shl i64 %n, 3
  call void @llvm.memcpy.p0.p0.i64(ptr %a, ptr %from, i64 %bytes, i1 false)
  br label %out
out:
  ret void
}"""))
"""Runs of 1, 2, 4, ... are merged from one array into the other. The second run's item goes first only if it is
strictly before the first run's."""

_PICKING: Final = Template(written_out("""
define internal void @$name(ptr noalias %keys, ptr noalias %a, i64 %n, i64 %k) {
entry:
  %last = sub i64 %k, 1
  %last_place = getelementptr i64, ptr %a, i64 %last
  br label %turn
turn:
  %i = phi i64 [0, %entry], [%i_after, %next]
  if ult i64 %i, %n, label %look, label %out
look:
  %key = get $kind, $kind, ptr %keys, i64 %i
  if ult i64 %i, %k, label %place, label %compare
compare:
  %worst_number = load i64, ptr %last_place
  %worst = get $kind, $kind, ptr %keys, i64 %worst_number
  %better = call i1 @$less($kind %worst, $kind %key)
  br i1 %better, label %place, label %next
place:
  %start = phi i64 [%i, %look], [%last, %compare]
  br label %seek
seek:
  %j = phi i64 [%start, %place], [%before, %shift]
  if eq i64 %j, 0, label %put, label %test
test:
  %before = sub i64 %j, 1
  %before_number = get i64, i64, ptr %a, i64 %before
  %before_key = get $kind, $kind, ptr %keys, i64 %before_number
  %smaller = call i1 @$less($kind %before_key, $kind %key)
  br i1 %smaller, label %shift, label %put
shift:
  put i64 %before_number, i64, ptr %a, i64 %j
  br label %seek
put:
  put i64 %i, i64, ptr %a, i64 %j
  br label %next
next:
  %i_after = add i64 %i, 1
  br label %turn
out:
  ret void
}"""))
"""The best so far stay in order; a key that is strictly greater than the last of them takes its place, and moves up
past all that are strictly smaller."""
