from shop.total import total


def test_total() -> None:
    assert total([100, 50]) == 150
