"""Result files of many runs, without times, to be compared before and after a change of the code.

``python -m experiments.snapshot DATA FOLDER`` mines the paper's eight data sets (published files in
DATA) and the hospital table in several ways; ``--against OLD`` then lists every difference from an
earlier folder and fails if there is one. Runs go through the terminal, so any version can be asked.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

OUTCOMES = {
    "german": "class=2",
    "kr-vs-kp": "class=won",
    "mushroom": "class=p",
    "tic-tac-toe": "class=positive",
    "hypothyroid": "class=hypothyroid",
    "sick": "class=sick",
    "adult": "income=>50K",
    "census-income": "class=50000+",
    "hospital": "ill=yes",
}
WAYS: dict[str, list[str]] = {
    "auto": ["--max-length", "2"],
    "items": ["--controls", "items"],
    "columns": ["--controls", "columns"],
    "paper": ["--controls", "items", "--paper"],
    "mantel-haenszel": ["--controls", "items", "--test", "mantel-haenszel"],
}
MORE_WAYS: dict[str, list[str]] = {
    "auto": ["--max-length", "2"],
    "length-3": ["--controls", "items", "--max-length", "3"],
    "exact-explained": ["--controls", "items", "--test", "exact", "--correction", "holm", "--explain"],
    "holdout": ["--controls", "items", "--holdout", "0.5"],
    "streaming": ["--controls", "items", "--engine", "streaming", "--memory", "64MiB"],
    "propensity": ["--controls", "columns", "--matching", "propensity", "--max-length", "1"],
    "jaccard-random": ["--controls", "items", "--matching", "jaccard", "--pairs", "random"],
    "almost-exact": ["--controls", "items", "--matching", "almost-exact", "--max-length", "1"],
    "mahalanobis": ["--controls", "columns", "--matching", "mahalanobis", "--max-length", "1"],
    "quantiles": ["--controls", "items", "--bins", "quantile:4", "--bootstrap", "5"],
}
"""Ways that are tried on the small tables only."""

SMALL = ("german", "tic-tac-toe", "hypothyroid", "hospital")
DIFFER_ALWAYS = ("timings", "created", "version")


def main() -> None:
    """Make a folder of results, and compare it with another if asked."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--against", type=Path)
    parser.add_argument("--only", nargs="*", default=list(OUTCOMES))
    given = parser.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory() as scratch:
        for name in given.only:
            table = make_table(name, given.data, Path(scratch))
            for way, options in (WAYS | (MORE_WAYS if name in SMALL else {})).items():
                mine(table, OUTCOMES[name], options, given.folder / f"{name}.{way}.json")
    if given.against:
        changed = [file.name for file in sorted(given.against.glob("*.json")) if differs(file, given.folder)]
        sys.exit(f"{len(changed)} results differ." if changed else 0)


def make_table(name: str, data: Path, scratch: Path) -> Path:
    """The data set as a CSV file; the hospital is simulated."""
    file = scratch / f"{name}.csv"
    if name == "hospital":
        run(["simulate", "hospital", "-o", str(file)])
    else:
        run(["datasets", "get", name, "--from", str(data / name), "-o", str(file)])
    return file


def mine(table: Path, outcome: str, options: list[str], file: Path) -> None:
    """One run; its result without times, paths and versions."""
    folder = ["--quiet", "--format", "json"]
    text = run(["mine", str(table), "--outcome", outcome, *options, *folder])
    result = json.loads(text)
    for name in DIFFER_ALWAYS:
        result.pop(name, None)
    result["data"].pop("source", None)
    file.write_text(json.dumps(result, indent=1, sort_keys=True))
    print(file.name, len(result["rules"]), flush=True)


def differs(old: Path, folder: Path) -> bool:
    """Whether the same run gives another result now; says where."""
    before, after = json.loads(old.read_text()), json.loads((folder / old.name).read_text())
    places = list(differences(before, after, ""))
    for place in places[:8]:
        print(f"{old.name}{place}")
    return bool(places)


def differences(before: Any, after: Any, path: str) -> Any:
    """Each place where two values differ, with both values; settings that one side lacks do not count."""
    if isinstance(before, dict) and isinstance(after, dict):
        shared = before.keys() & after.keys() if path == ".settings" else before.keys() | after.keys()
        for name in sorted(shared):
            yield from differences(before.get(name), after.get(name), f"{path}.{name}")
    elif isinstance(before, list) and isinstance(after, list) and len(before) == len(after):
        for index, (one, other) in enumerate(zip(before, after, strict=True)):
            yield from differences(one, other, f"{path}[{index}]")
    elif before != after:
        yield f"{path}: {str(before)[:60]} != {str(after)[:60]}"


def run(arguments: list[str]) -> str:
    """Standard output of one command."""
    command = [sys.executable, "-m", "causalrules", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603 - our own command
    if done.returncode:
        sys.exit(f"{' '.join(command)}\n{done.stderr}")
    return done.stdout


if __name__ == "__main__":
    main()
