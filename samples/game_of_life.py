"""Conway's Game of Life on a torus: a cell lives on with two or three neighbours, and is born with exactly three.

The generations are a `for` over a tensor; a board that no longer changes ends it early.

    $ python samples/game_of_life.py
"""

import sys

import runtime as tf

SIZE = 8
GLIDER = {(0, 1), (1, 2), (2, 0), (2, 1), (2, 2)}
BLINKER = {(3, 2), (3, 3), (3, 4)}
CORNER = {(3, 3), (3, 4), (4, 3)}  # becomes a square of four, which never changes


def rolled(board, rows, columns):
    """The board moved by `rows` and `columns`; what leaves on one side comes back on the other."""
    board = tf.concat([board[-rows:], board[:-rows]], axis=0)
    return tf.concat([board[:, -columns:], board[:, :-columns]], axis=1)


def neighbours(board):
    """The number of living neighbours of each cell."""
    count = tf.zeros_like(board)
    for rows in (-1, 0, 1):
        for columns in (-1, 0, 1):
            if rows != 0 or columns != 0:
                count += rolled(board, rows, columns)
    return count


@tf.function
def life(board, generations):
    """The board after `generations` (an int32 scalar), and how many of them changed it. board: int32 matrix, 0 or 1."""
    changes = 0
    for _ in tf.range(generations):
        count = neighbours(board)
        following = tf.where((count == 3) | ((count == 2) & (board == 1)), 1, 0)
        if tf.reduce_all(following == board):
            break
        board = following
        changes += 1
    return board, changes


def plain_life(alive, generations):
    """The same with sets of (row, column): counts for all cells around a living one."""
    changes = 0
    for _ in range(generations):
        counts = {}
        for row, column in alive:
            for r in (row - 1, row, row + 1):
                for c in (column - 1, column, column + 1):
                    if (r, c) != (row, column):
                        cell = (r % SIZE, c % SIZE)
                        counts[cell] = counts.get(cell, 0) + 1
        following = {cell for cell, count in counts.items() if count == 3 or (count == 2 and cell in alive)}
        if following == alive:
            break
        alive = following
        changes += 1
    return alive, changes


def as_rows(alive):
    return [[int((row, column) in alive) for column in range(SIZE)] for row in range(SIZE)]


def main():
    for name, start, generations in (
        ("glider", GLIDER, 10),
        ("glider", GLIDER, 4 * SIZE),
        ("blinker", BLINKER, 7),
        ("corner", CORNER, 100),
    ):
        board, changes = life(tf.constant(as_rows(start)), tf.constant(generations))
        graph = (board.numpy().tolist(), int(changes))
        alive, plain_changes = plain_life(start, generations)
        if graph != (as_rows(alive), plain_changes):
            sys.exit(f"life of the {name}: the graph gives {graph}, plain Python {(as_rows(alive), plain_changes)}")
        back = ", back where it started" if alive == start else ""
        print(f"{name} after {generations} generations, {changes} of them with changes{back}:")
        for row in graph[0]:
            print("  " + "".join(".#"[cell] for cell in row))


if __name__ == "__main__":
    main()
