"""What every module begins with: arrays that count their holders, the lock of the interpreter, and Ctrl-C.

A header is {holders, room, previous, next}: it stands before so many bytes of malloc, in the list of its context. Where
the room is -1 it belongs to an array of numpy's, which outlives the call; where it is -2, in the list too, to an array
of numpy's that the region has made, and that follows it: a large result, which need not be copied.

A context is {list, thread, status, base, calls}; the status is 0 where there are results, 1 where the region gave up, 2
where a signal has stopped it.
"""

from __future__ import annotations

from typing import Final

from runtime.native.pool import POOL_TEXT
from runtime.native.shorthand import written_out
from runtime.native.types import HALF_TEXT

__all__ = ["ENTRY", "POLL_EVERY", "PRELUDE"]

POLL_EVERY: Final = 1 << 20
"""How much may pass before signals are looked at: turns of loops, elements of arrays, calls of functions."""

LARGE_RESULT: Final = 1 << 16
"""Bytes from which on a result is made as an array of numpy's at once: to do so takes the lock of the interpreter."""

PRELUDE: Final = written_out(POOL_TEXT + HALF_TEXT + """
%header = type {i64, i64, ptr, ptr}
%context_type = type {ptr, ptr, i32, i64, i64}

declare ptr @malloc(i64)
declare void @free(ptr)
declare ptr @PyEval_SaveThread()
declare void @PyEval_RestoreThread(ptr)
declare i32 @PyErr_CheckSignals()
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare ptr @llvm.frameaddress.p0(i32)
declare void @llvm.memmove.p0.p0.i64(ptr, ptr, i64, i1)

define internal void @retain(ptr %h) alwaysinline {
  if eq ptr %h, null, label %end, label %count
count:
  %n = load i64, ptr %h, !tbaa !11
  %m = add i64 %n, 1
  store i64 %m, ptr %h, !tbaa !11
  br label %end
end:
  ret void
}

define internal void @release(ptr %context, ptr %h) alwaysinline {
  if eq ptr %h, null, label %end, label %count
count:
  %n = load i64, ptr %h, !tbaa !11
  %m = add i64 %n, -1
  store i64 %m, ptr %h, !tbaa !11
  if eq i64 %m, 0, label %drop, label %end, !prof !0
drop:
  call void @drop(ptr %context, ptr %h)
  br label %end
end:
  ret void
}

define internal void @drop(ptr %context, ptr %h) noinline {
  %roomp = getelementptr %header, ptr %h, i32 0, i32 1
  %room = load i64, ptr %roomp, !tbaa !11
  if eq i64 %room, -1, label %end, label %unlink
unlink:
  %pp = getelementptr %header, ptr %h, i32 0, i32 2
  %np = getelementptr %header, ptr %h, i32 0, i32 3
  %previous = load ptr, ptr %pp, !tbaa !11
  %next = load ptr, ptr %np, !tbaa !11
  %first = icmp eq ptr %previous, null
  %nextof = getelementptr %header, ptr %previous, i32 0, i32 3
  %place = select i1 %first, ptr %context, ptr %nextof
  store ptr %next, ptr %place, !tbaa !11
  if eq ptr %next, null, label %freed, label %link
link:
  %previousof = getelementptr %header, ptr %next, i32 0, i32 2
  store ptr %previous, ptr %previousof, !tbaa !11
  br label %freed
freed:
  if eq i64 %room, -2, label %locked, label %unlocked
locked:
  %threadp = getelementptr %context_type, ptr %context, i32 0, i32 1
  %thread = load ptr, ptr %threadp
  call void @PyEval_RestoreThread(ptr %thread)
  %o = get ptr, %header, ptr %h, i64 1
  call void @Py_DecRef(ptr %o)
  %again = call ptr @PyEval_SaveThread()
  store ptr %again, ptr %threadp
  br label %unlocked
unlocked:
  call void @give_back(ptr %h, i64 %room)
  br label %end
end:
  ret void
}

define internal noalias ptr @allocate(ptr %context, i64 %bytes) noinline {
  %k = call ptr @kept(i64 %bytes)
  if ne ptr %k, null, label %again, label %make
again:
  %roomp = getelementptr %header, ptr %k, i32 0, i32 1
  %room = load i64, ptr %roomp, !tbaa !11
  call void @begin(ptr %context, ptr %k, i64 %room)
  ret ptr %k
make:
  %size = add i64 %bytes, 32
  %h = call ptr @malloc(i64 %size)
  if eq ptr %h, null, label %end, label %made
made:
  call void @begin(ptr %context, ptr %h, i64 %bytes)
  br label %end
end:
  ret ptr %h
}

define internal void @begin(ptr %context, ptr %h, i64 %room) alwaysinline {
  store i64 1, ptr %h, !tbaa !11
  %roomp = getelementptr %header, ptr %h, i32 0, i32 1
  store i64 %room, ptr %roomp, !tbaa !11
  %pp = getelementptr %header, ptr %h, i32 0, i32 2
  store ptr null, ptr %pp, !tbaa !11
  %np = getelementptr %header, ptr %h, i32 0, i32 3
  %head = load ptr, ptr %context, !tbaa !11
  store ptr %head, ptr %np, !tbaa !11
  store ptr %h, ptr %context, !tbaa !11
  if eq ptr %head, null, label %end, label %link
link:
  %previousof = getelementptr %header, ptr %head, i32 0, i32 2
  store ptr %h, ptr %previousof, !tbaa !11
  br label %end
end:
  ret void
}

define internal {ptr, ptr} @allocate_result(ptr %context, i64 %bytes, ptr %dims, i32 %rank, i32 %type) noinline {
  if uge i64 %bytes, LARGE_RESULT, label %object, label %memory
memory:
  %m = call ptr @allocate(ptr %context, i64 %bytes)
  %behind = getelementptr i8, ptr %m, i64 32
  %m1 = insertvalue {ptr, ptr} poison, ptr %behind, 0
  %m2 = insertvalue {ptr, ptr} %m1, ptr %m, 1
  ret {ptr, ptr} %m2
object:
  %h = call ptr @malloc(i64 40)
  if eq ptr %h, null, label %failed, label %lock
lock:
  %threadp = getelementptr %context_type, ptr %context, i32 0, i32 1
  %thread = load ptr, ptr %threadp
  call void @PyEval_RestoreThread(ptr %thread)
  %o = call ptr @numpy.New(
    ptr @numpy.ndarray, i32 %rank, ptr %dims, i32 %type, ptr null, ptr null, i32 0, i32 0, ptr null)
  if eq ptr %o, null, label %forget, label %keep
forget:
  call void @PyErr_Clear()
  call void @free(ptr %h)
  br label %unlock
keep:
  call void @begin(ptr %context, ptr %h, i64 -2)
  put ptr %o, %header, ptr %h, i64 1
  %d = call ptr @data_of(ptr %o)
  br label %unlock
unlock:
  %data = phi ptr [null, %forget], [%d, %keep]
  %kept = phi ptr [null, %forget], [%h, %keep]
  %again = call ptr @PyEval_SaveThread()
  store ptr %again, ptr %threadp
  %r1 = insertvalue {ptr, ptr} poison, ptr %data, 0
  %r2 = insertvalue {ptr, ptr} %r1, ptr %kept, 1
  ret {ptr, ptr} %r2
failed:
  ret {ptr, ptr} zeroinitializer
}

define internal {ptr, ptr} @copied(ptr %context, ptr %data, ptr %h, i64 %used, i64 %bytes) noinline {
  %new = call ptr @allocate(ptr %context, i64 %bytes)
  if eq ptr %new, null, label %failed, label %made
failed:
  ret {ptr, ptr} zeroinitializer
made:
  %to = getelementptr i8, ptr %new, i64 32
  call void @llvm.memcpy.p0.p0.i64(ptr %to, ptr %data, i64 %used, i1 false)
  call void @release(ptr %context, ptr %h)
  %r1 = insertvalue {ptr, ptr} poison, ptr %to, 0
  %r2 = insertvalue {ptr, ptr} %r1, ptr %new, 1
  ret {ptr, ptr} %r2
}

define internal {ptr, ptr} @moved(ptr %context, ptr %data, ptr %h, i64 %used, i64 %more) noinline {
  %all = add i64 %used, %more
  %twice = mul i64 %all, 2
  %few = icmp ult i64 %twice, 64
  %bytes = select i1 %few, i64 64, i64 %twice
  %m = call {ptr, ptr} @copied(ptr %context, ptr %data, ptr %h, i64 %used, i64 %bytes)
  ret {ptr, ptr} %m
}

define internal {ptr, ptr} @with_room(ptr %context, ptr %data, ptr %h, i64 %used, i64 %more) alwaysinline {
  if eq ptr %h, null, label %move, label %count, !prof !0
count:
  %n = load i64, ptr %h, !tbaa !11
  %mine = icmp eq i64 %n, 1
  %roomp = getelementptr %header, ptr %h, i32 0, i32 1
  %room = load i64, ptr %roomp, !tbaa !11
  %wanted = add i64 %used, %more
  %fits = icmp sle i64 %wanted, %room
  %stays = and i1 %mine, %fits
  br i1 %stays, label %same, label %move, !prof !1
same:
  %s1 = insertvalue {ptr, ptr} poison, ptr %data, 0
  %s2 = insertvalue {ptr, ptr} %s1, ptr %h, 1
  ret {ptr, ptr} %s2
move:
  %m = call {ptr, ptr} @moved(ptr %context, ptr %data, ptr %h, i64 %used, i64 %more)
  ret {ptr, ptr} %m
}

define internal {ptr, ptr} @unique(ptr %context, ptr %data, ptr %h, i64 %bytes) alwaysinline {
  if eq ptr %h, null, label %copy, label %count, !prof !0
count:
  %n = load i64, ptr %h, !tbaa !11
  if eq i64 %n, 1, label %same, label %copy, !prof !1
same:
  %s1 = insertvalue {ptr, ptr} poison, ptr %data, 0
  %s2 = insertvalue {ptr, ptr} %s1, ptr %h, 1
  ret {ptr, ptr} %s2
copy:
  %c = call {ptr, ptr} @copied(ptr %context, ptr %data, ptr %h, i64 %bytes, i64 %bytes)
  ret {ptr, ptr} %c
}

define internal i1 @poll(ptr %context) noinline cold {
  %threadp = getelementptr %context_type, ptr %context, i32 0, i32 1
  %thread = load ptr, ptr %threadp
  call void @PyEval_RestoreThread(ptr %thread)
  %found = call i32 @PyErr_CheckSignals()
  %again = call ptr @PyEval_SaveThread()
  store ptr %again, ptr %threadp
  %stop = icmp ne i32 %found, 0
  br i1 %stop, label %stopped, label %end
stopped:
  put i32 2, %context_type, ptr %context, i32 0, i32 2
  br label %end
end:
  ret i1 %stop
}

define internal i1 @called(ptr %context) alwaysinline {
  %leftp = getelementptr %context_type, ptr %context, i32 0, i32 4
  %left = load i64, ptr %leftp, !tbaa !11
  %less = sub nsw i64 %left, 1
  store i64 %less, ptr %leftp, !tbaa !11
  if sle i64 %less, 0, label %look, label %go_on, !prof !0
look:
  store i64 POLL_EVERY, ptr %leftp, !tbaa !11
  %stop = call i1 @poll(ptr %context)
  ret i1 %stop
go_on:
  ret i1 false
}

!0 = !{!"branch_weights", i32 1, i32 1048575}
!1 = !{!"branch_weights", i32 1048575, i32 1}
!2 = !{!"memory"}
!3 = !{!"counts", !2, i64 0}
!4 = !{!"i8", !2, i64 0}
!5 = !{!"i16", !2, i64 0}
!6 = !{!"i32", !2, i64 0}
!7 = !{!"i64", !2, i64 0}
!8 = !{!"float", !2, i64 0}
!9 = !{!"double", !2, i64 0}
!10 = !{!"complex", !2, i64 0}
!11 = !{!3, !3, i64 0}
!12 = !{!4, !4, i64 0}
!13 = !{!5, !5, i64 0}
!14 = !{!6, !6, i64 0}
!15 = !{!7, !7, i64 0}
!16 = !{!8, !8, i64 0}
!17 = !{!9, !9, i64 0}
!18 = !{!10, !10, i64 0}
!20 = distinct !{!20, !21}
!21 = !{!"llvm.loop.unroll.disable"}
!22 = !{!"complex64", !2, i64 0}
!23 = !{!"half", !2, i64 0}
!24 = !{!22, !22, i64 0}
!25 = !{!23, !23, i64 0}
""").replace("POLL_EVERY", str(POLL_EVERY)).replace("LARGE_RESULT", str(LARGE_RESULT))
"""`!0`, `!1`: branches that are taken almost never, almost always. `!11` to `!18`, `!24`, `!25`: counts of holders, and
elements of each type, which never lie in the same memory. `!20`: loops that are not to be unrolled."""

