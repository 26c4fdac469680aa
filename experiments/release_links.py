"""Make the README's links absolute, and name the project's addresses, where a release is built.

An index of packages shows the README without the files it links to. The repository's address is known to the
release workflow alone, so ``python -m experiments.release_links ADDRESS TAG`` changes README.md and
pyproject.toml there, in its own checkout; neither change is committed.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
_RELATIVE = re.compile(r"(!?)(\[[^\]\[]*\]|\[!\[[^\]]*\]\([^)]*\)\])\((?!https?:|#|mailto:)([^)]+)\)")


def absolute_links(page: str, address: str, tag: str) -> str:
    """The page with links to files of the repository as they are at a tag; pictures as the files themselves.

    Examples
    --------
    >>> absolute_links("[start](docs/start.md#install)", "https://host/we/causalrules", "v1")
    '[start](https://host/we/causalrules/blob/v1/docs/start.md#install)'
    >>> absolute_links("[![a](a.png)](docs/report.md)", "https://host/r", "v1")
    '[![a](https://host/r/raw/v1/a.png)](https://host/r/blob/v1/docs/report.md)'
    """

    def absolute(link: re.Match[str]) -> str:
        sign, text, target = link.groups()
        kind = "raw" if sign else "blob"
        return f"{sign}{_RELATIVE.sub(absolute, text)}({address}/{kind}/{tag}/{target})"

    return _RELATIVE.sub(absolute, page)


def with_addresses(project: str, address: str, tag: str) -> str:
    r"""The project's description with its addresses, unless it has some.

    Examples
    --------
    >>> print(with_addresses("[project.scripts]\n", "https://host/r", "v1"))
    [project.urls]
    Source = "https://host/r"
    Documentation = "https://host/r/blob/v1/docs/index.md"
    Changelog = "https://host/r/blob/v1/CHANGELOG.md"
    Issues = "https://host/r/issues"
    <BLANKLINE>
    [project.scripts]
    <BLANKLINE>
    """
    if "[project.urls]" in project:
        return project
    addresses = {
        "Source": address,
        "Documentation": f"{address}/blob/{tag}/docs/index.md",
        "Changelog": f"{address}/blob/{tag}/CHANGELOG.md",
        "Issues": f"{address}/issues",
    }
    lines = "".join(f'{name} = "{one}"\n' for name, one in addresses.items())
    return project.replace("[project.scripts]", f"[project.urls]\n{lines}\n[project.scripts]", 1)


def main() -> None:
    """Change both files in place."""
    address, tag = sys.argv[1:]
    for name, changed in (("README.md", absolute_links), ("pyproject.toml", with_addresses)):
        path = ROOT / name
        path.write_text(changed(path.read_text(encoding="utf-8"), address, tag), encoding="utf-8")


if __name__ == "__main__":
    main()
