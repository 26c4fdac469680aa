"""The answer on one screen: whole outputs of results made by hand, and what no table may break."""

import re

import hypothesis.strategies as st
import msgspec
import pytest
from hypothesis import given, settings
from rich.cells import cell_len
from rich.console import Console

import answers
from causalrules.report.answer.card import card_lines
from causalrules.report.answer.one_screen import MOST_LINES, answer_lines, plain_text, styled
from causalrules.report.answer.wording import Scale, curve, listing, ratio, shown, wrapped
from causalrules.words.findings import Factor, Finding, Level, Note

HOSTILE = [
    "a" * 500,
    "two\nlines\x1b[31m\x07",
    "漢字" * 60,
    "אבגד הוז",
    "x,y;z 'q' \"w\" $(rm)",
    "",
    " ",
    "🧑‍🤝‍🧑" * 30,
    "[bold]rich[/bold]",
    "44 %",
    "p = 0.03",
]

ADULT = """\
income=>50K: 24 % of 48,842 records. What moves it, adjusted for the others:

 1  marital_status          Married-civ… 44 %, Never-marri… 8 %    ±15  strong
    or relationship (the table cannot tell them apart)
 2  education_num           ▁▂▃▅█  12 % … 47 %                     ±11  strong
 3  age                     ▁▄██▇  5 % at 21 … 27 % at 60           ±9  moderate
 4  occupation              Exec-managerial 37 %, Farming 12 %      ±6  strong
 5  workclass & occupation  41 %, expected 30 % from each alone     ±1  moderate
    together: local-gov & protective-serv
Possible causes:
 6  native_country          race could stand in its place           ±1  fragile
 7  sex                     chance? corrected p = 0.11            ±0.4  fragile

Explained by other columns: race (education_num, occupation, marital_status)
No difference (2): hand, eye_colour
Comes after the outcome: tax_paid
Set aside: fnlwgt (a survey weight?)
Assumes that causes come before income=>50K; say so with --before marital_status
±15 points: how far the adjusted risk varies over the records
More: --json r.json, then causalrules show r.json marital_status · --all"""

TRIAL = """\
rx is a cause of died=yes (strong).

Adjusted for: nothing.
1,980 records compared; left out: 12 (a value is missing) and 8 (unlike any
  record of another level).

         records  crude      adjusted  difference, points        odds ratio
Obs        1,000   52 %  51 % (48–54)           reference
Lev          900   50 %  49 % (46–52)       −2 (−6 to +2)  0.92 (0.72–1.12)
Lev+5FU      800   37 %  36 % (33–39)    −15 (−19 to −11)  0.54 (0.34–0.74)

How far it moves the adjusted risk over the records: ±6 points (5–8).
Evidence: p = 0.0004; p = 0.0002 before adjusting.
Second opinion: 290 matched pairs of Lev+5FU and Obs: −14 (−22 to −6) points;
  for the same records the model gives −13: they agree.
To undo this, an unknown cause had to be linked to both by risk ratios of 2.10
  (E-value, of the limit 1.60)."""

TAR = """\
tar is a cause of ill=yes (strong).

Adjusted for: smoker.
1,980 records compared; left out: 12 (a value is missing) and 8 (unlike any
  record of another level).

      records  crude      adjusted  difference, points     odds ratio
low     1,000   13 %  12 % (10–14)           reference
high      900   45 %  44 % (42–46)    +32 (+29 to +35)  5.8 (5.6–6.0)

How far it moves the adjusted risk over the records: ±12 points (10–14).
Evidence: p = 1e-30; probability 0.99 of a direct link.
Second opinion: 640 matched pairs of high and low: +31 (+26 to +36) points; for
  the same records the model gives +32: they agree.
To undo this, an unknown cause had to multiply the odds of having it by 2.40
  (Γ), or be linked to both by risk ratios of 3.10 (E-value, of the limit 2.70).

Difference in standard deviations  before  matched
  smoker                             0.82     0.03
  (so many pairs differ by 0.05 by chance)

Note: high has 12 records only."""

WEEKS = """\
weeks is a cause of birth_weight (moderate).

Adjusted for: nothing.
430 records compared.

    records  crude                adjusted                 difference
34       40  2,100  2,150 (2,000 to 2,300)                  reference
37       90  2,750  2,700 (2,620 to 2,790)        +550 (+400 to +700)
40      300  3,330  3,320 (3,270 to 3,370)  +1,170 (+1,010 to +1,330)

Trend: +195 (+168 to +222) for one more, +420 (+360 to +480) for a standard
  deviation; p = 1e-40.
How far it moves the adjusted mean over the records: ±380 (304–456).
Evidence: p = 1e-40."""

