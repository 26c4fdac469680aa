"""What ``mkdocs build`` shows besides docs/: the repository's own pages and the experiments' results.

Pages in docs/ link to them as on a code host, by ``../CHANGELOG.md`` or ``../experiments/results/…``. The
site has them beside docs/, so the links are turned here, and stay right in both places.
"""

from __future__ import annotations

import re
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import Files
    from mkdocs.structure.pages import Page

ROOT = Path(__file__).parent.parent
PAGES = ("CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", "CODE_OF_CONDUCT.md")
RESULTS = PurePosixPath("experiments/results")


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add what stands outside of docs/."""
    from mkdocs.structure.files import File, InclusionLevel

    for name in PAGES:
        files.append(File.generated(config, name, abs_src_path=str(ROOT / name)))
    for path in sorted((ROOT / RESULTS).iterdir()):
        if path.suffix in (".md", ".csv", ".svg", ".png"):
            # Linked from the pages that read them, too many to stand in the navigation.
            added = File.generated(
                config,
                str(RESULTS / path.name),
                abs_src_path=str(path),
                inclusion=InclusionLevel.NOT_IN_NAV,
            )
            files.append(added)
    return files


def on_page_markdown(markdown: str, *, page: Page, config: MkDocsConfig, files: Files) -> str:  # noqa: ARG001
    """Turn links that leave docs/, and those of the repository's pages that lead into it."""
    path = page.file.src_uri
    if path in PAGES:
        return re.sub(r"\]\(docs/", "](", markdown)
    up = "../" * path.count("/")
    names = "|".join(map(re.escape, (*PAGES, f"{RESULTS}/")))
    return re.sub(rf"\]\({re.escape(up)}\.\./({names})", rf"]({up}\1", markdown)
