"""The explorer in a real browser, as somebody uses it."""

import json

import numpy as np
import pandas as pd
import pytest
from accessibility import complaints

import causalrules
from causalrules.explorer.limits import Limits
from explorer.asking import held_back, people_csv, serving

HOSTILE = {
    "<img src=x onerror=alert(1)>": ["<script>alert(1)</script>", "\"'`>"],
    "😀 \u202eevil": ["👨‍👩‍👧", "\u202eno"],
    "long" * 2500: ["y" * 10_000, "n"],
    "__proto__": ["constructor", "toString"],
}


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "people.csv").write_text(people_csv())
    (tmp_path / "more.csv").write_text(people_csv().replace("coffee", "tea"))
    return tmp_path


@pytest.fixture
def address(folder):
    with serving(folder, Limits()) as url:
        yield url


@pytest.fixture
def page(open_page, address):
    return open_page(address, own=own_addresses(address))


def own_addresses(address):
    """Where a page may ask: its own host, and files it makes itself to be saved."""
    host = address.partition("#")[0]
    return (host, "blob:" + host, "data:")


def choose(page, file="people.csv", column="health", value="ill"):
    files = page.get_by_label("File", exact=True)
    files.locator("option", has_text=file).wait_for(state="attached")
    files.select_option(
        label=next(text for text in files.locator("option").all_inner_texts() if file in text)
    )
    page.get_by_label("Column", exact=True).select_option(column)
    page.get_by_label("Value", exact=True).select_option(value)
    page.get_by_text("records have it").wait_for()


def find_causes(page):
    """Run a search, and wait for its answer."""
    before = page.locator(".results li").count()
    page.get_by_role("button", name="Find causes").click()
    page.wait_for_function(
        """n => document.querySelectorAll('.results li').length > n
            && document.querySelector('.results li').classList.contains('shown')""",
        arg=before,
    )


def test_the_token_leaves_the_address_and_a_reload_keeps_the_page(page, address):
    page.get_by_text("What causes it?").wait_for()
    assert "#" not in page.url
    choose(page)
    find_causes(page)
    page.reload()
    page.get_by_role("heading", name="What causes health=ill?").wait_for()
    page.get_by_text("120 of 400 records have it").wait_for()  # the question is there as well


def test_without_the_token_the_page_says_what_to_do(browser, address):
    context = browser.new_context()
    page = context.new_page()
    page.goto(address.partition("#")[0])
    page.get_by_text("Open the address that the terminal shows").wait_for()
    context.close()


def test_from_a_table_to_causes(page, folder):
    choose(page)
    assert page.get_by_text("120 of 400 records have it (30.0 %).").is_visible()
    find_causes(page)
    expected = causalrules.mine(folder / "people.csv", "health=ill")
    assert (
        f"{len(expected.causal)} causal of {len(expected.tested)} tested"
        in page.locator(".results").inner_text()
    )
    assert page.get_by_role("heading", name="What causes health=ill?").is_visible()
    assert page.evaluate("document.activeElement.id") == "answer"


def test_a_search_is_watched_cancelled_and_run_again(page, monkeypatch):
    choose(page)
    with held_back(monkeypatch) as gate:
        page.get_by_role("button", name="Find causes").click()
        gate.release(1)
        page.get_by_text("1 of 2 studies").wait_for()
        assert page.locator("progress").get_attribute("value") == "1"
        assert page.get_by_label("Minimum support", exact=True).is_enabled()  # the page still answers
        page.get_by_role("button", name="Cancel").click()
        page.get_by_text("Stopping after the study it is at").wait_for()
        gate.release(1)
        page.get_by_text("Cancelled: the studies finished before are kept.").wait_for()
    assert "of 2 tested, cancelled" in page.locator(".results").inner_text()
    find_causes(page)
    assert page.locator(".results li").count() == 2
    assert "cancelled" not in page.locator(".results li").first.inner_text()


