"""DAGitty's graphs: arrows, and who is exposure, adjusted for, or hidden."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from causalrules.errors import SourceError, quoted

if TYPE_CHECKING:
    from causalrules.domain.knowledge import Knowledge

_TOKEN = re.compile(r'\s*(?:"((?:[^"\\]|\\.)*)"|(<->|->|<-|--|[{}\[\];,=])|([^\s"{}\[\];,=<>-]+))')
_ARROWS = ("->", "<-", "<->", "--")
_HIDDEN = ("latent", "unobserved")


def read_dagitty(text: str, source: object) -> dict[str, Any]:
    """The settings that a graph of DAGitty stands for.

    Every arrow between two columns is one that there is. Arrows from and to
    hidden nodes, and the two-headed ones that stand for such, say nothing about
    arrows between columns; neither do the edges without a direction that a
    `pdag` may have. An arrow that is not drawn is not forbidden.

    Examples
    --------
    >>> read_dagitty("dag { x [exposure] u [latent] x -> y -> z ; u -> x ; z <- a }", "graph.dag")
    {'exposures': ['x'], 'require': [('x', 'y'), ('y', 'z'), ('a', 'z')]}
    """
    kind, _, graph = text.partition("{")
    return _Graph(graph, source, is_partial=kind.strip().lower().startswith("pdag")).settings()


def written_dagitty(knowledge: Knowledge, outcome: str = "") -> str:
    """A graph for DAGitty, with the arrows that there are and the roles that it knows."""
    roles = dict.fromkeys(knowledge.exposures, "exposure") | dict.fromkeys(knowledge.adjust, "adjusted")
    if outcome:
        roles[outcome] = "outcome"
    lines = [f"{_name(name)} [{role}]" for name, role in roles.items()]
    lines += [f"{_name(cause)} -> {_name(effect)}" for cause, effect in knowledge.required]
    return "\n".join(["dag {", *lines, "}", ""])


def _name(name: str) -> str:
    escaped = name.replace("\\", "\\\\").replace('"', '\\"')
    return name if re.fullmatch(r"\w+", name) else f'"{escaped}"'


class _Graph:
    """Reads nodes and chains of arrows from left to right."""

    def __init__(self, text: str, source: object, *, is_partial: bool) -> None:
        self._source, self._is_partial = source, is_partial
        self._tokens: list[tuple[str, bool]] = []  # a text, and whether it is a name
        place = 0
        while text[place:].strip():
            found = _TOKEN.match(text, place)
            if found is None:
                raise self._mistake(text[place:].strip())
            quoted_name, sign, plain = found.groups()
            if sign is not None:
                self._tokens.append((sign, False))
            else:
                name = re.sub(r"\\(.)", r"\1", quoted_name) if quoted_name is not None else plain
                self._tokens.append((name, True))
            place = found.end()
        self._roles: dict[str, list[str]] = {}
        self._arrows: list[tuple[str, str, str]] = []

    def settings(self) -> dict[str, Any]:
        while self._tokens and self._tokens[0] != ("}", False):
            self._statement()
        hidden = {name for name, roles in self._roles.items() if any(one in _HIDDEN for one in roles)}
        drawn = [
            (cause, effect)
            for cause, sign, effect in self._arrows
            if sign == "->" and not {cause, effect} & hidden
        ]
        found = {
            "exposures": [name for name, roles in self._roles.items() if "exposure" in roles],
            "adjust": [name for name, roles in self._roles.items() if "adjusted" in roles],
            "require": list(dict.fromkeys(drawn)),
        }
        return {key: value for key, value in found.items() if value}

    def _statement(self) -> None:
        if self._takes(";"):
            return
        name = self._name()
        if self._takes("="):  # a property of the graph, such as bb="0,0,1,1"
            self._name()
            return
        while self._tokens and self._tokens[0][0] in _ARROWS and not self._tokens[0][1]:
            sign = self._tokens.pop(0)[0]
            if sign == "--" and not self._is_partial:
                raise self._mistake("--")
            other = self._name()
            self._arrows.append((other, "->", name) if sign == "<-" else (name, sign, other))
            name = other
        if self._takes("["):
            while not self._takes("]"):
                self._roles.setdefault(name, []).append(self._name())
                if self._takes("="):
                    self._name()
                self._takes(",")

    def _name(self) -> str:
        if not self._tokens or not self._tokens[0][1]:
            raise self._mistake(self._tokens[0][0] if self._tokens else "the end")
        return self._tokens.pop(0)[0]

    def _takes(self, sign: str) -> bool:
        if not self._tokens:
            raise self._mistake("the end")
        if self._tokens[0] != (sign, False):
            return False
        self._tokens.pop(0)
        return True

    def _mistake(self, here: str) -> SourceError:
        return SourceError(
            self._source,
            f"the graph is not understood at {quoted(here)}",
            "It should have nodes and arrows such as x -> y, without groups; only a pdag may have undirected "
            "edges.",
        )
