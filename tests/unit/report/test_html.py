import json
import re

import pytest

import causalrules
from causalrules.publish.result_page import page_text, page_view
from causalrules.report.page.html import SCRIPTS, START, STYLES, page_file
from causalrules.simulation import planted_table

NASTY = {
    "a script": "</script><script>alert(1)</script>",
    "a comment": "<!--<script>",
    "quotes": """'"><img src=x onerror=alert(1)>""",
    "separators": "line\u2028and\u2029paragraph",
    "an ampersand": "&lt;b&gt;",
}


@pytest.fixture(scope="module")
def result():
    return causalrules.mine(planted_table(4000), outcome="ill=yes")


def renamed(name):
    table = planted_table(4000)
    return table.rename_columns([name if column == "severity" else column for column in table.column_names])


def data_of(page):
    (text,) = re.findall(r'<script type="application/json" id="result">(.*?)</script>', page, re.DOTALL)
    return json.loads(text)


def test_the_page_holds_the_answer_and_asks_nothing_of_the_network(result):
    page = page_text(result)
    assert data_of(page) == page_view(result)
    addresses = set(re.findall(r"\w+://[^\s\"'`]*", page))
    assert addresses == {"http://www.w3.org/2000/svg"}  # a name, not an address
    assert not re.search(r"<[^>]*\s(src|href|on\w+|style)=", page)


def test_who_has_no_scripts_still_reads_the_answer(result):
    (plain,) = re.findall(r"<noscript>(.*?)</noscript>", page_text(result), re.DOTALL)
    assert "severity=high raises the odds of ill=yes" in plain
    assert plain.count("<li>") == len(result.causal)


@pytest.mark.parametrize("name", NASTY.values(), ids=NASTY.keys())
def test_what_the_data_say_is_escaped(name):
    result = causalrules.mine(renamed(name), outcome="ill=yes")
    page = page_text(result)
    assert page.count("<script") == 2  # the data and our own
    assert page.count("</script") == 2
    assert name not in page
    assert [name, "high"] in data_of(page)["items"]


def test_the_policy_names_the_very_script_and_style_of_the_page(result):
    from base64 import b64encode
    from hashlib import sha256

    page = page_text(result)
    (policy,) = re.findall(r'Content-Security-Policy" content="([^"]*)"', page)
    policy = policy.replace("&#39;", "'").replace("&#34;", '"').replace("&#43;", "+")
    for tag in ("script", "style"):
        (text,) = re.findall(rf"<{tag}>(.*?)</{tag}>", page, re.DOTALL)
        assert f"{tag}-src 'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'" in policy
    assert "unsafe" not in policy
    assert policy.startswith("default-src 'none'")


def test_scripts_never_make_markup_of_data():
    for name in (*SCRIPTS, START):
        script = page_file(name)
        assert not re.search(
            r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\b|new Function", script
        )
        assert "</script" not in script
        assert "<!--" not in script
        if name != START:
            assert '"use strict"' in script


def test_every_file_of_the_page_is_in_use():
    from importlib.resources import files

    there = {
        entry.name
        for entry in files("causalrules.report.page").iterdir()
        if entry.name.endswith((".js", ".css"))
    }
    assert there == {*SCRIPTS, *STYLES, START}
