"""The paper, whole: *From Observational Studies to Causal Rule Mining* (Li et al., ACM TIST 2015).

`algorithm_1` is its Algorithm 1 (CR-CS) and `fair_data` its Function 1. The page *From the paper to the
code* leads from every definition, step, table and figure to the function or command that has it.
"""
