"""A table to try the explorer with: simulated patients, whose causes are known."""

from __future__ import annotations

from io import BytesIO
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

NAME = "sample patients.csv"
OUTCOME = {"column": "ill", "value": "yes"}
ABOUT = (
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
