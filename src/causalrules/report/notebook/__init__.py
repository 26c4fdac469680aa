"""What notebooks show of a value: HTML without scripts and styles of its own, in any theme, offline."""

from causalrules.report.notebook.graph_svg import graph_html
from causalrules.report.notebook.html_of_result import result_html
from causalrules.report.notebook.html_of_rule import rule_html

__all__ = ["graph_html", "result_html", "rule_html"]
