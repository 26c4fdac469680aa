"""Files that once ended in something else than an answer or one sentence; each stays as it was found."""

from pathlib import Path

import pytest

from fuzz.test_damaged_tables import ask

CORPUS = sorted((Path(__file__).parent / "corpus").iterdir())


@pytest.mark.parametrize("engine", ["memory", "streaming"])
@pytest.mark.parametrize("path", CORPUS, ids=lambda path: path.name)
def test_a_file_of_the_corpus_is_read_or_refused(path, engine):
    ask(path, engine)
