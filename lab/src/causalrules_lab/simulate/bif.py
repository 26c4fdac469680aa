"""Bayesian networks in BIF, the format in which the classic ones (asia, alarm, …) are published.

Reading goes from text to tokens to nodes, every complaint with its line.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from math import prod
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import numpy as np

from causalrules.errors import CausalRulesError, SourceError, SourceMissingError, TableError, quoted
from causalrules.files.whole_file import whole_file
from causalrules.simulation.simulated import Simulated
from causalrules_lab.simulate.bayesian import LARGEST_GAP, Network, NetworkTruth, Node

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray

_TOKEN = re.compile(
    r"""(?P<space>\s+|//[^\n]*|/\*.*?\*/)      # blanks and comments
      | (?P<text>"[^"\n]*")
      | (?P<sign>[{}()\[\],;|])
      | (?P<word>[^\s{}()\[\],;|"]+)
    """,
    re.VERBOSE | re.DOTALL,
)
_PLAIN_WORD = re.compile(r"""(?!//|/\*)[^\s{}()\[\],;|"]+\Z""")


def read_bif(path: str | os.PathLike[str]) -> Network:
    """Read a network from a BIF file.

    Parameters
    ----------
    path : path
        The file. Nodes may have any number of values; properties are skipped.
    """
    file = Path(path)
    try:
        text = file.read_text(encoding="utf-8")
    except FileNotFoundError as error:
        folder = file.parent
        nearby = [other.name for other in folder.iterdir()] if folder.is_dir() else []
        raise SourceMissingError(path, nearby) from error
    except (OSError, UnicodeDecodeError) as error:
        raise SourceError(path, str(error), "Give a BIF file, which is UTF-8 text.") from error
    return parse_bif(text, source=str(path))


def parse_bif(text: str, source: str = "a BIF text") -> Network:
    """Read a network from the text of a BIF file.

    Parameters
    ----------
    text : str
        The whole file.
    source : str
        Its name, for messages.

    Examples
    --------
    >>> network = parse_bif('''
    ... network weather { }
    ... variable rain { type discrete [ 2 ] { no, yes }; }
    ... variable wet { type discrete [ 2 ] { no, yes }; }
    ... probability ( rain ) { table 0.8, 0.2; }
    ... probability ( wet | rain ) { (no) 0.9, 0.1; (yes) 0.0, 1.0; }
    ... ''')
    >>> network.by_name["wet"].probabilities.tolist()
    [[0.9, 0.1], [0.0, 1.0]]
    """
    return _Parser(source, _tokens_of(text, source)).network()


def write_bif(network: Network, path: str | os.PathLike[str]) -> None:
    """Write a network as BIF; the file appears whole or not at all."""
    text = format_bif(network)
    with whole_file(path) as unfinished:
        unfinished.write_text(text, encoding="utf-8")


def format_bif(network: Network) -> str:
    """The text of a network in BIF, which `parse_bif` reads back without loss."""
    lines = [f"network {_name(network.name)} {{\n}}"]
    for node in network.nodes:
        values = ", ".join(map(_name, node.values))
        lines.append(
            f"variable {_name(node.name)} {{\n  type discrete [ {len(node.values)} ] {{ {values} }};\n}}"
        )
    lines += [_format_probabilities(network, node) for node in network.nodes]
    return "\n".join(lines) + "\n"


def bif_table(path: str, outcome: str, n_records: int = 5000, seed: int = 0) -> Simulated[NetworkTruth]:
    """Draw records from a network read from a BIF file.

    Parameters
    ----------
    path : str
        The BIF file.
    outcome : str
        Node and value whose causes are of interest, as ``column=value``.
    n_records : int
        Records to draw.
    seed : int
        Same seed, same table.
    """
    from causalrules.domain.notation import split_item
    from causalrules.errors import NoValueError, UnknownValueError

    network = read_bif(path)
    target, value = split_item(outcome, list(network.by_name), "outcome")
    values = dict.fromkeys(network.by_name[target].values, 0)
    if value is None:
        raise NoValueError("outcome", target, values)
    if value not in values:
        raise UnknownValueError("outcome", target, value, values)
    return Simulated(network.sample(n_records, seed), network.around(target, value))


def _format_probabilities(network: Network, node: Node) -> str:
    rows = [", ".join(map(repr, row)) for row in node.probabilities.tolist()]
    if not node.parents:
        return f"probability ( {_name(node.name)} ) {{\n  table {rows[0]};\n}}"
    sizes = [len(network.by_name[parent].values) for parent in node.parents]
    lines = [f"probability ( {_name(node.name)} | {', '.join(map(_name, node.parents))} ) {{"]
    for codes, row in zip(np.ndindex(*sizes), rows, strict=True):
        values = [network.by_name[p].values[code] for p, code in zip(node.parents, codes, strict=True)]
        lines.append(f"  ({', '.join(map(_name, values))}) {row};")
    return "\n".join([*lines, "}"])


def _name(text: str) -> str:
    """A name as BIF writes it: plain if it can be, else in quotes."""
    if _PLAIN_WORD.match(text):
        return text
    if '"' in text or "\n" in text or not text:
        raise TableError(
            f"the name {quoted(text)} cannot be written in BIF: it is empty, or has a quotation mark or a "
            "line break. Rename it."
        )
    return f'"{text}"'


@dataclass(frozen=True, slots=True)
class _Token:
    text: str
    line: int
    is_sign: bool


def _tokens_of(text: str, source: str) -> Iterator[_Token]:
    """Words, signs and quoted texts with their lines; comments are skipped."""
    position, line = 0, 1
    while position < len(text):
        match = _TOKEN.match(text, position)
        if match is None:
            _refuse(source, line, "a quotation mark is not closed")
        found = match.group()
        if match.lastgroup != "space":
            is_quoted = match.lastgroup == "text"
            yield _Token(found[1:-1] if is_quoted else found, line, match.lastgroup == "sign")
        line += found.count("\n")
        position = match.end()


def _refuse(source: str, line: int, problem: str, cause: Exception | None = None) -> NoReturn:
    raise SourceError(source, f"line {line}: {problem}", "Correct that line of the BIF file.") from cause


@dataclass(slots=True)
class _Parser:
    """Reads one block after the other; what is needed comes next or is complained about."""

    source: str
    tokens: Iterator[_Token]
    line: int = 1
    ahead: _Token | None = None
    values: dict[str, tuple[str, ...]] = field(default_factory=dict)
    nodes: dict[str, Node] = field(default_factory=dict)

    def network(self) -> Network:
        """The whole file."""
        name = "unknown"
        while self.peek() is not None:
            word = self.word("'network', 'variable' or 'probability'")
            if word == "network":
                name = self.word("the network's name")
                self.block({})
            elif word == "variable":
                self.variable()
            elif word == "probability":
                self.probability()
            else:
                self.refuse(f"expected 'network', 'variable' or 'probability', found {quoted(word)}")
        if not self.values:
            self.refuse("there is no variable")
        missing = [variable for variable in self.values if variable not in self.nodes]
        if missing:
            self.refuse(f"the file ends without probabilities of {quoted(missing[0])}")
        try:
            return Network(name, tuple(self.nodes[variable] for variable in self.values))
        except CausalRulesError as error:
            problem = str(error).partition(". ")[0]
            raise SourceError(self.source, problem, "Correct the BIF file.") from error

    def variable(self) -> None:
        """``variable name { type …; }``, the first word being read."""
        name = self.word("the variable's name")
        if name in self.values:
            self.refuse(f"variable {quoted(name)} is declared twice")
        found: list[tuple[str, ...]] = []
        self.block({"type": lambda: found.append(self.type())})
        if not found:
            self.refuse(f"variable {quoted(name)} has no type")
        self.values[name] = found[0]

    def type(self) -> tuple[str, ...]:
        """Values from ``discrete [ n ] { values };``."""
        self.expect("discrete")
        self.expect("[")
        n_values = self.number()
        self.expect("]")
        self.expect("{")
        values = tuple(self.list_until("}", "a value"))
        self.expect(";")
        if len(values) != n_values:
            self.refuse(f"{n_values:g} values are announced, {len(values)} are given")
        if len(set(values)) < len(values):
            self.refuse("a value is given twice")
        return values

    def probability(self) -> None:
        """``probability ( name | parents ) { … }``, the first word being read."""
        self.expect("(")
        variables = self.list_until(")", "a variable")
        for variable in variables:
            if variable not in self.values:
                self.refuse(f"variable {quoted(variable)} is not declared above")
        if not variables:
            self.refuse("there is no variable between ( and )")
        name, *parents = variables
        if name in self.nodes:
            self.refuse(f"probabilities of {quoted(name)} are given twice")
        sizes = [len(self.values[parent]) for parent in parents]
        rows = np.full((prod(sizes), len(self.values[name])), np.nan)
        start = self.line

        def table() -> None:
            numbers = self.numbers(rows.size)
            # The variables count as in the heading, the last one fastest: the child comes first.
            rows[:] = np.reshape(numbers, (rows.shape[1], rows.shape[0])).T

        def default() -> None:
            rows[np.isnan(rows).any(axis=1)] = self.numbers(rows.shape[1])

        def row() -> None:
            codes = [self.code_of(parent) for parent in self.parents_values(parents)]
            rows[np.ravel_multi_index(codes, sizes) if sizes else 0] = self.numbers(rows.shape[1])

        self.block({"table": table, "default": default, "(": row})
        if np.isnan(rows).any():
            self.refuse(f"some combination of parents has no probabilities of {quoted(name)}", start)
        if (abs(rows.sum(axis=1) - 1) > LARGEST_GAP).any() or (rows < 0).any():
            self.refuse(f"probabilities of {quoted(name)} are negative or do not add up to 1", start)
        self.nodes[name] = Node(name, self.values[name], tuple(parents), rows)

    def parents_values(self, parents: list[str]) -> Iterator[tuple[str, str]]:
        """Each parent with the value that a row in parentheses gives it."""
        given = self.list_until(")", "a value")
        if len(given) != len(parents):
            self.refuse(f"{len(given)} values are given for {len(parents)} parents")
        return zip(parents, given, strict=True)

    def code_of(self, choice: tuple[str, str]) -> int:
        """Number of a parent's value."""
        parent, value = choice
        if value not in self.values[parent]:
            self.refuse(f"{quoted(parent)} has no value {quoted(value)}")
        return self.values[parent].index(value)

    def block(self, entries: dict[str, Callable[[], None]]) -> None:
        """A block in braces: known entries are read, properties skipped."""
        self.expect("{")
        while (token := self.next("'}'")).text != "}" or not token.is_sign:
            if token.text in entries:
                entries[token.text]()
            elif token.text == "property":
                while self.next("';'").text != ";":
                    pass
            else:
                self.refuse(f"{quoted(token.text)} is not understood here")

    def list_until(self, end: str, what: str) -> list[str]:
        """Words up to a closing sign; commas and bars between them are blanks, as the format has it."""
        words: list[str] = []
        while not ((token := self.next(f"{what} or '{end}'")).is_sign and token.text == end):
            if not token.is_sign:
                words.append(token.text)
            elif token.text not in (",", "|"):
                self.refuse(f"expected {what} or '{end}', found {quoted(token.text)}")
        return words

    def numbers(self, n: int) -> NDArray[np.float64]:
        """So many numbers, between commas or blanks, up to a semicolon."""
        numbers: list[float] = []
        while (token := self.peek()) is not None and not (token.is_sign and token.text == ";"):
            if token.is_sign and token.text == ",":
                self.next("a number")
            else:
                numbers.append(self.number())
        self.expect(";")
        if len(numbers) != n:
            self.refuse(f"expected {n} probabilities, found {len(numbers)}")
        return np.array(numbers)

    def number(self) -> float:
        """The next word as a number."""
        word = self.word("a number")
        try:
            return float(word)
        except ValueError as error:
            _refuse(self.source, self.line, f"expected a number, found {quoted(word)}", error)

    def word(self, what: str) -> str:
        """The next token, which must be a word or a quoted text."""
        token = self.next(what)
        if token.is_sign:
            self.refuse(f"expected {what}, found {quoted(token.text)}")
        return token.text

    def expect(self, text: str) -> None:
        """The next token must be this one."""
        token = self.next(quoted(text))
        if token.text != text:
            self.refuse(f"expected {quoted(text)}, found {quoted(token.text)}")

    def next(self, what: str) -> _Token:
        """The next token, which must be there."""
        token = self.peek()
        if token is None:
            self.refuse(f"the file ends where {what} should stand")
        self.ahead, self.line = None, token.line
        return token

    def peek(self) -> _Token | None:
        """The next token, left where it is; None at the end."""
        if self.ahead is None:
            self.ahead = next(self.tokens, None)
        return self.ahead

    def refuse(self, problem: str, line: int | None = None) -> NoReturn:
        """Complain about the current line, or another one."""
        _refuse(self.source, line or self.line, problem)
