"""What experiments need: tables with a known truth, published data sets, other people's methods."""
