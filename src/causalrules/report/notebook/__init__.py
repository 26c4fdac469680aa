"""What notebooks show of a value: HTML without scripts and styles of its own, in any theme, offline."""

from causalrules.report.notebook.matching_html import matching_html
from causalrules.report.notebook.result_html import result_html
from causalrules.report.notebook.rule_html import rule_html

__all__ = ["matching_html", "result_html", "rule_html"]
