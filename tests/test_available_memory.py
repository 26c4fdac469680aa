from types import SimpleNamespace

import psutil
import pyarrow as pa
import pytest

from causalrules.domain import Settings
from causalrules.domain.progress import Stopwatch
from causalrules.engines.load import load
from causalrules.files import available_memory


@pytest.fixture
def container(tmp_path, monkeypatch):
    monkeypatch.setattr(available_memory, "_CONTAINER", tmp_path)
    monkeypatch.setattr(available_memory, "_left_on_machine", lambda: 8 << 30)

    def limit(most, used=0, cached=0):
        (tmp_path / "memory.max").write_text(f"{most}\n")
        (tmp_path / "memory.current").write_text(f"{used}\n")
        (tmp_path / "memory.stat").write_text(f"anon 1\ninactive_file {cached}\n")
        return available_memory.available_memory()

    return limit


def test_without_a_limit_the_machine_decides(container):
    assert container("max") == 8 << 30


def test_a_limit_counts_without_the_pages_of_files(container):
    assert container(2 << 30, used=1 << 30) == 1 << 30
    assert container(2 << 30, used=2 << 30, cached=1 << 30) == 1 << 30


def test_never_next_to_nothing(container):
    assert container(1 << 30, used=1 << 30) == 256 << 20


def test_linux_says_what_is_left(tmp_path, monkeypatch):
    monkeypatch.setattr(available_memory, "_CONTAINER", tmp_path / "none")
    monkeypatch.setattr(available_memory, "_LINUX", tmp_path / "meminfo")
    (tmp_path / "meminfo").write_text("MemTotal: 9000000 kB\nMemAvailable: 2097152 kB\nHugePages_Total: 0\n")
    assert available_memory.available_memory() == 2 << 30


@pytest.mark.parametrize("told", [None, "MemTotal:  9000000 kB\n", "MemAvailable: much\n"])
def test_another_system_is_asked_by_psutil(tmp_path, monkeypatch, told):
    monkeypatch.setattr(available_memory, "_CONTAINER", tmp_path / "none")
    monkeypatch.setattr(available_memory, "_LINUX", tmp_path / "meminfo")
    if told is not None:
        (tmp_path / "meminfo").write_text(told)
    monkeypatch.setattr(psutil, "virtual_memory", lambda: SimpleNamespace(available=3 << 30))
    assert available_memory.available_memory() == 3 << 30


def test_arrow_takes_from_the_system_while_a_limit_is_kept_and_from_its_own_after_that(tmp_path):
    path, before = tmp_path / "table.csv", pa.default_memory_pool().backend_name
    path.write_text("a,z\n" + "x,1\ny,0\n" * 20)
    settings, watch = Settings(engine="streaming", memory="1GiB"), Stopwatch()
    with load(path, "z=1", settings, watch=watch, remark=lambda _: None):
        assert pa.default_memory_pool().backend_name == "system"
    assert pa.default_memory_pool().backend_name == before
