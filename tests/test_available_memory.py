import pytest

from causalrules.engines import choose


@pytest.fixture
def container(tmp_path, monkeypatch):
    monkeypatch.setattr(choose, "_CONTAINER", tmp_path)
    monkeypatch.setattr(choose, "_MEMINFO", tmp_path / "meminfo")
    (tmp_path / "meminfo").write_text("MemTotal: 16777216 kB\nMemAvailable: 8388608 kB\n")

    def limit(most, used=0, cached=0):
        (tmp_path / "memory.max").write_text(f"{most}\n")
        (tmp_path / "memory.current").write_text(f"{used}\n")
        (tmp_path / "memory.stat").write_text(f"anon 1\ninactive_file {cached}\n")
        return choose.available_memory()

    return limit


def test_without_a_limit_the_machine_decides(container):
    assert container("max") == 8 << 30


def test_a_limit_counts_without_the_pages_of_files(container):
    assert container(2 << 30, used=1 << 30) == 1 << 30
    assert container(2 << 30, used=2 << 30, cached=1 << 30) == 1 << 30


def test_never_next_to_nothing(container):
    assert container(1 << 30, used=1 << 30) == 256 << 20


def test_a_system_that_does_not_tell(tmp_path, monkeypatch):
    monkeypatch.setattr(choose, "_CONTAINER", tmp_path)
    monkeypatch.setattr(choose, "_MEMINFO", tmp_path / "none")
    assert choose.available_memory() == 4 << 30
