"""What the command compare does."""

from __future__ import annotations

import json
from typing import Any

from rich.console import Console

from causalrules.cli.output import print_data
from causalrules.cli.run import Request
from causalrules.files.whole_file import whole_file
from causalrules.report.table_files import write_table
from causalrules_lab.baselines import code_table, compare_on
from causalrules_lab.cli.comparison_table import HEADINGS, methods_report


def run_compare(
    source: str, outcome: str, methods: tuple[str, ...], max_seconds: float, options: dict[str, Any]
) -> None:
    """Run the search and the baselines on one table and report."""
    request = Request.of(source, outcome, options)
    job, files = request.job, request.files
    table = code_table(job.source, outcome, job.settings)
    request.remark(table.summary)
    by_heading = {heading: name for name, heading in HEADINGS.items()}
    named = (by_heading.get(name, name) for name in methods)
    chosen = [name for name in named if name not in ("default", "cr-cs")] if methods else None
    comparison = compare_on(table, job.settings, methods=chosen, max_seconds=max_seconds)
    if files.csv is not None:
        write_table(comparison.to_arrow(), files.csv)
    text = json.dumps(comparison.to_dict(), ensure_ascii=False, allow_nan=False)
    if files.json == "-":
        print_data(text + "\n")
        return
    if files.json is not None:
        with whole_file(files.json) as unfinished:
            unfinished.write_text(text, encoding="utf-8")
    Console(highlight=False, emoji=False).print(methods_report(comparison))
