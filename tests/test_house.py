"""The directions of the house: who may lean on whom, and what a start costs."""

import ast
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import causalrules
import causalrules_lab

SOURCE = Path(causalrules.__file__).parent
LAB = Path(causalrules_lab.__file__).parent

DESIGN = Path(__file__).parents[1] / "docs" / "design.md"


def layers_in_the_design():
    """Package → the packages it may import, from the table in docs/design.md."""
    rows = re.findall(r"^\| `(\w+)` \|.*\| ?([\w, ]*) \|$", DESIGN.read_text(), re.MULTILINE)
    return {package: set(filter(None, others.split(", "))) for package, others in rows}


LAYERS = layers_in_the_design()
HALL = {
    *("__init__", "__main__", "api", "python_job", "estimator", "job", "version", "warm_up"),
    *("datasets", "lab_parts", "asked_settings", "saved_results", "search_run", "plain", "walk"),
}
"""Modules outside of packages: the two faces, which method is asked, the whole run, saved results, doors."""

DOORS = {  # a file that opens another package, but only inside a function: loading it loads nothing more
    "domain/answers.py": {"interchange", "publish", "saved_results"},  # frames, pages, files
    "domain/published_result.py": {"publish"},  # what a result gives to authors
    "domain/result.py": {"report", "interchange"},  # pictures, the page, notebooks; frames and graphs
    "domain/result_diff.py": {"report"},  # both effects of each rule as a frame
    "domain/rule.py": {"report", "interchange"},  # its card; which records have it
    "domain/causal_graph.py": {"report"},  # its picture in a notebook
    "words/result.py": {"report", "interchange"},  # what the terminal shows; frames
}
FOR_EVERYBODY = {"errors", "files"}


def rooms_imported_by(file):
    return rooms_imported_in(ast.walk(ast.parse(file.read_text())), file)


def rooms_imported_on_loading(file):
    """Without what is imported inside functions, or for types only."""
    waiting, found = [ast.parse(file.read_text())], []
    while waiting:
        node = waiting.pop()
        found.append(node)
        is_for_types = isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"
        if not (is_for_types or isinstance(node, ast.FunctionDef)):
            waiting += ast.iter_child_nodes(node)
    return rooms_imported_in(found, file)


def rooms_imported_in(nodes, file):
    for node in nodes:
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{file}: imports are absolute"
            names = [node.module]
        else:
            continue
        for name in names:
            parts = name.split(".")
            if parts[0] == "causalrules" and len(parts) > 1:
                yield parts[1]


@pytest.mark.parametrize("room", LAYERS)
def test_room_leans_only_on_its_neighbours(room):
    files = list((SOURCE / room).rglob("*.py"))
    assert files
    for file in files:
        allowed = LAYERS[room] | FOR_EVERYBODY | {room}
        doors = DOORS.get(file.relative_to(SOURCE).as_posix(), set())
        for other in rooms_imported_by(file):
            assert other in allowed | doors, f"{file}: {room} may not import {other}"
        for other in rooms_imported_on_loading(file):
            assert other in allowed, f"{file}: {other} may only be imported inside a function"


def test_every_door_is_used():
    for file, rooms in DOORS.items():
        assert rooms <= set(rooms_imported_by(SOURCE / file))


@pytest.mark.parametrize("room", ["search", "cohort", "paper"])
def test_only_the_contract_of_the_engines_is_known(room):
    for file in (SOURCE / room).rglob("*.py"):
        for line in file.read_text().splitlines():
            if "causalrules.engines" in line:
                assert re.search(r"causalrules.engines.(contract|opposite)\b", line), f"{file}: {line}"


@pytest.mark.parametrize("package", ["starlette", "uvicorn"])
def test_only_the_explorer_knows_of_the_web(package):
    users = {
        file.relative_to(SOURCE).parts[0]
        for file in SOURCE.rglob("*.py")
        if re.search(rf"^\s*(import|from) {package}\b", file.read_text(), re.MULTILINE)
    }
    assert users == {"explorer"}


def test_spark_is_known_to_its_own_engine_only():
    for file in SOURCE.rglob("*.py"):
        if file.parent != SOURCE / "engines" / "spark":
            for node in ast.walk(ast.parse(file.read_text())):
                names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
                names += [node.module] if isinstance(node, ast.ImportFrom) else []
                assert not any(name.partition(".")[0] in ("pyspark", "py4j") for name in names), file


def test_the_lab_is_known_to_nobody_by_name():
    imported = re.compile(r"(import|from) causalrules_lab|['\"]causalrules_lab")
    assert [file for file in SOURCE.rglob("*.py") if imported.search(file.read_text())] == []


