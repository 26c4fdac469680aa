"""What ``mkdocs build`` shows besides docs/: the repository's own pages, experiments' results, all errors.

Pages in docs/ link to them as on a code host, by ``../CHANGELOG.md`` or ``../experiments/results/…``. The
site has them beside docs/, so the links are turned here, and stay right in both places.
"""

from __future__ import annotations

import ast
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
ERRORS = ROOT / "src" / "causalrules" / "errors"
PLACE_OF_ERRORS = "<!-- the table of errors -->"


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
    if PLACE_OF_ERRORS in markdown:
        markdown = markdown.replace(PLACE_OF_ERRORS, table_of_errors())
    up = "../" * path.count("/")
    names = "|".join(map(re.escape, (*PAGES, f"{RESULTS}/")))
    return re.sub(rf"\]\({re.escape(up)}\.\./({names})", rf"]({up}\1", markdown)


def table_of_errors() -> str:
    """Every error with what it is and when it is raised, read from the source without importing it."""
    rows = []
    sources = [ast.parse(path.read_text(encoding="utf-8")) for path in sorted(ERRORS.glob("*.py"))]
    for one in (one for source in sources for one in source.body):
        if isinstance(one, ast.ClassDef) and one.name.endswith("Error"):
            bases = ", ".join(f"`{ast.unparse(base)}`" for base in one.bases)
            meaning = (ast.get_docstring(one) or "").partition("\n")[0]
            rows.append(f"| `{one.name}` | {bases} | {meaning} |\n")
    return "| error | is a | meaning |\n|---|---|---|\n" + "".join(rows)
