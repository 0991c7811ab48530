"""What `autograph FILE...` writes: modules, diffs, trees; to stdout, to files; and its exit codes."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import autograph
from tests.autograph.cli.conftest import ENVIRONMENT, Outcome

PROGRAM = '''\
"""Counts steps."""
# a comment that must stay

LIMIT = 1_000  # so must this


def collatz(n):
    steps = 0
    while n != 1 and steps < LIMIT:
        if n % 2 == 0:
            n //= 2
        else:
            n = 3 * n + 1
        steps += 1
    return steps


class Counter:
    __start = 10

    @staticmethod
    def down(n):
        found = []
        for i in range(n):
            if i == 3:
                break
            found.append(i)
        return found

    def step(self, by=1):
        self.__start += by if by > 0 else -by
        return self.__start


if __name__ == "__main__":
    print(collatz(27), Counter.down(9), Counter().step(-4))
'''
PRINTED = "111 [0, 1, 2] 14\n"


def python(*arguments: str, folder: Path) -> str:
    done = subprocess.run(
        [sys.executable, *arguments], cwd=folder, env=ENVIRONMENT, capture_output=True, text=True, check=True
    )
    return done.stdout


def test_the_printed_module_runs_by_itself_and_does_what_the_original_did(run, write, tmp_path):
    write("program.py", PROGRAM)
    outcome = run("program.py")
    assert (outcome.code, outcome.err) == (0, "")
    assert "ag__.while_stmt(" in outcome.out
    write("converted.py", outcome.out)
    assert python("program.py", folder=tmp_path) == PRINTED
    assert python("converted.py", folder=tmp_path) == PRINTED


def test_what_is_no_function_stays_as_it_was_written(run, write):
    outcome = run(write("program.py", PROGRAM))
    head = PROGRAM[: PROGRAM.index("def collatz")]
    doc, rest = head.split("\n", 1)
    assert outcome.out.startswith(f"{doc}\n\nimport autograph.operators as ag__\n{rest}@ag__")
    assert outcome.out.endswith(PROGRAM[PROGRAM.index("\n\nif __name__") :])


def test_standard_input(run):
    outcome = run("-", stdin=b"def f(x):\n    return x\n")
    assert outcome.code == 0
    assert "@ag__.autograph_artifact(inner=())\ndef f(x):\n" in outcome.out


def test_standard_input_has_a_name_in_messages(run):
    assert run("-", stdin=b"def f(:\n").err.startswith("<stdin>:1: cannot parse: ")
    assert run("-", "--stdin-filename", "notebook.py", stdin=b"def f(:\n").err.startswith(
        "notebook.py:1: cannot parse: "
    )


def test_only_the_named_functions_are_converted(run, write):
    outcome = run("-f", "Counter.down", write("program.py", PROGRAM))
    assert outcome.out.count("@ag__.autograph_artifact") == 1
    assert "    @staticmethod\n    @ag__.autograph_artifact(inner=())\n    def down(n):" in outcome.out
    assert PROGRAM[PROGRAM.index("def collatz") : PROGRAM.index("class Counter")] in outcome.out
    both = run("-f", "Counter.down", "--function", "collatz", "program.py")
    assert both.out.count("@ag__.autograph_artifact") == 2


def test_an_unknown_function_is_an_error_that_lists_the_known_ones(run, write):
    outcome = run("-f", "Counter.up", write("program.py", PROGRAM))
    assert (outcome.code, outcome.out) == (1, "")
    assert outcome.err.startswith("program.py")
    for name in ("Counter.up", "collatz", "Counter.down", "Counter.step"):
        assert name in outcome.err


def test_diff_turns_the_original_into_the_printed_module(run, write, tmp_path):
    write("program.py", PROGRAM)
    outcome = run("--diff", "program.py")
    assert outcome.code == 0
    assert outcome.out.startswith("--- program.py\n+++ program.py (converted)\n@@ ")
    added = [line[1:] for line in outcome.out.splitlines()[2:] if line.startswith("+")]
    taken = [line[1:] for line in outcome.out.splitlines()[2:] if line.startswith("-")]
    module = run("program.py").out.splitlines()
    assert len(module) - len(PROGRAM.splitlines()) == len(added) - len(taken)
    assert set(added) <= set(module) and set(taken) <= set(PROGRAM.splitlines())
    assert "LIMIT = 1_000  # so must this" not in added


MISTAKEN = """\
def f(x):
    y = 0
    autograph.set_loop_options(shape_invariants=[])
    return x + y

def count(n):
    yield n

async def wait(x):
    return x