def test_a_reload_finds_a_search_that_is_under_way(page, monkeypatch):
    choose(page)
    with held_back(monkeypatch) as gate:
        page.get_by_role("button", name="Find causes").click()
        page.locator("progress").wait_for()
        page.reload()
        page.locator("progress").wait_for()
        gate.release(1)
        page.get_by_text("1 of 2 studies").wait_for()
        gate.release(100)
        page.get_by_role("heading", name="What causes health=ill?").wait_for()
    assert page.locator("progress").count() == 0


def test_an_outcome_with_very_many_values_is_typed(page, folder):
    rows = [f"{number % 150},{'yes' if number % 150 == 7 or number % 3 else 'no'}" for number in range(3000)]
    (folder / "many.csv").write_text("code,smokes\n" + "\n".join(rows))
    page.reload()
    files = page.get_by_label("File", exact=True)
    files.locator("option", has_text="many.csv").wait_for(state="attached")
    files.select_option("folder:many.csv")
    page.get_by_label("Column", exact=True).select_option("code")
    page.get_by_label("The outcome is").select_option("")  # one value; of so many numbers the mean is first
    page.get_by_label("Value of the outcome").fill("7")
    page.get_by_label("Value of the outcome").press("Tab")
    page.get_by_text("20 of 3,000 records have it (0.7 %).").wait_for()


def test_a_hypothesis_is_chosen_from_the_list_with_the_keyboard(page, folder):
    choose(page)
    page.get_by_role("button", name="Choose values").focus()
    page.keyboard.press("Enter")
    page.keyboard.type("smokes")
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    page.keyboard.press("Space")
    assert page.locator("dialog [aria-pressed=true]").inner_text().startswith("yes")
    page.keyboard.press("Escape")
    assert page.locator(".tray-line").inner_text().replace("\n", "") == "Does smokes=yes× cause health=ill?"
    page.get_by_role("button", name="Test it").focus()
    page.keyboard.press("Enter")
    page.get_by_role("heading", name="Does smokes=yes cause health=ill?").wait_for()
    rule = causalrules.test(folder / "people.csv", "health=ill", "smokes=yes").tested[0]
    assert rule.verdict in page.locator(".results li").first.inner_text()


def test_a_hypothesis_is_picked_in_an_answer(page):
    choose(page)
    find_causes(page)
    page.goto(page.url + "#rule-1")
    page.locator(".card .pick").first.click()
    page.get_by_role("button", name="Test it").click()
    page.get_by_text("Study 2").first.wait_for()
    page.get_by_role("heading", name="cause health=ill?").wait_for()


def test_one_value_of_a_column_at_a_time(page):
    choose(page)
    page.get_by_role("button", name="Choose values").click()
    for value in ("no", "yes"):
        page.get_by_role("group", name="smokes").get_by_role("button", name=value).click()
    page.get_by_role("group", name="coffee").get_by_role("button", name="no").click()
    page.get_by_role("button", name="Done").click()
    assert page.locator(".tray .chip").all_inner_texts() == ["smokes=yes\n×", "coffee=no\n×"]
    page.get_by_role("button", name="Take smokes=yes out").click()
    assert page.locator(".tray .chip").count() == 1
    page.get_by_role("button", name="Clear").click()
    assert page.locator(".tray .chip").count() == 0


def test_two_results_are_compared(page):
    choose(page)
    find_causes(page)
    page.get_by_text("More settings").click()
    page.get_by_label("Missing controls", exact=True).select_option("value")
    page.get_by_label("Confidence of intervals", exact=True).fill("0.8")
    page.get_by_label("Confidence of intervals", exact=True).blur()
    assert page.get_by_text("More settings (2 changed)").is_visible()
    find_causes(page)
    for box in page.locator(".results input").all():
        box.click()
    page.get_by_role("button", name="Compare the two").click()
    page.get_by_role("heading", name="Search 1 beside Search 2").wait_for()
    asked = page.locator(".differences").inner_text()
    assert "auto → value" in asked
    assert "0.95 → 0.8" in asked
    table = page.get_by_role("region", name="Causal in both")
    assert "smokes=yes" in table.inner_text()
    assert "× 1." in table.inner_text() or "the same" in table.inner_text()


