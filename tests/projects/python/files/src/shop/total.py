"""Sums orders."""


def total(cents: list[int]) -> int:
    """The sum in cents."""
    return sum(cents)
