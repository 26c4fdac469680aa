"""Everything public is shown by an example that is run, in its own docstring or elsewhere in its class."""

import doctest
import inspect

import pytest

import causalrules
from causalrules.domain.causal_graph import CausalGraph
from causalrules.domain.finding import Finding
from causalrules.domain.result_diff import ResultDiff
from causalrules.interchange.dowhy_model import DoWhyModel
from causalrules.paper import PaperResult, PaperRule
from causalrules.paper.matching_comparison import MatchingComparison
from causalrules.publish import Article, Flow, TableOne
from causalrules.report.pictures import Plots
from causalrules.simulation.simulated import Simulated
from causalrules_lab.baselines import Comparison

GIVEN_BACK = [
    Article,
    CausalGraph,
    Comparison,
    DoWhyModel,
    Finding,
    Flow,
    MatchingComparison,
    PaperResult,
    PaperRule,
    Plots,
    ResultDiff,
    Simulated,
    TableOne,
]
"""Classes of what the public functions and methods give back."""

NOT_RUN = {
    "explore": "it serves until it is stopped",
    "DoWhyModel.model": "DoWhy is not among what the tests install",
}
FOR_US = {
    "CausalRulesError": {"told"},
    "Settings": {  # what the search reads off them
        "adjusted_for",
        "adjusts_for_nothing_else",
        "cuts",
        "frequencies",
        "group_column",
        "has_design",
        "is_sampled",
        "knowledge_about",
        "most_bytes",
        "n_quantiles",
        "orders",
        "settle",
        "exact_on",
    },
    "Result": {"flat_table", "pieces"},  # what files are written from
    "PaperResult": {"flat_table", "pieces", "page"},
    "PaperRule": {"of_the_opposite"},
    "MatchingComparison": {"document", "what_is_held"},
    "TableAt": {"refuse_all_but"},
}


def public_classes():
    named = (getattr(causalrules, name) for name in causalrules.__all__)
    return [*(one for one in named if inspect.isclass(one)), *GIVEN_BACK]


def sources_run_in(docstring):
    """The lines of a docstring's examples that are run."""
    examples = doctest.DocTestParser().get_examples(inspect.cleandoc(docstring or ""))
    return "".join(one.source for one in examples if not one.options.get(doctest.SKIP))


def members_of(kind):
    for name in dir(kind):
        found = inspect.getattr_static(kind, name)
        found = found.fget if isinstance(found, property) else getattr(found, "__func__", found)
        is_ours = inspect.isfunction(found) and found.__module__.startswith("causalrules")
        if is_ours and not name.startswith("_") and name not in FOR_US.get(kind.__name__, ()):
            yield name, found


@pytest.mark.parametrize("name", [name for name in causalrules.__all__ if name not in NOT_RUN])
def test_every_public_name_has_an_example(name):
    found = getattr(causalrules, name)
    if callable(found):
        assert sources_run_in(found.__doc__), name


@pytest.mark.parametrize("kind", public_classes(), ids=lambda kind: kind.__name__)
def test_every_method_is_shown(kind):
    assert sources_run_in(kind.__doc__)
    members = dict(members_of(kind))
    shown = "".join(sources_run_in(one.__doc__) for one in (kind, *members.values()))
    names = [name for name in members if f"{kind.__name__}.{name}" not in NOT_RUN]
    assert [name for name in names if f".{name}" not in shown] == []
