"""What coverage need not watch: its tracer is told every line of every file, and keeps those of ours.

Oracles in plain Python take twice as long while it looks on. From Python 3.12 on
coverage is told lines of ours alone, and nothing here changes anything.
"""

from __future__ import annotations

import sys
from contextlib import contextmanager
from functools import wraps
from inspect import isclass, isfunction


@contextmanager
def not_watching():
    """While the block runs, coverage's tracer of this thread is told nothing; a debugger's is left alone."""
    tracer = sys.gettrace()
    if not hasattr(tracer, "stop"):
        yield
        return
    tracer.stop()
    try:
        yield
    finally:
        tracer.start()


def leave_unwatched(module):
    """Every function of a module, and of its classes, runs without being watched."""
    for holder in [module, *filter(isclass, vars(module).values())]:
        if holder is module or holder.__module__ == module.__name__:
            for name, function in list(vars(holder).items()):
                if isfunction(function) and function.__module__ == module.__name__:
                    setattr(holder, name, _unwatched(function))


@contextmanager
def only_examples_watched(test):
    """While a test with Hypothesis runs, its own lines and ours are watched, not how examples are drawn."""
    tracer, body = sys.gettrace(), test.inner_test
    if not hasattr(tracer, "stop"):
        yield
        return

    @wraps(body)
    def watched(*args, **options):
        tracer.start()
        try:
            return body(*args, **options)
        finally:
            tracer.stop()

    test.inner_test = watched
    try:
        with not_watching():
            yield
    finally:
        test.inner_test = body


def _unwatched(function):
    @wraps(function)
    def called(*args, **options):
        if sys.gettrace() is None:
            return function(*args, **options)
        with not_watching():
            return function(*args, **options)

    return called
