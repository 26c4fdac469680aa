"""Files elsewhere: object stores and HDFS through Arrow's file systems, the web through Python's own client.

What is there is copied to a folder first. Studies go through a table more than
once, so a copy on disk is quicker than the network, and the readers of files
need not know where one came from.
"""

from __future__ import annotations

import base64
import os
import re
import shutil
from fnmatch import fnmatchcase
from pathlib import Path, PurePosixPath
from threading import Thread
from typing import TYPE_CHECKING, Any, TypeVar
from urllib.error import HTTPError, URLError
from urllib.parse import parse_qs, unquote, urlsplit
from urllib.request import Request, urlopen

import pyarrow as pa

from causalrules.errors import CausalRulesError, SourceError, one_line, quoted
from causalrules.read.addresses import without_credentials
from causalrules.read.file_kinds import no_room

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import timedelta

_SECONDS_TO_ANSWER = 7
_SECONDS_TO_CONNECT = 3
_PIECE_BYTES = 4 << 20
_WEB = ("http", "https")
_STORES = ("s3", "s3a", "gs", "gcs", "abfs", "abfss", "hdfs", "viewfs", "file")
_DATABASE_FILES = ("sqlite", "duckdb")
Found = TypeVar("Found")


def fetched(address: str, folder: Path) -> Path:
    """What is at an address, as a file or a folder below this one."""
    scheme = address.partition(":")[0].lower()
    target = folder / "fetched"
    target.mkdir()
    if scheme in _WEB:
        return _from_web(address, target)
    if scheme in _STORES:
        return _from_store(address, target)
    remedy = "Those are s3, gs, abfss, hdfs, https and postgresql."
    if scheme in _DATABASE_FILES:  # as SQLAlchemy writes them: three slashes, and then the path
        path = address.partition("://")[2].removeprefix("/")
        remedy = f"A database file is read by its path: {quoted(path)}."
    raise SourceError(without_credentials(address), f"{quoted(scheme)} is no scheme that is read", remedy)


def _from_web(address: str, folder: Path) -> Path:
    """The file that a web server gives."""
    shown, parts = without_credentials(address), urlsplit(address)
    request = Request(parts._replace(netloc=parts.netloc.rpartition("@")[2]).geturl())  # noqa: S310 - http(s)
    if parts.username:
        pair = f"{unquote(parts.username)}:{unquote(parts.password or '')}"
        request.add_unredirected_header("Authorization", f"Basic {base64.b64encode(pair.encode()).decode()}")
    target = folder / _file_name(unquote(parts.path))
    try:
        with urlopen(request, timeout=_SECONDS_TO_ANSWER) as answer:  # noqa: S310 - http(s) # nosec B310
            _copy(answer, target)
    except HTTPError as error:
        problem = f"the server answers {error.code} {error.reason}"
        raise SourceError(shown, problem, _remedy(str(error.code))) from None
    except (URLError, OSError, ValueError) as error:
        reason = quoted(str(getattr(error, "reason", error)))
        raise SourceError(
            shown, f"the server cannot be reached ({reason})", "Check the address and the network."
        ) from None
    return target


def _file_name(path: str) -> str:
    r"""The last part of a path, as a name that stays in its folder on every system.

    Examples
    --------
    >>> _file_name("/data/people.csv"), _file_name("/.."), _file_name("/..\\..\\C:people.csv")
    ('people.csv', 'table', 'people.csv')
    """
    name = re.split(r"[/\\:]", path)[-1]
    return name if name.strip(".") else "table"


def _from_store(address: str, folder: Path) -> Path:
    """A file, the files below a folder, or those that a pattern means."""
    from pyarrow import fs

    shown = without_credentials(address)

    def listed() -> tuple[Any, str, list[Any]]:
        store, path = _store(address)
        start = path
        if any(sign in path for sign in "*?["):
            start = _before_pattern(path)
        found = store.get_file_info(start)
        if found.type == fs.FileType.Directory:
            return store, start, store.get_file_info(fs.FileSelector(start, recursive=True))
        return store, path, [found]

    store, start, entries = _answered(shown, listed)
    pattern = _store_path(address)
    is_pattern = any(sign in pattern for sign in "*?[")
    files = [one for one in entries if one.is_file and (not is_pattern or _fits(one.path, pattern))]
    if not files:
        raise SourceError(shown, "there is nothing of this name", "Check the address.")
    is_single = len(files) == 1 and not is_pattern and files[0].path == start
    for one in files:
        target = folder / _inner_name(shown, one.path, start, is_single=is_single)
        target.parent.mkdir(parents=True, exist_ok=True)
        try:
            with store.open_input_stream(one.path) as stream:
                _copy(stream, target)
        except CausalRulesError:
            raise
        except (OSError, pa.ArrowException) as error:
            raise _unreachable(shown, error) from None
    if is_single:
        return folder / PurePosixPath(files[0].path).name
    return folder / os.path.relpath(pattern, start) if is_pattern else folder


