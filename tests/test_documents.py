"""Every command and every Python line in the README runs and says what is printed there."""

import doctest
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from page_blocks import is_printed
from terminal import run_command

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def commands(page=README):
    """Commands of the console blocks, each with the output printed below it."""
    for block in re.findall(r"```console\n(.*?)```", page, re.DOTALL):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, output = part.partition("\n")
            yield command, output


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("readme")


def test_console_blocks_print_what_they_say(folder):
    shown = list(commands())
    assert len(shown) == 3
    for command, expected in shown:  # as people type them: each is a process
        program, *arguments = shlex.split(command)
        assert program == "causalrules"
        done = subprocess.run(
            [sys.executable, "-m", "causalrules", *arguments], cwd=folder, capture_output=True, text=True
        )
        assert done.returncode == 0, done.stderr
        assert is_printed(expected, done.stdout), done.stdout


def printed_by(command):
    """What a command prints that is typed in this folder."""
    program, *arguments = shlex.split(command)
    assert program == "causalrules"
    said = run_command(*arguments)
    assert said.code == 0, said.err
    return said.out


def prints_what_it_says(command, expected):
    found = printed_by(command)
    assert is_printed(expected, found), found


KNOWLEDGE = (ROOT / "docs" / "knowledge.md").read_text(encoding="utf-8")


def test_every_role_of_the_page_about_knowledge_runs(tmp_path, monkeypatch):
    """With the output that is printed there, where some is."""
    monkeypatch.chdir(tmp_path)
    (block,) = re.findall(r"```python\n(.*?)```", KNOWLEDGE, re.DOTALL)
    exec(block, {})
    (known,) = re.findall(r"```toml\n(.*?)```", KNOWLEDGE, re.DOTALL)
    (tmp_path / "roles.toml").write_text(known)
    shown = list(commands(KNOWLEDGE))
    roles = (
        "exposures",
        "adjust",
        "never-adjust",
        "before",
        "after",
        "tiers",
        "require",
        "forbid",
        "knowledge",
    )
    assert all(any(f"--{role}" in command for command, _ in shown) for role in roles)
    for command, expected in shown:
        prints_what_it_says(command, expected or "…")


PUBLISHING = (ROOT / "docs" / "publishing.md").read_text(encoding="utf-8")


def test_the_page_about_publishing_runs(tmp_path, monkeypatch):
    """With the output that is printed there, where some is, the drawing, and the number in a comment."""
    monkeypatch.chdir(tmp_path)
    namespace = {}
    for block in re.findall(r"```python\n(.*?)```", PUBLISHING, re.DOTALL):
        exec(block, namespace)
    assert f"{namespace['difference']:.3f}" in PUBLISHING
    effects = namespace["result"].tested[0].of_the_outcome().effects
    assert namespace["difference"] == pytest.approx(effects.risk_difference.value, abs=0.0005)
    for command, expected in commands(PUBLISHING):
        prints_what_it_says(command, expected)
    for name in ("matched.csv", "paper.docx", "paper.xlsx", "paper.tex"):
        assert (tmp_path / name).stat().st_size > 1000
    assert words_of(tmp_path / "flow.svg") == words_of(ROOT / "docs" / "images" / "flow.svg")


QUESTIONS = (ROOT / "docs" / "questions.md").read_text(encoding="utf-8")


def test_the_page_of_further_questions_runs(tmp_path, monkeypatch):
    """Python in the order of the page, then every command with the output that is printed there."""
    monkeypatch.chdir(tmp_path)
    namespace = {}
    for block in re.findall(r"```python\n(.*?)```", QUESTIONS, re.DOTALL):
        exec(block, namespace)
    for command, expected in commands(QUESTIONS):
        prints_these_parts(command, expected)


def prints_these_parts(command, expected):
    """Lines of the page stand in the output one after the other; an ellipsis leaves out any number."""
    found = "\n".join(line.rstrip() for line in printed_by(command).splitlines())
    lines = "\n".join(line.rstrip() for line in expected.rstrip().splitlines())
    assert lines
    for part in filter(None, (part.strip("\n") for part in re.split("^…$", lines, flags=re.MULTILINE))):
        assert part in found, found
        found = found[found.index(part) + len(part) :]


