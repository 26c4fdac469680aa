"""How much does a factor change the outcome among comparable records? One study for each."""