def _inner_name(shown: str, path: str, start: str, *, is_single: bool) -> str:
    """The name of an object below its folder; one that would be written elsewhere is refused."""
    name = PurePosixPath(path).name if is_single else path.removeprefix(start).strip("/")
    if any(not part.strip(".") or re.search(r"\\|^[A-Za-z]:", part) for part in name.split("/")):
        problem = f"an object's name leads out of its folder: {quoted(path)}"
        raise SourceError(shown, problem, "Rename it, or name the files that you mean.")
    return name


def _before_pattern(path: str) -> str:
    """The folder in which a pattern begins."""
    parts = path.split("/")
    first = next(number for number, part in enumerate(parts) if any(sign in part for sign in "*?["))
    return "/".join(parts[:first])


def _fits(path: str, pattern: str) -> bool:
    """Whether each part of a path fits that of a pattern; ``**`` stands for any number of them."""
    if "**" in pattern:
        return fnmatchcase(path, pattern.replace("**/", "*"))
    parts, patterns = path.split("/"), pattern.split("/")
    return len(parts) == len(patterns) and all(map(fnmatchcase, parts, patterns))


def _store_path(address: str) -> str:
    rest = address.partition("://")[2]
    is_s3 = address.lower().startswith(("s3", "gs", "gcs"))
    bare = rest.partition("?")[0] if is_s3 and "=" in rest.partition("?")[2] else rest
    place, slash, path = bare.partition("/")
    place = place.rpartition("@")[2]
    return f"{place}{slash}{path}" if is_s3 else f"{slash}{path}"


def _store(address: str) -> tuple[Any, str]:
    """A file system and the path in it; credentials are those of the address or of the environment."""
    from pyarrow import fs

    scheme = address.partition(":")[0].lower()
    if scheme in ("s3", "s3a"):
        return fs.S3FileSystem(**_s3_options(address)), _store_path(address)
    if scheme in ("gs", "gcs"):
        return fs.GcsFileSystem(retry_time_limit=_time_limit()), _store_path(address)
    store, path = fs.FileSystem.from_uri(address)
    return store, path


def _s3_options(address: str) -> dict[str, Any]:
    from pyarrow import fs

    query = parse_qs(address.partition("?")[2])
    given = {
        key: values[-1] for key, values in query.items() if key in ("region", "endpoint_override", "scheme")
    }
    endpoint = os.environ.get("AWS_ENDPOINT_URL_S3") or os.environ.get("AWS_ENDPOINT_URL")
    if endpoint and "endpoint_override" not in given:
        given["scheme"], _, given["endpoint_override"] = endpoint.rstrip("/").partition("://")
    region = os.environ.get("AWS_REGION") or os.environ.get("AWS_DEFAULT_REGION")
    if region and "region" not in given:
        given["region"] = region
    user, _, secret = address.partition("://")[2].partition("/")[0].rpartition("@")[0].partition(":")
    keys = {"access_key": unquote(user), "secret_key": unquote(secret)} if user else {}
    retries = fs.AwsStandardS3RetryStrategy(max_attempts=2)
    return {
        **given,
        **keys,
        "connect_timeout": _SECONDS_TO_CONNECT,
        "request_timeout": _SECONDS_TO_CONNECT,
        "retry_strategy": retries,
    }


def _time_limit() -> timedelta:
    from datetime import timedelta

    return timedelta(seconds=_SECONDS_TO_CONNECT)


def _answered(shown: str, ask: Callable[[], Found]) -> Found:
    """What a store answers, if it does so in time; some clients would try for minutes."""
    answers: list[Found] = []
    failures: list[BaseException] = []

    def run() -> None:
        try:
            answers.append(ask())
        except BaseException as error:  # it is raised in the thread that waits
            failures.append(error)

    thread = Thread(target=run, daemon=True)
    thread.start()
    thread.join(_SECONDS_TO_ANSWER)
    if answers:
        return answers[0]
    if failures:
        raise _unreachable(shown, failures[0]) from None
    problem = f"there is no answer within {_SECONDS_TO_ANSWER} seconds"
    raise SourceError(shown, problem, "Check the address and the network.")


def _unreachable(shown: str, error: BaseException) -> SourceError:
    """Why a store gives nothing, in one sentence."""
    text = " ".join(str(error).split())
    if "libhdfs" in text or "libjvm" in text:
        problem, remedy = "the library of HDFS is not installed", "Set HADOOP_HOME and JAVA_HOME."
    elif "ACCESS_DENIED" in text or "403" in text or "Forbidden" in text:
        problem, remedy = "the store refuses the credentials, or there are none", _remedy("403")
    elif isinstance(error, FileNotFoundError) or "404" in text or "NO_SUCH" in text:
        problem, remedy = "there is nothing of this name", "Check the address."
    else:
        reason = text[max(0, text.find("AWS Error")) :]  # what comes before only repeats the address
        problem = f"the store cannot be reached ({one_line(reason[:_LONGEST_REASON])})"
        remedy = "Check the address and the network."
    return SourceError(shown, problem, remedy)


_LONGEST_REASON = 120


def _remedy(code: str) -> str:
    if code in ("401", "403"):
        return "Check your credentials: they are taken from the address or from the environment."
    return "Check the address."


def _copy(stream: Any, target: Path) -> None:
    try:
        file = target.open("wb")
    except OSError as error:
        raise no_room(target, error) from error
    with file:
        shutil.copyfileobj(stream, file, _PIECE_BYTES)
