"""What the long run tries: cases that a kind and a number tell, so that each can be made again."""

import json
import sqlite3
import tempfile
from contextlib import closing, suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import causalrules
from causalrules.domain import Settings
from causalrules.errors import CausalRulesError
from causalrules.read.knowledge_files import read_knowledge
from causalrules.simulation import planted_table
from fuzz.commands import random_command, run
from fuzz.mutations import chance_of, damaged, damaged_file, samples
from fuzz.test_damaged_tables import ask, written
from fuzz.test_saved_results import mutated, saved, shown

KNOWLEDGE = {
    "known.toml": b'after = ["drug"]\ntiers = [["age", "a, b"], ["smoking"]]\nrequire = ["smoking -> tar"]\n'
    b'[cut]\nbmi = [18.5, 25]\nage = "every:10"\n',
    "known.txt": b"/knowledge\naddtemporal\n\n1 age sex\n2 smoking*\n\nforbiddirect\n\ntar smoking\n\n"
    b"requiredirect\n\nsmoking tar\n",
    "known.dag": b'dag {\n "a b" [exposure,pos="0,1"]\n ill [outcome]\n "a b" -> ill\n age [adjusted]\n'
    b" age -> ill\n}\n",
}
KINDS = (
    *(f"{name}, {engine}" for name in samples() for engine in ("memory", "streaming")),
    *KNOWLEDGE,
    *("result.json", "commands", "checkpoint"),
)


@dataclass(frozen=True)
class Case:
    """One case: its bytes, to be kept where it fails, and what is done with them."""

    kind: str
    number: int

    @property
    def file(self):
        """The name of the file that is damaged."""
        return {"commands": "command.json", "checkpoint": "checkpoint.sqlite"}.get(
            self.kind, self.kind.partition(",")[0]
        )

    def content(self):
        """What the case is about, as the bytes of a file."""
        chance = chance_of("long", self.file, self.number)
        if self.kind == "commands":
            return json.dumps(random_command(chance)).encode()
        if self.kind == "result.json":
            return json.dumps(mutated(saved("items" if self.number % 2 else "auto"), chance)).encode()
        if self.kind == "checkpoint":
            return damaged(_checkpoint()[0], chance)
        if self.kind in KNOWLEDGE:
            return damaged(KNOWLEDGE[self.kind], chance)
        return damaged_file(self.file, chance)

    def run(self, folder):
        """Raise unless it ends in an answer or in one of our own errors."""
        content = self.content()
        if self.kind == "commands":
            _run_command(json.loads(content))
        elif self.kind == "checkpoint":
            _resume(folder, content)
        else:
            path = written(folder, self.file, content)
            if self.kind == "result.json":
                shown(path)
            elif self.kind in KNOWLEDGE:
                with suppress(CausalRulesError):
                    Settings(**read_knowledge(path))
            else:
                ask(path, self.kind.partition(", ")[2], controls="items" if self.number % 2 else "auto")


def _run_command(line):
    code, said = run(line)
    if code not in (0, 1, 2, 3) or "Traceback" in said:
        raise RuntimeError(f"exit code {code}: {said}")


@cache
def _checkpoint():
    """The file of a finished run, and what the run found."""
    with tempfile.TemporaryDirectory() as folder:
        found = _mine(Path(folder))
        with closing(sqlite3.connect(Path(folder) / "checkpoint.sqlite")) as connection:
            connection.execute("pragma wal_checkpoint(truncate)")
        return (Path(folder) / "checkpoint.sqlite").read_bytes(), found


def _mine(folder):
    said = causalrules.mine(planted_table(300), "ill=yes", max_length=1, checkpoint=folder).to_dict()
    return said["rules"]


def _resume(folder, content):
    """A damaged checkpoint is refused or not believed: the answer is that of a whole one."""
    inside = folder / "checkpoint"
    inside.mkdir(exist_ok=True)
    for left in inside.iterdir():
        left.unlink()
    (inside / "checkpoint.sqlite").write_bytes(content)
    with suppress(CausalRulesError):
        if _mine(inside) != _checkpoint()[1]:
            raise AssertionError("a damaged checkpoint changed the answer")
