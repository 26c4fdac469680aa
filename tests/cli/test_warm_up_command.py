"""``causalrules warm-up``: after it, nothing is left to compile."""

import os
import sys

import pytest

from causalrules.cli.main import main
from causalrules.kernels import bits, logistic, ordering, score_strata, slots, strata


@pytest.mark.skipif("NUMBA_DISABLE_JIT" in os.environ, reason="nothing is compiled with the JIT switched off")
def test_it_says_nothing_and_compiles_the_kernels_of_both_protocols(monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["causalrules", "warm-up"])
    with pytest.raises(SystemExit) as stop:
        main()
    assert not stop.value.code
    assert capsys.readouterr() == ("", "")
    # Codes have one byte, or two where a column has more than 255 values: other types, other compiled code.
    types_of_codes = {str(signature[0].dtype) for signature in slots.add_weights_by_slot.signatures}
    assert types_of_codes >= {"uint8", "uint16"}
    asked = [bits.count_patterns, logistic.fit_logistic, slots.add_weights_by_slot, ordering.ranks_of]
    asked += [ordering.order_of, score_strata.add_by_code, score_strata.cut_groups]
    assert all(kernel.signatures for kernel in asked)
    assert any(
        kernel.signatures for kernel in vars(strata).values() if isinstance(kernel, type(bits.count_codes))
    )
