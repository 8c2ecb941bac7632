"""Reads a price list: a mapping of names to cents."""

import yaml


def read_prices(text: str) -> dict[str, int]:
    """The prices in a YAML mapping. Raises ValueError for anything else."""
    data = yaml.safe_load(text)
    if not isinstance(data, dict):
        raise ValueError("A price list is a mapping of names to cents")
    return {str(name): int(cents) for name, cents in data.items()}