@pytest.mark.parametrize(
    ("button", "name"),
    [("Report (HTML)", "report-1.html"), ("JSON", "result-1.json"), ("CSV", "rules-1.csv")],
)
def test_a_result_is_saved(page, tmp_path, button, name):
    choose(page)
    find_causes(page)
    with page.expect_download() as download:
        page.get_by_role("button", name=button, exact=True).click()
    assert download.value.suggested_filename == name
    text = (download.value.path()).read_text()
    if name.endswith("json"):
        assert causalrules.Result.from_dict(json.loads(text)).tested
    else:
        assert "smokes" in text


def test_a_column_is_left_out_and_the_answer_does_not_speak_of_it(page):
    choose(page)
    page.get_by_role("button", name="Roles of columns").click()
    page.get_by_label("Role of coffee").select_option("drop")
    page.get_by_text("Takes no part. Dropped on request.").wait_for()
    page.get_by_role("button", name="Done").click()
    page.get_by_text("1 of 2 take part").wait_for()
    assert page.get_by_text("leave out: coffee").is_visible()
    find_causes(page)
    assert "changed: leave out" in page.locator(".results").inner_text()
    assert "coffee=" not in page.locator("#answer").inner_text()


def test_an_earlier_question_is_asked_again(page):
    choose(page)
    page.get_by_role("button", name="Roles of columns").click()
    page.get_by_label("Role of coffee").select_option("drop")
    page.get_by_role("button", name="Done").click()
    page.get_by_label("Minimum support", exact=True).fill("0.1")
    find_causes(page)
    choose(page, "more.csv", "health", "well")
    assert page.get_by_label("Minimum support", exact=True).input_value() == "0.05"
    page.get_by_role("button", name="Ask again with changes").click()
    page.get_by_text("1 of 2 take part").wait_for()
    assert page.get_by_label("Minimum support", exact=True).input_value() == "0.1"
    assert page.get_by_label("Value", exact=True).input_value() == "ill"
    assert "people.csv" in page.get_by_label("File", exact=True).locator("option:checked").inner_text()


def test_next_months_table_is_asked_the_same_with_the_same_cut_points(open_page, tmp_path):
    """Left to itself each month would be cut where its own records say."""
    draw = np.random.default_rng(3)
    for month, limit in (("march", 50), ("april", 54)):
        age, wet = draw.integers(20, 80, 1500), draw.choice(["yes", "no"], 1500)
        ill = np.where(draw.random(1500) < 0.2 + 0.5 * (age > limit), "yes", "no")
        table = pd.DataFrame({"age": age, "wet": wet, "ill": ill})
        table.to_csv(tmp_path / f"{month}.csv", index=False)
    (cut,) = causalrules.mine(tmp_path / "march.csv", "ill=yes", before=["wet"]).data.cuts
    assert cut not in causalrules.mine(tmp_path / "april.csv", "ill=yes").data.cuts
    with serving(tmp_path, Limits()) as address:
        page = open_page(address, own=own_addresses(address))
        choose(page, "march.csv", "ill", "yes")
        page.get_by_role("button", name="Roles of columns").click()
        page.get_by_label("Time of wet").select_option("before")
        page.get_by_role("button", name="Done").click()
        find_causes(page)
        choose(page, "april.csv", "ill", "no")
        page.get_by_role("button", name="Ask the chosen table the same").click()
        page.wait_for_function(
            "cut => document.querySelector('.command .typed').textContent.includes('--cut ' + cut)", arg=cut
        )
        command = page.locator(".command .typed").text_content()
        assert command.startswith("causalrules mine april.csv --outcome ill=yes")
        assert "--before wet" in command
        find_causes(page)
        assert f"age>{cut.rpartition(':')[2]}" in page.locator("#answer").inner_text()


