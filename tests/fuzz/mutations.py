"""Files of every kind that is read, and ways to damage them."""

import bz2
import gzip
import io
import json
import lzma
import random
import tempfile
import zipfile
from functools import cache
from importlib.util import find_spec
from pathlib import Path

import pyarrow as pa
from pyarrow import csv, feather, parquet

import source_formats

_COLUMNS = {
    "sex": ["male", "female"] * 30,
    "age": [20.5 + i % 40 for i in range(60)],
    "city": ["Rome", "Łódź", "", "a;b"] * 15,
    "ill": ["yes", "no", "no"] * 20,
}
_TOKENS = (
    b"\x00",
    b"\xff\xfe",
    b'"',
    b"\n",
    b"\r",
    b",",
    b"\t",
    b"=",
    b"{",
    b"[" * 300,
    b"nan",
    b"1e999",
    b"-" * 200,
    b" " * 5000,
    b"@data",
    b"|",
    b"PAR1",
    b"ARROW1",
    b"\x1f\x8b",
    b"\xf0\x9f\x92\xa9",
    b"\xed\xa0\x80",
)


def outcome_of(name):
    """The outcome that a sample has."""
    return source_formats.OUTCOME if name.startswith("people") else "ill=yes"


@cache
def samples():
    """A sound file of each kind: name and bytes."""
    return {**_plain_samples(), **_samples_of_other_programs()}


def _samples_of_other_programs():
    """Workbooks, databases, compressed files, and files of SPSS, Stata and SAS."""
    found = {}
    with tempfile.TemporaryDirectory() as folder:
        for name, (family, write) in source_formats.FILES.items():
            needed = source_formats.NEEDS.get(family, "pyarrow")
            is_one_file = "-" not in name and Path(name).suffix not in _PLAIN
            if is_one_file and find_spec(needed) and (name != "people.duckdb" or find_spec("duckdb")):
                found[name] = write(Path(folder), name).read_bytes()
        source_formats.FILES["people.data"][1](Path(folder), "people.data")
        found["people.names"] = (Path(folder) / "people.names").read_bytes()
    return found


_PLAIN = (".csv", ".tsv", ".parquet", ".feather", ".jsonl", ".arff", ".data")


def _plain_samples():
    table = pa.table(_COLUMNS)
    rows = table.to_pylist()
    text = io.BytesIO()
    csv.write_csv(table, text)
    packed, columnar = io.BytesIO(), io.BytesIO()
    parquet.write_table(table, packed)
    feather.write_feather(table, columnar, compression="uncompressed")
    lines = "\n".join(json.dumps(row) for row in rows)
    arff = "@relation r\n" + "".join(
        f"@attribute {name} {'numeric' if name == 'age' else 'string'}\n" for name in _COLUMNS
    )
    arff += "@data\n" + "\n".join(",".join(repr(value) for value in row.values()) for row in rows)
    return {
        "a.csv": text.getvalue(),
        "a.tsv": text.getvalue().replace(b",", b"\t"),
        "a.csv.gz": gzip.compress(text.getvalue(), mtime=0),
        "a.parquet": packed.getvalue(),
        "a.feather": columnar.getvalue(),
        "a.jsonl": lines.encode(),
        "a.arff": arff.encode(),
        "a.data": "\n".join(", ".join(map(str, row.values())) + "." for row in rows).encode(),
    }


def damaged(content, chance):
    """The bytes with one to six of: a part gone, doubled, moved, overwritten, or something odd put in."""
    found = bytearray(content)
    for _ in range(chance.randint(1, 6)):
        place, end = sorted(chance.randrange(len(found) + 1) for _ in range(2))
        end = min(end, place + chance.choice((1, 4, 64, 4096)))
        how = chance.randrange(6)
        if how == 0:
            del found[place:end]
        elif how == 1:
            found[place:place] = found[place:end]
        elif how == 2:
            found[place:place] = chance.choice(_TOKENS)
        elif how == 3:
            del found[place:]
        elif how == 4 and found:
            found[min(place, len(found) - 1)] = chance.randrange(256)
        else:
            found[place:end] = bytes(chance.randrange(256) for _ in range(end - place))
        if not found:
            return b""
    return bytes(found)


_PACKINGS = {
    ".gz": (gzip.decompress, gzip.compress),
    ".bz2": (bz2.decompress, bz2.compress),
    ".xz": (lzma.decompress, lzma.compress),
}
_ARCHIVES = (".zip", ".xlsx", ".ods")


def damaged_file(name, chance):
    """A sample with damage: to its bytes, or to what is packed inside, where checksums would hide it."""
    content, ending = samples()[name], Path(name).suffix
    if chance.random() < 0.5:
        return damaged(content, chance)
    if ending in _PACKINGS:
        unpack, pack = _PACKINGS[ending]
        return pack(damaged(unpack(content), chance))
    if ending in _ARCHIVES:
        return _damaged_archive(content, chance)
    return damaged(content, chance)


def _damaged_archive(content, chance):
    """The archive with one of its files damaged, and sound checksums."""
    written = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(content)) as given, zipfile.ZipFile(written, "w") as archive:
        chosen = chance.choice(given.namelist())
        for name in given.namelist():
            inside = given.read(name)
            archive.writestr(name, damaged(inside, chance) if name == chosen and inside else inside)
    return written.getvalue()


def chance_of(*parts):
    """A source of chance that is the same for the same parts."""
    return random.Random(repr(parts))
