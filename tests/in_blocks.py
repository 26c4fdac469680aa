"""A coded table as an engine would meet it in parts."""

from pathlib import Path

from causalrules.engines.blocks import Blocks
from causalrules.engines.disk import StreamingEngine
from memory_folder import memory_folder

_UNTIL_THE_END = memory_folder()
FOLDER = Path(_UNTIL_THE_END.name)


def blocks_of(table, records_a_block):
    """The table's records, written to files whenever so many have gathered."""
    blocks = Blocks(table.first_item, records_a_block, FOLDER)
    n = len(table.has_outcome)
    for start in range(0, n, records_a_block):
        part = slice(start, start + records_a_block)
        blocks.add(table.codes[:, part], table.has_outcome[part])
    return blocks


def streamed(table, records_a_block):
    """Count block after block, also where all would fit into memory."""
    return StreamingEngine(blocks_of(table, records_a_block), threads=2)


def streamed_with_room(table, records_a_block):
    """Count block after block, with enough memory to match by distance."""
    blocks = blocks_of(table, records_a_block)
    blocks.most_records = len(table.has_outcome)
    return StreamingEngine(blocks, threads=2)
