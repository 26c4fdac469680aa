"""Values that rooms hand on: records, factors, studies, findings, results. It knows no renderer."""
