"""The terminal's face of the method of one study a column; the job itself is a stand-in here."""

import json
import sys
from dataclasses import dataclass
from types import ModuleType
from typing import Any, ClassVar

import jsonschema
import pyarrow.parquet as pq
import pytest

import answers
import causalrules
from causalrules.domain.plain_settings import UNKNOWN, PlainSettings
from causalrules.words.findings import Note


@dataclass(frozen=True, kw_only=True)
class StandIn:
    """Keeps what was asked, and answers what the tests know."""

    source: Any
    outcome: Any
    settings: Any
    said_first: tuple = ()
    checkpoint: Any = None
    on_interrupt: str = "raise"
    on_progress: Any = None
    on_remark: Any = None
    has_records_at_hand = False
    asked: ClassVar = []

    def mine(self):
        self.asked.append((self, None))
        return answers.chain()

    def test(self, exposure):
        self.asked.append((self, exposure))
        return answers.trial()


def last_asked():
    """The job that was run last, and its hypothesis."""
    return StandIn.asked[-1]


@pytest.fixture
def plain(command, monkeypatch, tmp_path):
    """Run a command whose job is the stand-in, over a table that is there."""
    module = ModuleType("causalrules.plain")
    module.PlainJob = StandIn
    monkeypatch.setitem(sys.modules, "causalrules.plain", module)
    (tmp_path / "t.csv").write_text("smoker,tar,ill\nyes,high,yes\nno,low,no\n")
    return command


def test_mine_prints_the_answer_and_writes_files(plain, tmp_path):
    code, out, err = plain(
        *("mine", "t.csv", "--outcome", "ill=yes", "--method", "plain", "--reference", "tar=low"),
        *("--json", "r.json", "--csv", "r.csv", "--parquet", "r.parquet"),
    )
    assert (code, err) == (0, "")
    assert out.splitlines()[0].startswith("ill=yes: 30 % of 48,842 records.")
    assert out.splitlines()[-1] == "More: causalrules show r.json tar · --all"
    assert causalrules.load(tmp_path / "r.json") == answers.chain()
    assert (tmp_path / "r.csv").read_text().splitlines()[0].startswith('"factor","or","verdict","grade"')
    assert pq.read_table(tmp_path / "r.parquet").num_rows == 4
    assert last_asked()[0].settings == PlainSettings(reference=("tar=low",))


def test_test_prints_a_card(plain):
    code, out, _ = plain(
        *("test", "t.csv", "--outcome", "ill=yes", "--method", "plain"),
        *("--exposure", "rx=Lev+5FU", "--against", "rx=Obs"),
    )
    assert code == 0
    assert out.startswith("rx is a cause of died=yes (strong).\n\nAdjusted for: nothing.\n")
    job, exposure = last_asked()
    assert (exposure, job.settings.against) == ("rx=Lev+5FU", "rx=Obs")


def test_an_interrupted_run_says_so_and_shows_no_answer(plain, monkeypatch):
    def interrupted(job):
        assert job.on_interrupt == "raise"
        raise KeyboardInterrupt

    monkeypatch.setattr(StandIn, "mine", interrupted)
    code, out, err = plain("mine", "t.csv", "--outcome", "ill=yes", "--method", "plain", "--json", "r.json")
    assert (code, out, err) == (130, "", "causalrules: interrupted; nothing was written.\n")


def test_json_and_csv_go_to_standard_output(plain):
    _, out, _ = plain("mine", "t.csv", "--outcome", "ill=yes", "--method", "plain", "--json", "-")
    assert json.loads(out)["schema"] == "causalrules/3"
    _, out, _ = plain("mine", "t.csv", "--outcome", "ill=yes", "--method", "plain", "--format", "csv")
    assert len(out.splitlines()) == 5


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--judge", "interval"], "--judge is not known to --method plain: it judges by"),
        (["--min-odds-ratio", "2"], "--min-odds-ratio is not known to --method plain: it shows every size"),
        (["--matching", "exact"], "--matching is not known to --method plain"),
        (["--holdout", "0.3"], "leave out --method plain to hold some out."),
        (["--placebo", "3"], "--placebo is not known"),
        (["--negative-outcome", "tar=low"], "--negative-outcome is not known"),
        (["--by", "tar"], "it has no subgroups yet; leave out --method plain for them."),
        (["--engine", "spark"], "it counts in memory only; leave out --engine, or --method plain."),
        (["--engine", "streaming"], "--engine is not known"),
        (["--checkpoint", "c"], "it runs in one go; leave out --checkpoint, or --method plain."),
        (["--html", "r.html"], "--html is not known to --method plain: it has no page yet, which comes with"),
        (["--docx", "r.docx"], "--docx is not known"),
        (["--xlsx", "r.xlsx"], "use --csv."),
        (["--tex", "r.tex"], "--tex is not known"),
        (["--format", "markdown"], "it has no Markdown yet"),
        (["--outcome", "tar=low"], "it answers for one outcome at a time"),
        (["--runs", "2"], "--runs belongs to the paper's procedure, --method plain to another"),
        (["--paper"], "--paper belongs to the paper's procedure"),
        (["--reference", "tar"], "--reference must be a column and one of its values"),
    ],
)
def test_what_it_does_not_know_is_refused_in_one_sentence(plain, refuse, words, said):
    assert said in refuse(2, "mine", "t.csv", "--outcome", "ill=yes", "--method", "plain", *words)


