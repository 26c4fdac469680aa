"""What the methods rest on, in the order in which a text first names it."""

from __future__ import annotations

import re

REFERENCES = {
    "Agresti 2013": "Agresti A. Categorical Data Analysis. 3rd ed. Wiley; 2013.",
    "Austin 2009": "Austin PC. Balance diagnostics for comparing the distribution of baseline covariates "
    "between treatment groups in propensity-score matched samples. Statistics in Medicine 2009;28:3083-3107.",
    "Bell and McCaffrey 2002": "Bell RM, McCaffrey DF. Bias reduction in standard errors for linear "
    "regression with multi-stage samples. Survey Methodology 2002;28:169-181.",
    "Benjamini and Hochberg 1995": "Benjamini Y, Hochberg Y. Controlling the false discovery rate: a "
    "practical and powerful approach to multiple testing. Journal of the Royal Statistical Society B "
    "1995;57:289-300.",
    "Benjamini and Yekutieli 2001": "Benjamini Y, Yekutieli D. The control of the false discovery rate in "
    "multiple testing under dependency. Annals of Statistics 2001;29:1165-1188.",
    "Binder 1983": "Binder DA. On the variances of asymptotically normal estimators from complex surveys. "
    "International Statistical Review 1983;51:279-292.",
    "Boos 1992": "Boos DD. On generalized score tests. The American Statistician 1992;46:327-333.",
    "Breslow and Day 1980": "Breslow NE, Day NE. Statistical Methods in Cancer Research. Volume I: The "
    "Analysis of Case-Control Studies. IARC; 1980.",
    "Hansen 2008": "Hansen BB. The prognostic analogue of the propensity score. Biometrika 2008;95:481-488.",
    "Ho et al. 2011": "Ho DE, Imai K, King G, Stuart EA. MatchIt: nonparametric preprocessing for parametric "
    "causal inference. Journal of Statistical Software 2011;42(8):1-28.",
    "Holm 1979": "Holm S. A simple sequentially rejective multiple test procedure. Scandinavian Journal of "
    "Statistics 1979;6:65-70.",
    "Koivisto and Sood 2004": "Koivisto M, Sood K. Exact Bayesian structure discovery in Bayesian networks. "
    "Journal of Machine Learning Research 2004;5:549-573.",
    "Korn and Graubard 1990": "Korn EL, Graubard BI. Simultaneous testing of regression coefficients with "
    "complex survey data: use of Bonferroni t statistics. The American Statistician 1990;44:270-276.",
    "Leacy and Stuart 2014": "Leacy FP, Stuart EA. On the joint use of propensity and prognostic scores in "
    "estimation of the average treatment effect on the treated: a simulation study. Statistics in Medicine "
    "2014;33:3488-3508.",
    "Li et al. 2015": "Li J, Le TD, Liu L, Liu J, Jin Z, Sun B, Ma S. From observational studies to causal "
    "rule mining. ACM Transactions on Intelligent Systems and Technology 2015;7(2):14.",
    "Liang and Zeger 1986": "Liang KY, Zeger SL. Longitudinal data analysis using generalized linear models. "
    "Biometrika 1986;73:13-22.",
    "Lipsitch et al. 2010": "Lipsitch M, Tchetgen Tchetgen E, Cohen T. Negative controls: a tool for "
    "detecting confounding and bias in observational studies. Epidemiology 2010;21:383-388.",
    "Mantel 1963": "Mantel N. Chi-square tests with one degree of freedom; extensions of the Mantel-Haenszel "
    "procedure. Journal of the American Statistical Association 1963;58:690-700.",
    "MacKinnon and White 1985": "MacKinnon JG, White H. Some heteroskedasticity-consistent covariance matrix "
    "estimators with improved finite sample properties. Journal of Econometrics 1985;29:305-325.",
    "Mantel and Haenszel 1959": "Mantel N, Haenszel W. Statistical aspects of the analysis of data from "
    "retrospective studies of disease. Journal of the National Cancer Institute 1959;22:719-748.",
    "Robins et al. 1986": "Robins J, Breslow N, Greenland S. Estimators of the Mantel-Haenszel variance "
    "consistent in both sparse data and large-strata limiting models. Biometrics 1986;42:311-323.",
    "Robins et al. 1994": "Robins JM, Rotnitzky A, Zhao LP. Estimation of regression coefficients when some "
    "regressors are not always observed. Journal of the American Statistical Association 1994;89:846-866.",
    "Rosenbaum 2002": "Rosenbaum PR. Observational Studies. 2nd ed. Springer; 2002.",
    "Rosenbaum and Rubin 1983": "Rosenbaum PR, Rubin DB. The central role of the propensity score in "
    "observational studies for causal effects. Biometrika 1983;70:41-55.",
    "VanderWeele and Ding 2017": "VanderWeele TJ, Ding P. Sensitivity analysis in observational research: "
    "introducing the E-value. Annals of Internal Medicine 2017;167:268-274.",
    "Webb 2007": "Webb GI. Discovering significant patterns. Machine Learning 2007;68:1-33.",
}
"""By the name under which a text cites them."""

_CITED = re.compile(r"\[([^\[\]]+ \d{4})\]")


def numbered(paragraphs: list[str]) -> tuple[list[str], list[str]]:
    """Turn names in brackets into numbers, and list what they stand for.

    Examples
    --------
    >>> texts, listed = numbered(["Holm's way [Holm 1979], as it is [Holm 1979]."])
    >>> texts
    ["Holm's way [1], as it is [1]."]
    >>> listed[0][:7]
    'Holm S.'
    """
    number: dict[str, int] = {}

    def cite(found: re.Match[str]) -> str:
        name = found[1]
        if name not in REFERENCES:  # brackets that stand in a name of the data
            return found[0]
        return f"[{number.setdefault(name, len(number) + 1)}]"

    texts = [_CITED.sub(cite, text).strip() for text in paragraphs]
    return texts, [REFERENCES[name] for name in number]
