"""Files of every kind that is read, and ways to damage them."""

import gzip
import io
import json
import random

import pyarrow as pa
from pyarrow import csv, feather, parquet

_COLUMNS = {
    "sex": ["male", "female"] * 30,
    "age": [20.5 + i % 40 for i in range(60)],
    "city": ["Rome", "Łódź", "", "a;b"] * 15,
    "ill": ["yes", "no", "no"] * 20,
}
OUTCOME = "ill=yes"
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


def samples():
    """A sound file of each kind: name and bytes."""
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


def chance_of(*parts):
    """A source of chance that is the same for the same parts."""
    return random.Random(repr(parts))
