"""Tables with a known truth, as the search for neighbours takes them."""

import numpy as np

from causalrules.cohort.neighbours import Columns, learn
from causalrules.engines.memory import RecordsEngine
from causalrules.engines.unique_records import Profiles


def risk(score):
    return 1 / (1 + np.exp(-score))


def unique_rows_of(codes, outcome):
    """What an engine will answer: different rows of some columns, records without and with the outcome."""

    def unique_rows(columns):
        rows, member = np.unique(codes[columns].T, axis=0, return_inverse=True)
        counts = np.zeros((len(rows), 2), np.int64)
        np.add.at(counts, (member.ravel(), outcome.astype(np.intp)), 1)
        return np.ascontiguousarray(rows.T), counts

    return unique_rows


def opened(columns, outcome):
    """Engine, unique rows, columns; whole numbers from 0 are categories, -1 missing; floats are numbers."""
    codes, items = [], []
    for column in columns:
        values = np.asarray(column)
        if values.dtype.kind == "f":
            codes.append(_bins(values, 40))
            items.append(_bins(values, 4))
        else:
            codes.append(values.astype(np.int64) + 1)
            items.append(codes[-1])
    first_item = np.append(0, np.cumsum([c.max() for c in items]))
    with_outcome = np.asarray(outcome).astype(np.int64)
    profiles = Profiles.of_records(first_item, np.array(items, np.uint16), with_outcome, 1 - with_outcome)
    names = tuple(f"c{place}" for place in range(len(columns)))
    is_number = np.array([np.asarray(c).dtype.kind == "f" for c in columns])
    return (
        RecordsEngine(profiles, threads=1),
        unique_rows_of(np.array(codes, np.uint16), with_outcome),
        Columns(names=names, is_number=is_number),
    )


def _bins(values, n_bins):
    known = values[~np.isnan(values)]
    cuts = np.unique(np.quantile(known, np.arange(1, n_bins) / n_bins))
    return np.where(np.isnan(values), 0, np.searchsorted(cuts, values) + 1)


def learnt(columns, outcome, **options):
    return learn(*opened(columns, outcome), **options)


def f1(found, truth):
    return 2 * len(found & truth) / (len(found) + len(truth))


def random_network(n, n_columns, n_causes, n_effects, seed, degree=3.0):
    """Two-valued columns around an outcome, every family with a random table: columns, outcome, truth."""
    draw = np.random.default_rng(seed)
    nodes = n_columns + 1
    z = int(draw.integers(n_causes, nodes - n_effects))
    causes = {v: set() for v in range(nodes)}
    causes[z] = set(draw.choice(z, n_causes, replace=False).tolist())
    effects = set((z + 1 + draw.choice(nodes - z - 1, n_effects, replace=False)).tolist())
    for effect in effects:
        causes[effect].add(z)
    pairs = [(a, b) for b in range(nodes) for a in range(b) if z not in (a, b)]
    n_more = round(nodes * degree / 2) - n_causes - n_effects
    for k in draw.permutation(len(pairs)).tolist():
        cause, effect = pairs[k]
        if n_more and len(causes[effect]) < 4:
            causes[effect].add(cause)
            n_more -= 1
    data = np.zeros((n, nodes), np.int64)
    for v in range(nodes):
        stratum = np.zeros(n, np.int64)
        for cause in sorted(causes[v]):
            stratum = 2 * stratum + data[:, cause]
        data[:, v] = draw.random(n) < draw.random(1 << len(causes[v]))[stratum]
    place = {v: v - (v > z) for v in range(nodes) if v != z}
    return (
        list(np.delete(data, z, axis=1).T),
        data[:, z],
        {place[v] for v in causes[z]},
        {place[v] for v in effects},
    )
