"""What the commands of the lab do: compare, datasets and reproduce."""
