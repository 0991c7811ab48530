"""Programs that look at frames, or make functions and classes of text and values.

Each does the same unconverted, converted, and as the command line prints it.
"""

from __future__ import annotations

import importlib.util
import inspect
import sys
from pathlib import Path
from typing import Any

import pytest

import autograph
from autograph.api import is_converted

from .comparing import assert_same, printed

PROGRAMS = {
    "the caller's module": """
        import sys
        def who(): return sys._getframe(1).f_globals['__name__']
        def deep(n):
            for i in range(1):
                if n >= 0:
                    return who()
        def f(n):
            return who(), deep(n), [who() for _ in [1]], (lambda: who())()
    """,
    "frames by level": """
        import sys, inspect
        from sys import _getframe
        def name(n): return sys._getframe(n).f_code.co_name, _getframe().f_code.co_name
        def inner(n):
            if n:
                for i in range(1):
                    try:
                        return name(n)
                    finally:
                        pass
            return name(n), sys._getframe(True).f_code.co_name
        def outer(n):
            while True:
                with open(sys.executable) as file:
                    return inner(n)
        def f(n):
            for bad in ('x', 1.5):
                try: sys._getframe(bad)
                except TypeError as error: log(str(error))
            try: sys._getframe(100000)
            except ValueError as error: log(str(error))
            return outer(max(n, 0)), inspect.currentframe().f_code.co_name
    """,
    "from one frame to the next": """
        import inspect
        def chain():
            frame = inspect.currentframe()
            found = []
            while frame.f_code.co_name != 'outcome':
                found.append((frame.f_code.co_name, frame.f_globals['__name__']))
                frame = frame.f_back
            return found
        def a():
            if True:
                for i in range(1):
                    return chain()
        def f(n):
            class O: f_back = n
            try:
                return (lambda: a())(), O.f_back
            finally:
                pass
    """,
    "variables of a frame": """
        import inspect
        def show():
            found = inspect.currentframe().f_back.f_locals
            return sorted(found), found.get('x')
        def f(n):
            x, items = 1, [n]
            if n > 1:
                y = 2
                log(show())
            for i in items:
                try:
                    log(1 / n)
                except ZeroDivisionError as e:
                    log(show(), sorted(inspect.currentframe().f_locals))
            class O: f_locals = 3
            return O.f_locals, show(), i, n > 1 and y
    """,
    "classes that belong to the module of the caller": """
        import abc, collections, dataclasses, enum, types, typing
        def make():
            P = collections.namedtuple('P', 'x y')
            kinds = [
                P, enum.Enum('E', 'a b'), enum.IntFlag('F', 'a b'), typing.NamedTuple('N', [('x', int)]),
                typing.TypedDict('T', {'x': int}), typing.NewType('W', int), typing.TypeVar('V'), type('Y', (), {}),
                typing.ParamSpec('S'), dataclasses.make_dataclass('D', ['x']), abc.ABCMeta('Z', (), {}),
                types.new_class('C'), type(P)('P2', (P,), {}),
            ]
            return [kind.__module__ for kind in kinds]
        def f(n):
            return make(), [make() for _ in [1]]
    """,
    "functions of libraries that look further": """
        import logging, traceback, inspect, io, warnings
        def stack():
            if log:
                names = [entry.name for entry in traceback.extract_stack(limit=2)]
                infos = [info.function for info in inspect.stack()][:3], inspect.stack()[0].code_context
                outer = [info.function for info in inspect.getouterframes(inspect.currentframe())][:3]
                walked = [frame.f_code.co_name for frame, line in traceback.walk_stack(inspect.currentframe())][:3]
                return names, infos[0], outer, walked, len(traceback.format_stack(limit=2))
        def logged(stream):
            logger = logging.Logger('frames')
            handler = logging.StreamHandler(stream)
            handler.setFormatter(logging.Formatter('%(funcName)s %(message)s'))
            logger.addHandler(handler)
            def inner(n):
                if n:
                    logger.warning('a')
                    logger.warning('b', stacklevel=2)
                try: 1 / 0
                except ZeroDivisionError: logger.log(40, 'c')
            for n in range(2):
                inner(n)
            logging.LoggerAdapter(logger, {}).error('d')
            return stream.getvalue()
        def f(n):
            for i in [1]:
                log(stack(), logged(io.StringIO()))
    """,
    "frames of objects": """
        import functools, sys
        class K:
            def __init__(self): self.x = sys._getframe(1).f_globals['__name__']
            @property
            def p(self): return sys._getframe(1).f_code.co_name
            def __call__(self): return sys._getframe(1).f_code.co_name
            @classmethod
            def c(cls): return sys._getframe(1).f_code.co_name
        def decorated_by(function):
            @functools.wraps(function)
            def wrapper(*args): return function(*args)
            return wrapper
        @decorated_by
        def decorated(): return sys._getframe(1).f_code.co_name, sys._getframe(2).f_code.co_name
        @functools.lru_cache
        def cached(): return sys._getframe(1).f_globals['__name__']
        def f(n):
            k = K()
            called = list(map(lambda x: sys._getframe(1).f_code.co_name, [1]))
            return k.x, k(), k.p, K.c(), decorated(), functools.partial(decorated)(), called, cached()
    """,
    "text that is run": """
        import builtins, functools
        def f(n):
            ns = {'__name__': 'made'}
            exec("x: int = 1\\ndef g(a: int): pass", ns)
            log(ns['__annotations__'], ns['g'].__annotations__, ns['g'].__module__)
            code = compile("y: int = 1", 'name', 'exec')
            exec(code, ns)
            log(ns['__annotations__'], code.co_flags, eval('lambda: 0').__code__.co_flags)
            class K: exec("x: int = 1")
            functools.partial(exec, "p: int = 1")(ns)
            builtins.exec("q: int = 1", ns)
            exec(*("r: int = 1", ns))
            (lambda: exec("s: int = 1", ns))()
            for i in range(2):
                if i: exec("t: int = 1", ns, ns)
            try: exec("def g(: int): pass")
            except SyntaxError as error: log(error.filename)
            return K.__annotations__, [exec("u: int = 1", each) for each in [ns]], ns['__annotations__']
    """,
    "text that is run under a from __future__ statement": """
        from __future__ import annotations
        def f(n):
            ns = {}
            exec("x: int = 1", ns)
            class K: exec("x: int = 1")
            flags = [compile("x: int = 1", 'name', 'exec', *rest).co_flags for rest in ((), (0, True))]
            flags.append(compile("x: int = 1", 'name', 'exec', dont_inherit=True).co_flags)
            return K.__annotations__, ns['__annotations__'], flags, eval('lambda: int').__code__.co_flags
    """,
    "functions made of text": """
        def made(body, name, ns):
            exec(compile("def g(a, b):\\n    return " + body, name, 'exec'), ns)
            ns['g'].__module__ = __name__
            return ns['g']
        def f(n):
            a, b = made('a + b', '<generated>', {}), made('a * b', '<generated>', {})
            c, d = made('a + b', 'gen.py', {}), made('a * b', 'gen.py', globals())
            return [h(n, 4) for h in (a, b, c, d)]
    """,
}


