"""Every sample runs by itself and says the expected; the module that `autograph` prints for it says the same.

A sample compares its graph with plain Python and exits with a message when they differ. That it does so is tested too:
a fault planted in the plain version must be noticed.
"""

import os
import re
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

from tests.one_in import one_in

ROOT = Path(__file__).resolve().parent.parent
SAMPLES = sorted((ROOT / "samples").glob("*.py"))

# What each sample must print somewhere: facts that are known without running it.
FACTS = {
    "beam_search": [r"^width 1: band -3\.4762 after 5 steps$", r"^width 3: ba -2\.5911, band -3\.4762, banand"],
    "lbfgs": ["^Rosenbrock in 2 dimensions: 32 steps to 1.000000 1.000000$", r"6 dimensions: 65 .*(1\.000000 ?){6}$"],
    "mandelbrot_gradient": ["^0.5.0.0i is about 0.12 from the set, after 8", "found near 0.25 in 31 moves$"],
    "ode_landing": ["^thrown at 45 degrees: 145 steps", r"^no drag: 44\.94 degrees, 40\.77.*; drag 0\.02: 41\.54"],
    "bisection": [r"a cubic: 1\.52137970680", r"exactly: 0\.75\d* after 1 ", "no root: f must have different signs"],
    "collatz": [r"^27 reaches 1 after 111 steps and climbs to 9232$", "climbs to 2974984576", "871 takes .* 178 steps"],
    "dynamic_rnn": [r"^sentence of 0 words: +0\.000 +0\.000 +0\.000 +0\.000 +0\.000$", "^5 steps of at most 6$"],
    "fizzbuzz": ["^tracing fizzbuzz$", "2 replaced: 1 2 fizz 4 buzz$", "14 fizzbuzz 16 17 fizz 19 buzz$"],
    "game_of_life": ["^glider after 32 .* back where it started:$", "^corner after 100 generations, 1 of them"],
    "logistic_regression": ["are below 0.0001 after 63 steps", "^weights 1.2802 0.9887", "^173 of 200 points"],
    "mlp_digits": ["^epoch 1: loss 1.2682$", "^epoch 8: loss 0.0384$", r"^199\d of 2000 new pictures are read right$"],
    "mandelbrot": ["@{17}", r"of 6144 points stay inside for 40 steps; written to .*picture\.png$"],
    "pocket_compiler": [r"^gcd\(48, 36\) = 12 after", r"^factor\(35\) = 5 after", r"^collatz\(27\) = 111 after"],
    "three_ways": ["^the plain version and the graph agree$", "2516 points to the first root, 1812 to each of the o"],
    "training_loop": [r"^step 0: loss 4\.5$", "after 52 steps of at most 400$", r"^line/weights:0 \[ 2\. -3\.\]$"],
    "newton_sqrt": [r"^sqrt\(2\.25\) = 1\.5 after 6 steps$", r"^sqrt\(0\.0\) = 0\.0 after 0 steps$"],
}

# Samples that convert with operators of their own: what is converted already is nothing for them.
OTHER_OPERATORS = {"pocket_compiler"}
CONVERTED = [path for path in SAMPLES if path.stem not in OTHER_OPERATORS]

# A fault in the plain version of each: what stands there, and what a wrong version says.
FAULTS = {
    "beam_search": ("score + p, word + [letter]", "score + 2 * p, word + [letter]"),
    "lbfgs": ("length, fall, value = 1.0,", "length, fall, value = 0.25,"),
    "mandelbrot_gradient": ("z, dz = z * z + c, 2 * z * dz + 1", "z, dz = z * z + c, 2 * z * dz + 1.1"),
    "ode_landing": ("old[0] + old[1] / (old[1] - y)", "old[0] + 0.5 * old[1] / (old[1] - y)"),
    "bisection": ("return root, halvings + 1", "return root, halvings + 2"),
    "collatz": ("(len(path) - 1, max(path))", "(len(path), max(path))"),
    "dynamic_rnn": ("state, states = [0.0] * UNITS, []", "state, states = [0.5] * UNITS, []"),
    "fizzbuzz": ('"buzz" * (i % 5 == 0)', '"buzz" * (i % 7 == 0)'),
    "game_of_life": ("if count == 3 or", "if count == 4 or"),
    "logistic_regression": ("slope = math.fsum(errors) / n", "slope = math.fsum(errors) / (n + 1)"),
    "mlp_digits": ("m[i] = 0.9 * m[i] + 0.1 * g", "m[i] = 0.8 * m[i] + 0.2 * g"),
    "mandelbrot": ("if x * x + y * y > 4.0:", "if x * x + y * y > 3.0:"),
    "pocket_compiler": ("d in range(2, n + 1)", "d in range(1, n + 1)"),
    "three_ways": ("near = abs(found - z) ** 2", "near = abs(found - z)"),
    "training_loop": ("push = MOMENTUM * push", "push = 0.5 * push"),
    "newton_sqrt": ("while better < x:", "while better < x - 1e-3:"),
}


