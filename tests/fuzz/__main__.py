"""The long run: damaged tables, saved results and random commands, for as many minutes as asked.

Whatever ends in something else than our own errors is kept in tests/fuzz/found.
"""

import contextlib
import json
import sys
import tempfile
import time
import traceback
from collections import Counter
from functools import partial
from pathlib import Path

from fuzz.commands import prepare, random_command, run
from fuzz.mutations import chance_of, damaged, samples
from fuzz.test_damaged_tables import ask
from fuzz.test_saved_results import mutated, saved, shown

FOUND = Path(__file__).parent / "found"


def main(minutes):
    end, tried, failed = time.monotonic() + 60 * minutes, Counter(), Counter()
    files, number = samples(), 0
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        prepare(Path(folder))
        while time.monotonic() < end:
            number += 1
            for name, content in files.items():
                path = Path(folder) / name
                path.write_bytes(damaged(content, chance_of("long", name, number)))
                for engine in ("memory", "streaming"):
                    _try(f"{name}, {engine}", path, partial(ask, path, engine), tried, failed)
            path = Path(folder) / "edited.json"
            entry = saved("items" if number % 2 else "auto")
            path.write_text(json.dumps(mutated(entry, chance_of("long", number))))
            _try("result.json", path, partial(shown, path), tried, failed)
            path = Path(folder) / "command.json"
            line = random_command(chance_of("long commands", number))
            path.write_text(json.dumps(line))
            _try("commands", path, partial(_run, line), tried, failed)
    for what in sorted(tried):
        print(f"{what:20} tried {tried[what]:>7,}  failed {failed[what]:>4,}")
    return 1 if failed else 0


def _run(line):
    code, said = run(line)
    if code not in (0, 1, 2, 3) or "Traceback" in said:
        raise RuntimeError(f"exit code {code}: {said}")


def _try(what, path, act, tried, failed):
    tried[what] += 1
    try:
        act()
    except Exception:
        failed[what] += 1
        FOUND.mkdir(exist_ok=True)
        (FOUND / f"{failed[what]}-{path.name}").write_bytes(path.read_bytes())
        print(what, traceback.format_exc(limit=-3), sep="\n", file=sys.stderr)


if __name__ == "__main__":
    sys.exit(main(float(sys.argv[1]) if len(sys.argv) > 1 else 1))
