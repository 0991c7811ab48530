"""Newton's method in the complex plane, one picture and four machines: here, in onnxruntime, by XLA, on Dask's blocks.

Each point of the plane moves by Newton's steps to one of the three roots of z³ = 1; the picture shows which, and how
soon. The function is written once. What is not installed is left out; `--time` tells how long each machine takes for a
picture of 600 by 400 points. The plain version is Python's complex numbers, point by point.

    $ python samples/three_ways.py picture.pgm --time
    the plain version and the graph agree
    ONNX: 100% of the points are the same
    XLA: 100% of the points are the same
    Dask: 100% of the points are the same
    picture.pgm: 96 by 64, 2516 points to the first root, 1812 to each of the others
    NumPy, by the plan: 440 ms
"""

import importlib.util
import sys
import tempfile
import time

import numpy as np

import runtime as tf

WIDTH, HEIGHT, LIMIT, NEAR = 96, 64, 30, 1e-6
HALF = 3**0.5 / 2


def newton(x, y):
    """Which root each point reaches (0, 1, 2; 3: none), and after how many steps. x, y: float64 of one shape."""
    steps = tf.zeros_like(x)
    moving = tf.ones_like(x) > 0.0
    turns = 0
    while turns < LIMIT and tf.reduce_any(moving):
        square, cross = x * x - y * y, 2.0 * x * y
        size = tf.maximum(square * square + cross * cross, 1e-30)
        next_x = (2.0 * x + square / size) / 3.0
        next_y = (2.0 * y - cross / size) / 3.0
        moving = tf.logical_and(moving, (next_x - x) ** 2 + (next_y - y) ** 2 > NEAR)
        steps = tf.where(moving, steps + 1.0, steps)
        x, y = next_x, next_y
        turns += 1
    root = tf.where(x > 0.0, tf.zeros_like(x), tf.where(y > 0.0, tf.ones_like(x), 2.0 * tf.ones_like(x)))
    return tf.stack([tf.where(moving, 3.0 * tf.ones_like(x), root), steps])


def plane(width, height):
    """The parts of the points of the picture, row by row."""
    return np.meshgrid(np.linspace(-1.8, 1.8, width), np.linspace(-1.2, 1.2, height))


def plain(x, y):
    """The same for one point, with Python's numbers."""
    z, steps = complex(x, y), 0
    for _ in range(LIMIT):
        square = z * z
        found = (2 * z + square.conjugate() / max(abs(square) ** 2, 1e-30)) / 3
        near = abs(found - z) ** 2 <= NEAR
        z = found
        if near:
            return 0 if z.real > 0 else 1 if z.imag > 0 else 2, steps
        steps += 1
    return 3, steps


SIGNATURE = [tf.TensorSpec([None, None], tf.float64)] * 2


def by_onnx():
    """The function as a file, in onnxruntime."""
    import onnxruntime

    path = tempfile.mkdtemp() + "/newton.onnx"
    tf.export.onnx(newton, path, input_signature=SIGNATURE)
    session = onnxruntime.InferenceSession(path)
    return lambda x, y: session.run(None, {"x": x, "y": y})[0]


def by_xla():
    """The function as a program of XLA, by JAX."""
    compiled = tf.function(newton, backend="jax")
    return lambda x, y: compiled(tf.constant(x), tf.constant(y)).numpy()


def by_dask():
    """The function on blocks of rows, by the threads of Dask, or its cluster."""
    import dask.array

    def blocks(x, y):
        rows = [dask.array.from_array(part, chunks=(-(-len(part) // 4), -1)) for part in (x, y)]
        return tf.distribute.map_blocks(newton, *rows, new_axis=0).compute()

    return blocks


WAYS = (("ONNX", "onnxruntime", by_onnx), ("XLA", "jax", by_xla), ("Dask", "dask", by_dask))


def machines():
    """The ways out whose libraries are here: names, and functions of two arrays."""
    return [(name, make()) for name, library, make in WAYS if importlib.util.find_spec(library)]


def write(path, found):
    """A picture in shades of gray: dark where a root is found soon, a third of the shades for each root."""
    root, steps = found
    shades = np.where(root < 3, 85 * root + 80 * np.minimum(steps / 12, 1), 255).astype(np.uint8)
    with open(path, "wb") as file:
        file.write(b"P5 %d %d 255\n" % shades.shape[::-1] + shades.tobytes())


def main(path, timed):
    x, y = plane(WIDTH, HEIGHT)
    graph = tf.function(newton, input_signature=SIGNATURE)
    found = graph(x, y).numpy()
    wanted = [plain(*point) for point in zip(x.ravel(), y.ravel(), strict=True)]
    if wanted != [*zip(*found.reshape(2, -1), strict=True)]:
        sys.exit("the graph and the plain version differ")
    print("the plain version and the graph agree")
    others = machines()
    for name, machine in others:
        share = np.mean(np.all(machine(x, y) == found, axis=0))
        if share < 0.99:
            sys.exit(f"the graph and the machine of {name} differ in {1 - share:.1%} of the points")
        print(f"{name}: {share:.0%} of the points are the same")
    write(path, found)
    first, second, third = (int(np.sum(found[0] == root)) for root in range(3))
    if second != third:
        sys.exit("the graph does not give a picture that is symmetric about the real axis")
    print(f"{path}: {WIDTH} by {HEIGHT}, {first} points to the first root, {second} to each of the others")
    large = plane(600, 400)
    for name, machine in [("NumPy, by the plan", graph), *others] if timed else ():
        machine(*large)
        started = time.perf_counter()
        machine(*large)
        print(f"{name}: {1000 * (time.perf_counter() - started):.0f} ms")


if __name__ == "__main__":
    names = [argument for argument in sys.argv[1:] if argument != "--time"]
    main(*(names or ["three_ways.pgm"]), "--time" in sys.argv)