"""


def test_check_tells_by_its_exit_code_whether_all_functions_can_be_converted(run, write):
    write("program.py", PROGRAM)
    write("mistaken.py", MISTAKEN)
    write("broken.py", "def f(:\n")
    assert run("--check", "program.py") == Outcome(0, "", "")
    assert run("--check", "--quiet", write("marked.py", MARKED), write("plain.py", "LIMIT = 3\n")) == Outcome(0, "", "")
    outcome = run("--check", "mistaken.py", "program.py")
    assert (outcome.code, outcome.out) == (1, "")
    assert "mistaken.py:3: f: 'set_loop_options' in this place stays Python" in outcome.err
    assert "count: the generator 'count' stays Python" in outcome.err and "wait" in outcome.err
    quiet = run("--check", "-q", "mistaken.py")
    assert quiet.code == 1 and quiet.err.count("\n") == 1 and "set_loop_options" in quiet.err
    assert run("--check", "broken.py").code == 1
    assert run("mistaken.py").code == 0


def test_check_with_output_tells_whether_the_converted_files_are_up_to_date(run, write, tmp_path):
    write("program.py", PROGRAM)
    write("plain.py", "LIMIT = 3\n")
    missing = run("--check", "program.py", "plain.py", "-o", "made")
    assert missing.code == 1 and not (tmp_path / "made").exists()
    assert "program.py: it is missing; to write what program.py converts to, leave --check out" in missing.err
    assert run("program.py", "plain.py", "-o", "made").code == 0
    assert run("--check", "program.py", "plain.py", "-o", "made") == Outcome(0, "", "")
    write("program.py", PROGRAM.replace("1_000", "2_000"))
    outcome = run("--check", "--diff", "program.py", "plain.py", "-o", "made")
    assert outcome.code == 1 and "program.py: it is not up to date" in outcome.err and "plain.py" not in outcome.err
    changed = [line for line in outcome.out.splitlines() if line.startswith(("-", "+"))]
    assert [line.split()[0] for line in changed] == ["---", "+++", "-LIMIT", "+LIMIT"]
    assert "1_000" in (tmp_path / "made" / "program.py").read_text()


def test_check_with_diff_prints_the_diff_too(run, write):
    outcome = run("--check", "--diff", write("program.py", PROGRAM))
    assert outcome.code == 0
    assert outcome.out.startswith("--- program.py\n")


def test_a_dash_as_output_is_stdout(run, write):
    write("program.py", PROGRAM)
    assert run("program.py", "-o", "-") == run("program.py")


@pytest.mark.parametrize("shell", ["bash", "fish", "zsh"])
def test_what_a_shell_completes_by(run, shell):
    outcome = run("--completion", shell)
    assert (outcome.code, outcome.err) == (0, "")
    for option in ("diff", "dump-ast", "stdin-filename", "always never", "bash fish zsh"):
        assert option in outcome.out
    if shutil.which(shell):
        subprocess.run([shell, "-n"], input=outcome.out, text=True, check=True)


def test_bash_completes(run):
    if not shutil.which("bash"):
        return
    lines = 'COMP_WORDS=(autograph --color a); COMP_CWORD=2; _autograph; echo "${COMPREPLY[@]}"\n'
    lines += 'COMP_WORDS=(autograph --d); COMP_CWORD=1; _autograph; echo "${COMPREPLY[@]}"\n'
    script = run("--completion", "bash").out + lines
    done = subprocess.run(["bash", "-s"], input=script, text=True, capture_output=True, check=True)
    assert done.stdout == "auto always\n--diff --dump-ast\n"


def test_the_hook_for_pre_commit_is_a_right_call(run, write):
    text = (Path(__file__).parents[3] / ".pre-commit-hooks.yaml").read_text()
    (entry,) = re.findall("  entry: autograph (.*)", text)
    assert run(*entry.split(), write("program.py", PROGRAM)) == Outcome(0, "", "")


def test_a_file_without_functions_is_printed_as_it_is(run, write):
    text = "x  =  1 # odd\r\n".replace("\r", "")
    outcome = run(write("plain.py", text))
    assert (outcome.code, outcome.out, outcome.err) == (0, text, "plain.py: has no function to convert\n")
    assert run("--diff", "--quiet", "plain.py").out == ""
    assert run(write("empty.py", "")).out == ""


def test_the_tree_of_the_converted_module(run, write):
    outcome = run("--dump-ast", write("program.py", PROGRAM))
    assert outcome.code == 0
    assert outcome.out.startswith("Module(")
    assert "attr='while_stmt'" in outcome.out.replace('"', "'")


def test_several_files_are_told_apart_by_a_comment(run, write):
    outcome = run(write("a.py", "a = 1"), write("b.py", "b = 2\n"), "--quiet")
    assert outcome.out == "# a.py\na = 1\n# b.py\nb = 2\n"


def test_a_bad_file_does_not_stop_the_others(run, write):
    outcome = run(write("a.py", "a = 1\n"), write("bad.py", "b = (\n"), write("c.py", "c = 3\n"))
    assert outcome.code == 1
    assert outcome.out == "# a.py\na = 1\n# c.py\nc = 3\n"
    assert "bad.py:1: cannot parse: " in outcome.err


def test_what_stays_python_is_noted_on_stderr_unless_quiet(run, write):
    write("gen.py", "def f(n):\n    return n\n\ndef count(n):\n    yield n\n")
    outcome = run("gen.py")
    assert outcome.code == 0
    assert re.match(r"gen\.py:[45]: count: .* stays Python: ", outcome.err)
    assert "\ndef count(n):\n    yield n\n" in outcome.out
    quiet = run("gen.py", "--quiet")
    assert (quiet.out, quiet.err) == (outcome.out, "")


MARKED = """\
import autograph


