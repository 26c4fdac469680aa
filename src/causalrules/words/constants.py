"""The constants that decide an answer: all of them, in one place.

Another value would change which columns are causes, or an estimate beyond rounding, on an ordinary table.
Each one ends with the kind or row of ``experiments/plain_calibration.py`` that would notice its absence, and
``make ablation`` measures what it is worth. Modules read them as attributes, so that a change here acts
everywhere.

Not here, but where they are used: how much a machine can afford (columns, cells, records, looks, steps of a
fit), tolerances of numerical fits, what is shown (levels of a number, columns named), and how `look`
recognises what columns are, by names, codes and records: it says what it did, and by which option that is
undone. `find.direction` has bounds of its own: they make hints, which change no verdict.
"""

from __future__ import annotations

LEAK_SHARE = 0.6
"""Share of the outcome's entropy that a column explains when it is the outcome in other words. [the outcome
in other words]"""

NEARLY = 0.1
"""What is nearly so is so but for this share: of entropy, values, records, variance.
[copies are told once]"""

WINDOW = 12
"""Columns over whose networks is averaged at a time. [F1: network of 40 columns, n 2,000]"""

LINKED = 0.2
"""Probability of a direct link from which a column keeps its place and is held wherever it may be. [a pair
acts by being equal]"""

LIKELY = 0.5
"""More likely than not: that a link is direct; that another column takes a column's place. [nothing false: 30
columns of noise]"""

BEFOREHAND = (0.5, 0.1)
"""How probable it is that anything is linked at all, and that a column is, whatever else is linked. At one in
five, 4.4 % of 360 tables with 3-6 causes had a false one, at one in ten 2.2 %. [F1: network of 20 columns, n
500]"""

EFFECT_VARIANCE = 1.0
"""Beforehand, of the log odds ratio of two levels: half of them between 1/2 and 2. [F1: network of 20
columns, n 500]"""

BINS = 10
"""Parts of a number where it is looked at beside others. [product]"""

QUARTERS = 4
"""Parts of a number where three columns are looked at, or all pairs. [three numbers at once]"""

DEGREE = 3
"""Of the polynomials in a number's normal scores. [product]"""

RARE = 0.01
"""Share of the records below which values of a category are one. [40 values]"""

LEAST_RECORDS = 10
"""Records that a level needs at least; two levels together need twice as many. [small]"""

BEYOND_DOUBT = 0.05
"""p-value of columns that act together, all that could be tried counted (Bonferroni); and of those that go
with a factor. [a pair acts by being equal]"""

LEAST_HARM = 0.1
"""Standard errors by which what is not held may move the estimate: many weak confounders confound like a
strong one. [many weak]"""

EVENTS_PER_COLUMN = 5
"""Records of the rarer outcome for each degree of freedom that a column not linked to it takes (Vittinghoff
and McCulloch 2007). [many weak]"""

PLAUSIBLE = 0.05
"""Of a level's share, the least chance of having it at which a record is compared: none weighs more than 20
times what a random record would. [4 numbers, n 500]"""

COMPARABLE = (0.5, 0.8)
"""Shares of the records that can be compared: enough, and good. [copies are told once]"""

COMPLETE = (50, 0.2)
"""Records of the rarer outcome, and their share, with which records that lack no control are compared by
themselves; with fewer, missing is a level. [values missing]"""

ADDED = 4.0
"""Records that are thought to be added to those of a level when its error is judged, half of them with the
outcome (Agresti and Coull 1998): of 40 records none of which has it, the share is not known without error.
[rare outcome]"""

STEPS = 60
"""Penalised steps of a number, beside its line and curve. [step]"""

KNOTS = (0.05, 0.275, 0.5, 0.725, 0.95)
"""Of a number's restricted cubic spline, as shares of the records (Harrell 2015). [U shape]"""

LESS_SHRUNK = 0.125
"""Part of the penalties that would predict best: what a model leaves of a confounder is bias, what it takes
too much is only width (Newey, Hsieh and Robins 1998). [saw-tooth]"""

GAMMA = (1.2, 2.0)
"""Odds of exposure that a hidden cause would have to multiply, from which a cause is moderate, and strong.
[grades: a hidden cause]"""

IMBALANCE = (0.25, 0.1)
"""Largest standardised difference that matched records keep beyond chance, up to which it is so. [grades: a
hidden cause]"""
