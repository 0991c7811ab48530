"""One object of each kind of the heap's table: how it is made, what changes it, and what a program sees of it.

`make` and `look` are expressions, the changes statements, in which `o` is the object.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

__all__ = ["SAMPLES", "Sample"]


@dataclass(frozen=True)
class Sample:
    """See the module's docstring. `kind`: the class that is in a table; `look` gives a number."""

    kind: str
    make: str
    look: str
    changes: tuple[str, ...]

    @property
    def name(self) -> str:
        return self.kind


def _iterator(kind: str, make: str) -> Sample:
    return Sample(kind, make, "float(next(o, 9))", ("next(o)",))


def _itertools(name: str, arguments: str) -> Sample:
    return Sample(f"itertools.{name}", f"itertools.{name}({arguments})", "number(next(o, 9))", ("next(o)",))


SAMPLES: Final = (
    # -- variables and containers
    Sample("list", "[1, 2]", "o[0] + len(o)", ("o[0] = 3", "o.append(1)", "o.clear()", "o.reverse()")),
    Sample("dict", "{'a': 1}", "o.get('a', 0) + len(o)", ("o['a'] = 3", "o['b'] = 1", "o.pop('a', None)")),
    Sample("set", "{1, 2}", "float(sum(o))", ("o.add(5)", "o.discard(1)")),
    Sample("frozenset", "frozenset([Box(1.0)])", "[m.v for m in o][0]", ("list(o)[0].v = 2.0",)),
    Sample("tuple", "([1.0], 2.0)", "o[0][0]", ("o[0][0] = 2.0",)),
    Sample("namedtuple", "Pair([1.0], 2.0)", "o.a[0]", ("o.a[0] = 2.0",)),
    Sample("collections.deque", "collections.deque([1, 2])", "o[0] + len(o)", ("o[0] = 4", "o.append(1)")),
    Sample(
        "collections.OrderedDict", "collections.OrderedDict(a=1.0, b=2.0)", "list(o.values())[0]",
        ("o['a'] = 4.0", "o.move_to_end('a')"),
    ),
    Sample("collections.defaultdict", "collections.defaultdict(float)", "o['a']", ("o['a'] += 4.0",)),
    Sample("collections.Counter", "collections.Counter(a=1)", "float(o['a'])", ("o['a'] += 4", "o.update(a=2)")),
    Sample("collections.ChainMap", "collections.ChainMap({'a': 1.0}, {'b': 2.0})", "o['a']", ("o['a'] = 4.0",)),
    Sample("collections.UserDict", "collections.UserDict(a=1.0)", "o['a']", ("o['a'] = 4.0", "o.update(a=4.0)")),
    Sample("collections.UserList", "collections.UserList([1])", "o[0] + len(o)", ("o[0] = 4", "o.append(1)")),
    Sample("bytearray", "bytearray(b'ab')", "float(o[0])", ("o[0] = 7", "o.append(1)")),
    Sample("memoryview", "memoryview(bytearray(b'ab'))", "float(o[0])", ("o[0] = 7",)),
    Sample("array.array", "array.array('d', [1.0])", "o[0]", ("o[0] = 7.0", "o.append(1.0)")),
    Sample("dict_values", "{'a': [1.0]}.values()", "list(o)[0][0]", ("list(o)[0][0] = 2.0",)),
    Sample("dict_keys", "{Box(1.0): 1}.keys()", "list(o)[0].v", ("list(o)[0].v = 2.0",)),
    Sample("dict_items", "{'a': [1.0]}.items()", "list(o)[0][1][0]", ("list(o)[0][1][0] = 2.0",)),
    Sample("types.MappingProxyType", "types.MappingProxyType({'a': [1.0]})", "o['a'][0]", ("o['a'][0] = 2.0",)),
    Sample(
        "numpy.ma.MaskedArray", "np.ma.masked_array([1.0, 2.0], [0, 0])", "float(o.sum())", ("o[0] = np.ma.masked",)
    ),
    Sample("structured array", "np.zeros(2, [('p', 'f8'), ('q', 'i4')])", "o['p'][0]", ("o['p'][0] = 5.0",)),
    Sample("array's flags", "np.zeros(2)", "float(o.flags.writeable)", ("o.setflags(write=False)",)),
    # -- objects
    Sample("object", "Box(1.0)", "o.v", ("o.v = 2.0", "o.add(1.0)", "setattr(o, 'v', 2.0)", "vars(o)['v'] = 2.0")),
    Sample("module", "module_with(1.0)", "o.v", ("o.v = 2.0", "setattr(o, 'v', 2.0)", "vars(o)['v'] = 2.0")),
    Sample("attribute of the class", "type('K', (), {'v': 1.0})()", "o.v", ("o.v = 2.0", "setattr(o, 'v', 2.0)")),
    Sample("cached property", "Caching()", "o.made", ("o.v",)),
    Sample("slots", "Slotted(1.0)", "o.v", ("o.v = 2.0",)),
    Sample("property", "Guarded()", "o.v", ("o.v = 2.0",)),
    Sample("descriptor", "Described()", "o.d", ("o.d = 2.0",)),
    Sample("dataclass", "Data(1.0)", "o.v", ("o.v = 2.0",)),
    Sample("frozen dataclass", "Frozen(1.0, [1.0])", "o.v + o.items[0]", (
        "o.items[0] = 2.0", "object.__setattr__(o, 'v', 2.0)",
    )),
    Sample("type", "type('K', (), {'v': 1.0})", "o.v", ("o.v = 2.0",)),
    Sample("function", "with_attribute(lambda: 0)", "o.v", ("o.v = 2.0",)),
    Sample("functools.lru_cache", "with_attribute(functools.lru_cache(of_two))", "o.v", ("o.v = 2.0",)),
    Sample("subclass of tuple", "with_attribute(type('T', (tuple,), {})((3.0,)))", "o.v + o[0]", ("o.v = 2.0",)),
    Sample("subclass of list", "with_attribute(type('L', (list,), {})([3.0]))", "o.v + o[0]", ("o.v = 2.0",)),
    Sample("subclass of dict", "with_attribute(type('D', (dict,), {})(a=3.0))", "o.v + o['a']", ("o.v = 2.0",)),
    Sample("function's defaults", "with_default()", "o()", ("o.__defaults__ = (2.0,)",)),
    Sample("function's default by name", "with_default()", "o.__kwdefaults__['b']", ("o.__kwdefaults__['b'] = 2.0",)),
    Sample("function's code", "with_default()", "o()", ("o.__code__ = of_two.__code__",)),
    Sample("function's name", "with_default()", "float(len(o.__name__))", ("o.__name__ = 'another'",)),
    Sample("functools.singledispatch", "of_kinds()", "o(1)", ("o.register(int, of_two)",)),
    Sample("exception", "ValueError(1.0)", "o.args[0]", ("o.args = (2.0,)",)),
    Sample("exception's attribute", "with_attribute(ValueError(1.0))", "o.v", ("o.v = 2.0",)),
    Sample(
        "functools.partial", "functools.partial(dict, a=[1.0])", "o.keywords['a'][0]", ("o.keywords['a'][0] = 2.0",),
    ),
    Sample("types.MethodType", "Box(1.0).add", "o.__self__.v", ("o(1.0)",)),
    Sample("builtin method", "[1.0].append", "float(len(o.__self__))", ("o(1.0)",)),
    Sample("weakref.ref", "weakref.ref(KEPT[0])", "o().v", ("o().v = 2.0", "o().add(1.0)")),
    Sample("weakref.proxy", "weakref.proxy(KEPT[0])", "o.v", ("o.v = 2.0", "o.add(1.0)")),
    Sample(
        "weakref.WeakSet", "weakref.WeakSet([KEPT[0]])", "float(len(o)) + sum(m.v for m in o)",
        ("o.add(KEPT[1])", "list(o)[0].v = 2.0"),
    ),
    Sample(
        "weakref.WeakValueDictionary", "weakref.WeakValueDictionary(a=KEPT[0])", "o['a'].v",
        ("o['a'].v = 2.0", "o['a'] = KEPT[1]"),
    ),
    Sample(
        "weakref.WeakKeyDictionary", "weakref.WeakKeyDictionary({KEPT[0]: 1.0})", "o[KEPT[0]]", ("o[KEPT[0]] = 2.0",),
    ),
    Sample("types.SimpleNamespace", "types.SimpleNamespace(v=1.0)", "o.v", ("o.v = 2.0", "library.put(o, 'v', 2.0)")),
    Sample("threading.local", "local_with(1.0)", "o.v", ("o.v = 2.0", "library.put(o, 'v', 2.0)")),
    Sample("library object", "library.Frame()", "o['a']", ("o['a'] = 2.0", "o.put('a', 2.0)", "o.columns['a'] = 2.0")),
    Sample("library slots", "library.Slots()", "o.v", ("o.add()", "o.v = 2.0")),
    Sample("library subclass", "Derived()", "o.v", ("o.add()",)),
    Sample("library class", "library.Frame", "float(o.made)", ("o.count()",)),
    Sample("library with a part in C", "library.Holder()", "float(o.size())", ("o.put(1)",)),
    # -- libraries
    Sample("contextvars.ContextVar", "variable_with(1.0)", "o.get()", ("o.set(2.0)",)),
    Sample("contextvars.Context", "contextvars.copy_context()", "float(VARIABLE in o)", ("o.run(VARIABLE.set, 1.0)",)),
    Sample("random.Random", "random.Random(1)", "o.random()", ("o.random()", "o.seed(2)")),
    Sample("numpy.random.RandomState", "np.random.RandomState(1)", "o.rand()", ("o.rand()",)),
    Sample("numpy.random.Generator", "np.random.default_rng(1)", "o.random()", ("o.random()",)),
    Sample("numpy.random.BitGenerator", "np.random.PCG64(1)", "float(o.random_raw() % 99)", ("o.random_raw()",)),
    Sample("io.StringIO", "io.StringIO('ab')", "float(len(o.getvalue()) + o.tell())", ("o.write('abc')", "o.seek(1)")),
    Sample("io.BytesIO", "io.BytesIO(b'ab')", "float(len(o.getvalue()) + o.tell())", ("o.write(b'abc')", "o.read(1)")),
    Sample("io.TextIOWrapper", "opened('r+')", "file_state(o)", ("o.write('abc')", "o.close()", "print('a', file=o)")),
    Sample("io.BufferedReader", "opened('rb')", "file_state(o)", ("o.read(1)",)),
    Sample("io.BufferedWriter", "opened('ab')", "file_state(o)", ("o.write(b'abc')",)),
    Sample("io.BufferedRandom", "opened('r+b')", "file_state(o)", ("o.seek(2)", "o.truncate(1)")),
    Sample("io.FileIO", "opened('ab', buffering=0)", "file_state(o)", ("o.write(b'abc')",)),
    Sample("mmap.mmap", "mmap.mmap(-1, 4)", "float(o[0])", ("o[0] = 65", "o.write(b'a')")),
    Sample("_ctypes._CData", "ctypes.c_double(1.0)", "o.value", ("o.value = 2.0",)),
    Sample("ctypes.Structure", "Point(1.0)", "o.x", ("o.x = 2.0",)),
    Sample("_thread.lock", "threading.Lock()", "float(o.locked())", ("o.acquire(blocking=False)",)),
    Sample("_thread.RLock", "threading.RLock()", "float(o._recursion_count())", ("o.acquire()",)),
    Sample("threading.Semaphore", "threading.Semaphore(9)", "float(o._value)", ("o.acquire(blocking=False)",)),
    Sample("threading.Event", "threading.Event()", "float(o.is_set())", ("o.set()",)),
    Sample("logging.Logger", "logging.Logger('a', 10)", "float(o.level)", ("o.setLevel(40)",)),
    Sample("queue.Queue", "queue.Queue()", "float(o.qsize())", ("o.put(1)",)),
    Sample("_queue.SimpleQueue", "queue.SimpleQueue()", "float(o.qsize())", ("o.put(1)",)),
    Sample("decimal.Context", "decimal.Context(prec=9)", "float(o.prec)", ("o.prec = 5", "o.clear_traps()")),
    Sample("_hashlib.HASH", "hashlib.sha256()", "float(o.digest()[0])", ("o.update(b'a')",)),
    Sample("zlib.Compress", "zlib.compressobj()", "float(len(o.flush()))", ("o.compress(b'a' * 99)",)),
    Sample("sqlite3.Connection", "database()", "float(rows(o))", ("o.execute('insert into t values (1)')",)),
    Sample("csv.writer", "csv.writer(TEXT)", "float(TEXT.tell())", ("o.writerow([1])",)),
    Sample(
        "xml.etree.ElementTree.Element", "ElementTree.Element('a')", "float(len(o))",
        ("o.append(ElementTree.Element('b'))",),
    ),
    # -- iterators
    Sample("generator", "(i for i in range(9))", "float(next(o))", ("next(o)", "o.close()")),
    Sample("user iterator", "Steps()", "float(o.n)", ("next(o)",)),
    _iterator("list_iterator", "iter([1, 2, 3, 4])"),
    _iterator("dict_keyiterator", "iter({1: 1, 2: 2, 3: 3})"),
    _iterator("map", "map(int, [1, 2, 3, 4])"),
    _iterator("filter", "filter(bool, [1, 2, 3, 4])"),
    Sample("zip", "zip([1, 2, 3, 4])", "number(next(o, 9))", ("next(o)",)),
    Sample("enumerate", "enumerate([1, 2, 3, 4])", "number(next(o, 9))", ("next(o)",)),
    _iterator("callable_iterator", "iter([1, 2, 3, 4].pop, 9)"),
    _itertools("accumulate", "[1, 2, 3, 4]"),
    _itertools("batched", "[1, 2, 3, 4], 1"),
    _itertools("chain", "[1, 2], [3]"),
    _itertools("combinations", "[1, 2, 3], 2"),
    _itertools("combinations_with_replacement", "[1, 2, 3], 2"),
    _itertools("compress", "[1, 2, 3], [1, 1, 1]"),
    _itertools("count", ""),
    _itertools("cycle", "[1, 2, 3]"),
    _itertools("dropwhile", "bool, [0, 1, 2, 3]"),
    _itertools("filterfalse", "bool, [0, 0, 0]"),
    _itertools("groupby", "[1, 2, 3]"),
    _itertools("islice", "[1, 2, 3, 4], 3"),
    _itertools("pairwise", "[1, 2, 3]"),
    _itertools("permutations", "[1, 2, 3]"),
    _itertools("product", "[1, 2], [3, 4]"),
    _itertools("repeat", "1, 5"),
    _itertools("starmap", "pow, [(1, 2), (2, 3)]"),
    _itertools("takewhile", "bool, [1, 2, 3]"),
    Sample("itertools.tee", "itertools.tee([1, 2, 3])[0]", "float(next(o, 9))", ("next(o)",)),
    _itertools("zip_longest", "[1, 2, 3]"),
    Sample("numpy.flatiter", "np.arange(4.0).flat", "float(o.index)", ("next(o)",)),
)  # fmt: skip
