"""The addresses of the explorer and what is answered there."""

from __future__ import annotations

import json
from dataclasses import asdict
from functools import partial
from io import BytesIO
from typing import TYPE_CHECKING, Any

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from causalrules.errors import CausalRulesError, ExplorerError, UnknownRunError, UploadError
from causalrules.explorer.browser_files import STATIC_FILES, page
from causalrules.explorer.compare_results import compare
from causalrules.explorer.complaints import complaint_of, status_of
from causalrules.explorer.downloads import DOWNLOADS, StudiedRuns
from causalrules.explorer.form import BY_OUTCOME, ROLES, form
from causalrules.explorer.overview import items_of, overview
from causalrules.explorer.page_words import explorer_view
from causalrules.explorer.question import Question, file_of, settings_of, typed_command
from causalrules.explorer.sessions import read_session, session_of
from causalrules.version import __version__

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from starlette.requests import Request

    from causalrules.domain import Result
    from causalrules.explorer.limits import Limits
    from causalrules.explorer.open_tables import OpenTables
    from causalrules.explorer.runs import Runs
    from causalrules.explorer.served_files import ServedFiles

SAMPLE_NAME = "sample patients.csv"
SAMPLE_OUTCOME = {"column": "ill", "value": "yes"}
SAMPLE_ABOUT = (
    "10,000 simulated patients. Smoking, little exercise and severity make them ill, two drugs only "
    "together; the treatment only looks harmful, because severe cases get it."
)


async def sample_csv() -> AsyncIterator[bytes]:
    """The table as a file that arrives in one piece."""
    from pyarrow import csv

    from causalrules.simulation import planted_table

    written = BytesIO()
    csv.write_csv(planted_table(10_000), written)
    yield written.getvalue()


class TooLargeError(ExplorerError):
    """A question is longer than any that the page would ask."""

    def __init__(self) -> None:
        super().__init__("the question is too long. Reload the page.")


