"""The Mandelbrot set: for each pixel c, how many steps z = z * z + c stays within the circle of radius 2.

All pixels take their steps together; a `break` that depends on a tensor ends the loop when none is left inside.
The picture is written as a PNG file (default: mandelbrot.png in the directory for temporary files).

    $ python samples/mandelbrot.py picture.png
"""

import struct
import sys
import tempfile
import zlib
from pathlib import Path

import runtime as tf

WIDTH, HEIGHT, LIMIT = 96, 64, 40
LEFT, RIGHT, TOP, BOTTOM = -2.1, 0.7, 1.05, -1.05
SHADES = " .:-=+*#%@"


@tf.function
def escape_times(cx, cy, limit):
    """For each point (cx, cy) the number of steps, at most `limit`, until it leaves the circle. Two float64 tensors."""
    x, y = tf.zeros_like(cx), tf.zeros_like(cy)
    times = tf.zeros(tf.shape(cx), tf.int32)
    for _ in tf.range(limit):
        inside = x * x + y * y <= 4.0
        if not tf.reduce_any(inside):
            break
        times = tf.where(inside, times + 1, times)
        # Points that have left stay where they are; otherwise they would soon overflow.
        following = x * x - y * y + cx
        y = tf.where(inside, 2.0 * x * y + cy, y)
        x = tf.where(inside, following, x)
    return times


def plain_escape_time(cx, cy, limit):
    """The number of steps of one point."""
    x = y = 0.0
    for step in range(limit):
        if x * x + y * y > 4.0:
            return step
        x, y = x * x - y * y + cx, 2.0 * x * y + cy
    return limit


def coordinates():
    """The real parts of the columns, and the imaginary parts of the rows, of the picture."""
    columns = [LEFT + (RIGHT - LEFT) * i / (WIDTH - 1) for i in range(WIDTH)]
    rows = [TOP + (BOTTOM - TOP) * i / (HEIGHT - 1) for i in range(HEIGHT)]
    return columns, rows


def png(rows):
    """A grey picture as the bytes of a PNG file. rows: lists of integers from 0 to 255."""

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", len(rows[0]), len(rows), 8, 0, 0, 0, 0)
    lines = b"".join(b"\0" + bytes(row) for row in rows)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(lines)) + chunk(b"IEND", b"")


def main():
    path = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(tempfile.gettempdir()) / "mandelbrot.png"
    columns, rows = coordinates()
    cx = tf.constant([columns] * HEIGHT, tf.float64)
    cy = tf.constant([[row] * WIDTH for row in rows], tf.float64)
    times = escape_times(cx, cy, tf.constant(LIMIT)).numpy().tolist()
    plain = [[plain_escape_time(x, y, LIMIT) for x in columns] for y in rows]
    if times != plain:
        wrong = [y for y, (graph_row, plain_row) in enumerate(zip(times, plain, strict=True)) if graph_row != plain_row]
        sys.exit(f"mandelbrot: the graph and plain Python disagree in {len(wrong)} of {HEIGHT} rows, first {wrong[0]}")
    path.write_bytes(png([[255 - 255 * time // LIMIT for time in row] for row in times]))
    for row in times[::4]:
        print("".join(SHADES[time * (len(SHADES) - 1) // LIMIT] for time in row[::2]).rstrip())
    inside = sum(row.count(LIMIT) for row in times)
    print(f"{inside} of {WIDTH * HEIGHT} points stay inside for {LIMIT} steps; written to {path}")


if __name__ == "__main__":
    main()
