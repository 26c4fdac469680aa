"""The explorer does not do what was asked of it."""

from __future__ import annotations

from causalrules.errors.base import CausalRulesError, Setting
from causalrules.errors.wording import quoted


class ExplorerError(CausalRulesError):
    """The explorer does not do what was asked of it; `about` names the control it concerns."""

    def __init__(self, *parts: str | Setting, about: str | None = None) -> None:
        self.about = about
        super().__init__(*parts)


class NotServedError(ExplorerError, FileNotFoundError):
    """A file was asked for that is not among those the explorer was opened with."""

    def __init__(self, name: str) -> None:
        super().__init__(
            f"{quoted(name)} is not among the files of this explorer. Choose one of the list, or upload it.",
            about="file",
        )


class UploadError(ExplorerError, ValueError):
    """A file was sent that the explorer does not take."""

    def __init__(self, problem: str, remedy: str) -> None:
        super().__init__(f"the file was not taken: {problem}. {remedy}", about="upload")


class UnknownRunError(ExplorerError, LookupError):
    """A result was asked for that is not remembered."""

    def __init__(self) -> None:
        super().__init__("this result is no longer kept. Run it again.")


class BusyError(ExplorerError, RuntimeError):
    """Too much is under way."""

    def __init__(self, what: str, most: int) -> None:
        super().__init__(
            f"{most} {what} are under way, as many as run at once. Wait for one of them or cancel it.",
            about="run",
        )


class PortError(ExplorerError, OSError):
    """The explorer cannot be reached at this port."""

    is_usage_mistake = True

    def __init__(self, port: int, problem: str) -> None:
        super().__init__(
            f"port {port} of this machine cannot be used: {problem}. Choose another with ",
            Setting("port"),
            ", or leave it out: then a free one is found.",
        )