SMOKER = """\
smoker: explained by tar. Not a cause if tar comes first; a cause that acts
  through tar if it comes after: --tiers 'smoker < tar < ill'"""


def test_a_census_on_one_screen():
    assert answers.adult().answer() == ADULT


def test_a_test_shows_its_card_after_the_headline():
    assert answers.trial().answer() == TRIAL


def test_the_cards():
    assert answers.chain().card("tar") == TAR
    assert answers.chain().card("smoker").startswith(SMOKER)
    assert answers.mean().card("weeks") == WEEKS


def test_two_that_act_together_are_named_by_their_cell():
    card = answers.adult().card("occupation & workclass")
    assert "Together, local-gov & protective-serv: 41 % (36–46); from each alone 30 %" in card
    assert "would be expected; relative excess risk (RERI) 0.50 (0.20–0.80); p = 0.0003." in " ".join(
        card.split()
    )


def test_a_column_that_acts_with_another_only_is_said_to_do_nothing_alone():
    both = answers.finding("a & b", "cause", "strong", 0.1)
    told = answers.result(
        [both, answers.finding("a", "no difference"), answers.finding("c", "no difference")]
    )
    assert "No difference (2): a alone, c" in told.answer().splitlines()


def test_the_first_line_says_that_nothing_is_a_cause():
    first, *others = answers.nothing().answer().splitlines()
    assert first == "income=>50K: 24 % of 48,842 records. Nothing is shown to be a cause."
    assert any(line.startswith("No difference (30): column_0, ") for line in others)
    assert "(--all)" in others[2]


def test_what_changes_everything_is_said_in_the_second_line_and_causes_follow():
    notes = [
        Note("leak", {"column": "died_on"}),
        Note("observation_time", {"column": "weeks"}),
        Note("cluster", {"column": "clinic"}),
    ]
    one = answers.finding("drug", "cause", "fragile", 0.1, effect=answers.effect("no", no=0.1, yes=0.3))
    aside = answers.finding("died_on", "set aside", notes=notes[:1])
    lines = answers.result([one, aside], notes=notes).answer().splitlines()
    assert lines[1] == "Note: all fragile (weeks: follow-up time? --before weeks) and 2 more (--all)"
    assert " 1  drug" in lines[2]
    assert any("died_on (tells the outcome: --before died_on)" in line for line in lines)
    told = answers.result([one, aside], notes=notes[:1])
    assert "Note: died_on set aside (a leak; --before died_on if not)" in told.answer().splitlines()
    assert "Set aside: died_on" in told.answer().splitlines()
    assert "died_on (tells the outcome: --before died_on)" in told.answer(everything=True)


def test_several_leaks_are_told_at_once():
    names = ("died_on", "closed", "reason")
    aside = [answers.finding(name, "set aside", notes=[Note("leak", {"column": name})]) for name in names]
    told = answers.result([*aside, answers.finding("id", "set aside", notes=[Note("identifier")])])
    lines = told.answer().splitlines()
    assert lines[1] == "Note: died_on, closed and 1 more set aside (leaks; --before NAME if not)"
    assert "Set aside: died_on, closed, reason, id (an identifier)" in lines
    causes = [answers.finding(f"x{place}", "cause", "strong", 0.1) for place in range(60)]
    crowded = answers.result([*causes, *told.findings]).answer().splitlines()
    assert "Set aside: id (an identifier)" in crowded


@pytest.mark.parametrize(
    ("known_for", "said"),
    [("", "tells 100 % of the outcome by itself"), ("with", "is known only for records with the outcome")],
)
def test_a_leak_says_what_it_is(known_for, said):
    note = Note("leak", {"column": "bwt", "share": 1.0, "known_for": known_for})
    told = answers.result([answers.finding("bwt", "set aside", notes=[note])])
    assert f"Note: bwt: {said}, so it" in told.card("bwt")


