"""How much the explorer takes, does at once and remembers."""

from __future__ import annotations

from dataclasses import dataclass

_MEBIBYTE = 1 << 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Bounds that hold whatever is asked for.

    Parameters
    ----------
    upload_bytes : int
        Largest file that can be uploaded.
    uploads : int
        Most uploaded files kept; the oldest makes room.
    arriving : int
        Most files that are being uploaded at the same time.
    request_bytes : int
        Largest question, as JSON.
    session_bytes : int
        Largest saved session that can be reopened.
    searches, studies : int
        Most searches, and studies of single hypotheses, at the same time.
    connections : int
        Most connections at the same time.
    patience : float
        Seconds within which a connection must have asked something.
    remembered : int
        Most results kept; the oldest makes room.
    tables, coded_tables : int
        Most tables kept as read, and as coded for an outcome.
    files, entries, depth : int
        Most files listed, entries of folders looked at for them, and how far down.
    """

    upload_bytes: int = 512 * _MEBIBYTE
    uploads: int = 8
    arriving: int = 2
    request_bytes: int = _MEBIBYTE
    session_bytes: int = 64 * _MEBIBYTE
    searches: int = 2
    studies: int = 4
    connections: int = 400
    patience: float = 10.0
    remembered: int = 24
    tables: int = 2
    coded_tables: int = 4
    files: int = 500
    entries: int = 20_000
    depth: int = 3
