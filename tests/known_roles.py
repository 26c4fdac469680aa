"""Tables in which it matters what comes first: the numbers of records are the truth, nothing is drawn.

Every table is made from its probabilities by rounding, so that what a study must find can be said exactly.
"""

from itertools import product

import pandas as pd


def records(n, *causal_order):
    """Every combination of yes and no as often as its probability says.

    A column is (name, function of the columns before it to the probability of yes); a name that starts with
    an underscore is not in the table.
    """
    rows = []
    for values in product((0, 1), repeat=len(causal_order)):
        known, weight = {}, 1.0
        for (name, chance), value in zip(causal_order, values, strict=True):
            p = chance(known)
            weight *= p if value else 1 - p
            known[name] = value
        shown = {name: "yes" if value else "no" for name, value in known.items() if name[0] != "_"}
        rows += [shown] * round(n * weight)
    return pd.DataFrame(rows)


def odds(value):
    return value / (1 + value)


def drug_after_illness(n=20_000):
    """Smoking causes the illness, the illness is why a drug is given (odds ratio 77); sex causes nothing."""
    return records(
        n,
        ("sex", lambda k: 0.5),
        ("smoking", lambda k: 0.3),
        ("ill", lambda k: odds(0.25 * (3 if k["smoking"] else 1))),
        ("drug", lambda k: odds(0.11 * (77 if k["ill"] else 1))),
    )


def mediator(n=20_000):
    """Smoking causes cancer through tar only: the total odds ratio is 2.83, the direct one 1."""
    return records(
        n,
        ("smoking", lambda k: 0.4),
        ("tar", lambda k: 0.9 if k["smoking"] else 0.1),
        ("cancer", lambda k: 0.4 if k["tar"] else 0.15),
    )


def collider(n=20_000):
    """Neither exposure nor outcome acts on the other; a visit to the clinic comes of both."""
    return records(
        n,
        ("exposed", lambda k: 0.4),
        ("ill", lambda k: 0.3),
        ("clinic", lambda k: (0.1, 0.6, 0.6, 0.65)[k["exposed"] + 2 * k["ill"]]),
    )


def m_structure(n=40_000):
    """Two hidden causes act on a third column, one on the exposure too and one on the outcome; no effect."""
    return records(
        n,
        ("_first", lambda k: 0.5),
        ("_second", lambda k: 0.5),
        (
            "between",
            lambda k: (0.05, 0.5, 0.5, 0.95)[k["_first"] + k["_second"] + (k["_first"] and k["_second"])],
        ),
        ("exposed", lambda k: 0.85 if k["_first"] else 0.15),
        ("ill", lambda k: 0.85 if k["_second"] else 0.15),
    )
