"""Every command and every Python block of the teaching pages runs, and prints what the page says."""

import contextlib
import importlib
import io
import re
import sys
from pathlib import Path

import pytest

from causalrules.cli.main import main
from page_blocks import is_printed, steps_of

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
PAGES = [
    DOCS / "start.md",
    DOCS / "faq.md",
    DOCS / "coming-from.md",
    DOCS / "plain.md",
    DOCS / "reference" / "result_schema.md",
    *sorted((DOCS / "tutorials").glob("*.md")),
    *sorted((DOCS / "how-to").glob("*.md")),
    *sorted((DOCS / "understanding").glob("*.md")),
]


def name_of(path):
    return path.relative_to(ROOT).as_posix()


def printed_by(step, namespace, monkeypatch):
    """Run one step of a page in the current folder; what it wrote to standard output."""
    output = io.StringIO()
    with contextlib.redirect_stdout(output):
        if step.source is not None:
            exec(compile(step.source, "<page>", "exec"), namespace)
            return output.getvalue()
        assert step.command[0] == "causalrules", step.command
        monkeypatch.setattr(sys, "argv", step.command)
        with pytest.raises(SystemExit) as stop:
            main()
    assert not stop.value.code, f"{' '.join(step.command)} ended with {stop.value.code}"
    return output.getvalue()


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_a_page_prints_what_it_says(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("COLUMNS", raising=False)
    namespace = {"__name__": "__main__"}
    for step in steps_of(page.read_text(encoding="utf-8")):
        found = printed_by(step, namespace, monkeypatch)
        what = step.source or " ".join(step.command)
        assert is_printed(step.expected, found), f"{name_of(page)}\n{what}\nprinted:\n{found}"


@pytest.mark.parametrize("name", ["commands_page", "result_schema_page"])
def test_the_generated_pages_are_up_to_date(name, monkeypatch):
    """Written anew by ``python -m experiments.commands_page`` and the like."""
    monkeypatch.syspath_prepend(str(ROOT))
    made = importlib.import_module(f"experiments.{name}")
    assert made.PAGE.read_text(encoding="utf-8") == made.page(), f"run python -m experiments.{name}"


@pytest.mark.parametrize(
    ("expected", "found", "is_same"),
    [
        ("a\nb\n", "a\nb\n", True),
        ("a\n", "a\nb\n", False),
        ("a\n…\n", "a\nb\n", True),
        ("b\n…\n", "a\nb\n", False),
        ("a\n…\nd\n", "a\nb\nc\nd\n", True),
        ("a\n…\nc\n", "a\nb\nc\nd\n", False),
        ("…\nc\n…\n", "a\nb\nc\nd\n", True),
        ("…\nc\n…\nb\n…\n", "a\nb\nc\nd\n", False),
        ("", "a\n", False),
    ],
)
def test_dots_stand_for_any_lines(expected, found, is_same):
    assert is_printed(expected, found) == is_same


def test_every_page_stands_in_the_navigation():
    nav = (ROOT / "mkdocs.yml").read_text(encoding="utf-8").partition("\nnav:\n")[2]
    pages = {path.relative_to(DOCS).as_posix() for path in DOCS.rglob("*.md")}
    shown = {path for path in re.findall(r"([\w./-]+\.md)$", nav, re.MULTILINE) if not path.isupper()}
    commented = set(re.findall(r"^ *#.*?([\w./-]+\.md)$", nav, re.MULTILINE))
    assert pages - shown - commented == set()
    root_pages = {name for name in shown if (ROOT / name).is_file()}
    assert shown - commented - root_pages <= pages


@pytest.mark.parametrize("page", sorted(DOCS.rglob("*.md")), ids=name_of)
def test_links_of_every_page_lead_somewhere(page):
    text = re.sub(r"```.*?```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)
    for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", text):
        assert (page.parent / target).exists(), f"{name_of(page)}: {target}"
