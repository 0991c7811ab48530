"""An expression for each function of Python's library and each method of its types: what `test_python_names` tries.

Expressions stand two spaces apart; before the last one of a program are its statements (`l = [x]; l.append(y); l`).
The variables are in VALUES.
"""

from __future__ import annotations

from typing import Any, Final

__all__ = ["EXPRESSIONS", "VALUES"]

VALUES: Final[dict[str, Any]] = {
    "x": 0.5, "y": 2.25, "n": 6, "k": 2, "xs": [1.5, 0.5, 2.5], "ys": [1.0, 2.0, 4.0], "ns": [3, 1, 2, 3],
    "ms": [1, 2, 2, 3], "s": "banana", "w": "an", "z": 0.5 + 1j, "m": [[1.0, 2.0], [3.0, 4.0]], "q": "[1, 2]",
    "t": "101",
}  # fmt: skip

EXPRESSIONS: Final[dict[str, str]] = {
    "math": """
        math.acos(x)  math.acosh(y)  math.asin(x)  math.asinh(x)  math.atan(x)  math.atan2(x, y)  math.atanh(x)
        math.cbrt(y)  math.ceil(y)  math.comb(n, k)  math.copysign(x, -y)  math.cos(x)  math.cosh(x)  math.degrees(x)
        math.dist(xs, ys)  math.erf(x)  math.erfc(x)  math.exp(x)  math.exp2(x)  math.expm1(x)  math.fabs(-x)
        math.factorial(n)  math.floor(y)  math.fmod(y, x)  math.frexp(y)  math.fsum(xs)  math.gamma(y)  math.gcd(n, k)
        math.hypot(x, y)  math.isclose(x, y)  math.isfinite(x)  math.isinf(x)  math.isnan(x)  math.isqrt(n)
        math.lcm(n, k)  math.ldexp(x, k)  math.lgamma(y)  math.log(y)  math.log10(y)  math.log1p(y)  math.log2(y)
        math.modf(y)  math.nextafter(x, y)  math.perm(n, k)  math.pow(x, y)  math.prod(xs)  math.radians(x)
        math.remainder(y, x)  math.sin(x)  math.sinh(x)  math.sqrt(y)  math.tan(x)  math.tanh(x)  math.trunc(y)
        math.ulp(x)  math.log(y, k)  math.sumprod(xs, ys)  math.fma(x, y, y)
    """,
    "cmath": """
        cmath.acos(z)  cmath.acosh(z)  cmath.asin(z)  cmath.asinh(z)  cmath.atan(z)  cmath.atanh(z)  cmath.cos(z)
        cmath.cosh(z)  cmath.exp(z)  cmath.isclose(z, z)  cmath.isfinite(z)  cmath.isinf(z)  cmath.isnan(z)
        cmath.log(z)  cmath.log10(z)  cmath.phase(z)  cmath.polar(z)  cmath.rect(x, y)  cmath.sin(z)  cmath.sinh(z)
        cmath.sqrt(z)  cmath.tan(z)  cmath.tanh(z)  cmath.sqrt(-x)
    """,
    "statistics": """
        statistics.NormalDist(x, y).pdf(x)  statistics.correlation(xs, ys)  statistics.covariance(xs, ys)
        statistics.fmean(xs)  statistics.geometric_mean(xs)  statistics.harmonic_mean(xs)
        statistics.linear_regression(xs, ys).slope  statistics.mean(xs)  statistics.median(xs)
        statistics.median_grouped(xs)  statistics.median_high(xs)  statistics.median_low(xs)  statistics.mode(ns)
        statistics.multimode(ns)  statistics.pstdev(xs)  statistics.pvariance(xs)  statistics.quantiles(xs)
        statistics.stdev(xs)  statistics.variance(xs)  statistics.quantiles(ys, n=10, method='inclusive')
        statistics.fmean(xs, ys)  statistics.harmonic_mean(xs, ys)  statistics.kde(xs, 1.0)(x)
        statistics.kde_random(xs, 1.0)
    """,
    "operator": """
        operator.abs(-x)  operator.add(x, y)  operator.and_(n, k)  operator.attrgetter('real')(x)
        operator.call(abs, -x)  operator.concat([x], [y])  operator.contains(ns, k)  operator.countOf(ns, 3)
        l = [x, y]; operator.delitem(l, 0); l  operator.eq(x, y)  operator.floordiv(n, k)  operator.ge(x, y)
        operator.getitem(xs, k)  operator.gt(x, y)  operator.iadd(x, y)  operator.iand(n, k)  operator.iconcat([x], [y])
        operator.ifloordiv(n, k)  operator.ilshift(n, k)  operator.imatmul(np.asarray(m), np.asarray(m))
        operator.imod(n, k)  operator.imul(x, y)  operator.index(n)  operator.indexOf(ns, 2)  operator.inv(n)
        operator.invert(n)  operator.ior(n, k)  operator.ipow(n, k)  operator.irshift(n, k)  operator.is_(x, None)
        operator.is_not(x, None)  operator.isub(x, y)  operator.itemgetter(1)(xs)  operator.itemgetter(1, 2)(xs)
        operator.itruediv(x, y)  operator.ixor(n, k)  operator.le(x, y)  operator.length_hint(xs)  operator.lshift(n, k)
        operator.lt(x, y)  operator.matmul(np.asarray(m), np.asarray(m))  operator.methodcaller('upper')(s)
        operator.mod(n, k)  operator.mul(x, y)  operator.ne(x, y)  operator.neg(x)  operator.not_(x)  operator.or_(n, k)
        operator.pos(x)  operator.pow(x, y)  operator.rshift(n, k)  l = [x, y]; operator.setitem(l, 0, y); l
        operator.sub(x, y)  operator.truediv(x, y)  operator.truth(x)  operator.xor(n, k)
        operator.is_none(x)  operator.is_not_none(x)
    """,
    "itertools": """
        list(itertools.accumulate(xs))  list(itertools.accumulate(xs, max))  list(itertools.chain(xs, ys))
        list(itertools.chain.from_iterable([xs, ys]))  list(itertools.combinations(xs, 2))
        list(itertools.combinations_with_replacement(xs, 2))  list(itertools.compress(xs, [1, 0, 1]))
        list(itertools.compress(xs, ns))  list(itertools.islice(itertools.count(n), 3))
        list(itertools.islice(itertools.cycle(xs), 5))  list(itertools.dropwhile(lambda v: v > 1, xs))
        list(itertools.filterfalse(lambda v: v > 1, xs))  [(k, len(list(g))) for k, g in itertools.groupby(ms)]
        list(itertools.islice(xs, 2))  list(itertools.islice(xs, k))  list(itertools.islice(xs, 0, None, 2))
        list(itertools.islice(xs, 1, k))  list(itertools.pairwise(xs))  list(itertools.permutations(xs))
        list(itertools.permutations(xs, 2))  list(itertools.product(xs, ys))  list(itertools.product(xs, repeat=2))
        list(itertools.repeat(x, 3))  list(itertools.repeat(x, n))  list(itertools.starmap(pow, zip(xs, ys)))
        list(itertools.takewhile(lambda v: v > 1, xs))  [list(t) for t in itertools.tee(xs)]
        list(itertools.zip_longest(xs, ns, fillvalue=0))  list(itertools.batched(xs, 2))
        list(itertools.combinations(range(n), k))  list(itertools.product(range(k), repeat=2))
    """,
    "functools": """
        functools.reduce(lambda a, b: a * b, xs)  functools.reduce(operator.add, ns, 10)  functools.partial(pow, x)(y)
        sorted(ns, key=functools.cmp_to_key(lambda a, b: b - a))  functools.lru_cache(lambda v: v + 1)(x)
        functools.cache(lambda v: v + 1)(x)  functools.wraps(abs)(lambda v: v + 1)(x)
        functools.singledispatch(lambda v: v + 1)(x)
    """,
    "random": """
        random.betavariate(x, y)  random.choice(xs)  random.choices(xs, k=2)  random.choices([1, 2], weights=[x, y])
        random.expovariate(x)  random.gammavariate(x, y)  random.gauss(x, y)  random.getrandbits(n)
        random.lognormvariate(x, y)  random.normalvariate(x, y)  random.paretovariate(y)  random.randbytes(n)
        random.randint(k, n)  random.randrange(n)  random.sample(xs, 2)  random.sample(range(n), k)  random.seed(n)
        l = [x, y]; random.shuffle(l); l  random.triangular(x, y, x)  random.uniform(x, y)  random.vonmisesvariate(x, y)
        random.weibullvariate(x, y)  random.Random(n).random()  random.binomialvariate(n, x)
    """,
    "fractions": """
        fractions.Fraction(n, k)  fractions.Fraction(x)  fractions.Fraction(1, 3) + n  fractions.Fraction(1, 3) * x
        fractions.Fraction.from_float(x)  fractions.Fraction(1, 3) < x  fractions.Fraction.from_number(x)
    """,
    "decimal": """
        decimal.Decimal(n)  decimal.Decimal(x)  decimal.Decimal('0.1') + n  decimal.Decimal('0.1') * x
        decimal.Decimal(str(x))  decimal.Decimal('0.1').quantize(x)  n * decimal.Decimal('0.1')
        decimal.Decimal.from_number(x)
    """,
    "heapq": """
        l = [x, y]; heapq.heapify(l); l  l = [x, y]; heapq.heappush(l, x); l  l = [x, y]; heapq.heappop(l)
        l = [x, y]; heapq.heapreplace(l, y)  l = [x, y]; heapq.heappushpop(l, y)  heapq.nlargest(2, xs)
        heapq.nsmallest(2, xs)  heapq.nlargest(k, xs)  list(heapq.merge(xs, ys))
        l = list(ns); heapq.heapify(l); heapq.heappop(l)
        l = list(ns); heapq.heapify_max(l); l  l = [5, 3, 1]; heapq.heappush_max(l, n); l
        l = [5, 3, 1]; heapq.heapreplace_max(l, n); l  l = [5, 3, 1]; heapq.heappushpop_max(l, n)
        l = list(ns); heapq.heapify_max(l); heapq.heappop_max(l)
    """,
    "bisect": """
        bisect.bisect(ms, k)  bisect.bisect_left(ms, k)  bisect.bisect_right(ms, 2)  l = [1, 5]; bisect.insort(l, n); l
        l = [1.0, 5.0]; bisect.insort_left(l, x); l  l = [1, 5]; bisect.insort_right(l, n); l
    """,
    "string": """
        string.capwords(s)  string.Template('$a').substitute(a=n)  string.Template('$a').substitute(a=s)
        string.Formatter().format('{}', n)  string.Template('$a').safe_substitute(a=n)
    """,
    "json": """
        json.dumps(n)  json.dumps({'a': x})  json.dumps([x, y])  json.loads(q)  json.dumps(s)
        json.JSONEncoder().encode(x)  json.JSONDecoder().decode(q)
    """,
    "re": """
        re.match('b', s) is None  re.fullmatch('b', s) is None  re.search('na', s) is None  re.sub('a', 'o', s)
        re.subn('a', 'o', s)  re.split('a', s)  re.findall('a', s)  [m.start() for m in re.finditer('a', s)]
        re.compile(s).pattern  re.escape(s)  re.compile('a').sub('o', s)  re.compile('a').findall(s)
        re.compile('b').match(s) is None  re.sub('a', s, 'banana')  re.compile('b').search(s).group()
        re.compile('a').split(s)  re.template(s)
    """,
    "time": """
        time.sleep(x)  time.ctime(x)  time.gmtime(n)  time.localtime(n)  time.strftime(s)  time.asctime(time.gmtime(n))
        time.mktime(time.gmtime(n))  time.strptime(s, '%Y')
    """,
    "datetime": """
        datetime.date(n, 1, 1)  datetime.datetime(2000, 1, n)  datetime.time(n)  datetime.timedelta(days=n)
        datetime.timedelta(days=x)  datetime.date(2000, 1, 1) + datetime.timedelta(days=n)
        datetime.datetime.fromtimestamp(x)  datetime.date.fromordinal(n)  datetime.timedelta(1) * n
        datetime.date.fromisoformat(s)  datetime.timezone(n)  datetime.datetime.strptime(s, '%Y')
        datetime.timedelta(days=1) / x  datetime.date.strptime(s, '%Y')  datetime.time.strptime(s, '%H')
    """,
    "collections": """
        collections.Counter(ns)  collections.Counter(s)  collections.deque(xs)  collections.OrderedDict([(1, x)])
        collections.defaultdict(int, {1: x})  collections.ChainMap({1: x}, {2: y})[1]
        collections.namedtuple('P', 'a b')(x, y).a  collections.UserList([x])[0]  collections.UserDict({1: x})[1]
        collections.UserString(s)  list(collections.deque(xs, maxlen=2))  collections.Counter(ns).most_common(1)
        collections.Counter(ns).most_common()  list(collections.Counter(ns).elements())
        collections.Counter(ns) + collections.Counter(ms)  collections.Counter(ns) - collections.Counter(ms)
        collections.Counter(ns) & collections.Counter(ms)  collections.Counter(ns) | collections.Counter(ms)
        c = collections.Counter(ns); c.subtract(ms); c  c = collections.Counter(ns); c.update(ms); c
        collections.Counter(ns).total()  collections.Counter(ns).get(3)  collections.Counter(ns)[7]
        sorted(collections.Counter(ns).items())  sorted(collections.Counter(s).items())  +collections.Counter(ns)
        -collections.Counter(ns)  collections.Counter(ns) == collections.Counter(ms)
        max(collections.Counter(ns).values())
    """,
    "copy": """
        copy.copy(x)  copy.deepcopy([x, y])  copy.copy({1: x})  copy.deepcopy({'a': [x]})
        copy.replace(collections.namedtuple('P', 'a b')(x, y), a=y)
    """,
    "textwrap": """
        textwrap.wrap(s, 3)  textwrap.fill(s, 3)  textwrap.dedent(s)  textwrap.indent(s, ' ')  textwrap.shorten(s, 5)
    """,
    "builtins": """
        abs(-x)  all(ns)  any(ns)  ascii(s)  bin(n)  bool(x)  bytearray(n)  bytes(n)  bytes(ns)  callable(x)
        chr(n + 60)  complex(x, y)  dict(a=x)  dict([(1, x)])  dict(zip(ns, ms))  divmod(n, k)  list(enumerate(xs))
        eval('x + 1', {'x': x})  list(filter(lambda v: v > 1, xs))  float(n)  format(n, '08b')  format(x, '.2f')
        frozenset(ns)  frozenset([n, k])  getattr(x, 'real')  hasattr(x, 'real')  hash(n)  hash(x)  hex(n)
        id(x) == id(x)  int(y)  isinstance(n, int)  isinstance(x, float)  issubclass(type(n), int)  list(iter(xs))
        len(xs)  list(xs)  list(map(abs, xs))  max(xs)  max(x, y)  memoryview(bytes(n))  min(xs)  next(iter(xs))  oct(n)
        ord(s[0])  pow(x, y)  pow(n, k, 5)  list(range(n))  repr(n)  repr(x)  repr(s)  list(reversed(xs))  round(y)
        round(y, 1)  round(y, k)  set(ns)  set([n, k])  {n, k}  sorted(xs)  str(n)  str(x)  sum(xs)  tuple(xs)  type(n)
        list(zip(xs, ys))  slice(n).stop  'a' * n  s * k  xs[slice(0, k)]  int(str(n))  float(str(x))  int(t, 2)
        int.from_bytes(bytes(2), 'big')  print(x)  sum([[x], [y]], [])  memoryview(b'abc')[k]  exec('v = x', {'x': x})
        vars(collections.UserList([x]))  setattr(collections.UserList([x]), 'a', x)  bytes(s, 'ascii')
        str(s.encode(), 'ascii')  dict.fromkeys(ns, 0)  dict.fromkeys([n, k])  dict.fromkeys('ab', x)
    """,
    "int": """
        n.as_integer_ratio()  n.bit_count()  n.bit_length()  n.conjugate()  n.denominator  n.imag  n.numerator  n.real
        n.to_bytes(2, 'big')  x.as_integer_ratio()  x.conjugate()  x.hex()  x.imag  x.is_integer()  x.real
        z.conjugate()  z.imag  z.real  int.bit_length(n)  float.is_integer(x)  float.hex(x)  float.fromhex(s)
        float.from_number(x)  complex.from_number(z)
    """,
    "str": """
        s.capitalize()  s.casefold()  s.center(9)  s.center(n + 5, '*')  s.count('a')  s.encode()  s.endswith('na')
        s.expandtabs()  s.find('n')  '{} {}'.format(n, x)  '{a}'.format_map({'a': n})  s.index('n')  s.isalnum()
        s.isalpha()  s.isascii()  s.isdecimal()  s.isdigit()  s.isidentifier()  s.islower()  s.isnumeric()
        s.isprintable()  s.isspace()  s.istitle()  s.isupper()  s.join(['a', 'b'])  '-'.join([s, w])  s.ljust(9)
        s.lower()  s.lstrip('b')  s.translate(str.maketrans('a', 'o'))  s.partition('n')  s.removeprefix('ba')
        s.removesuffix('na')  s.replace('a', 'o')  s.rfind('n')  s.rindex('n')  s.rjust(9)  s.rpartition('n')
        s.rsplit('n')  s.rstrip('a')  s.split('n')  s.splitlines()  s.startswith('ba')  s.strip('b')  s.swapcase()
        s.title()  s.upper()  s.zfill(9)  str.upper(s)  str.maketrans(s, s)  'abc'.find(w)  'banana'.replace(w, s)
        'banana'.split(w)  s[::-1]  s[k]  s[1:k]  s + w  w in s  s == w  s < w  [c for c in s]  '%s %d' % (s, n)
        'a,b'.split(',', k)  s.split()  s.rsplit('n', 1)  s.startswith(('x', 'b'))  'abc'.center(n)  'abc'.ljust(n, '.')
        'abc'.zfill(n)  list(s)  sorted(s)  set(s)  max(s)  ''.join(sorted(s))  ''.join(reversed(s))
        ''.join(c for c in s if c != 'a')  {c: s.count(c) for c in 'abn'}  s.count(w)  s.find(w)  s.index(w)
    """,
    "list": """
        l = [x]; l.append(y); l  l = [x]; l.clear(); l  [x].copy()  ns.count(3) if isinstance(ns, list) else 2
        l = [x]; l.extend([y]); l  l = [x]; l.extend(xs); l  l = list(ns); l.index(2)  l = list(xs); l.insert(0, x); l
        l = list(xs); l.insert(k, x); l  l = list(xs); l.pop()  l = list(xs); l.pop(k)  l = list(ns); l.remove(1); l
        l = list(ns); l.remove(k); l  l = list(xs); l.reverse(); l  l = list(xs); l.sort(); l
        l = list(xs); l.sort(reverse=True); l  l = list(xs); del l[k]; l  l = list(xs); l[1:2] = [x, y]; l
        l = list(xs); l[k] = x; l  l = list(xs); l *= 2; l  [x] * n  l = list(xs); del l[:k]; l
    """,
    "dict": """
        d = {1: x}; d.clear(); d  {1: x}.copy()  {1: x}.get(1)  {6: x, 2: y}.get(n)  {6: x, 2: y}[n]
        list({1: x}.items())  list({1: x}.keys())  d = {1: x}; d.pop(1)  d = {6: x}; d.pop(n); d
        d = {6: x}; d.popitem()  d = {1: x}; d.setdefault(2, y); d  d = {}; d.setdefault(n, y); d
        d = {1: x}; d.update({2: y}); d  d = {}; d.update({n: y}); d  list({1: x}.values())  {1: x} | {2: y}  {n: x}
        {n: x, k: y}  n in {6: x}  d = {}; d[n] = x; d  d = {n: 1}; d[n] += 1; d  d = {n: 1}; list(d.items())
        d = {n: 1, k: 2}; sorted(d)  d = {n: 1, k: 2}; sum(d.values())  d = {n: 1}; del d[n]; d  len({n: 1, k: 2})
        {n: 1} == {6: 1}  {v: v * v for v in ns}  d = {n: x}; list(d.keys())  d = {n: x}; d.popitem()
        d = {n: x, k: y}; max(d, key=d.get)  d = {n: x, k: y}; [(a, b) for a, b in d.items()]
        d = {n: x, k: y}; d.pop(3, None)  {**{n: x}, k: y}  {n: x} | {k: y}
        d = {v: 1 for v in ns}; sorted(d.items(), key=lambda e: e[0])
    """,
    "set": """
        u = {n}; u.add(k); u  u = {n}; u.clear(); u  {n}.copy()  {n, k}.difference({2})
        u = {n, k}; u.difference_update({2}); u  u = {n, k}; u.discard(2); u  {n, k}.intersection({2})
        u = {n, k}; u.intersection_update({2}); u  {n, k}.isdisjoint({2})  {n, k}.issubset({2, 6})
        {n, k}.issuperset({2})  u = {n}; u.pop()  u = {n, k}; u.remove(2); u  {n, k}.symmetric_difference({2, 3})
        u = {n, k}; u.symmetric_difference_update({2, 3}); u  {n, k}.union({3})  u = {n, k}; u.update({3}); u
        {n, k} - {2}  {n, k} & {2}  {n, k} | {3}  {n, k} ^ {2, 3}  n in {n, k}  3 in {n, k}  len({n, k})  sum({n, k})
        sorted({n, k})  {v % 2 for v in ns}  {n, k} == {2, 6}  {n} < {n, k}  {n} <= {n, k}  u = set(); u.add(n); u
        u = set(ns); len(u)  max({n, k})  set(ns) & set(ms)  [v for v in sorted(set(ns))]  frozenset(ns)
        set(ns) == set(ms)  frozenset([n])  k in frozenset(ns)  set(ns) <= set(ms)  list({n})  u = {n, k}; u -= {2}; u
        u = {n, k}; u |= {3}; u  u = {n, k}; u &= {2}; u  u = {n, k}; u ^= {2}; u  set().union(ns)  set(ns).union(ms)
        {x, y}  {(n, k)}  (n, k) in {(6, 2)}  {s}
    """,
    "deque": """
        d = deque([x]); d.append(y); list(d)  d = deque([x]); d.appendleft(y); list(d)
        d = deque([x]); d.clear(); list(d)  deque(ns).count(3)  d = deque([x]); d.extend([y]); list(d)
        d = deque([x]); d.extendleft([y]); list(d)  deque(ns).index(2)  d = deque(xs); d.insert(1, x); list(d)
        deque([x], maxlen=2).maxlen  d = deque(xs); d.pop()  d = deque(xs); d.popleft()
        d = deque(ns); d.remove(1); list(d)  d = deque(xs); d.reverse(); list(d)  d = deque(xs); d.rotate(1); list(d)
        d = deque(xs); d.rotate(k); list(d)  d = deque(xs); d[k]  len(deque(xs))  d = deque(xs, 2); d.append(x); list(d)
    """,
}
"""By the module or type."""
