"""The code blocks of a page of documentation: what is run, and what is printed below it."""

import re
import shlex
from itertools import pairwise
from typing import NamedTuple

FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
GAP = "…"


class Step(NamedTuple):
    """One thing to run: a command's words or Python source, and the output that the page prints."""

    command: list[str] | None
    source: str | None
    expected: str


def steps_of(page):
    """Commands and Python blocks in their order; a text block after Python is what it prints."""
    for (kind, text), (next_kind, next_text) in pairwise([*FENCE.findall(page), ("", "")]):
        if kind == "python":
            yield Step(None, text, next_text if next_kind == "text" else "")
        elif kind == "console":
            for part in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
                command, _, output = part.partition("\n")
                yield Step(shlex.split(command), None, output)


def is_printed(expected, found):
    """Whether the output is what the page says; a line with dots alone stands for any lines."""
    wanted, lines = _lines(expected), _lines(found)
    parts, place = _split(wanted), 0
    for number, part in enumerate(parts):
        is_first, is_last = number == 0, number == len(parts) - 1
        places = [0] if is_first else range(place, len(lines) - len(part) + 1)
        if is_last and not is_first:
            places = [len(lines) - len(part)] if part else [len(lines)]
        fitting = [at for at in places if at >= place and lines[at : at + len(part)] == part]
        if not fitting:
            return False
        place = fitting[0] + len(part)
    return len(parts) > 1 or place == len(lines)


def _lines(text):
    return [line.rstrip() for line in text.rstrip().splitlines()]


def _split(lines):
    parts = [[]]
    for line in lines:
        if line.strip() == GAP:
            parts.append([])
        else:
            parts[-1].append(line)
    return parts
