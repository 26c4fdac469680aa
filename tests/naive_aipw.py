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


def adjusted_risks(exposure, outcome, controls):
    """Risk at each value of the exposure, were all records alike, and the covariance of these risks."""
    values, held = np.unique(exposure), dummies(controls)
    if len(values) == 2:
        is_second = sm.Logit((exposure == values[1]).astype(float), held).fit(disp=0).predict()
        chances = np.column_stack([1 - is_second, is_second])
    else:
        chances = sm.MNLogit(np.searchsorted(values, exposure), held).fit(disp=0).predict()
    model = sm.Logit(outcome, dummies([exposure, *controls])).fit(disp=0)
    parts = []
    for place, value in enumerate(values):
        at_value = np.column_stack(
            [np.ones(len(outcome)), *(np.full(len(outcome), float(value == v)) for v in values[1:])]
        )
        expected = model.predict(np.column_stack([at_value, held[:, 1:]]))
        parts.append(expected + (exposure == value) / chances[:, place] * (outcome - expected))
    added = np.column_stack(parts)
    return added.mean(axis=0), np.cov(added, rowvar=False) / len(outcome)
