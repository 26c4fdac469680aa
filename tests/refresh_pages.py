"""``make pages`` prints anew what the commands of the README and of the teaching pages say.

``python -m refresh_pages docs/faq.md``, from this folder, does it for single pages.

For a change of words or numbers that is meant: read the difference before it is committed. Lines after a
gap (``…``) in the middle of an output are left alone, and named if they are no longer true.
"""

import contextlib
import os
import sys
import tempfile
from pathlib import Path

from page_blocks import FENCE, GAP, is_printed, steps_of
from test_pages import PAGES, ROOT, name_of, printed_by


class Arguments:
    """Sets what a command finds in `sys.argv`, in the place of pytest's own."""

    def setattr(self, place, name, value):
        setattr(place, name, value)


def refreshed(page):
    """The page with its outputs as they are now; what cannot be mended here is told."""
    namespace = {"__name__": "__main__"}
    for step in steps_of(page):
        found = printed_by(step, namespace, Arguments())
        if is_printed(step.expected, found):
            continue
        lines = [line.rstrip() for line in found.rstrip().splitlines()]
        wanted = step.expected.rstrip().splitlines()
        if GAP in wanted[:-1]:
            print("mend by hand:", " ".join(step.command or ["Python"]), file=sys.stderr)
            continue
        if wanted and wanted[-1] == GAP:
            lines = [*lines[: _end_of(wanted[:-1], lines)], GAP]
        page = _replaced(page, step, "".join(f"{line}\n" for line in lines))
    return page


def _end_of(wanted, lines):
    """How many lines to show before a gap: up to the line shown last before, if it is still printed."""
    last = [place for place, line in enumerate(lines, start=1) if line and line == wanted[-1]]
    return last[0] if last else len(wanted)


def _replaced(page, step, output):
    """The page with another output below this step, which is found by its own text."""
    for block in FENCE.finditer(page):
        own = step.source if step.source is not None else step.expected
        if own and own in block.group(2) and (step.source is None or block.group(1) == "python"):
            if step.source is None:
                start = page.index(step.expected, block.start(2))
            else:
                start = page.index("```text\n", block.end()) + len("```text\n")
            return page[:start] + output + page[start + len(step.expected) :]
    return page


def main():
    """Refresh the pages named, or all, each in a temporary folder of its own."""
    os.environ.pop("COLUMNS", None)
    named = [ROOT / name for name in sys.argv[1:]]
    for path in named or (ROOT / "README.md", *PAGES):
        with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
            before = path.read_text(encoding="utf-8")
            after = refreshed(before)
        if after != before:
            path.write_text(after, encoding="utf-8")
            print("changed:", name_of(Path(path)))


if __name__ == "__main__":
    main()
