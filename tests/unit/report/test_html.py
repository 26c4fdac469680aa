import re

import causalrules
from causalrules.report.html import render
from causalrules.simulate import planted_table


def test_the_page_tells_the_answer_and_asks_nothing_of_the_network():
    page = render(causalrules.mine(planted_table(4000), outcome="ill=yes"))
    assert "severity=high" in page
    assert "a hidden cause would need" in page
    assert not re.search(r"https?://|<script|src=", page)


def test_what_the_data_say_is_escaped():
    table = planted_table(4000).rename_columns(
        [
            "<script>alert(1)</script>" if name == "severity" else name
            for name in planted_table(2).column_names
        ]
    )
    page = render(causalrules.mine(table, outcome="ill=yes"))
    assert "<script>" not in page
    assert "&lt;script&gt;" in page
