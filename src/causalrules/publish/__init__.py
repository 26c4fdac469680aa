"""From the answer to the paper: matched records, Table 1, participant flow, methods, Word and Excel."""

from causalrules.publish.matched_frame import matched_frame
from causalrules.publish.participant_flow import Flow, participant_flow
from causalrules.publish.studied_records import StudiedRecords, studied_records
from causalrules.publish.table_one import TableOne, table_one

__all__ = [
    "Flow",
    "StudiedRecords",
    "TableOne",
    "matched_frame",
    "participant_flow",
    "studied_records",
    "table_one",
]
