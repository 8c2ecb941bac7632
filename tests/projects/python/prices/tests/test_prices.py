import pytest

from shop.prices import read_prices


def test_prices() -> None:
    assert read_prices("tea: 250") == {"tea": 250}
    with pytest.raises(ValueError):
        read_prices("- tea")
