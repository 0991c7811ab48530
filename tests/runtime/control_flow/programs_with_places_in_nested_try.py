"""Programs that change lists, dicts and objects in a `try` that stands in, or around, other statements."""

from __future__ import annotations

import contextlib

from tests.runtime.control_flow.programs_with_places_in_try import Node, checked, digest


@contextlib.contextmanager
def entered(node):
    node.enter()
    try:
        yield node
    finally:
        node.leave()


def rows_of_a_loop(x):
    out = []
    bad = [0]
    for i in range(x):
        try:
            out.append(checked(i))
        except ValueError:
            out.append(-i)
            bad[0] += 1
    return digest([out, bad])


def rows_at_the_exception(x):
    out = []
    bad = []
    for i in range(x):
        try:
            out.append(i)
            out.append(checked(i))
        except ValueError:
            bad.append(len(out))
    return digest([out, bad])


def in_a_loop_of_python(x):
    out = []
    for i in (1, 2, 3):
        try:
            out.append(i)
            checked(x + i)
            out.append(-i)
        except ValueError:
            if x > 4:
                break
    return digest([out])


def in_a_branch(x):
    out = [0]
    n = Node(x, out)
    if x > 1:
        try:
            out.append(x)
            n.v = checked(x)
        except ValueError:
            n.v = -1
    else:
        n.push(5)
    return digest([out], n.v)


def around_a_loop(x):
    out = [0]
    try:
        for i in range(x):
            out.append(checked(i))
            out[0] += 1
    except ValueError:
        out.append(out[0] * 100)
    return digest([out])


def around_a_branch(x):
    items = [x, 1]
    try:
        if x > 1:
            items[0] = 50
            checked(x)
        else:
            items[1] = 60
        checked(x + 1)
        items[0] += 1
    except ValueError:
        items[1] += items[0]
    return digest([items])


def in_two(x):
    items = [0, 0, 0]
    try:
        items[0] = 1
        try:
            items[1] = 2
            checked(x)
            items[2] = 3
        except ValueError:
            items[1] += 10
            if x > 3:
                raise KeyError(1) from None
            items[2] = 7
        items[0] += 20
    except KeyError:
        items[2] += 5
    return digest([items])


def grown_in_two(x):
    log = []
    try:
        log.append(1)
        try:
            log.append(2)
            checked(x)
            log.append(3)
        except ValueError:
            log.append(4)
            if x > 3:
                raise KeyError(1) from None
        finally:
            log.append(5)
        log.append(6)
    except KeyError:
        log.append(7)
    return digest([log])


def a_variable_of_a_closure(x):
    count = 0

    def tick():
        nonlocal count
        count += 1

    try:
        tick()
        checked(x)
        tick()
    except ValueError:
        x = count * 100
    return digest([], x, count)


def before_a_return(x):
    items = [x, 0]

    def run():
        try:
            items[1] = 5
            return checked(x)
        except ValueError:
            items[0] = 1
            return items[1]

    y = run()
    return digest([items], y)


def for_each_class(x):
    items = [0, 0]
    try:
        items[0] = 1
        checked(x)
        items[0] = 2
        if x > 0:
            raise KeyError("k")
    except (ValueError, KeyError) as e:
        items[1] = 3 if isinstance(e, KeyError) else 4
    return digest([items])


def in_a_manager(x):
    n = Node(0, [x])
    seen = 0
    try:
        with entered(n) as m:
            seen = m.v
            m.items.append(1)
            checked(x)
            m.items[0] += 5
    except ValueError:
        seen += 10
    return digest([n.items], n.v, seen)


def in_a_loop_test(x):
    items = [x]
    while items[0] > 0:
        try:
            items[0] -= 1
            checked(items[0])
        except ValueError:
            items[0] -= 1
    return digest([items])


def of_a_list_that_grows(x):
    items = [x]
    if x > 1:
        items.append(5)
    try:
        items.append(6)
        checked(x)
        items.pop()
        items[0] += 1
    except ValueError:
        items[0] = len(items)
    return digest([items])


def a_row(x):
    rows = [[x], [1]]
    try:
        rows[0] = [x, 5]
        checked(x)
    except ValueError:
        rows[0] = [0]
    return digest(rows)


def under_names_of_callers(x):
    def inner(p):
        try:
            p.append(1)
            checked(x)
            p.append(2)
        except ValueError:
            p.append(3)
        return len(p)

    def middle(q):
        holder = {"q": q, "n": 0}
        holder["n"] = inner(q)
        holder["q"].append(holder["n"])
        return holder["q"], q

    a = [x]
    h, q = middle(a)
    return digest([a, h, q])


def retried(x):
    tries = [0]
    log = []
    while True:
        try:
            tries[0] += 1
            log.append(tries[0])
            checked(x - tries[0])
            break
        except ValueError:
            continue
    return digest([tries, log])


def of_other_names_in_else(x):
    right = [x, 5]
    groups = {"p": right}
    try:
        checked(x)
    except ValueError:
        right = right
    else:
        groups["p"].append(1)
    return digest([right, groups["p"]])


def in_else_of_what_was_bound(x):
    right = [x, 5]
    rows = [right, [1]]
    try:
        checked(x)
        rows = [right, right]
    except ValueError:
        rows = [right, [4, 4]]
    else:
        right.append(1)
    return digest([right, rows[0]])


def cleared_after_an_element(x):
    left = [x, 2]
    groups = {"p": left, "q": [7, x]}
    n = Node(0, left)
    with entered(n):
        groups["p"][1] = checked(min(x, 2))
        groups["q"] = sorted([x, 1])
        left.clear()
    return digest([left, groups["q"]], n.v)


PROGRAMS = [
    rows_of_a_loop, rows_at_the_exception, in_a_loop_of_python, in_a_branch, around_a_loop, around_a_branch, in_two,
    grown_in_two, a_variable_of_a_closure, before_a_return, for_each_class, in_a_manager, in_a_loop_test,
    of_a_list_that_grows, a_row, under_names_of_callers, retried, of_other_names_in_else, in_else_of_what_was_bound,
    cleared_after_an_element,
]  # fmt: skip
