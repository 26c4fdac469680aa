"""Random signatures, also with more controls than one word holds."""

import hypothesis.strategies as st
import numpy as np

from causalrules.domain.signatures import Signatures, n_words_for


def from_sets(sets, counts, n_controls):
    """Signatures of groups in the given order; sets of controls, four counts each."""
    words = np.zeros((len(sets), n_words_for(n_controls)), np.uint64)
    for group, controls in enumerate(sets):
        for control in controls:
            words[group, control >> 6] |= np.uint64(1) << np.uint64(control & 63)
    return Signatures(words, np.array(counts, np.int64).reshape(-1, 4), np.arange(n_controls))


@st.composite
def signature_sets(draw, most_groups=14):
    """Distinct sets of controls and the four counts of each."""
    n_controls = draw(st.sampled_from([1, 2, 3, 5, 8, 70]))
    control = st.integers(0, n_controls - 1)
    sets = draw(st.lists(st.frozensets(control, max_size=6), min_size=1, max_size=most_groups, unique=True))
    count = st.sampled_from([0, 0, 0, 1, 1, 2, 3])
    counts = draw(st.lists(st.tuples(count, count, count, count), min_size=len(sets), max_size=len(sets)))
    return sets, counts, n_controls
