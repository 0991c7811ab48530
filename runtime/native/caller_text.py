"""The machine code of short calls (`runtime.native.caller`): a C function with the flag METH_O, as text for LLVM."""

from __future__ import annotations

from typing import Final

from runtime.native.caller_parts import PARTS_TEXT
from runtime.native.objects import BASE, DIMS, DTYPE, FLAGS, NDIM, TYPE, WRITEABLE_TOO
from runtime.native.shorthand import written_out

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

CALLER_TEXT: Final = written_out(f"""{PARTS_TEXT}
define ptr @call(ptr %self, ptr %args) {{
entry:
  %bytes = call ptr @PyTuple_GetItem(ptr %self, i64 0)
  %w = call ptr @PyBytes_AsString(ptr %bytes)
{chr(10).join(map(_load, WORDS))}
  %size = call i64 @PyTuple_Size(ptr %args)
  if eq i64 %size, %arguments, label %start, label %missing
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
  if eq i64 %i, %arguments, label %memory, label %look
look:
  %o = call ptr @PyTuple_GetItem(ptr %args, i64 %i)
  %t = get ptr, i8, ptr %o, i64 {TYPE}
  %wanted = get ptr, ptr, ptr %w, i64 %at
  if eq ptr %t, %wanted, label %which, label %constant
constant:
  if eq ptr %wanted, null, label %very, label %missing
very:
  %at.c = add i64 %at, 1
  %very.o = get ptr, ptr, ptr %w, i64 %at.c
  %at.very = add i64 %at, 2
  if eq ptr %o, %very.o, label %passed.by, label %missing
passed.by:
  %i.by = add i64 %i, 1
  br label %next
which:
  if eq ptr %t, %tensor, label %inside, label %plain
inside:
  %held = get ptr, i8, ptr %o, i64 %place
  if eq ptr %held, null, label %missing, label %class
class:
  %at.class = get ptr, i8, ptr %held, i64 {TYPE}
  if eq ptr %at.class, @numpy.ndarray, label %array, label %missing
plain:
  %flags = get i32, i8, ptr %o, i64 {FLAGS}
  %three = and i32 %flags, {WRITEABLE_TOO}
  if eq i32 %three, {WRITEABLE_TOO}, label %others, label %missing
others:
  %j = phi i64 [0, %plain], [%j.1, %other]
  if eq i64 %j, %c, label %array, label %other
other:
  %v = get ptr, ptr, ptr %values, i64 %j
  %j.1 = add i64 %j, 1
  if eq ptr %v, %o, label %missing, label %others
array:
  %a = phi ptr [%held, %class], [%o, %others]
  %d = get ptr, i8, ptr %a, i64 {DTYPE}
  %at.d = add i64 %at, 1
  %wd = get ptr, ptr, ptr %w, i64 %at.d
  if eq ptr %d, %wd, label %rank, label %missing
rank:
  %r32 = get i32, i8, ptr %a, i64 {NDIM}
  %r = zext i32 %r32 to i64
  %at.r = add i64 %at, 2
  %wr = get i64, i64, ptr %w, i64 %at.r
  if eq i64 %r, %wr, label %shape, label %missing
shape:
  %dims = get ptr, i8, ptr %a, i64 {DIMS}
  %at.s = add i64 %at, 3
  br label %dim
dim:
  %k = phi i64 [0, %shape], [%k.1, %compare]
  if eq i64 %k, %r, label %taken, label %compare
compare:
  %x = get i64, i64, ptr %dims, i64 %k
  %at.k = add i64 %at.s, %k
  %y = get i64, i64, ptr %w, i64 %at.k
  %k.1 = add i64 %k, 1
  if eq i64 %x, %y, label %dim, label %missing
taken:
  put ptr %a, ptr, ptr %values, i64 %c
  %c.1 = add i64 %c, 1
  %i.1 = add i64 %i, 1
  %at.1 = add i64 %at.s, %r
  br label %next
memory:
  %n = phi i64 [0, %next], [%n.1, %put]
  if eq i64 %n, %memories, label %guard, label %put
put:
  %at.n = add i64 %n, {len(WORDS)}
  %m = get ptr, ptr, ptr %w, i64 %at.n
  %at.m = add i64 %c, %n
  put ptr %m, ptr, ptr %values, i64 %at.m
  %n.1 = add i64 %n, 1
  br label %memory
guard:
  %ask = call ptr @PyObject_GetAttr(ptr %guards, ptr %hold)
  if eq ptr %ask, null, label %failed, label %asked
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
  if eq i64 %g, %tests, label %short, label %one.test
one.test:
  %five = mul i64 %g, 5
  %at.test = add i64 %five, %at
  %test.p = getelementptr ptr, ptr %w, i64 %at.test
  %kind = load i64, ptr %test.p
  %holder = get ptr, ptr, ptr %test.p, i64 1
  %key = get ptr, ptr, ptr %test.p, i64 2
  %value = get ptr, ptr, ptr %test.p, i64 3
  %find = get ptr, ptr, ptr %test.p, i64 4
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
  if eq ptr %answer, null, label %failed, label %answered
answered:
  call void @Py_DecRef(ptr %answer)
  if eq ptr %answer, @_Py_TrueStruct, label %short, label %missing
short:
  %filled = add i64 %c, %memories
  %many = or i64 %filled, {_ROOM}
  if eq ptr %region, null, label %long, label %try
try:
  %r.region = call ptr @PyObject_Vectorcall(ptr %region, ptr %values, i64 %many, ptr null)
  if eq ptr %r.region, null, label %failed, label %tried
tried:
  if eq ptr %r.region, @_Py_NoneStruct, label %forget, label %made
forget:
  call void @Py_DecRef(ptr %r.region)
  br label %long
long:
  %f = call ptr @PyObject_GetAttr(ptr %plan, ptr %function)
  if eq ptr %f, null, label %failed, label %found
found:
  if eq ptr %f, %known, label %run, label %other.plan
other.plan:
  call void @Py_DecRef(ptr %f)
  br label %missing
run:
  %r.plan = call ptr @PyObject_Vectorcall(ptr %f, ptr %values, i64 %many, ptr null)
  call void @Py_DecRef(ptr %f)
  if eq ptr %r.plan, null, label %failed, label %made
made:
  %results = phi ptr [%r.region, %tried], [%r.plan, %run]
  %count = call i64 @PySequence_Size(ptr %results)
  if eq ptr %own, null, label %kept, label %whose
whose:
  %u = phi i64 [0, %made], [%u.1, %unshared]
  if eq i64 %u, %count, label %kept, label %seen
seen:
  %item = call ptr @PySequence_GetItem(ptr %results, i64 %u)
  if eq ptr %item, null, label %drop.results, label %there
there:
  call void @Py_DecRef(ptr %item)
  %base = get ptr, i8, ptr %item, i64 {BASE}
  if ne ptr %base, null, label %share, label %search
search:
  %q = phi i64 [0, %there], [%q.1, %not.this]
  if eq i64 %q, %c, label %unshared, label %not.this
not.this:
  %qv = get ptr, ptr, ptr %values, i64 %q
  %q.1 = add i64 %q, 1
  if eq ptr %qv, %item, label %share, label %search
unshared:
  %u.1 = add i64 %u, 1
  br label %whose
share:
  %both = alloca [2 x ptr]
  store ptr %results, ptr %both
  put ptr %args, ptr, ptr %both, i64 1
  %copies = call ptr @PyObject_Vectorcall(ptr %own, ptr %both, i64 2, ptr null)
  call void @Py_DecRef(ptr %results)
  if eq ptr %copies, null, label %failed, label %kept
kept:
  %mine = phi ptr [%results, %made], [%results, %whose], [%copies, %share]
  if eq ptr %pack, null, label %one, label %several
several:
  if eq ptr %pack, @PyTuple_Type, label %tuple, label %packing
packing:
  store ptr %mine, ptr %stack
  %packed = call ptr @PyObject_Vectorcall(ptr %pack, ptr %stack, i64 1, ptr null)
  call void @Py_DecRef(ptr %mine)
  ret ptr %packed
tuple:
  %whole = call ptr @PyTuple_New(i64 %count)
  if eq ptr %whole, null, label %drop.mine, label %each
each:
  %e = phi i64 [0, %tuple], [%e.1, %set]
  if eq i64 %e, %count, label %whole.made, label %put.one
put.one:
  %made.one = call ptr @wrapped(ptr %mine, i64 %e, ptr %tensor, i64 %place)
  if eq ptr %made.one, null, label %drop.whole, label %set
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
""")
