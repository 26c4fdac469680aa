"""Published files in a cache: fetched once, checked every time."""

from __future__ import annotations

import hashlib
import os
from http.client import HTTPException
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.error import HTTPError
from urllib.request import Request, urlopen

from causalrules.errors import OutputError, SourceError
from causalrules.files.whole_file import whole_file

if TYPE_CHECKING:
    from causalrules_lab.datasets.published import DataSetInfo, PublishedFile

_SECONDS = 60
_CHUNK = 1 << 16


def default_cache() -> Path:
    """``$CAUSALRULES_CACHE``, or ``causalrules`` in the user's cache folder."""
    chosen = os.environ.get("CAUSALRULES_CACHE")
    if chosen:
        return Path(chosen)
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "causalrules"


def local_file(data_set: DataSetInfo, file: PublishedFile, folder: Path) -> Path:
    """A file somebody keeps in ``folder/name`` or ``folder``; it is checked but never removed."""
    for path in (folder / data_set.name / file.name, folder / file.name):
        if path.is_file():
            found = _sha256(path)
            if found != file.sha256:
                raise SourceError(path, _not_published(found, file), "Get the published file.")
            return path
    raise SourceError(
        folder / data_set.name / file.name,
        "there is no such file",
        f"Put {file.name} of {data_set.name} there, or leave --from (in Python: from_dir) out to fetch it.",
    )


def cached_file(data_set: DataSetInfo, file: PublishedFile, cache: Path, base_url: str) -> Path:
    """A file in the cache, fetched if it is not there or has been damaged."""
    path = cache / data_set.name / file.name
    if path.is_file() and _sha256(path) == file.sha256:
        return path
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OutputError(path.parent, error.strerror or str(error)) from error
    path.unlink(missing_ok=True)
    url = f"{base_url.rstrip('/')}/{data_set.folder}/{file.name}"
    with whole_file(path) as unfinished:
        _fetch(url, unfinished)
        found = _sha256(unfinished)
        if found != file.sha256:
            size = unfinished.stat().st_size
            problem = f"{_not_published(found, file)} ({size:,} bytes instead of {file.bytes:,})"
            raise SourceError(url, problem, _if_it_stays_so(file))
    return path


def _fetch(url: str, path: Path) -> None:
    if not url.startswith(("http://", "https://")):
        raise SourceError(
            url, "it is not an address of the web", "Give a base_url that starts with https://."
        )
    request = Request(url, headers={"User-Agent": "causalrules"})  # noqa: S310 - the scheme was checked
    try:
        with urlopen(request, timeout=_SECONDS) as answer, path.open("wb") as file:  # noqa: S310 # nosec B310
            while chunk := answer.read(_CHUNK):
                file.write(chunk)
    except HTTPError as error:
        raise SourceError(url, f"the server answers {error.code} {error.reason}", _remedy(url)) from error
    except (OSError, HTTPException) as error:
        reason = getattr(error, "reason", None) or error
        raise SourceError(url, f"it cannot be fetched ({reason})", _remedy(url)) from error


def _if_it_stays_so(file: PublishedFile) -> str:
    doubt = "what is published was changed" if file.is_confirmed else "our checksum, of a copy, may be wrong"
    return f"What came was removed. Try again; if it stays so, {doubt}."


def _remedy(url: str) -> str:
    return (
        "Check the network, or fetch it elsewhere and give its folder by --from (in Python: from_dir) "
        f"(the file is {url.rsplit('/', 1)[-1]})."
    )


def _not_published(found: str, file: PublishedFile) -> str:
    return f"it is not the published file: its SHA-256 is {found[:16]}…, expected {file.sha256[:16]}…"


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