def test_an_uploaded_table_is_asked(page):
    content = people_csv().replace("smokes", "smoking").encode()
    page.locator("#upload").set_input_files({"name": "mine.csv", "mimeType": "text/csv", "buffer": content})
    page.get_by_text("400 records, 3 columns.").wait_for()
    assert page.get_by_label("File", exact=True).locator("option:checked").inner_text().startswith("mine.csv")
    choose(page, "mine.csv")
    find_causes(page)
    assert "smoking=yes" in page.locator("#answer").inner_text()


def test_a_sheet_is_chosen_and_found_again(tmp_path, open_page):
    xlsxwriter = pytest.importorskip("xlsxwriter")
    pytest.importorskip("fastexcel")
    with xlsxwriter.Workbook(tmp_path / "people.xlsx") as book:
        for name, lines in {"Cover": ["title", "of a report"], "People": people_csv().splitlines()}.items():
            sheet = book.add_worksheet(name)
            for number, line in enumerate(lines):
                sheet.write_row(number, 0, line.split(","))
    with serving(tmp_path, Limits()) as url:
        page = open_page(url, own=own_addresses(url))
        page.get_by_text("1 record, 1 column.").wait_for()
        chosen = page.get_by_label("File", exact=True).locator("option:checked")
        assert chosen.inner_text().startswith("people.xlsx: Cover")
        choose(page, "people.xlsx: People")
        find_causes(page)
        page.reload()
        page.get_by_role("heading", name="What causes health=ill?").wait_for()
        page.get_by_text("120 of 400 records have it").wait_for()
        assert chosen.inner_text().startswith("people.xlsx: People")


def test_an_error_stands_beside_its_control(browser, address):
    """Its own page: a refused request is an error to the browser's console, and is meant here."""
    context = browser.new_context()
    page = context.new_page()
    page.goto(address)
    choose(page)
    support = page.get_by_label("Minimum support", exact=True)
    support.fill("7")
    page.get_by_role("button", name="Find causes").click()
    complaint = page.locator("[data-about=min_support] .complaint")
    complaint.wait_for()
    assert "must be at least 0 and below 1; it is 7" in complaint.inner_text()
    assert support.get_attribute("aria-invalid") == "true"
    assert page.evaluate("document.activeElement.id") == support.get_attribute("id")
    support.fill("0.05")
    page.get_by_text("More settings").click()
    page.get_by_label("Cut numbers by", exact=True).fill("halves")
    page.get_by_role("button", name="Find causes").click()
    page.locator("[data-about=bins] .complaint").wait_for()
    assert complaint.count() == 0
    context.close()


def test_a_closed_explorer_is_told(browser, folder):
    context = browser.new_context()
    page = context.new_page()
    with serving(folder) as url:
        page.goto(url)
        choose(page)
    page.get_by_role("button", name="Find causes").click()
    page.get_by_text("The explorer does not answer. Was it closed in the terminal?").wait_for()
    context.close()


def hostile_csv():
    quoted = {name: ['"' + v.replace('"', '""') + '"' for v in values] for name, values in HOSTILE.items()}
    header = ",".join('"' + name.replace('"', '""') + '"' for name in HOSTILE)
    lines = [f"{header},z"]
    for number in range(400):
        values = [quoted[name][(number >> place) % 2] for place, name in enumerate(HOSTILE)]
        ill = (number % 2 == 0) ^ (number % 7 == 0)
        lines.append(",".join(values) + (",<b>ill</b>" if ill else ",well"))
    return "\n".join(lines) + "\n"


