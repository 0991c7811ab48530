"""The machine code of short calls (`runtime.native.caller`): a C function with the flag METH_O, as text for LLVM."""

from __future__ import annotations

from typing import Final

from runtime.native.caller_parts import PARTS_TEXT
from runtime.native.objects import BASE, DIMS, DTYPE, FLAGS, NDIM, TYPE, WRITEABLE_TOO

__all__ = ["CALLER_TEXT", "WORDS"]

WORDS: Final = (
    "arguments", "memories", "missed", "guards", "hold", "plan", "function", "tensor", "place", "pack", "own", "region",
    "known", "tests", "holding",
)  # fmt: skip
"""What stands in the first words; then the memories, then for each argument its class, dtype, rank and dims, or 0 and
the one object that it may be, then the tests of the guards, if these are told, of five words each."""

_NUMBERS: Final = ("arguments", "memories", "place", "tests")


def _load(name: str) -> str:
    return f"""  %p.{name} = getelementptr i64, ptr %w, i64 {WORDS.index(name)}
  %{name} = load {'i64' if name in _NUMBERS else 'ptr'}, ptr %p.{name}"""


_ROOM: Final = -(2**63)
"""PY_VECTORCALL_ARGUMENTS_OFFSET: the word before the arguments may be used."""

CALLER_TEXT: Final = f"""{PARTS_TEXT}
define ptr @call(ptr %self, ptr %args) {{
entry:
  %bytes = call ptr @PyTuple_GetItem(ptr %self, i64 0)
  %w = call ptr @PyBytes_AsString(ptr %bytes)
{chr(10).join(map(_load, WORDS))}
  %size = call i64 @PyTuple_Size(ptr %args)
  %counted = icmp eq i64 %size, %arguments
  br i1 %counted, label %start, label %missing
start:
  %given = add i64 %arguments, %memories
  %room = add i64 %given, 1
  %stack = alloca ptr, i64 %room
  %values = getelementptr ptr, ptr %stack, i64 1
  %begin = add i64 %memories, {len(WORDS)}
  br label %next
next:
  %i = phi i64 [0, %start], [%i.1, %taken], [%i.by, %passed.by]
  %at = phi i64 [%begin, %start], [%at.1, %taken], [%at.very, %passed.by]
  %c = phi i64 [0, %start], [%c.1, %taken], [%c, %passed.by]
  %over = icmp eq i64 %i, %arguments
  br i1 %over, label %memory, label %look
look:
  %o = call ptr @PyTuple_GetItem(ptr %args, i64 %i)
  %tp = getelementptr i8, ptr %o, i64 {TYPE}
  %t = load ptr, ptr %tp
  %wanted.p = getelementptr ptr, ptr %w, i64 %at
  %wanted = load ptr, ptr %wanted.p
  %fits = icmp eq ptr %t, %wanted
  br i1 %fits, label %which, label %constant
constant:
  %is.constant = icmp eq ptr %wanted, null
  br i1 %is.constant, label %very, label %missing
very:
  %at.c = add i64 %at, 1
  %very.p = getelementptr ptr, ptr %w, i64 %at.c
  %very.o = load ptr, ptr %very.p
  %at.very = add i64 %at, 2
  %is.very = icmp eq ptr %o, %very.o
  br i1 %is.very, label %passed.by, label %missing
passed.by:
  %i.by = add i64 %i, 1
  br label %next
which:
  %is.tensor = icmp eq ptr %t, %tensor
  br i1 %is.tensor, label %inside, label %plain
inside:
  %slot = getelementptr i8, ptr %o, i64 %place
  %held = load ptr, ptr %slot
  %empty = icmp eq ptr %held, null
  br i1 %empty, label %missing, label %class
class:
  %ap = getelementptr i8, ptr %held, i64 {TYPE}
  %at.class = load ptr, ptr %ap
  %is.array = icmp eq ptr %at.class, @numpy.ndarray
  br i1 %is.array, label %array, label %missing
plain:
  %fp = getelementptr i8, ptr %o, i64 {FLAGS}
  %flags = load i32, ptr %fp
  %three = and i32 %flags, {WRITEABLE_TOO}
  %side.by.side = icmp eq i32 %three, {WRITEABLE_TOO}
  br i1 %side.by.side, label %others, label %missing
others:
  %j = phi i64 [0, %plain], [%j.1, %other]
  %no.more = icmp eq i64 %j, %c
  br i1 %no.more, label %array, label %other
other:
  %vp = getelementptr ptr, ptr %values, i64 %j
  %v = load ptr, ptr %vp
  %j.1 = add i64 %j, 1
  %twice = icmp eq ptr %v, %o
  br i1 %twice, label %missing, label %others
array:
  %a = phi ptr [%held, %class], [%o, %others]
  %dp = getelementptr i8, ptr %a, i64 {DTYPE}
  %d = load ptr, ptr %dp
  %at.d = add i64 %at, 1
  %wd.p = getelementptr ptr, ptr %w, i64 %at.d
  %wd = load ptr, ptr %wd.p
  %same.d = icmp eq ptr %d, %wd
  br i1 %same.d, label %rank, label %missing
rank:
  %rp = getelementptr i8, ptr %a, i64 {NDIM}
  %r32 = load i32, ptr %rp
  %r = zext i32 %r32 to i64
  %at.r = add i64 %at, 2
  %wr.p = getelementptr i64, ptr %w, i64 %at.r
  %wr = load i64, ptr %wr.p
  %same.r = icmp eq i64 %r, %wr
  br i1 %same.r, label %shape, label %missing
shape:
  %dims.p = getelementptr i8, ptr %a, i64 {DIMS}
  %dims = load ptr, ptr %dims.p
  %at.s = add i64 %at, 3
  br label %dim
dim:
  %k = phi i64 [0, %shape], [%k.1, %compare]
  %all = icmp eq i64 %k, %r
  br i1 %all, label %taken, label %compare
compare:
  %xp = getelementptr i64, ptr %dims, i64 %k
  %x = load i64, ptr %xp
  %at.k = add i64 %at.s, %k
  %yp = getelementptr i64, ptr %w, i64 %at.k
  %y = load i64, ptr %yp
  %k.1 = add i64 %k, 1
  %same.x = icmp eq i64 %x, %y
  br i1 %same.x, label %dim, label %missing
taken:
  %sp = getelementptr ptr, ptr %values, i64 %c
  store ptr %a, ptr %sp
  %c.1 = add i64 %c, 1
  %i.1 = add i64 %i, 1
  %at.1 = add i64 %at.s, %r
  br label %next
memory:
  %n = phi i64 [0, %next], [%n.1, %put]
  %put.all = icmp eq i64 %n, %memories
  br i1 %put.all, label %guard, label %put
put:
  %at.n = add i64 %n, {len(WORDS)}
  %mp = getelementptr ptr, ptr %w, i64 %at.n
  %m = load ptr, ptr %mp
  %at.m = add i64 %c, %n
  %to = getelementptr ptr, ptr %values, i64 %at.m
  store ptr %m, ptr %to
  %n.1 = add i64 %n, 1
  br label %memory
guard:
  %ask = call ptr @PyObject_GetAttr(ptr %guards, ptr %hold)
  %no.ask = icmp eq ptr %ask, null
  br i1 %no.ask, label %failed, label %asked
asked:
  %told = icmp sge i64 %tests, 0
  %same.guards = icmp eq ptr %ask, %holding
  %by.tests = and i1 %told, %same.guards
  br i1 %by.tests, label %tests.start, label %call.guards
tests.start:
  call void @Py_DecRef(ptr %ask)
  br label %test
test:
  %g = phi i64 [0, %tests.start], [%g.1, %passed]
  %tested = icmp eq i64 %g, %tests
  br i1 %tested, label %short, label %one.test
one.test:
  %five = mul i64 %g, 5
  %at.test = add i64 %five, %at
  %test.p = getelementptr ptr, ptr %w, i64 %at.test
  %kind = load i64, ptr %test.p
  %holder.p = getelementptr ptr, ptr %test.p, i64 1
  %holder = load ptr, ptr %holder.p
  %key.p = getelementptr ptr, ptr %test.p, i64 2
  %key = load ptr, ptr %key.p
  %value.p = getelementptr ptr, ptr %test.p, i64 3
  %value = load ptr, ptr %value.p
  %find.p = getelementptr ptr, ptr %test.p, i64 4
  %find = load ptr, ptr %find.p
  %g.1 = add i64 %g, 1
  %still = call i1 @is_still(i64 %kind, ptr %holder, ptr %key, ptr %value, ptr %find)
  br i1 %still, label %passed, label %changed
passed:
  br label %test
changed:
  call void @PyErr_Clear()
  br label %missing
call.guards:
  %answer = call ptr @PyObject_Vectorcall(ptr %ask, ptr null, i64 0, ptr null)
  call void @Py_DecRef(ptr %ask)
  %no.answer = icmp eq ptr %answer, null
  br i1 %no.answer, label %failed, label %answered
answered:
  call void @Py_DecRef(ptr %answer)
  %holds = icmp eq ptr %answer, @_Py_TrueStruct
  br i1 %holds, label %short, label %missing
short:
  %filled = add i64 %c, %memories
  %many = or i64 %filled, {_ROOM}
  %no.region = icmp eq ptr %region, null
  br i1 %no.region, label %long, label %try
try:
  %r.region = call ptr @PyObject_Vectorcall(ptr %region, ptr %values, i64 %many, ptr null)
  %no.r = icmp eq ptr %r.region, null
  br i1 %no.r, label %failed, label %tried
tried:
  %gave.up = icmp eq ptr %r.region, @_Py_NoneStruct
  br i1 %gave.up, label %forget, label %made
forget:
  call void @Py_DecRef(ptr %r.region)
  br label %long
long:
  %f = call ptr @PyObject_GetAttr(ptr %plan, ptr %function)
  %no.f = icmp eq ptr %f, null
  br i1 %no.f, label %failed, label %found
found:
  %is.known = icmp eq ptr %f, %known
  br i1 %is.known, label %run, label %other.plan
other.plan:
  call void @Py_DecRef(ptr %f)
  br label %missing
run:
  %r.plan = call ptr @PyObject_Vectorcall(ptr %f, ptr %values, i64 %many, ptr null)
  call void @Py_DecRef(ptr %f)
  %no.r.plan = icmp eq ptr %r.plan, null
  br i1 %no.r.plan, label %failed, label %made
made:
  %results = phi ptr [%r.region, %tried], [%r.plan, %run]
  %count = call i64 @PySequence_Size(ptr %results)
  %own.none = icmp eq ptr %own, null
  br i1 %own.none, label %kept, label %whose
whose:
  %u = phi i64 [0, %made], [%u.1, %unshared]
  %all.seen = icmp eq i64 %u, %count
  br i1 %all.seen, label %kept, label %seen
seen:
  %item = call ptr @PySequence_GetItem(ptr %results, i64 %u)
  %no.item = icmp eq ptr %item, null
  br i1 %no.item, label %drop.results, label %there
there:
  call void @Py_DecRef(ptr %item)
  %base.p = getelementptr i8, ptr %item, i64 {BASE}
  %base = load ptr, ptr %base.p
  %based = icmp ne ptr %base, null
  br i1 %based, label %share, label %search
search:
  %q = phi i64 [0, %there], [%q.1, %not.this]
  %searched = icmp eq i64 %q, %c
  br i1 %searched, label %unshared, label %not.this
not.this:
  %qp = getelementptr ptr, ptr %values, i64 %q
  %qv = load ptr, ptr %qp
  %q.1 = add i64 %q, 1
  %given.back = icmp eq ptr %qv, %item
  br i1 %given.back, label %share, label %search
unshared:
  %u.1 = add i64 %u, 1
  br label %whose
share:
  %both = alloca [2 x ptr]
  store ptr %results, ptr %both
  %second = getelementptr ptr, ptr %both, i64 1
  store ptr %args, ptr %second
  %copies = call ptr @PyObject_Vectorcall(ptr %own, ptr %both, i64 2, ptr null)
  call void @Py_DecRef(ptr %results)
  %no.copies = icmp eq ptr %copies, null
  br i1 %no.copies, label %failed, label %kept
kept:
  %mine = phi ptr [%results, %made], [%results, %whose], [%copies, %share]
  %no.pack = icmp eq ptr %pack, null
  br i1 %no.pack, label %one, label %several
several:
  %flat = icmp eq ptr %pack, @PyTuple_Type
  br i1 %flat, label %tuple, label %packing
packing:
  store ptr %mine, ptr %stack
  %packed = call ptr @PyObject_Vectorcall(ptr %pack, ptr %stack, i64 1, ptr null)
  call void @Py_DecRef(ptr %mine)
  ret ptr %packed
tuple:
  %whole = call ptr @PyTuple_New(i64 %count)
  %no.whole = icmp eq ptr %whole, null
  br i1 %no.whole, label %drop.mine, label %each
each:
  %e = phi i64 [0, %tuple], [%e.1, %set]
  %each.done = icmp eq i64 %e, %count
  br i1 %each.done, label %whole.made, label %put.one
put.one:
  %made.one = call ptr @wrapped(ptr %mine, i64 %e, ptr %tensor, i64 %place)
  %no.one = icmp eq ptr %made.one, null
  br i1 %no.one, label %drop.whole, label %set
set:
  %was.set = call i32 @PyTuple_SetItem(ptr %whole, i64 %e, ptr %made.one)
  %e.1 = add i64 %e, 1
  br label %each
whole.made:
  call void @Py_DecRef(ptr %mine)
  ret ptr %whole
drop.whole:
  call void @Py_DecRef(ptr %whole)
  br label %drop.mine
drop.mine:
  call void @Py_DecRef(ptr %mine)
  br label %failed
drop.results:
  call void @Py_DecRef(ptr %results)
  br label %failed
one:
  %single = call ptr @wrapped(ptr %mine, i64 0, ptr %tensor, i64 %place)
  call void @Py_DecRef(ptr %mine)
  ret ptr %single
failed:
  ret ptr null
missing:
  call void @Py_IncRef(ptr %missed)
  ret ptr %missed
}}
"""
