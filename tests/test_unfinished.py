"""A run that was interrupted says so wherever its answer is read, and how far it came."""

import io
from dataclasses import replace

import pytest
from rich.console import Console

from causalrules.asked_settings import asked_settings, job_for
from causalrules.domain import Settings
from causalrules.paper.report import terminal_report
from causalrules.publish.methods_text import methods_paragraphs
from causalrules.publish.results_text import results_paragraphs
from causalrules.report.markdown import mining_markdown
from causalrules.report.notebook import result_html
from causalrules.report.page.view import view_of
from causalrules.report.terminal.mining import mining_report
from causalrules.search.job import DefaultJob
from causalrules.simulation import planted_table


def interrupted_run(controls, length, tested):
    def interrupt(progress):
        if progress.length == length and progress.tested == tested:
            raise KeyboardInterrupt

    settings = asked_settings({"controls": controls})
    return job_for(settings)(
        source=planted_table(),
        outcome="ill=yes",
        settings=settings,
        on_progress=interrupt,
        on_interrupt="keep",
    ).mine()


def in_terminal(result, report=mining_report):
    console = Console(file=io.StringIO(), width=200)
    console.print(report(result))
    return console.file.getvalue()


@pytest.fixture(scope="module")
def result():
    return interrupted_run("auto", 1, 2)


def test_the_headline_says_that_the_run_is_unfinished_and_how_far_it_came(result):
    to_study = result.by_length[1]["associations"]
    assert to_study > len(result.tested) == 2
    far = f"2 of {to_study} hypotheses"
    for text in (in_terminal(result), mining_markdown(result), repr(result), result.summary()):
        first = text.splitlines()[0].strip("*")
        assert first.startswith("Unfinished")
        assert far in first
    for text in (in_terminal(result), mining_markdown(result), result_html(result)):
        assert far in text
        assert "none was shown to" not in text


def test_the_page_says_it_in_its_lead_and_first_among_what_to_read(result):
    answer = view_of(result)["answer"]
    assert answer["lead"].startswith("Unfinished: ")
    assert "2 of " in answer["first"][0][0]
    assert "interrupted" in answer["first"][0][0]


def test_a_page_without_causes_does_not_say_that_none_was_found(result):
    nothing = replace(result, tested=tuple(replace(one, verdict="rejected") for one in result.tested))
    view = view_of(nothing)
    assert view["findings"][0]["note"] == "None so far: the run was interrupted."
    assert "so far" in view["answer"]["lead"]


def test_methods_and_results_say_it_in_their_first_sentence(result):
    assert methods_paragraphs(result)[0].startswith("This run was interrupted: 2 of ")
    assert results_paragraphs(result)[0].startswith("The run was not finished")


@pytest.mark.parametrize(("controls", "report"), [("items", terminal_report), ("auto", mining_report)])
def test_an_interruption_among_combinations_is_told_too(controls, report):
    result = interrupted_run(controls, 2, 1)
    assert result.interrupted
    assert result.summary().startswith("Unfinished")
    assert "Unfinished" in "".join(in_terminal(result, report).splitlines()[:3])


def test_a_finished_run_says_nothing_of_the_kind():
    finished = DefaultJob(source=planted_table(), outcome="ill=yes", settings=Settings()).mine()
    view = view_of(finished)
    told = [in_terminal(finished), finished.summary(), view["answer"]["lead"], *methods_paragraphs(finished)]
    assert not any("nfinished" in text or "interrupted" in text for text in told)