def test_python_blocks_run(folder, monkeypatch):
    monkeypatch.chdir(folder)
    (block,) = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
    namespace = {}
    exec(block, namespace)
    assert namespace["result"].causal[0].name == "drug_a=yes & drug_b=yes"
    assert (folder / "result.json").is_file()


@pytest.mark.filterwarnings("ignore")  # of ibis and Dask, about DuckDB and pandas
def test_the_page_about_python_says_what_happens(tmp_path, monkeypatch):
    """All of its lines, one after the other, as doctest does."""
    monkeypatch.chdir(tmp_path)
    page = (ROOT / "docs" / "python.md").read_text(encoding="utf-8")
    lines = "\n".join(re.findall(r"```pycon\n(.*?)```", page, re.DOTALL))
    example = doctest.DocTestParser().get_doctest(lines, {}, "python.md", "docs/python.md", 0)
    told: list[str] = []
    doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE).run(example, out=told.append)
    assert not told, "".join(told)


PICTURES = (ROOT / "docs" / "pictures.md").read_text(encoding="utf-8")


def test_the_pictures_are_made_by_the_lines_above_them(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (block,) = re.findall(r"```python\n(.*?)```", PICTURES, re.DOTALL)
    exec(block, {})
    shown = re.findall(r"\(images/(.*?)\)", PICTURES)
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(shown)
    for name in shown:
        made, kept = (words_of(folder / name) for folder in (tmp_path, ROOT / "docs" / "images"))
        assert made == kept, f"docs/images/{name} is out of date"


def words_of(svg):
    """All texts of a picture; where a pixel goes may differ between versions."""
    return re.findall(r">([^<>]+)</t", svg.read_text(encoding="utf-8"))


def test_the_pictures_are_made_by_the_commands(folder, monkeypatch):
    monkeypatch.chdir(folder)
    (block,) = re.findall(r"```console\n(.*?)```", PICTURES, re.DOTALL)
    for line in block.splitlines():
        command = line.removeprefix("$ ")
        printed_by(command)
        if " plot " in command:
            assert (folder / shlex.split(command)[-1]).stat().st_size > 1000


def test_the_sentence_in_the_readme_is_the_one_we_write(folder):
    import causalrules
    from causalrules.report.words.contrast_words import contrast_sentence

    result = causalrules.mine(folder / "patients.csv", outcome="ill=yes")
    quoted = " ".join(re.findall(r"^> (.*)$", README, re.MULTILINE))
    assert contrast_sentence(result.causal[0], result.data.outcome) == quoted


@pytest.mark.parametrize(
    "document", [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))], ids=lambda p: p.name
)
def test_links_lead_somewhere(document):
    for target in re.findall(r"\]\(([^)#:]+)\)", document.read_text(encoding="utf-8")):
        assert (document.parent / target).exists(), f"{document.name}: {target}"


SOURCES = (ROOT / "docs" / "sources.md").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("place", "cause"), [(0, "smoking status=current"), (1, "took the drug before=true")]
)
def test_the_examples_of_redcap_and_omop_find_their_cause(tmp_path, monkeypatch, capsys, place, cause):
    monkeypatch.chdir(tmp_path)
    exec(re.findall(r"```python\n(.*?)```", SOURCES, re.DOTALL)[place], {})
    assert cause in capsys.readouterr().out


def test_a_release_has_no_relative_link(monkeypatch):
    """An index of packages shows the README without the files beside it."""
    monkeypatch.syspath_prepend(str(ROOT))
    from experiments import release_links

    assert doctest.testmod(release_links).failed == 0
    page = release_links.absolute_links(README, "https://host/r", "v1")
    targets = re.findall(r"\]\(([^)]+)\)", page)
    assert len(targets) > 30
    assert all(target.startswith(("https://host/r/blob/v1/", "https://host/r/raw/v1/")) for target in targets)
    assert [target for target in targets if "/raw/" in target] == re.findall(
        r"https://host/r/raw\S+png", page
    )
