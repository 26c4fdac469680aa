"""Engines that are to be closed; few distinct records come to the driver, where a question costs no job."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from causalrules.engines.blocks import records_within
from causalrules.engines.choose import memory_for_records
from causalrules.engines.memory import RecordsEngine
from causalrules.engines.spark.records import no_records, records_in
from causalrules.engines.unique_records import code_type

if TYPE_CHECKING:
    from types import TracebackType
    from typing import Self

    from pyspark.sql import DataFrame

    from causalrules.domain.table_settings import TableSettings
    from causalrules.encode import Vocabulary
    from causalrules.engines.spark.session import Session

MOST_BYTES = 256 << 20
"""Of distinct records, in codes, that come to the driver: they go through Java's memory."""

_BYTES_OF_COUNTS = 2
"""Of a distinct record that occurs fewer than 256 times, as nearly all do where they are many."""


class SessionEngine:
    """An engine over a Spark table, to be closed.

    Attributes
    ----------
    judge : SessionEngine
        Counts the records that were held out, and is closed with this one; by default it is this one.
    """

    def __init__(self, session: Session) -> None:
        self._session = session
        self._is_closed = False
        self.judge: Any = self

    def let_go(self) -> None:
        """Give back what Spark keeps for this engine alone."""

    def close(self) -> None:
        """Give back what Spark keeps for us, and stop the session if it is ours."""
        if not self._is_closed:
            self._is_closed = True
            for engine in {self, self.judge}:
                engine.let_go()
            self._session.stop()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


class DriverEngine(RecordsEngine, SessionEngine):
    """Counts a Spark table's distinct records in the driver's memory.

    Parameters
    ----------
    coded : pyspark.sql.DataFrame
        The records, see `records.ROW`.
    session : Session
        Where they are until now.
    """

    def __init__(
        self, coded: DataFrame, session: Session, vocabulary: Vocabulary, threads: int | None
    ) -> None:
        rows = session.gather(coded, "coding and gathering few distinct records")
        records = records_in(rows.to_batches(), vocabulary.first_item)
        RecordsEngine.__init__(self, records or no_records(vocabulary.first_item), threads)
        SessionEngine.__init__(self, session)


def most_gathered(vocabulary: Vocabulary, settings: TableSettings) -> int:
    """Distinct records that the driver takes: as many as fit the memory allowed."""
    first_item = vocabulary.first_item
    bytes_on_the_way = code_type(first_item)().itemsize * (len(first_item) - 1) + _BYTES_OF_COUNTS
    most_bytes = memory_for_records(settings) // (2 if settings.holdout else 1)
    return min(MOST_BYTES // bytes_on_the_way, records_within(most_bytes, first_item, settings.threads))
