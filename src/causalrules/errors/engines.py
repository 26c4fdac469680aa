"""A run cannot go on: an engine, its checkpoint, or a package that is not installed."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from causalrules.errors.base import CausalRulesError
from causalrules.errors.wording import one_line, quoted

if TYPE_CHECKING:
    from collections.abc import Sequence


class CheckpointError(CausalRulesError, RuntimeError):
    """The folder of a checkpoint cannot be used."""

    def __init__(self, folder: object, problem: str, remedy: str) -> None:
        super().__init__(f"cannot use {one_line(str(folder))} as a checkpoint: {problem}. {remedy}")

    @classmethod
    def unusable(cls, folder: object, error: OSError) -> CheckpointError:
        """The system says no."""
        return cls(folder, error.strerror or str(error), "Name a folder that can be written to.")

    @classmethod
    def in_use(cls, folder: object, holder: str) -> CheckpointError:
        """Another run writes there now."""
        return cls(
            folder,
            f"another run writes there now (process {holder or 'unknown'})",
            "Wait until it has finished, or name another folder.",
        )

    @classmethod
    def foreign(cls, folder: object, name: str) -> CheckpointError:
        """A file has the name of ours and is something else."""
        return cls(folder, f"its file {name} was not written by causalrules", "Name another folder.")


class CheckpointOfAnotherRunError(CheckpointError, ValueError):
    """The folder holds a run with other data or settings."""

    is_usage_mistake = True

    def __init__(self, folder: object, differences: Sequence[str]) -> None:
        super().__init__(
            folder,
            f"it holds another run: {'; '.join(differences)}",
            "Name another folder for this run, or delete that one.",
        )


class EngineError(CausalRulesError, RuntimeError):
    """An engine cannot answer a question."""


class MissingJavaError(EngineError):
    """Spark was asked for on a machine without the Java it needs."""

    def __init__(self, found: str) -> None:
        super().__init__(
            f"the Spark engine needs Java 17 or later, but {found}. Install it (on Debian: apt install "
            "openjdk-17-jre-headless), or set JAVA_HOME to where it is."
        )


class SparkJobError(EngineError):
    """A job on Spark failed, also after Spark tried again."""

    def __init__(self, what: str, report: str) -> None:
        if "No module named 'causalrules" in report:
            remedy = (
                "the Python of Spark's workers has no causalrules, or another version. Install it there, or "
                "name a Python that has it with PYSPARK_PYTHON before the session is started."
            )
        else:
            remedy = f"{_cause_in(report)}. Spark's log and its web page (UI) tell more."
        super().__init__(f"Spark could not finish the job {quoted(what)}: {remedy}")


def _cause_in(report: str) -> str:
    """Of a report of many lines, the last line of a Python traceback, else the first line."""
    lines = [line.strip() for line in report.splitlines() if line.strip()]
    python = [line for line in lines if re.match(r"[A-Za-z_.]*(Error|Exception): ", line)]
    return quoted((python or lines or ["no reason given"])[-1 if python else 0])


class MissingPackageError(CausalRulesError, ImportError):
    """A part was asked for whose package is not installed."""

    def __init__(
        self, part: str, package: str, extra: str = "", instead: str = "", of: str = "causalrules"
    ) -> None:
        if not extra:
            super().__init__(f"{part} needs the package {package}: pip install {package}.")
            return
        super().__init__(
            f"{part} needs {package}, which is not installed. "
            f"Install it with: pip install '{of}[{extra}]'{instead and f'. {instead}'}"
        )
