"""Price lists."""

from .price_list import read_prices

__all__ = ["read_prices"]
