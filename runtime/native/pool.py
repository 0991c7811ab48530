"""Memory of large arrays that is kept for the next ones: a few blocks, which all regions of the process share.

    %h = call ptr @kept(i64 %bytes)             ; a block with room for so many and at most twice as many, or null
    call void @give_back(ptr %h, i64 %room)     ; keeps it, or frees it

The system gives memory page by page as it is first written to, which takes more time than to fill it, and takes it
back when it is freed. A block is taken out of its place and put there in one step each, so that threads may do both at
once without a lock. Blocks have the headers of `runtime.native.prelude`, which say how much room they have.
"""

from __future__ import annotations

import ctypes
from typing import Final

__all__ = ["LEAST_KEPT", "MOST_KEPT", "POOL", "POOL_TEXT"]

PLACES: Final = 4

LEAST_KEPT, MOST_KEPT = 1 << 16, 1 << 25
"""The bytes of blocks that are kept: small ones are no work for the system, and large ones much memory."""

POOL: Final = (ctypes.c_void_p * PLACES)()
"""The blocks."""

POOL_TEXT: Final = f"""
@pool = external global [{PLACES} x ptr]

define internal ptr @kept(i64 %bytes) noinline {{
entry:
  %twice = mul i64 %bytes, 2
  if uge i64 %bytes, {LEAST_KEPT}, label %test, label %none
test:
  %i = phi i64 [0, %entry], [%n, %next]
  if eq i64 %i, {PLACES}, label %none, label %look
look:
  %place = getelementptr ptr, ptr @pool, i64 %i
  %h = atomicrmw xchg ptr %place, ptr null seq_cst
  if eq ptr %h, null, label %next, label %measure
measure:
  %room = get i64, i64, ptr %h, i64 1
  %enough = icmp uge i64 %room, %bytes
  %close = icmp ule i64 %room, %twice
  %fits = and i1 %enough, %close
  br i1 %fits, label %found, label %back
back:
  %other = atomicrmw xchg ptr %place, ptr %h seq_cst
  call void @free(ptr %other)
  br label %next
next:
  %n = add i64 %i, 1
  br label %test
found:
  ret ptr %h
none:
  ret ptr null
}}

define internal void @give_back(ptr %h, i64 %room) noinline {{
entry:
  %above = sub i64 %room, {LEAST_KEPT}
  if ule i64 %above, {MOST_KEPT - LEAST_KEPT}, label %test, label %free
test:
  %i = phi i64 [0, %entry], [%n, %next]
  if eq i64 %i, {PLACES}, label %full, label %try
try:
  %place = getelementptr ptr, ptr @pool, i64 %i
  %pair = cmpxchg ptr %place, ptr null, ptr %h seq_cst seq_cst
  %stored = extractvalue {{ptr, i1}} %pair, 1
  br i1 %stored, label %done, label %next
next:
  %n = add i64 %i, 1
  br label %test
full:
  %last = getelementptr ptr, ptr @pool, i64 {PLACES - 1}
  %other = atomicrmw xchg ptr %last, ptr %h seq_cst
  br label %free
free:
  %gone = phi ptr [%h, %entry], [%other, %full]
  call void @free(ptr %gone)
  br label %done
done:
  ret void
}}
"""