@autograph.do_not_convert
def kept(x):
    return x


@autograph.do_not_convert()
def kept_too(x):
    return x
"""


def test_marked_functions_stay_as_they_are(run, write):
    outcome = run(write("marked.py", MARKED))
    assert outcome.out == MARKED
    assert "marked.py:5: kept: the function 'kept' stays Python: it is marked with do_not_convert" in outcome.err
    assert "kept_too: " in outcome.err
    assert run("marked.py", "-f", "kept").code == 1


def test_a_converted_module_stays_as_it_is(run, write):
    once = run(write("program.py", PROGRAM)).out
    again = run(write("converted.py", once), "--quiet")
    assert (again.code, again.out) == (0, once)
    assert run("--check", "converted.py").code == 0


def test_asking_for_what_cannot_be_converted_is_an_error(run, write):
    outcome = run("-f", "count", write("gen.py", "def count(n):\n    yield n\n"))
    assert (outcome.code, outcome.out) == (1, "")
    assert re.match(r"gen\.py:[12]: .*cannot be converted: ", outcome.err)


@pytest.mark.parametrize("arguments", [["--version"], ["--help"]])
def test_help_and_version_go_to_stdout(run, arguments):
    outcome = run(*arguments)
    assert (outcome.code, outcome.err) == (0, "")
    expected = {"--version": f"autograph {autograph.__version__}\n", "--help": "usage: autograph "}
    assert outcome.out.startswith(expected[arguments[0]])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "required: FILE"),
        (["--colour", "a.py"], "unrecognized arguments: --colour"),
        (["-", "-"], "give - once"),
        (["a.py", "--stdin-filename", "b.py"], "give - among the files"),
        (["a.py", "--check", "-o", "-"], "name one with --output"),
        (["a.py", "--check", "--dump-ast"], "leave out --dump-ast"),
        (["a.py", "--diff", "--dump-ast"], "not allowed with argument --diff"),
        (["a.py", "--max-bytes", "0"], "'0' is not a positive whole number"),
        (["a.py", "--max-bytes", "1e9"], "'1e9' is not a positive whole number"),
        (["a.py", "b.py", "-o", "taken"], "'taken' is a file"),
        (["a.py", "b.py", "--html"], "name a folder with --output"),
        (["a.py", "--html", "--diff"], "not allowed with argument --html"),
    ],
)
def test_wrong_usage(run, write, arguments, message):
    write("taken", "")
    outcome = run(*arguments)
    assert (outcome.code, outcome.out) == (2, "")
    assert outcome.err.startswith("usage: autograph ")
    assert message in outcome.err


def test_our_own_fault_has_its_own_exit_code_and_a_traceback(run, write, monkeypatch):
    def broken(*args, **kwargs):
        raise ZeroDivisionError("planted")

    write("a.py", "a = 1\n")
    monkeypatch.setattr("autograph.pipeline.convert_module", broken)
    outcome = run("a.py", "missing.py")
    assert (outcome.code, outcome.out) == (123, "")
    assert "ZeroDivisionError: planted\na.py: internal error: this is a fault of autograph" in outcome.err
    assert "missing.py: there is no such file" in outcome.err


def test_a_closed_pipe_is_no_traceback(write, tmp_path):
    write("big.py", "x = 1\n" + "# much more than fits into a pipe\n" * 250_000)
    program = [sys.executable, "-m", "autograph", "big.py"]
    # Unbuffered, Python itself does not notice that only a part was written.
    environment = {name: value for name, value in ENVIRONMENT.items() if name != "PYTHONUNBUFFERED"}
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen(program, cwd=tmp_path, env=environment, text=True, **pipes) as process:
        process.stdout.read(10)
        process.stdout.close()
        assert process.stderr.read() == "big.py: has no function to convert\n"
        assert process.wait() == 1


def test_text_is_utf8_wherever_it_goes(write, tmp_path):
    write("greek.py", "π = 'é☃'\n")
    environment = {**ENVIRONMENT, "PYTHONIOENCODING": "latin-1"}
    program = [sys.executable, "-m", "autograph", "--quiet", "greek.py"]
    done = subprocess.run(program, cwd=tmp_path, capture_output=True, check=True, env=environment)
    assert done.stdout.decode("utf-8").strip() == "π = 'é☃'"
