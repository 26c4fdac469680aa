"""What the user knows, in files: our own TOML, Tetrad's knowledge files, DAGitty's graphs.

Each is read as settings by name, and written from them. Tetrad has tiers and
arrows, DAGitty arrows and three roles: what a format has no place for is named.
"""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from causalrules.domain.cut_points import read_cuts, written_cuts
from causalrules.domain.knowledge import read_arrow, read_tiers, written_arrow
from causalrules.errors import OutputNameError, SettingsError, SourceError, SourceMissingError
from causalrules.read.dagitty import read_dagitty, written_dagitty
from causalrules.read.tetrad import read_tetrad, written_tetrad

if TYPE_CHECKING:
    import os
    from collections.abc import Mapping

    from causalrules.domain import Settings

NAMES = ("exposures", "adjust", "never_adjust", "before", "after")
ARROWS = ("require", "forbid")
KEYS = (*NAMES, "tiers", *ARROWS, "cut")
"""The settings that a file may hold."""

_MOST_POINTS = 100
_IS_A_GRAPH = re.compile(r"\s*(p?dag|digraph)\b[^{]*\{", re.IGNORECASE)


def read_knowledge(path: str | os.PathLike[str]) -> dict[str, Any]:
    """The settings that a file of knowledge stands for; its format is recognised by its content."""
    file = Path(path)
    try:
        text = file.read_text(encoding="utf-8")
    except FileNotFoundError:
        nearby = [one.name for one in file.parent.iterdir()] if file.parent.is_dir() else []
        raise SourceMissingError(path, nearby, "Check the path of the knowledge file.") from None
    except IsADirectoryError:
        raise SourceError(path, "it is a folder", "Name a file of text.") from None
    except UnicodeDecodeError:
        raise SourceError(path, "it is no text", "Name a file of text.") from None
    except OSError as error:
        raise SourceError(path, error.strerror or "it is refused", "Name a file of text.") from None
    if text.lstrip().startswith("/knowledge"):
        return read_tetrad(text, path)
    if _IS_A_GRAPH.match(text):
        return read_dagitty(text, path)
    return _read_toml(text, path)


def _read_toml(text: str, path: object) -> dict[str, Any]:
    try:
        # Python's reader takes quadratic time for a key of very many parts; ours have two at most.
        if any(line.partition("=")[0].count(".") > _MOST_POINTS for line in text.splitlines()):
            raise tomllib.TOMLDecodeError("a key of very many parts")
        entries = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        problem = "lists within lists without end" if isinstance(error, RecursionError) else str(error)
        raise SourceError(
            path, f"it is no TOML: {problem}", "See docs/knowledge.md for an example."
        ) from None
    for key, value in entries.items():
        if key not in KEYS:
            problem, _, near = str(SettingsError.unknown(key, KEYS)).partition(". ")
            raise SourceError(path, problem, f"{near} See docs/knowledge.md for the keys there are.".lstrip())
        _check_kind(key, value, path)
    return entries


def _check_kind(key: str, value: Any, path: object) -> None:
    def is_list(found: Any, kind: type | tuple[type, ...] = str) -> bool:
        return isinstance(found, list) and all(isinstance(one, kind) for one in found)

    if key == "tiers":
        fits = isinstance(value, list) and all(map(is_list, value))
        wanted = 'a list of lists, such as [["age", "sex"], ["smoking"]]'
    elif key == "cut":
        fits = isinstance(value, dict) and all(
            isinstance(one, str) or is_list(one, (str, int, float)) for one in value.values()
        )
        wanted = "a table, such as [cut] with bmi = [18.5, 25, 30]"
    else:
        fits, wanted = is_list(value), f'a list of texts, such as {key} = ["age"]'
    if not fits:
        raise SourceError(path, f"{key} is not {wanted}", "See docs/knowledge.md for an example.")


def with_knowledge(options: Mapping[str, Any], knowledge: Mapping[str, Any]) -> dict[str, Any]:
    """Options, and what a file says besides them; both may name columns for one role."""
    merged = {**options}
    for key, value in knowledge.items():
        given = merged.get(key)
        if not given:
            merged[key] = value
        elif key == "tiers":
            raise SettingsError.saying(
                "tiers", "tiers are given twice, by the knowledge file and beside it. Leave one of them out."
            )
        elif key == "cut":
            merged[key] = [*(written_cuts(*one) for one in value.items()), *_texts(given)]
        else:
            merged[key] = [*value, *_texts(given)]
    return merged


def _texts(given: Any) -> list[Any]:
    if isinstance(given, dict):
        return [written_cuts(*one) for one in given.items()]
    return [given] if isinstance(given, str) else list(given)


class WrittenKnowledge(NamedTuple):
    """A file's text, and the settings for which its format has no place."""

    text: str
    left_out: tuple[str, ...]


def written_knowledge(
    settings: Settings, path: str | os.PathLike[str], outcome: str = ""
) -> WrittenKnowledge:
    """What the settings know as the text of a file, whose format its name tells."""
    ending = Path(path).suffix.lower()
    has_place = {
        ".toml": KEYS,
        ".txt": ("before", "after", "tiers", "require", "forbid"),
        ".dag": ("exposures", "adjust", "require"),
    }
    if ending not in has_place:
        raise OutputNameError(path, "a file of knowledge", (".toml", ".txt (Tetrad)", ".dag (DAGitty)"))
    left_out = tuple(key for key in KEYS if getattr(settings, key) and key not in has_place[ending])
    if ending == ".toml":
        return WrittenKnowledge(_written_toml(settings), left_out)
    if ending == ".txt":
        return WrittenKnowledge(written_tetrad(settings.knowledge, outcome), left_out)
    return WrittenKnowledge(written_dagitty(settings.knowledge, outcome), left_out)


def _written_toml(settings: Settings) -> str:
    lines = [f"{key} = {_listed(getattr(settings, key))}" for key in NAMES if getattr(settings, key)]
    if settings.tiers:
        lines.append(f"tiers = [{', '.join(map(_listed, read_tiers(settings.tiers)))}]")
    for key in ARROWS:
        if getattr(settings, key):
            arrows = [written_arrow(read_arrow(text, key)) for text in getattr(settings, key)]
            lines.append(f"{key} = {_listed(arrows)}")
    if settings.cut:
        lines += ["", "[cut]"]
        for text in settings.cut:
            cuts, how = read_cuts(text), text.rpartition("=")[2].strip()
            lines.append(f"{_quoted(cuts.column)} = {_quoted(how)}")
    return "\n".join([*lines, ""])


def _listed(texts: tuple[str, ...] | list[str]) -> str:
    return f"[{', '.join(map(_quoted, texts))}]"


def _quoted(text: str) -> str:
    """A TOML basic string."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return '"' + "".join(c if c.isprintable() else f"\\u{ord(c):04x}" for c in escaped) + '"'
