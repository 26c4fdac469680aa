"""Tables to ask about, ways of asking, and a server to ask in earnest."""

import asyncio
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from threading import Semaphore, Thread

from causalrules.domain import Settings
from causalrules.explorer.limits import Limits
from causalrules.explorer.server import make_server, opened
from causalrules.search.job import DefaultJob
from causalrules.search.study_contrasts import ContrastStudies
from causalrules.warm_up import warm_up

LIMITS = Limits(
    upload_bytes=10_000,
    uploads=2,
    request_bytes=100_000,
    searches=1,
    studies=1,
    remembered=3,
    tables=1,
    coded_tables=2,
    files=20,
    patience=1.0,
    connections=20,
)
UNDER_WAY = ("reading", "running")


def people_csv():
    """Smokers fall ill; who drinks coffee does so only because they smoke."""
    rows = [("yes", "yes", "ill")] * 80 + [("yes", "yes", "well")] * 80
    rows += [("yes", "no", "ill")] * 20 + [("yes", "no", "well")] * 20
    rows += [("no", "yes", "ill")] * 4 + [("no", "yes", "well")] * 36
    rows += [("no", "no", "ill")] * 16 + [("no", "no", "well")] * 144
    return "smokes,coffee,health\n" + "\n".join(map(",".join, rows)) + "\n"


OUTCOME = {"column": "health", "value": "ill"}
PEOPLE = {"file": "folder:people.csv", "outcome": OUTCOME}


def finished(client, number, wanted=None):
    """Wait until a run is no longer under way."""
    for _ in range(3000):
        run = client.get(f"/api/runs/{number}").json()
        if run["state"] not in UNDER_WAY:
            assert wanted in (None, run["state"]), run
            return run
        time.sleep(0.02)
    raise AssertionError(f"run {number} does not end: {run}")


def answered(client, question, wanted="done"):
    """Ask and wait for the answer."""
    asked = client.post("/api/runs", json=question)
    assert asked.status_code == 202, asked.text
    return finished(client, asked.json()["id"], wanted)


def awaited(make, *arguments):
    """What a coroutine function returns, run on a thread of its own.

    Playwright can leave an event loop running on the main thread, where a second
    one could not start.
    """
    with ThreadPoolExecutor(max_workers=1) as pool:
        return pool.submit(lambda: asyncio.run(make(*arguments))).result()


@contextmanager
def serving(source, limits=LIMITS):
    """A real server on this machine; gives the address to open."""
    with opened(source, 0, limits) as explorer:
        server = make_server(explorer.app, limits)
        thread = Thread(target=server.run, kwargs={"sockets": [explorer.listener]})
        thread.start()
        try:
            yield explorer.url
        finally:
            server.should_exit = True
            thread.join()


@contextmanager
def held_back(monkeypatch):
    """Cohort studies that wait until the semaphore given lets them go, one at a time.

    The toy table of the warm-up is not held back: a run waits for it before it begins.
    """
    warm_up(DefaultJob.search, Settings())
    gate, real_each, real_study = Semaphore(0), ContrastStudies.study_each, ContrastStudies.study

    def waiting_each(self, patterns):
        for study in real_each(self, patterns):
            gate.acquire(timeout=60)
            yield study

    def waiting_study(self, *asked, **options):
        study = real_study(self, *asked, **options)
        gate.acquire(timeout=60)
        return study

    monkeypatch.setattr(ContrastStudies, "study_each", waiting_each)
    monkeypatch.setattr(ContrastStudies, "study", waiting_study)
    try:
        yield gate
    finally:
        gate.release(100_000)
