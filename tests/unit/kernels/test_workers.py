"""Threads that share work: answers in order, tasks of tasks without waiting for ever."""

from threading import current_thread, get_ident

from causalrules.kernels.workers import Workers


def test_answers_come_in_the_order_of_the_tasks():
    assert list(Workers(3).map(lambda task: task * task, range(50))) == [task * task for task in range(50)]


def test_a_task_does_its_own_tasks_in_its_own_thread():
    """As many outer tasks as threads, each with tasks: if these asked for threads too, all would wait."""
    workers, others = Workers(2), Workers(2)

    def outer(pool):
        return {get_ident()} | set(pool.map(lambda _: get_ident(), range(4)))

    for pool in (workers, others):
        for threads in workers.map(outer, [pool] * 6):
            assert len(threads) == 1


def test_one_task_and_one_thread_stay_with_the_caller():
    assert list(Workers(2).map(lambda _: current_thread().name, [0])) == [current_thread().name]
    assert set(Workers(1).map(lambda _: current_thread().name, range(3))) == {current_thread().name}
