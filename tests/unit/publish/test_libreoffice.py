"""A Word file in another program: LibreOffice opens it, and every part of it is on its pages."""

import shutil
import subprocess

import pytest

import causalrules
from unit.publish.patients import patients

PROGRAM = shutil.which("soffice")


@pytest.mark.slow
@pytest.mark.skipif(
    PROGRAM is None, reason="LibreOffice is not installed: apt-get install libreoffice-writer-nogui"
)
@pytest.mark.skipif(shutil.which("pdftotext") is None, reason="pdftotext is not installed: poppler-utils")
def test_libreoffice_opens_the_word_file(tmp_path):
    frame = patients().rename(columns={"site": "病院 & <b>"})
    result = causalrules.test(frame, "ill=yes", "drug=yes", by=["病院 & <b>"])
    result.article(frame).save(tmp_path / "paper.docx")
    home = f"-env:UserInstallation={(tmp_path / 'home').as_uri()}"
    command = [
        PROGRAM,
        home,
        "--headless",
        "--convert-to",
        "pdf",
        "--outdir",
        tmp_path,
        tmp_path / "paper.docx",
    ]
    subprocess.run(command, check=True, capture_output=True, timeout=300)
    run = subprocess.run(
        ["pdftotext", "-layout", tmp_path / "paper.pdf", "-"], check=True, capture_output=True
    )
    text = " ".join(run.stdout.decode().split())
    for part in (
        "Methods",
        "Table 1. Characteristics",
        "Figure 1. Participant flow",
        "STROBE checklist",
        "病院 & <b>",
    ):
        assert part in text
    flow = result.flow(0)
    assert f"Matched {flow.matched_exposed + flow.matched_unexposed:,}" in text
    assert f"(n = {flow.matched_exposed:,})" in text.replace("\u00a0", " ")