def run(path: Path, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run a sample, or a module made from one, in a process of its own. It may write its picture into `folder`."""
    arguments = [str(folder / "picture.png")] if "mandelbrot" in path.name else []
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONWARNINGS": "error"}
    return subprocess.run(
        [sys.executable, str(path), *arguments], cwd=folder, env=environment, capture_output=True, text=True, timeout=60
    )


@cache
def run_as_it_is(path: Path, folder: Path) -> subprocess.CompletedProcess[str]:
    """A sample, which says the same each time. folder: of the tests, where a picture is left."""
    return run(path, folder)


@pytest.fixture(scope="module")
def pictures(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that the samples run in as they are."""
    return tmp_path_factory.mktemp("pictures")


def convert(path: Path, to: Path) -> None:
    command = [sys.executable, "-m", "autograph", str(path)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=60, check=True)
    assert "ag__." in done.stdout
    to.write_text(done.stdout, encoding="utf-8")


def test_every_sample_is_known() -> None:
    names = {path.stem for path in SAMPLES}
    assert names == set(FACTS) == set(FAULTS)


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda path: path.stem)
def test_it_runs(sample: Path, pictures: Path) -> None:
    original = run_as_it_is(sample, pictures)
    assert (original.returncode, original.stderr) == (0, "")
    for fact in FACTS[sample.stem]:
        assert re.search(fact, original.stdout, re.MULTILINE), f"{fact!r} is not in:\n{original.stdout}"


@pytest.mark.parametrize("sample", one_in(8, CONVERTED), ids=lambda path: path.stem)
def test_its_converted_module_says_the_same(sample: Path, tmp_path: Path, pictures: Path) -> None:
    original = run_as_it_is(sample, pictures)
    module = tmp_path / f"converted_{sample.stem}.py"
    convert(sample, module)
    converted = run(module, tmp_path)
    assert (converted.returncode, converted.stderr) == (0, "")
    assert converted.stdout == original.stdout.replace(str(pictures), str(tmp_path))


@pytest.mark.parametrize("sample", one_in(4, SAMPLES, 1), ids=lambda path: path.stem)
def test_it_notices_a_difference(sample: Path, tmp_path: Path) -> None:
    text = sample.read_text(encoding="utf-8")
    right, wrong = FAULTS[sample.stem]
    assert text.count(right) == 1
    faulty = tmp_path / sample.name
    faulty.write_text(text.replace(right, wrong), encoding="utf-8")
    done = run(faulty, tmp_path)
    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    assert re.search("graph|root|machine", done.stderr), done.stderr


def test_the_picture_is_a_png_of_the_set(pictures: Path) -> None:
    import struct
    import zlib

    assert run_as_it_is(ROOT / "samples" / "mandelbrot.py", pictures).returncode == 0
    data = (pictures / "picture.png").read_bytes()
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    chunks, position = {}, 8
    while position < len(data):
        (length,) = struct.unpack(">I", data[position : position + 4])
        kind, content = data[position + 4 : position + 8], data[position + 8 : position + 8 + length]
        (checksum,) = struct.unpack(">I", data[position + 8 + length : position + 12 + length])
        assert checksum == zlib.crc32(kind + content)
        chunks[kind] = content
        position += 12 + length
    width, height, *format_ = struct.unpack(">IIBBBBB", chunks[b"IHDR"])
    assert (width, height, format_) == (96, 64, [8, 0, 0, 0, 0])
    lines = zlib.decompress(chunks[b"IDAT"])
    assert len(lines) == height * (width + 1)
    rows = [lines[y * (width + 1) + 1 : (y + 1) * (width + 1)] for y in range(height)]
    assert rows == rows[::-1]  # the set is symmetric about the real axis
    black = sum(row.count(0) for row in rows)
    assert 0.2 < black / (width * height) < 0.35
