"""From the answer to the paper: matched records, Table 1, participant flow, methods, Word and Excel."""

from causalrules.publish.article import Article, methods_article, whole_article
from causalrules.publish.matched_frame import matched_frame
from causalrules.publish.participant_flow import Flow, participant_flow
from causalrules.publish.studied_records import StudiedRecords, studied_records
from causalrules.publish.table_one import DescribedTable, TableOne, table_one

__all__ = [
    "Article",
    "DescribedTable",
    "Flow",
    "StudiedRecords",
    "TableOne",
    "matched_frame",
    "methods_article",
    "participant_flow",
    "studied_records",
    "table_one",
    "whole_article",
]
