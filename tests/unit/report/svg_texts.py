"""Where the texts of an SVG stand, measured roughly, with nothing of ours."""

import re
import xml.etree.ElementTree as ElementTree
from itertools import combinations

CELL = 0.56
"""Width of a letter in units of the font's size."""


def text_boxes(svg):
    """(text, left, top, right, bottom) of each line of text that is not turned."""
    boxes = []
    _walk(ElementTree.fromstring(svg), 0.0, 0.0, boxes)
    return boxes


def overlaps(boxes):
    return [
        (one[0], other[0])
        for one, other in combinations(boxes, 2)
        if one[1] < other[3] and other[1] < one[3] and one[2] < other[4] and other[2] < one[4]
    ]


def _walk(node, x, y, boxes):
    transform = node.get("transform", "")
    if "rotate(-90" in transform:
        return
    if moved := re.search(r"translate\(([-\d.]+)(?:[ ,]+([-\d.]+))?\)", transform):
        x, y = x + float(moved[1]), y + float(moved[2] or 0)
    if node.tag.endswith("}text"):
        size = float(node.get("font-size", "11px").removesuffix("px"))
        lines = [node.text or "", *("".join(part.itertext()) for part in node)]
        offsets = [0.0, *(float(part.get("dy", 0)) for part in node)]
        for line, offset in zip(lines, offsets, strict=True):
            y += offset
            if line.strip():
                boxes.append(_box(line, x, y, size, node.get("text-anchor", "start")))
        return
    for child in node:
        _walk(child, x, y, boxes)


def _box(line, x, y, size, anchor):
    width = CELL * size * len(line)
    left = x - {"start": 0, "middle": width / 2, "end": width}[anchor]
    return line, left, y - 0.8 * size, left + width, y + 0.2 * size
