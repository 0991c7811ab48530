"""What belongs to the whole process: files by their names, the environment, settings. None of it is put back.

    if x > 0:
        os.mkdir("out")          # StagingError: before anything has happened

Python tells of most of it by itself, wherever it is done, to who listens (`sys.addaudithook`); for the rest there is a
table of functions.
"""

from __future__ import annotations

import importlib
import os
import sys
import threading
from collections.abc import Callable, Container, Mapping
from contextvars import ContextVar, copy_context
from functools import reduce, singledispatch
from types import FrameType
from typing import Any, Final

from autograph.errors import StagingError
from autograph.rules import is_user_code
from runtime.context import current_recorder
from runtime.control_flow.statement.enclosing import decided_part
from runtime.graph.graph import Graph
from runtime.graph.location import Location, user_location

__all__ = ["ON_EVENTS", "changes_process", "tell_of_change", "watch_process"]

_THREADS: Final = frozenset({"_thread.start_joinable_thread", "_thread.start_new_thread"})
"""A thread may be started while a function is traced: what it does is not traced."""
_EVENTS: Final = _THREADS | frozenset(
    {
        "os.chdir", "os.chflags", "os.chmod", "os.chown", "os.exec", "os.fork", "os.kill", "os.link", "os.lockf",
        "os.mkdir", "os.posix_spawn", "os.putenv", "os.remove", "os.removexattr", "os.rename", "os.rmdir",
        "os.setxattr", "os.spawn", "os.startfile", "os.symlink", "os.system", "os.truncate", "os.unsetenv", "os.utime",
        "pty.spawn", "shutil.move", "shutil.rmtree", "signal.pthread_kill", "socket.bind", "socket.connect",
        "socket.sendto", "sqlite3.connect", "subprocess.Popen", "tempfile.mkdtemp", "tempfile.mkstemp",
        "urllib.Request", "webbrowser.open",
    }
)  # fmt: skip
"""Events that change something outside of Python's objects."""

_FUNCTIONS: Final[Mapping[str, tuple[str, ...]]] = {
    "_locale": ("setlocale",),
    "_signal": ("signal", "alarm", "setitimer", "raise_signal"),
    "_socket": ("setdefaulttimeout",),
    "_tracemalloc": ("clear_traces", "start", "stop"),
    "abc": ("ABCMeta.register",),
    "atexit": ("register", "unregister"),
    "codecs": ("register", "register_error", "unregister"),
    "copyreg": ("add_extension", "clear_extension_cache", "constructor", "pickle", "remove_extension"),
    "ctypes": ("memmove", "memset"),
    "decimal": ("setcontext",),
    "gc": ("disable", "enable", "freeze", "set_debug", "set_threshold", "unfreeze"),
    "faulthandler": ("cancel_dump_traceback_later", "disable", "dump_traceback_later", "enable", "register"),
    "locale": ("setlocale",),
    "logging": ("addLevelName", "basicConfig", "captureWarnings", "disable", "setLoggerClass", "shutdown"),
    "mimetypes": ("add_type", "init"),
    "numpy": (
        "set_printoptions", "set_string_function", "setbufsize", "seterr", "seterrcall",
    ),
    "os": (
        "chroot", "close", "closerange", "copy_file_range", "dup2", "eventfd_write", "fchmod", "fchown", "ftruncate",
        "lseek", "mkfifo", "mknod", "nice", "posix_fallocate", "pwrite", "pwritev", "sched_setaffinity",
        "sched_setscheduler", "sendfile", "setegid", "seteuid", "setgid", "setgroups", "setpgid", "setpriority",
        "setsid", "setuid", "splice", "umask", "write", "writev",
    ),
    "signal": ("signal",),
    "socket": ("setdefaulttimeout",),
    "sys": (
        "set_int_max_str_digits", "setdlopenflags", "setprofile", "setrecursionlimit", "setswitchinterval", "settrace",
    ),
    "tracemalloc": ("clear_traces", "start", "stop"),
    "threading": ("Thread.start", "setprofile", "settrace", "stack_size"),
    "warnings": ("filterwarnings", "resetwarnings", "simplefilter"),
    "weakref": ("finalize", "finalize.__call__", "finalize.detach"),
}  # fmt: skip

_UNTOLD: Final = frozenset(
    f"os.{name}"
    for name in _FUNCTIONS["os"]
    if name not in ("close", "closerange", "fchmod", "fchown", "ftruncate", "lseek")
)
"""What changes files and the process, and Python tells of to nobody."""

_WRITING: Final = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND

_found: dict[int, tuple[Any, str]] = {}


