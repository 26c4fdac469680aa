"""The long run, for as many minutes as asked: damaged files of every kind, results, checkpoints, commands.

Cases run in a process of their own, so that one that ends the process, or takes all time or memory,
is a finding too. Whatever ends in something else than our own errors is kept in tests/fuzz/found.
"""

import contextlib
import queue
import resource
import subprocess
import sys
import tempfile
import threading
import time
import traceback
from collections import Counter
from pathlib import Path

FOUND = Path(__file__).parent / "found"
SECONDS_A_CASE = 120
SECONDS_TO_BEGIN = 900
"""A new process may have to compile the kernels, and writes the samples."""
MOST_MEMORY = 8 << 30


def main(minutes, first):
    """Try cases until the time is over; gives the exit code."""
    from fuzz.cases import KINDS, Case

    end, tried, failed = time.monotonic() + 60 * minutes, Counter(), Counter()
    total = first * len(KINDS)
    while time.monotonic() < end:
        begun, trouble, report = _until_trouble(total, end)
        for place in range(total, begun):
            tried[KINDS[place % len(KINDS)]] += 1
        total = begun
        if trouble:
            if begun == first * len(KINDS):
                sys.exit(f"no case could be begun: {trouble}\n{report}")
            case = Case(KINDS[(begun - 1) % len(KINDS)], (begun - 1) // len(KINDS))
            failed[case.kind] += 1
            FOUND.mkdir(exist_ok=True)
            (FOUND / f"{case.number}-{case.kind.replace(', ', '-')}-{case.file}").write_bytes(case.content())
            print(f"{case.kind}, number {case.number}: {trouble}\n{report}", file=sys.stderr, flush=True)
    for kind in KINDS:
        print(f"{kind:30} tried {tried[kind]:>7,}  failed {failed[kind]:>4,}")
    print(f"{'together':30} tried {sum(tried.values()):>7,}  failed {sum(failed.values()):>4,}")
    return 1 if failed else 0


def _until_trouble(place, end):
    """Let a process try cases from a place on: how many were begun, what ended it, and what it said."""
    command = [sys.executable, "-X", "faulthandler", "-m", "fuzz", "--from", str(place)]
    with tempfile.TemporaryFile("w+") as said:
        child = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=said, text=True)
        lines = queue.Queue()
        threading.Thread(target=_listen, args=(child.stdout, lines), daemon=True).start()
        trouble, patience = "", SECONDS_TO_BEGIN
        while time.monotonic() < end and not trouble:
            try:
                line, patience = lines.get(timeout=patience), SECONDS_A_CASE
            except queue.Empty:
                trouble = f"took more than {patience} seconds"
                break
            if line.startswith("begin "):
                place = int(line.split()[1]) + 1
            else:
                trouble = "failed" if line.startswith("failed") else f"exit code {child.wait()}"
        child.kill()
        child.wait()
        said.seek(0)
        return place, trouble, said.read()[-3000:]


def _listen(stream, lines):
    """Pass on what the process says, and that it says no more."""
    for line in stream:
        lines.put(line)
    lines.put("ended")


def try_from(place):
    """Try cases in this process, one after the other, and say which is begun."""
    from fuzz.cases import KINDS, Case
    from fuzz.commands import prepare

    resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))
    out = sys.stdout
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        prepare(Path(folder))
        while True:
            case = Case(KINDS[place % len(KINDS)], place // len(KINDS))
            print(f"begin {place}", file=out, flush=True)
            try:
                case.run(Path(folder))
            except Exception:
                traceback.print_exc(limit=-4)
                print("failed", file=out, flush=True)
                return
            place += 1


if __name__ == "__main__":
    if sys.argv[1:2] == ["--from"]:
        try_from(int(sys.argv[2]))
    else:
        asked, beginning, *_ = [*sys.argv[1:], "1", "0"] if len(sys.argv) < 2 else [*sys.argv[1:], "0"]
        sys.exit(main(float(asked), int(beginning)))