def test_hostile_names_are_texts_and_nothing_else(tmp_path, open_page):
    (tmp_path / "<b>bad.csv").write_text(hostile_csv())
    with serving(tmp_path, Limits()) as url:
        page = open_page(url, own=own_addresses(url))
        dialogs = []
        page.on("dialog", lambda dialog: dialogs.append(dialog) or dialog.dismiss())
        choose(page, "<b>bad.csv", "z", "<b>ill</b>")
        page.get_by_text("All 4 take part").wait_for()
        page.get_by_role("button", name="Choose values").click()
        page.locator("dialog .pickable").first.wait_for()
        names = page.locator("dialog h3").all_inner_texts()
        assert names[0] == "<img src=x onerror=alert(1)>"
        assert names[2].startswith("longlong")
        assert len(names[2]) <= 70
        for row in page.locator("dialog .chooser-row").all():
            row.locator(".pickable").first.click()
        page.get_by_role("button", name="Done").click()
        assert "<img src=x onerror=alert(1)>=" in page.locator(".tray-line").inner_text()
        page.get_by_role("button", name="Test it").click()
        page.get_by_text("Study 1").first.wait_for()
        page.locator("#answer .together .label").first.wait_for()
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        find_causes(page)
        assert dialogs == []
        assert page.locator("#answer img, #answer script, .question img, .results b").count() == 0
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_another_page_of_the_same_browser_gets_nothing(browser, address, folder):
    """What a hostile site can try from the browser that has the explorer open."""
    host, _, token = address.partition("/#")
    context = browser.new_context()
    own = context.new_page()
    own.goto(address)
    own.get_by_text("What causes it?").wait_for()
    evil = context.new_page()
    evil.route(
        "http://evil.example/", lambda route: route.fulfill(body="<h1>evil</h1>", content_type="text/html")
    )
    evil.goto("http://evil.example/")
    attempt = """async ([address, headers]) => {
        try { const r = await fetch(address, {headers}); return [r.status, await r.text()] }
        catch (error) { return String(error) } }"""
    for headers in ({}, {"X-Causalrules-Token": token}):
        said = evil.evaluate(attempt, [host + "/api/start", headers])
        assert "Failed to fetch" in said, said
    framed = evil.evaluate(
        """address => new Promise(done => {
            const frame = document.createElement('iframe');
            frame.src = address;
            frame.onload = () => {
                const inner = frame.contentDocument;  // null where it is another's
                done(inner ? inner.body.innerText : 'closed') };
            document.body.append(frame) })""",
        host + "/",
    )
    assert "What causes it?" not in framed
    assert evil.evaluate("sessionStorage.length") == 0
    context.close()


def test_nothing_inline_is_run(browser, address):
    context = browser.new_context()
    page = context.new_page()
    page.goto(address)
    page.get_by_text("What causes it?").wait_for()
    ran = page.evaluate(
        """() => new Promise(done => {
            document.addEventListener('securitypolicyviolation', event => done(event.violatedDirective));
            const script = document.createElement('script');
            script.textContent = 'window.ran = true';
            document.body.append(script);
            setTimeout(() => done(window.ran ? 'ran' : 'nothing'), 2000) })"""
    )
    assert ran == "script-src-elem"
    context.close()


@pytest.mark.parametrize("width", [1280, 390])
def test_axe_finds_nothing_serious(open_page, address, width):
    page = open_page(address, own=own_addresses(address), viewport={"width": width, "height": 900})

    def check(where):
        assert complaints(page, "light", "dark", but=("minor", "moderate")) == [], where

    page.get_by_text("What causes it?").wait_for()
    check("at the beginning")
    choose(page)
    page.get_by_text("More settings").click()
    page.get_by_text("All 2 take part").wait_for()
    page.get_by_role("button", name="What does “Matching” mean?").click()
    check("with everything open")
    find_causes(page)
    check("with an answer")
    page.get_by_role("button", name="Choose values").click()
    page.locator("dialog .pickable").first.click()
    check("choosing values")
    page.get_by_role("button", name="Done").click()
    page.get_by_role("button", name="Test it").click()
    page.get_by_text("Study 2").first.wait_for()
    for box in page.locator(".results input").all():
        box.click()
    page.get_by_role("button", name="Compare the two").click()
    page.get_by_role("heading", name="Search 1 beside Study 2").wait_for()
    check("with a comparison")


@pytest.mark.parametrize("width", [320, 390, 800, 1280])
def test_nothing_is_wider_than_the_window(open_page, address, width):
    page = open_page(address, own=own_addresses(address), viewport={"width": width, "height": 800})
    choose(page)
    page.get_by_text("More settings").click()
    find_causes(page)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
