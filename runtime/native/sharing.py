"""Kernels over many elements on all cores: the threads are made for one call and end with it.

    failed = call i1 @share(ptr @task, ptr %environment, i64 %count, i64 1024)

A task is a function of (environment, begin, end) that gives whether it gave up. No thread waits anywhere between two
calls, so that a fork finds none and an idle process has none. To make and join one takes some 20 us; `WORTH` is the
work beside which that is little. Which thread takes which part changes no result: each element is computed by itself.
"""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Final

from runtime.native.shorthand import written_out

if TYPE_CHECKING:
    from runtime.native.build import Build

__all__ = ["WORTH", "call_shared", "threads"]

WORTH: Final = 1 << 20
"""The simple operations on single elements (some 0.2 ns each) that make a call worth sharing."""

_MOST_THREADS: Final = 16


def threads() -> int:
    """How many threads a kernel may use: the processors of this process; one where there are no threads of POSIX."""
    if sys.platform == "win32":
        return 1
    asked = getattr(os, "sched_getaffinity", None)
    return min(len(asked(0)) if asked is not None else os.cpu_count() or 1, _MOST_THREADS)


def call_shared(build: Build, task: str, environment: str, count: str, grain: int) -> str:
    """Writes a call that shares the numbers below `count` in pieces of `grain`; its result: whether one gave up."""
    build.module.declare("share", _TEXT.replace("THREADS", str(threads())))
    return build.w.let(f"call i1 @share(ptr @{task}, ptr {environment}, i64 {count}, i64 {grain})")


_TEXT: Final = written_out("""
%share_type = type {ptr, ptr, i64, i64, i1, i64}

declare i32 @pthread_create(ptr, ptr, ptr, ptr)
declare i32 @pthread_join(i64, ptr)

define internal ptr @share_one(ptr %share) {
  %tp = getelementptr %share_type, ptr %share, i32 0, i32 0
  %ep = getelementptr %share_type, ptr %share, i32 0, i32 1
  %fp = getelementptr %share_type, ptr %share, i32 0, i32 2
  %lp = getelementptr %share_type, ptr %share, i32 0, i32 3
  %rp = getelementptr %share_type, ptr %share, i32 0, i32 4
  %task = load ptr, ptr %tp
  %environment = load ptr, ptr %ep
  %first = load i64, ptr %fp
  %last = load i64, ptr %lp
  %failed = call i1 %task(ptr %environment, i64 %first, i64 %last)
  store i1 %failed, ptr %rp
  ret ptr null
}

define internal i1 @share(ptr %task, ptr %environment, i64 %count, i64 %grain) noinline {
entry:
  %shares = alloca [THREADS x %share_type]
  %even = udiv i64 %count, THREADS
  %pieces = udiv i64 %even, %grain
  %more = add i64 %pieces, 1
  %each = mul i64 %more, %grain
  br label %start
start:
  %i = phi i64 [0, %entry], [%n, %started]
  %begin = phi i64 [0, %entry], [%after, %started]
  %sum = add i64 %begin, %each
  %beyond = icmp ugt i64 %sum, %count
  %after = select i1 %beyond, i64 %count, i64 %sum
  %share = getelementptr [THREADS x %share_type], ptr %shares, i64 0, i64 %i
  %tp = getelementptr %share_type, ptr %share, i32 0, i32 0
  %ep = getelementptr %share_type, ptr %share, i32 0, i32 1
  %fp = getelementptr %share_type, ptr %share, i32 0, i32 2
  %lp = getelementptr %share_type, ptr %share, i32 0, i32 3
  %hp = getelementptr %share_type, ptr %share, i32 0, i32 5
  store ptr %task, ptr %tp
  store ptr %environment, ptr %ep
  store i64 %begin, ptr %fp
  store i64 %after, ptr %lp
  store i64 0, ptr %hp
  %n = add i64 %i, 1
  if eq i64 %n, THREADS, label %here, label %elsewhere
elsewhere:
  %made = call i32 @pthread_create(ptr %hp, ptr null, ptr @share_one, ptr %share)
  if eq i32 %made, 0, label %started, label %alone
alone:
  store i64 0, ptr %hp
  %x = call ptr @share_one(ptr %share)
  br label %started
started:
  br label %start
here:
  %y = call ptr @share_one(ptr %share)
  br label %wait
wait:
  %j = phi i64 [0, %here], [%m, %joined]
  %lost = phi i1 [false, %here], [%either, %joined]
  %other = getelementptr [THREADS x %share_type], ptr %shares, i64 0, i64 %j
  %handle = get i64, %share_type, ptr %other, i32 0, i32 5
  if eq i64 %handle, 0, label %joined, label %join
join:
  %z = call i32 @pthread_join(i64 %handle, ptr null)
  br label %joined
joined:
  %failed = get i1, %share_type, ptr %other, i32 0, i32 4
  %either = or i1 %lost, %failed
  %m = add i64 %j, 1
  if eq i64 %m, THREADS, label %end, label %wait
end:
  ret i1 %either
}
""")