class Explorer:
    """What is answered at each address; the work itself is done by the other modules of this package."""

    def __init__(self, served: ServedFiles, tables: OpenTables, runs: Runs, limits: Limits) -> None:
        self._served, self._tables, self._runs, self._limits = served, tables, runs, limits
        self._studied = StudiedRuns(tables)

    def app(self) -> Starlette:
        """The application, to be put behind a `Guard`."""
        return Starlette(
            routes=[
                Route("/", self.page),
                Route("/static/{name}", self.static),
                Route("/api/start", self.start),
                Route("/api/uploads", self.upload, methods=["POST"]),
                Route("/api/sample", self.sample, methods=["POST"]),
                Route("/api/session", self.session),
                Route("/api/session", self.reopen, methods=["POST"]),
                Route("/api/table", self.table, methods=["POST"]),
                Route("/api/items", self.items, methods=["POST"]),
                Route("/api/runs", self.run, methods=["POST"]),
                Route("/api/runs/{id}", self.progress),
                Route("/api/runs/{id}", self.forget, methods=["DELETE"]),
                Route("/api/runs/{id}/cancel", self.cancel, methods=["POST"]),
                Route("/api/runs/{id}/view", self.view),
                Route("/api/runs/{id}/table1/{rule}", self.table_one),
                Route("/api/runs/{id}/matched/{rule}", self.matched),
                Route("/api/runs/{id}/{kind}", self.download),
                Route("/api/compare/{first}/{second}", self.compare),
            ],
            exception_handlers={
                CausalRulesError: _refused,
                HTTPException: _not_found,
                Exception: _failed,
            },
        )

    async def page(self, request: Request) -> Response:
        """The empty page; it asks for everything else with the token."""
        return Response(page(), media_type="text/html; charset=utf-8")

    async def static(self, request: Request) -> Response:
        """A script or a style, by a name from a fixed list."""
        file = STATIC_FILES.get(request.path_params["name"])
        if file is None:
            raise HTTPException(404)
        return Response(file.content(), media_type=file.media_type)

    async def start(self, request: Request) -> Response:
        """All that the page needs to begin: files, the form, and earlier runs."""
        listing = await run_in_threadpool(self._served.listing)
        return JSONResponse(
            {
                "title": self._served.title,
                "version": __version__,
                "files": [asdict(file) for file in listing],
                "form": form(),
                "labels": ROLES | BY_OUTCOME,
                "largest_upload": self._limits.upload_bytes,
                "sample": {"name": SAMPLE_NAME, "about": SAMPLE_ABOUT, "outcome": SAMPLE_OUTCOME},
                "runs": [run.describe() for run in self._runs.all()],
            }
        )

    async def upload(self, request: Request) -> Response:
        """Take a file; too large a one is refused as soon as that is known."""
        announced = request.headers.get("content-length", "")
        if announced.isdecimal() and (len(announced) > 18 or int(announced) > self._limits.upload_bytes):
            raise UploadError(
                f"it is larger than {self._limits.upload_bytes:,} bytes",
                "Open the explorer with its folder instead: causalrules explore FOLDER",
            )
        file = await self._served.upload(request.query_params.get("name", ""), _chunks(request))
        return JSONResponse(asdict(file), 201)

    async def sample(self, request: Request) -> Response:
        """A table to try the explorer with, kept like one that was uploaded."""
        return JSONResponse(asdict(await self._served.upload(SAMPLE_NAME, sample_csv())), 201)

    async def session(self, request: Request) -> Response:
        """All questions with their answers, as one file."""
        saved = await run_in_threadpool(session_of, self._runs.all())
        text = await run_in_threadpool(partial(json.dumps, saved, ensure_ascii=False, allow_nan=False))
        name = 'attachment; filename="session.json"'
        return Response(text, media_type="application/json", headers={"Content-Disposition": name})

    async def reopen(self, request: Request) -> Response:
        """Bring back the questions and answers of a saved session; the latest comes first again."""
        saved = await self._body(request, self._limits.session_bytes)
        for answered in reversed(await run_in_threadpool(read_session, saved)):
            self._runs.bring_back(answered)
        return JSONResponse({"runs": [run.describe() for run in self._runs.all()]}, 201)

    async def table(self, request: Request) -> Response:
        """What a table holds."""
        body = await self._body(request)
        missing = settings_of(body.get("settings") or {}).missing
        file = await run_in_threadpool(self._tables.settled, file_of(body))
        table = await run_in_threadpool(self._tables.read, file)
        parts = [asdict(part) for part in await run_in_threadpool(self._tables.parts, file)]
        seen = await run_in_threadpool(overview, table, missing)
        return JSONResponse(seen | {"file": file, "parts": parts})

    async def items(self, request: Request) -> Response:
        """What hypotheses can be made of, once an outcome is chosen."""
        question = Question.of(await self._body(request))
        table = await run_in_threadpool(
            self._tables.coded, question.file, question.outcome, question.settings
        )
        said = await run_in_threadpool(self._tables.said, question.file)
        command = typed_command(question, self._served.name(question.file), said)
        return JSONResponse(await run_in_threadpool(items_of, table) | {"command": command})

    async def run(self, request: Request) -> Response:
        """Start a search, or the study of one hypothesis."""
        question = Question.of(await self._body(request))
        await run_in_threadpool(self._served.open, question.file)
        said = await run_in_threadpool(self._tables.said, question.file)
        parts = (value for option, value in said.items() if option != "skip_rows")
        name = ": ".join([self._served.name(question.file), *parts])
        run = self._runs.start(question, name)
        return JSONResponse(run.describe(), 202)

    async def progress(self, request: Request) -> Response:
        """How far a run is."""
        return JSONResponse(self._runs.find(request.path_params["id"]).describe())

    async def cancel(self, request: Request) -> Response:
        """Ask a run to stop."""
        return JSONResponse(self._runs.cancel(request.path_params["id"]).describe())

    async def forget(self, request: Request) -> Response:
        """Drop a run and its result."""
        self._runs.forget(request.path_params["id"])
        return Response(status_code=204)

    async def view(self, request: Request) -> Response:
        """The result as the page draws it."""
        return JSONResponse(await run_in_threadpool(explorer_view, self._result(request.path_params["id"])))

    async def download(self, request: Request) -> Response:
        """The result as a file."""
        kind = request.path_params["kind"]
        download = DOWNLOADS.get(kind)
        if download is None:
            raise HTTPException(404)
        run = self._runs.find(request.path_params["id"])
        result = self._result(run.id)
        table = await run_in_threadpool(self._studied.table_if_at_hand, run)
        return _file(await run_in_threadpool(download.make, result, table), kind, download.media_type)

    async def table_one(self, request: Request) -> Response:
        """Who the exposed and the unexposed of a rule are."""
        run = self._runs.find(request.path_params["id"])
        return JSONResponse(
            await run_in_threadpool(self._studied.table_one, run, request.path_params["rule"])
        )

    async def matched(self, request: Request) -> Response:
        """The records that were compared for a rule."""
        run = self._runs.find(request.path_params["id"])
        content = await run_in_threadpool(self._studied.matched_csv, run, request.path_params["rule"])
        return _file(content, "matched.csv", "text/csv; charset=utf-8")

    async def compare(self, request: Request) -> Response:
        """Two results side by side."""
        runs = [self._runs.find(request.path_params[name]) for name in ("first", "second")]
        first, second = (self._result(run.id) for run in runs)
        names = [f"{run.question.kind.capitalize()} {run.id}" for run in runs]
        return JSONResponse(await run_in_threadpool(compare, first, second, *names))

    def _result(self, number: str) -> Result:
        result = self._runs.find(number).result
        if result is None:
            raise UnknownRunError
        return result

    async def _body(self, request: Request, most: int | None = None) -> dict[str, Any]:
        """The question as it was sent, not longer than it may be."""
        most = self._limits.request_bytes if most is None else most
        if request.headers.get("content-type", "").partition(";")[0].strip() != "application/json":
            raise ExplorerError("the question is not JSON. Reload the page.")
        raw = bytearray()
        async for chunk in request.stream():
            raw += chunk
            if len(raw) > most:
                raise TooLargeError
        try:
            body = json.loads(raw, parse_constant=_refuse_constant)
        except (ValueError, RecursionError) as error:
            raise ExplorerError("the question is not JSON. Reload the page.") from error
        if not isinstance(body, dict):
            raise ExplorerError("the question is not an object. Reload the page.")
        return body


def _file(content: bytes, name: str, media_type: str) -> Response:
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(content, media_type=media_type, headers=headers)


async def _chunks(request: Request) -> AsyncIterator[bytes]:
    async for chunk in request.stream():
        yield chunk


def _refuse_constant(name: str) -> float:
    raise ValueError(name)


async def _refused(request: Request, error: Exception) -> Response:
    assert isinstance(error, CausalRulesError)
    complaint = complaint_of(error)
    return JSONResponse({"error": complaint.text, "about": complaint.about}, status_of(error))


async def _failed(request: Request, error: Exception) -> Response:
    return JSONResponse({"error": complaint_of(error).text, "about": None}, 500)


async def _not_found(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    return JSONResponse({"error": "There is nothing at this address.", "about": None}, error.status_code)
