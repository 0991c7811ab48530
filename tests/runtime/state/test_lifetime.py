"""How long Variables live, who shares them, and random numbers, whose generators are state as well."""

import gc
import threading
import weakref
from typing import Any

import runtime


def test_a_trace_keeps_the_memory_of_what_it_captured_not_more() -> None:
    def make() -> tuple[Any, Any, Any]:
        v = runtime.Variable([1.0, 2.0])
        f = runtime.function(lambda: v.assign_add([1.0, 1.0]))
        return f.get_concrete_function(), weakref.ref(v), weakref.ref(v.handle)

    concrete, variable, memory = make()
    gc.collect()
    assert concrete().numpy().tolist() == [2, 3]
    (found,) = concrete.variables
    assert (found.numpy().tolist(), found.handle is memory()) == ([2, 3], True)
    del concrete, found
    gc.collect()
    assert (variable(), memory()) == (None, None)


def test_objects_with_methods_that_are_functions_are_freed_with_their_variables() -> None:
    class Model(runtime.Module):
        def __init__(self) -> None:
            self.v = runtime.Variable(1.0)

        @runtime.function
        def __call__(self, x: Any) -> Any:
            return self.v * x

    model = Model()
    assert model(runtime.constant(2.0)).numpy() == 2
    memory = weakref.ref(model.v.handle)
    del model
    gc.collect()
    assert memory() is None


def test_traces_made_for_an_object_go_with_it_and_free_its_variables() -> None:
    class Model:
        def __init__(self) -> None:
            self.v = runtime.Variable([1.0, 2.0])

    @runtime.function
    def f(model: Any, x: Any) -> Any:
        return model.v * x

    def use() -> weakref.ref[Any]:
        model = Model()
        assert f(model, runtime.constant(2.0)).numpy().tolist() == [2, 4]
        return weakref.ref(model.v.handle)

    memories = [use(), use()]
    gc.collect()
    assert [memory() for memory in memories] == [None, None]
    model = Model()
    assert f(model, runtime.constant(3.0)).numpy().tolist() == [3, 6]


def test_many_threads_create_one_variable() -> None:
    class Count:
        def __init__(self) -> None:
            self.made: list[Any] = []

        @runtime.function
        def __call__(self, x: Any) -> Any:
            if not self.made:
                self.made.append(runtime.Variable(0))
            return self.made[0].assign_add(x)

    count = Count()
    barrier = threading.Barrier(32)
    failures: list[BaseException] = []

    def work() -> None:
        try:
            barrier.wait()
            for _ in range(10):
                count(runtime.constant(1))
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=work) for _ in range(32)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures
    assert len(count.made) == 1
    assert count.made[0].numpy() == 320
    assert Count.__call__.experimental_get_tracing_count() == 0
    assert count.__call__.experimental_get_tracing_count() == 1


def test_random_numbers_come_in_the_order_of_the_program() -> None:
    v = runtime.Variable(runtime.zeros([2]))

    def f(n: Any) -> Any:
        total = runtime.random.uniform([2])
        for i in runtime.range(n):
            if i % 2 == 0:
                v.assign_add(runtime.random.normal([2]))
            else:
                runtime.random.uniform([3])
                total += runtime.random.uniform([2])
        return total, v

    results = []
    for call in (f, runtime.function(f)):
        v.assign(runtime.zeros([2]))
        runtime.random.set_seed(7)
        results.append([t.numpy().tolist() for t in call(runtime.constant(5))])
    assert results[0] == results[1]