def changes_process(function: Any) -> str | None:
    """How the user writes a function that changes a setting of the process; None for other functions."""
    if isinstance(getattr(function, "__self__", None), ContextVar):
        variable: ContextVar[Any] = function.__self__
        is_new = function.__name__ == "set" and variable not in copy_context()
        return f"{variable.name!r}.set, for a context variable that has no value yet," if is_new else None
    if not _found:
        for module, names in _FUNCTIONS.items():
            _note(module, names)
    known = _found.get(id(function))
    if known is None and getattr(function, "__code__", None) is _REGISTER.__code__:
        return f"{_REGISTER.__qualname__.partition('.')[0]}.register"
    return None if known is None else known[1]


def tell_of_change(function: Any) -> None:
    """For a call of the program: tells of it as of events that change something, where there is no event."""
    if (name := changes_process(function)) in _UNTOLD and name is not None:
        for tell in ON_EVENTS:
            tell(name, True, user_location())


_REGISTER: Final[Any] = singledispatch(lambda value: None).register
"""What all functions of several implementations have: each adds one."""


def _note(module: str, names: tuple[str, ...]) -> None:
    try:
        held: Any = importlib.import_module(module)
    except ImportError:  # another system's
        return
    for name in names:
        function = reduce(lambda owner, part: getattr(owner, part, None), name.split("."), held)
        if function is not None:
            _found[id(function)] = function, f"{module}.{name}"


_unwatched: Final = threading.Lock()
ON_EVENTS: Final[list[Callable[[str, bool, Location | None], None]]] = []
"""What is called where the program opens a file in a trace, or changes the process: what it does, whether that is a
change, and the line. Raises and warns."""


def watch_process() -> None:
    """From now on, what changes the process in a staged statement is refused. It cannot be undone."""
    if _unwatched.acquire(blocking=False):  # and it is never released
        sys.addaudithook(_listen)


def _listen(
    event: str,
    args: tuple[Any, ...],
    heard: Container[str] = frozenset({"open", *_EVENTS}),  # where Python ends, the names of modules mean nothing
    is_ending: Callable[[], bool] = sys.is_finalizing,
) -> None:
    if event not in heard or is_ending():
        return
    is_change = event != "open" or _is_writing(args)
    if not isinstance(current_recorder(), Graph) or _is_importing():
        return
    frame = _users_frame(sys._getframe(1))
    if is_change and decided_part() is not None:
        place = user_location() if frame is None else _line_of(frame)
        what = f"the file {args[0]!r} is opened for writing" if event == "open" else f"{event}{args!r} is called"
        raise StagingError(
            f"{what} in a statement that depends on a tensor{f' (at {place})' if place else ''}: it would happen while"
            " tracing, whichever way the graph goes. Do it outside of the statement, or, each time that the graph"
            " runs, in a function that is given to runtime.py_function"
        )
    if frame is not None and event not in _THREADS:
        for tell in ON_EVENTS:
            tell(event, is_change, _line_of(frame))


def _line_of(frame: FrameType) -> Location:
    code = frame.f_code
    return Location(code.co_filename, frame.f_lineno, code.co_name, None, code.co_firstlineno)


_CALLS: Final = ("autograph.operators.", "runtime.control_flow.", "runtime.ndarrays.", "runtime.tensor.")
"""The rooms that make the program's calls for it."""

_OF_INSTALLATION: Final = frozenset(
    {
        "bdb", "cProfile", "coverage", "ctypes", "gettext", "importlib", "inspect", "IPython", "linecache", "locale",
        "logging", "mimetypes", "pdb", "platform", "profile", "tokenize", "traceback", "zoneinfo",
    }
)
"""What reads nothing but files of Python and of the system, to know how they are set up, or to show the program."""


def _users_frame(frame: FrameType | None) -> FrameType | None:
    """The user's code that opens a file here, by itself or by a function of a library."""
    while frame is not None and not is_user_code(frame.f_code.co_filename):
        name = str(frame.f_globals.get("__name__"))
        if name.partition(".")[0] in _OF_INSTALLATION:
            return None
        if name.startswith(("autograph.", "runtime.")) and not name.startswith(_CALLS):
            return None
        frame = frame.f_back
    return frame


def _is_writing(args: tuple[Any, ...]) -> bool:
    _, mode, flags = args
    if isinstance(mode, str):
        return not {"w", "a", "x", "+"}.isdisjoint(mode)
    return isinstance(flags, int) and bool(flags & _WRITING)


def _is_importing() -> bool:
    """Whether it is Python that keeps the code of a module that is being imported."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None:
        if frame.f_globals.get("__name__") == "importlib._bootstrap_external":
            return True
        frame = frame.f_back
    return False
