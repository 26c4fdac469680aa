"""``causalrules warm-up``: after it, nothing is left to compile."""

import sys

import pytest

from causalrules.cli.main import main
from causalrules.kernels import bits, logistic, slots, strata
from causalrules.kernels.compiled import _numba_config


@pytest.mark.skipif(bool(_numba_config.DISABLE_JIT), reason="nothing is compiled with the JIT switched off")
def test_it_says_nothing_and_compiles_the_kernels_of_both_protocols(monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["causalrules", "warm-up"])
    with pytest.raises(SystemExit) as stop:
        main()
    assert not stop.value.code
    assert capsys.readouterr() == ("", "")
    asked = [bits.count_patterns, logistic.fit_logistic, slots.add_weights_by_slot]
    assert all(kernel.signatures for kernel in asked)
    assert any(
        getattr(kernel, "signatures", ()) for kernel in vars(strata).values() if hasattr(kernel, "py_func")
    )