def test_no_matched_records_yet(plain, refuse):
    question = ("test", "t.csv", "--outcome", "ill=yes", "--exposure", "tar=low", "--method", "plain")
    assert "it writes no matched records yet" in refuse(2, *question, "--matched", "m.csv")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--method", "plane"], "--method must be one of 'default', 'plain'; it is 'plane'. Did you mean"),
        (["--reference", "tar=low"], "--reference needs --method plain."),
        (["--all"], "--all is for --method plain; leave it out."),
    ],
)
def test_what_only_it_knows_needs_its_name(plain, refuse, words, said):
    assert said in refuse(2, "mine", "t.csv", "--outcome", "ill=yes", *words)


def test_defaults_said_aloud_are_no_mistake(plain):
    words = ("--judge", "corrected", "--matching", "auto", "--engine", "memory", "--placebo", "0")
    assert plain("mine", "t.csv", "--outcome", "ill=yes", "--method", "plain", *words)[0] == 0


def test_a_question_is_asked_again_from_its_result(plain, tmp_path):
    again = answers.trial()
    again.save(tmp_path / "r.json")
    code, _, err = plain("test", "t.csv", "--settings", "r.json", "--alpha", "0.01")
    assert (code, err) == (0, "")
    job, exposure = last_asked()
    assert (job.outcome, exposure) == ("died=yes", "rx")
    assert isinstance(job.settings, PlainSettings)
    assert job.settings.alpha == 0.01


@pytest.fixture
def saved(tmp_path):
    path = tmp_path / "r.json"
    answers.chain().save(path)
    return path


def test_show_and_report_print_the_answer(command, saved):
    shown = command("show", saved)
    assert shown[0] == 0
    assert shown[1].splitlines()[:3] == answers.chain().answer().splitlines()[:3]
    reported = command("report", saved)[1]
    assert reported == answers.chain().answer() + "\n"
    assert command("show", saved, "smoker")[1] == answers.chain().card("smoker") + "\n"
    assert "rare_level" not in command("show", saved, "--all")[1]


def test_show_of_what_is_not_there(refuse, saved):
    assert "'smokr' is not among what was looked at. Did you mean 'smoker'?" in refuse(
        2, "show", saved, "smokr"
    )


def test_show_of_what_was_set_aside_or_asked_about_says_so(command, refuse, tmp_path):
    aside = answers.finding("patient", "set aside", notes=[Note("identifier", {"column": "patient"})])
    answers.result([aside], name="ill=yes", column="ill").save(tmp_path / "r.json")
    assert "patient was set aside; it was not studied." in command("show", "r.json", "patient")[1]
    assert "patient: numbers the records" in command("show", "r.json", "patient")[1]
    assert "'ill' is the outcome." in refuse(2, "show", "r.json", "ill")


def test_other_shapes_of_a_saved_result_come_later(refuse, saved):
    assert "--html is not known to --method plain" in refuse(2, "report", saved, "--html", "r.html")
    said = "r.json is a result of --method plain: causalrules report shows it."
    assert said in refuse(2, "plot", saved, "forest", "-o", "f.svg")
    assert said in refuse(2, "methods", saved)


def test_show_of_an_earlier_method_is_its_report(command, tmp_path, refuse):
    patients = causalrules.simulate("hospital", n_records=600).table
    old = tmp_path / "old.json"
    causalrules.mine(patients, "ill=yes", max_length=1).save(old)
    assert command("show", old)[1] == command("report", old)[1]
    assert "shown whole: leave out smoker" in refuse(2, "show", old, "smoker")


def test_the_schema_of_its_files(command, saved):
    code, out, _ = command("schema", "--method", "plain")
    assert code == 0
    jsonschema.validate(json.loads(saved.read_text()), json.loads(out))
    assert "causalrules/2" in command("schema")[1]


def test_python_says_the_same(plain):
    told = causalrules.mine({"a": ["x"], "ill": ["yes"]}, "ill=yes", method="plain", reference="a=x")
    assert told == answers.chain()
    assert last_asked()[0].settings.references == {"a": "x"}
    told = causalrules.test({"a": ["x"], "ill": ["yes"]}, "ill=yes", "a=x", method="plain", against="a=y")
    assert told["rx"].verdict == "cause"
    assert last_asked()[0].settings.against == "a=y"
    for name in UNKNOWN:
        assert UNKNOWN[name].count(".") == 0, name
