"""A result on standard output, in the shape that was asked for."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING

from rich.console import Console

from causalrules.report.table_files import csv_bytes

if TYPE_CHECKING:
    from collections.abc import Callable

    from rich.console import RenderableType

    from causalrules.domain import Result


def show(
    shape: str,
    result: Result,
    as_table: Callable[[Result], RenderableType],
    as_markdown: Callable[[Result], str],
) -> None:
    """Print the result: a table for people, or data for other programs."""
    if shape == "json":
        print_data(json.dumps(result.to_dict(), ensure_ascii=False, allow_nan=False) + "\n")
    elif shape == "csv":
        print_data(csv_bytes(result).decode())
    elif shape == "markdown":
        print_data(as_markdown(result) + "\n")
    else:
        Console(highlight=False).print(as_table(result))


def print_data(text: str) -> None:
    """Data are UTF-8 wherever they go, as they are in files."""
    sys.stdout.flush()
    sys.stdout.buffer.write(text.encode())
    sys.stdout.buffer.flush()