def test_what_does_not_apply_to_all_is_told_on_the_screen_and_on_its_card():
    data = {"column": "net", "level": "No", "made": "net=No", "records": 9, "columns": {"net": "No"}}
    data["columns"] |= dict.fromkeys(("backup", "phone help", "films on demand", "security"), "No internet")
    nested = {"column": "treat", "level": "0", "made": "", "records": 9, "columns": {"arms": "0"}}
    notes = [Note("does_not_apply", data), Note("does_not_apply", nested)]
    told = answers.result([answers.finding(name, "no difference") for name in ("backup", "arms")], notes)
    lines = told.answer().splitlines()
    assert "backup and 3 more apply only where net is not No." in lines
    assert "arms applies only where treat is not 0; compared there." in told.answer(everything=True)
    assert "net=No has a line of its" in told.card("backup")
    assert "Note: arms applies only where treat is not 0; compared there." in told.card("arms")


@pytest.mark.parametrize(
    ("note", "held", "said"),
    [
        (
            Note("copy", {"of": ["town"]}),
            ("age",),
            "house cannot be separated from town; if town comes after",
        ),
        (
            Note("no_overlap"),
            ("age", "sex"),
            "no records that differ in it are alike in age and sex; --tiers",
        ),
        (Note("no_overlap"), (), "house: too few records to compare."),
    ],
)
def test_what_is_not_comparable_says_why_once(note, held, said):
    card = answers.result(
        [answers.finding("house", "not comparable", notes=[note], adjusted_for=held)], name="y=1", column="y"
    ).card("house")
    assert said in " ".join(card.split())
    assert "Note:" not in card


def test_several_columns_come_after():
    later = answers.finding("a", "cause", notes=[Note("comes_later", {"columns": ["b", "c"]})])
    assert "not adjusted for b and c: they come after, as you said." in answers.result([later]).card("a")


def test_everything_cuts_no_list():
    whole = answers.wide().answer(everything=True)
    assert "--all)" not in whole
    assert whole.count("measurement_number_42") == 7
    assert "measurement_number_42" not in answers.wide().answer()


def test_who_is_randomised_hears_nothing_of_time():
    told = answers.trial()
    asked = msgspec.structs.replace(told, question="mine")
    assert "causes come before" not in asked.answer()
    assert "causes come before" in msgspec.structs.replace(asked, settings={}).answer()


def test_left_out_records_and_further_notes_take_two_lines():
    notes = [Note("repeated_records", {"records": 120}), Note("new_code", {"column": "a"}), Note("b")]
    told = answers.result(answers.chain().findings, notes)
    told = msgspec.structs.replace(told, data=msgspec.structs.replace(told.data, used=48000))
    lines = told.answer().splitlines()
    assert lines[5].startswith("Assumes that causes come before")
    assert lines[6] == "842 records left out: the outcome is missing. And 3 more (--all)"
    assert lines[7].startswith("±12 points")


def hostile_findings():
    found = []
    for verdict in msgspec.inspect.type_info(Finding).fields[1].type.values:
        for place, name in enumerate(HOSTILE):
            is_named = verdict in ("cause", "indirect", "possible")
            found.append(
                Finding(
                    factors=(Factor(columns=(name,)), Factor(columns=(name + "2", "b"))),
                    verdict=verdict,
                    grade="moderate" if is_named else None,
                    moves=(123456.789 if place % 2 else 1e-9, 0.0, float("inf")) if is_named else None,
                    rivals=(name, name),
                    explained_by=(name, "b"),
                    p=float("nan"),
                    p_corrected=0.0,
                    p_link=0.5,
                    effect=hostile_effect(name) if place % 2 else answers.effect("no", no=0.2, yes=0.3),
                    adjusted_for=tuple(HOSTILE),
                    notes=(
                        Note("leak", {"column": name}),
                        Note("may_be_consequence", {"by": [name] * 20}),
                        Note(name, {name: {name: name}}),
                    ),
                )
            )
    return found


def hostile_effect(name):
    levels = [
        Level(
            level=f"{name}{place}",
            records=10**12,
            crude=float("nan"),
            risk=(1e9 * place, float("-inf"), float("nan")),
            difference=(1e12, -1e12, float("inf")),
            odds_ratio=(1e300, 0.0, float("inf")),
        )
        for place in range(12)
    ]
    found = answers.effect(name, **{name: 0.5})
    return msgspec.structs.replace(found, levels=tuple(levels), left_out={name: 5})


def neutral(line):
    return cell_len(line) <= 80 and not any(sign in line for sign in "\n\r\x1b\x07\x00")


@pytest.mark.parametrize("outcome", [HOSTILE[1], HOSTILE[2] + HOSTILE[3], "income=>50K"])
def test_hostile_names_break_no_line(outcome):
    notes = [Note(code, {"column": name}) for code in ("leak", "cluster", "new") for name in HOSTILE]
    told = answers.result(hostile_findings(), notes, name=outcome, column=outcome)
    for everything in (False, True):
        lines = answer_lines(told, everything=everything, file=outcome)
        assert [line.text for line in lines if not neutral(line.text)] == []
    assert len(answer_lines(told)) <= MOST_LINES
    for finding in told.findings:
        assert [line.text for line in card_lines(told, finding) if not neutral(line.text)] == []


