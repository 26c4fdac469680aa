"""Adjusted risks as a textbook makes them: two regressions, and each record's part in every mean (AIPW).

It imports nothing of ours; the regressions are statsmodels', without penalties, of main effects only.
"""

import numpy as np
import statsmodels.api as sm


def dummies(columns):
    """A constant, and every value of each column but its first."""
    parts = [np.ones(len(columns[0]))]
    for column in columns:
        parts += [(column == value).astype(float) for value in np.unique(column)[1:]]
    return np.column_stack(parts)


def adjusted_risks(exposure, outcome, controls, *, is_mean=False, weight=None, cluster=None):
    """Risk at each value of the exposure, were all records alike, and the covariance of these risks.

    `weight` is how many records of the population each stands for, a whole number; `cluster` whose it is.
    """
    n = len(outcome)
    weight = np.ones(n, int) if weight is None else weight
    values, held, written = np.unique(exposure), dummies(controls), np.repeat(np.arange(n), weight)
    if len(values) == 2:
        is_second = (exposure == values[1]).astype(float)
        second = sm.Logit(is_second[written], held[written]).fit(disp=0).predict(held)
        chances = np.column_stack([1 - second, second])
    else:
        places = np.searchsorted(values, exposure)
        chances = sm.MNLogit(places[written], held[written]).fit(disp=0).predict(held)
    regression = sm.OLS if is_mean else sm.Logit
    told = {} if is_mean else {"disp": 0}
    model = regression(outcome[written], dummies([exposure, *controls])[written]).fit(**told)
    parts = []
    for place, value in enumerate(values):
        at_value = np.column_stack([np.ones(n), *(np.full(n, float(value == v)) for v in values[1:])])
        expected = model.predict(np.column_stack([at_value, held[:, 1:]]))
        parts.append(expected + (exposure == value) / chances[:, place] * (outcome - expected))
    added = np.column_stack(parts)
    risk = weight @ added / weight.sum()
    left = weight[:, None] * (added - risk)
    if cluster is not None:
        left = np.array([left[cluster == one].sum(axis=0) for one in np.unique(cluster)])
    return risk, left.T @ left / weight.sum() ** 2