def test_every_package_is_described():
    packages = {path.name for path in SOURCE.iterdir() if (path / "__init__.py").is_file()}
    assert packages == set(LAYERS)


def is_there(name, files, text):
    """Whether the source has a file, a folder or a word of this name."""
    if "/" in name or name.endswith((".py", ".js")):
        return any(
            f"/{file}".endswith((f"/{name}", f"/{name}.py")) or f"{name.strip('/')}/" in file
            for file in files
        )
    return re.search(rf"\b{name.rpartition('.')[2]}\b", text) is not None


@pytest.mark.parametrize("page", ["design.md", "how-it-counts.md", "paper-to-code.md"])
def test_pages_about_the_code_name_what_is_there(page):
    files = {
        file.relative_to(source.parent).as_posix(): file
        for source in (SOURCE, LAB)
        for file in source.rglob("*.*")
        if file.is_file()
    }
    text = "\n".join(file.read_text() for name, file in files.items() if name.endswith((".py", ".js")))
    names = set(re.findall(r"`([\w./]+)`", (DESIGN.parent / page).read_text())) - {"tests/test_house.py"}
    assert len(names) > 30
    assert [name for name in sorted(names) if not is_there(name, files, text)] == []


def test_few_modules_stand_outside_of_packages():
    assert {path.stem for path in SOURCE.glob("*.py")} == HALL


def test_public_names_are_pinned():
    assert causalrules.__all__ == [
        "Answers",
        "CausalRuleMiner",
        "CausalRulesError",
        "Item",
        "Result",
        "Rule",
        "Settings",
        "TableAt",
        "__version__",
        "compare",
        "compare_matching",
        "datasets",
        "explore",
        "load",
        "mine",
        "paper",
        "simulate",
        "study",
        "table1",
        "test",
    ]
    for name in causalrules.__all__:
        assert getattr(causalrules, name) is not None


HEAVY = ["numpy", "numba", "pandas", "pyarrow", "polars", "scipy", "narwhals", "altair"]


@pytest.mark.parametrize("statement", ["import causalrules", "import causalrules.cli"])
def test_a_start_loads_nothing_heavy(statement):
    program = f"{statement}; import sys; print([name for name in {HEAVY} if name in sys.modules])"
    output = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    ).stdout
    assert output.strip() == "[]"


SLOW_TO_LOAD = [
    *("numba", "numpy.f2py", "pandas", "pydantic", "scipy.special", "scipy.linalg", "scipy.stats"),
    *("causalrules.engines.disk", "causalrules.explorer", "causalrules_lab", "causalrules.publish"),
    "causalrules.paper.search",
]


def loaded_by(*arguments):
    """What a small table has no use for, and a command has loaded when it ends."""
    program = (
        "import atexit, sys\n"
        "from causalrules.cli import main\n"
        f"names = {SLOW_TO_LOAD}\n"
        "atexit.register(lambda: print([n for n in names if n in sys.modules], file=sys.stderr))\n"
        "main()\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, *map(str, arguments)], capture_output=True, text=True, check=False
    )
    return done.returncode, ast.literal_eval(done.stderr.splitlines()[-1])


@pytest.fixture
def patients(tmp_path):
    path = tmp_path / "patients.csv"
    rows = [(("no", "yes")[k % 2], ("a", "b")[k % 3 > 0], ("no", "yes")[k % 5 > k % 2]) for k in range(300)]
    path.write_text("x,y,ill\n" + "".join(f"{','.join(row)}\n" for row in rows))
    return path


@pytest.mark.parametrize("mistake", [("il=yes",), ("ill=maybe",), ("ill=yes", "--max-length", "two")])
def test_a_mistake_is_told_before_kernels_are_loaded(patients, mistake):
    assert loaded_by("mine", patients, "--outcome", *mistake) == (2, [])


def test_a_file_that_is_not_there_is_told_before_kernels_are_loaded(tmp_path):
    assert loaded_by("mine", tmp_path / "patients.csv", "--outcome", "ill=yes") == (2, [])


@pytest.mark.skipif("NUMBA_DISABLE_JIT" in os.environ, reason="there is no compiled code to be loaded")
def test_a_run_loads_compiled_code_without_the_compiler(patients):
    loaded_by("mine", patients, "--outcome", "ill=yes")  # compiles what was not compiled before
    assert loaded_by("mine", patients, "--outcome", "ill=yes") == (0, ["numba"])