@pytest.mark.filterwarnings("ignore::autograph.ConversionWarning")
@pytest.mark.parametrize("name", PROGRAMS)
def test_converted_program_does_the_same(name: str) -> None:
    assert_same(PROGRAMS[name], (0,), (2,))


def test_variables_of_a_frame_are_the_users_whatever_they_are_called() -> None:
    """Generated code has variables of these names too, which are not shown."""

    def named(n: int) -> tuple[int, list[tuple[str, Any]]]:
        itr, do_return, retval_, vars_ = 3, 5, 7, 9
        total = do_return + retval_ + vars_
        while total < n:
            total += itr
            if total > 30:
                return total, sorted(sys._getframe().f_locals.items())
        return total, sorted(sys._getframe().f_locals.items())

    for n in (0, 25, 50):
        assert autograph.to_graph(named)(n) == named(n)


MADE = """
def {name}(a, b):
    return a {sign} b
made = compile("def add(a, b): return a + b if a else b", "invented_name", "exec")
namespace = {{}}
exec(made, namespace)
add = namespace["add"]
add.__module__ = __name__

def total(a, b):
    return add(a, b) + {name}(a, b)
"""


def imported(path: Path, text: str) -> Any:
    path.write_text(text)
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None and spec.loader is not None
    made = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = made
    spec.loader.exec_module(made)
    return made


@pytest.mark.filterwarnings("ignore::autograph.ConversionWarning")
def test_a_function_of_text_that_says_it_is_of_a_module_runs_as_plain_python(tmp_path: Path) -> None:
    """Its module's loader offers the text of the module under every name."""
    made = imported(tmp_path / "makes_functions.py", MADE.format(name="product", sign="*"))
    try:
        assert autograph.to_graph(made.total)(3, 4) == 19
        with pytest.raises(autograph.SourceUnavailableError, match="'add' cannot be found"):
            autograph.to_graph(made.add)
    finally:
        del sys.modules["makes_functions"]


@pytest.mark.filterwarnings("ignore::autograph.ConversionWarning")
def test_tests_in_docstrings_are_found_from_converted_code(tmp_path: Path) -> None:
    text = '''
        import doctest, sys
        def add(a, b):
            """
            >>> add(1, 2)
            3
            """
            return a + b
        def f():
            return doctest.DocTestSuite().countTestCases()
    '''
    for form in (inspect.cleandoc(text), printed(text)):
        made = imported(tmp_path / "has_doctests.py", form)
        try:
            assert made.f() == 1
            assert is_converted(made.f) or autograph.to_graph(made.f)() == 1
        finally:
            del sys.modules["has_doctests"]