ENTRY: Final = written_out("""
define internal i32 @entry(ptr %arguments, ptr %results) {
  %context = alloca %context_type
  store ptr null, ptr %context
  %threadp = getelementptr %context_type, ptr %context, i32 0, i32 1
  %statusp = getelementptr %context_type, ptr %context, i32 0, i32 2
  %basep = getelementptr %context_type, ptr %context, i32 0, i32 3
  store i32 1, ptr %statusp
  %frame = call ptr @llvm.frameaddress.p0(i32 0)
  %base = ptrtoint ptr %frame to i64
  store i64 %base, ptr %basep, !tbaa !11
  %callsp = getelementptr %context_type, ptr %context, i32 0, i32 4
  store i64 1, ptr %callsp, !tbaa !11
  %thread = call ptr @PyEval_SaveThread()
  store ptr %thread, ptr %threadp
  %failed = call i1 @region(ptr %context, ptr %arguments, ptr %results)
  br i1 %failed, label %clean, label %end
clean:
  %head = load ptr, ptr %context, !tbaa !11
  if eq ptr %head, null, label %end, label %next
next:
  call void @drop(ptr %context, ptr %head)
  br label %clean
end:
  %now = load ptr, ptr %threadp
  call void @PyEval_RestoreThread(ptr %now)
  %status = load i32, ptr %statusp
  %code = select i1 %failed, i32 %status, i32 0
  ret i32 %code
}
""")
"""The region in a context of its own, with the lock of the interpreter released."""
