"""A made-up cohort: two confounders, a missing exposure, a missing control, an unknown outcome."""

import numpy as np
import pandas as pd


def patients(n=1500, seed=4):
    chance = np.random.default_rng(seed)
    sex = chance.choice(["female", "male"], n)
    site = chance.choice(["north", "south", "west"], n, p=[0.5, 0.3, 0.2])
    age = chance.normal(60, 12, n).round(1)
    risk = (age - 60) / 12 + (sex == "male") * 0.8
    drug = chance.random(n) < 1 / (1 + np.exp(-(risk - 0.4)))
    ill = chance.random(n) < 1 / (1 + np.exp(-(0.7 * risk + 0.9 * drug - 1.2)))
    frame = pd.DataFrame(
        {
            "drug": np.where(drug, "yes", "no").astype(object),
            "sex": sex.astype(object),
            "age": age,
            "site": site.astype(object),
            "ill": np.where(ill, "yes", "no").astype(object),
        }
    )
    frame.loc[chance.random(n) < 0.06, "drug"] = None
    frame.loc[chance.random(n) < 0.08, "sex"] = None
    frame.loc[chance.random(n) < 0.04, "age"] = np.nan
    frame.loc[chance.random(n) < 0.02, "ill"] = None
    return frame
