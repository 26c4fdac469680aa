"""Bayesian networks in BIF, the format in which the classic ones (asia, alarm, …) are published."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from causalrules.errors import SourceError, SourceMissingError, TableError, quoted
from causalrules.files.whole_file import whole_file
from causalrules.lab.simulate.bayesian import Network, NetworkTruth, Node
from causalrules.lab.simulate.bif_parser import BifParser, tokens_of
from causalrules.lab.simulate.simulated import Simulated

if TYPE_CHECKING:
    import os

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
    return BifParser(source, tokens_of(text, source)).network()


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
