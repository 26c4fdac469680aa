"""Records made from plain arrays: whole numbers and texts are categories, floats are numbers."""

import numpy as np

from causalrules.words.records import Column, Records

MOST_BINS = 100


def column_of(name, values):
    """A coded column; -1, None and nan are missing."""
    values = np.asarray(values)
    if values.dtype.kind == "f":
        known = np.unique(values[~np.isnan(values)])
        cuts = known[1:]
        if len(known) > MOST_BINS:
            cuts = np.unique(np.quantile(values[~np.isnan(values)], np.arange(1, MOST_BINS) / MOST_BINS))
        bins = np.searchsorted(cuts, values, side="right") + 1
        codes = np.where(np.isnan(values), 0, bins)
        _, codes = np.unique(np.append(codes, 0), return_inverse=True)
        codes = codes[:-1].astype(np.uint8)
        size, total = (np.bincount(codes, weight) for weight in (None, np.nan_to_num(values)))
        means = total[1:] / np.maximum(size[1:], 1)
        return Column(name=name, kind="number", levels=tuple(map(str, means)), codes=codes, values=means)
    texts = np.array(["" if value in (-1, None) else str(value) for value in values.tolist()])
    names, codes = np.unique(np.append(texts, ""), return_inverse=True)
    return Column(name=name, kind="category", levels=tuple(names[1:]), codes=codes[:-1].astype(np.uint16))


def records_of(columns, outcome, count=None, *, is_mean=False):
    """Records of named arrays, or of arrays that are named c0, c1 and so on."""
    if not isinstance(columns, dict):
        columns = {f"c{place}": values for place, values in enumerate(columns)}
    coded = tuple(column_of(name, values) for name, values in columns.items())
    outcome = np.asarray(outcome).astype(np.float64)
    count = np.ones(len(outcome)) if count is None else np.asarray(count, np.float64)
    return Records(coded, outcome, count, is_mean=is_mean)