def test_markup_in_names_is_printed_as_it_is():
    one = answers.finding("[red]x[/red]", "cause", "strong", 0.1)
    console = Console(width=80, force_terminal=True)
    with console.capture() as capture:
        console.print(styled(answer_lines(answers.result([one]))), soft_wrap=True)
    assert "[red]x[/red]" in capture.get()
    assert "\x1b[1m[red]x[/red]\x1b[0m" in capture.get()


@st.composite
def results(draw):
    """Results with any number of findings of any verdict."""
    verdicts = msgspec.inspect.type_info(Finding).fields[1].type.values
    found = []
    for place in range(draw(st.integers(0, 120))):
        verdict = draw(st.sampled_from(verdicts))
        name = draw(st.text(max_size=30)) + str(place)
        risks = draw(st.lists(st.floats(0.01, 0.99), min_size=1, max_size=6))
        labels = {f"level {number} {'x' * draw(st.integers(0, 40))}": r for number, r in enumerate(risks)}
        effect = answers.effect(next(iter(labels)), **labels) if draw(st.booleans()) else None
        moves = draw(st.floats(0, 1)) if verdict in ("cause", "possible", "indirect") else None
        found.append(answers.finding(name, verdict, None, moves, effect=effect))
    return answers.result(found, name=draw(st.text(max_size=60)), column="y")


@settings(max_examples=60, deadline=None)
@given(told=results())
def test_whatever_was_found_fits_one_screen(told):
    lines = answer_lines(told)
    assert len(lines) <= MOST_LINES
    assert all(neutral(line.text) for line in lines)
    assert all(0 <= line.start <= line.stop <= len(line.text) for line in lines)
    causes = [one for one in told.findings if one.is_cause]
    if causes:
        assert any(line.text.startswith(" 1  ") for line in lines[:3])


def test_names_that_the_report_uses_change_nothing_but_names():
    words = {"tar": "cause", "smoker": "set aside", "ill=yes": "No difference"}
    told = answers.chain().to_json()
    renamed = told
    for old, new in words.items():
        renamed = renamed.replace(f'"{old}"', f'"{new}"')
    from causalrules.words.result_files import from_entry

    result = from_entry(msgspec.json.decode(renamed))

    def shape(text):
        for old, new in words.items():
            text = re.sub(rf"\b{new}\b", old, text.replace(f"'{new}'", new))
        return text.replace("'", "").split()

    assert shape(result.answer()) == answers.chain().answer().replace("'", "").split()


def test_the_reader_meets_no_word_of_the_house():
    told = [answers.adult(), answers.chain(), answers.trial(), answers.mean(), answers.nothing()]
    said = " ".join([one.answer(everything=True) for one in told])
    said += " ".join(one.card(finding.name) for one in told for finding in one.findings)
    for word in ("finding", "hypothesis", "pattern", "item", "held", "contrast", "estimand", "verdict"):
        assert word not in said.lower(), word


def test_curves_and_scales():
    assert curve([0.1, 0.1]) == ""
    assert curve([1.0, 2.0, float("nan")]) == ""
    assert curve([3.0, 1.0, 2.0]) == "█▁▅"
    rare = Scale(True, 2)
    assert rare.value(0.00123) == "0.12 %"
    assert rare.difference(-0.00001) == "0.00"
    assert Scale(True, 0).spread(0.004) == "±0.4"
    assert Scale(True, 0).finer([0.002]).digits == 1
    assert ratio((float("nan"), 1.0, 2.0)) == ""


def test_lists_name_as_many_as_fit():
    assert listing("Of: ", []) == []
    assert listing("Of: ", ["a", "b"]) == ["Of: a, b"]
    assert listing("Of: ", ["x" * 90, "b"], 1) == ["Of: 2 (--all)"]
    assert all(cell_len(line) <= 80 for line in wrapped("x" * 300 + " y" * 100))
    assert cell_len(shown("漢" * 100, 9)) <= 9


def test_bold_is_the_name():
    line = next(one for one in answer_lines(answers.adult()) if "occupation " in one.text)
    assert line.text[line.start : line.stop] == "occupation"
    assert plain_text([line]) == line.text
