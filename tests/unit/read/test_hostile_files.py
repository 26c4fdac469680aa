"""Files made to hurt: each ends in one sentence, soon, and never ends the process."""

import gzip
import os
import subprocess
import sys

import pyarrow as pa
import pytest

import causalrules
from causalrules.errors import SourceError
from causalrules.read import compressed, read_table
from causalrules.read.source import open_batches

TABLE = b"a,ill\n" + b"x,yes\ny,no\n" * 40_000


def test_a_file_cut_short_while_it_is_read_is_told(tmp_path):
    """With a memory map the process would end by SIGBUS, so this runs in a process of its own."""
    path = tmp_path / "table.csv"
    path.write_bytes(TABLE * 40)
    program = f"""
import os, pathlib
from causalrules.read.source import open_batches
table = open_batches({str(path)!r}, pathlib.Path({str(tmp_path)!r}))
batches = table.batches()
next(batches)
os.truncate({str(path)!r}, 100)
for batch in batches: pass
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "bytes at first and 100 while it was read" in done.stderr


def test_a_file_that_grows_while_it_is_read_is_told(tmp_path):
    path = tmp_path / "table.csv"
    path.write_bytes(TABLE)
    batches = open_batches(path, tmp_path).batches()
    with path.open("ab") as file:
        file.write(b"z,yes\n")
    with pytest.raises(SourceError, match="while it was read"):
        list(batches)


def test_very_deep_json_is_refused(tmp_path):
    path = tmp_path / "deep.jsonl"
    path.write_bytes(b'{"a": ' + b"[" * 200_000)
    done = subprocess.run(
        [sys.executable, "-m", "causalrules", "mine", path, "--outcome", "a=1"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert "more than 500 objects or lists within one another" in done.stderr


def test_brackets_in_texts_of_many_lines_are_no_depth(tmp_path):
    path = tmp_path / "smileys.jsonl"
    path.write_bytes(b'{"a": ":[", "b": "{{"}\n' * 2_000)
    assert read_table(path).arrow.num_rows == 2_000


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("blanks.data", b"a, b" + b" " * 2_000_000 + b"|\nc, d\n"),
        ("lines.csv", b"a,b\n1,2\n" + b"\n" * 1_000_000 + b"3,4\n"),
        ("tail.csv", b"a,b\n1,2\n" + b" \n" * 1_000_000 + b"x"),
    ],
)
def test_blanks_are_looked_at_once(tmp_path, name, content):
    """Looked at again from every blank on, these would take hours; the timeout ends such a hang."""
    path = tmp_path / name
    path.write_bytes(content)
    command = [sys.executable, "-m", "causalrules", "mine", path, "--outcome", "a=1"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode in (0, 1, 2)
    assert "Traceback" not in done.stderr


def test_more_than_the_memory_is_not_unpacked(tmp_path, monkeypatch):
    monkeypatch.setattr(compressed, "available_memory", lambda: 64 << 20)
    path = tmp_path / "bomb.csv.gz"
    path.write_bytes(gzip.compress(b"a,b\n" + b"0" * (80 << 20)))
    with pytest.raises(SourceError, match="more than 32 MiB, half of the memory that is left"):
        read_table(path)


def test_what_a_packed_file_holds_counts_when_an_engine_is_chosen(tmp_path):
    from causalrules.engines.choose import memory_needed

    path = tmp_path / "table.csv.gz"
    path.write_bytes(gzip.compress(b"a,b\n" + b"0" * (80 << 20)))
    assert memory_needed(path) > 80 << 20
    assert path.stat().st_size < 1 << 20


def test_arrow_dictionaries_with_nulls_in_two_batches(tmp_path):
    batches = [
        pa.record_batch({"a": pa.DictionaryArray.from_arrays([0, 1, 0], ["x", None])}),
        pa.record_batch({"a": pa.DictionaryArray.from_arrays([0, 1, 1], [None, "y"])}),
    ]
    table = pa.Table.from_batches(batches)
    table = table.append_column("ill", pa.array(["yes", "no"] * 3))
    result = causalrules.mine(table, outcome="ill=yes")
    assert result.data.rows == 6


def test_an_unknown_time_zone_is_taken_as_utc():
    moments = [0, 86_400_000_000, 2 * 86_400_000_000] * 40
    answers = [
        causalrules.mine(
            pa.table(
                {"when": pa.array(moments, pa.timestamp("us", tz=zone)), "ill": ["yes", "no", "no"] * 40}
            ),
            outcome="ill=yes",
        )
        for zone in ("UTC", "Mars/Olympus")
    ]
    assert answers[0].to_dict()["rules"] == answers[1].to_dict()["rules"]


def test_no_file_is_left_open(tmp_path):
    path = tmp_path / "table.csv"
    path.write_bytes(TABLE)
    before = len(os.listdir("/proc/self/fd")) if os.path.isdir("/proc/self/fd") else 0
    for _ in range(20):
        list(open_batches(path, tmp_path).batches())
    after = len(os.listdir("/proc/self/fd")) if before else 0
    assert after <= before + 5
