"""Commands with any options end in an answer or in one sentence, and leave no unfinished file."""

import pytest

from fuzz.commands import options_of, prepare, random_command, run
from fuzz.mutations import chance_of


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("commands")
    prepare(folder)
    return folder


@pytest.mark.parametrize("part", range(3))
def test_commands_end_in_an_answer_or_one_sentence(folder, monkeypatch, part):
    monkeypatch.chdir(folder)
    codes = set()
    for number in range(12):
        line = random_command(chance_of("commands", part, number))
        code, said = run(line)
        codes.add(code)
        assert code in (0, 1, 2, 3), line
        assert "Traceback" not in said, line
        assert code == 0 or said.strip(), line
        assert not list(folder.glob(".causalrules-*")), line
    assert {0, 2} <= codes, "some were answered, some refused"


def test_every_command_has_options_to_try():
    assert len(options_of("mine")) > 30
    assert options_of("mine")["--paper"] == ()
