"""The driver that traces again what something has been learnt of: `runtime.restarts`."""

import weakref

import pytest

from runtime.restarts import Restart, settled


class Longer:
    """Something that can be learnt."""


def test_an_attempt_runs_until_nothing_more_is_learnt():
    wanted, taken_back = [], []

    def attempt():
        if len(wanted) < 3:
            raise Restart(len(wanted))
        return sum(wanted)

    def learn(found):
        taken_back.append(found.learnt)
        wanted.append(found.learnt)

    assert settled(attempt, learn) == 3
    assert taken_back == [0, 1, 2]


def test_what_is_learnt_for_another_attempt_goes_on_to_it():
    around, inside = [], []

    def inner():
        raise Restart(Longer(), target=around)

    def outer():
        return "done" if around else settled(inner, learn_inside)

    def learn_inside(found):
        if not found.is_for(inside, Longer):
            raise found
        inside.append(found)

    def learn_around(found):
        assert found.is_for(around, Longer) and not found.is_for(around, str)
        around.append(found.learnt)

    assert settled(outer, learn_around) == "done"
    assert not inside


def test_no_handler_of_the_program_sees_it():
    assert not issubclass(Restart, Exception)


def test_what_a_refusal_raises_has_no_restart_as_its_context():
    def attempt():
        raise Restart(Longer())

    def learn(found):
        raise ValueError("refused")

    with pytest.raises(ValueError, match="refused") as caught:
        settled(attempt, learn)
    assert caught.value.__context__ is None


def test_nothing_of_an_attempt_that_was_given_up_is_kept_alive():
    class Graph:
        pass

    graphs = []

    def attempt():
        if graphs:
            return graphs[0]()
        graph = Graph()
        graphs.append(weakref.ref(graph))
        raise Restart(Longer())

    assert settled(attempt, lambda found: None) is None


def test_what_never_settles_is_a_defect():
    def attempt():
        raise Restart(Longer())

    with pytest.raises(RuntimeError, match="does not settle"):
        settled(attempt, lambda found: None)
