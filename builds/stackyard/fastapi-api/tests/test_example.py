import time
from concurrent.futures import ThreadPoolExecutor

from fastapi.testclient import TestClient

from app.routers.example import ItemStore, NewItem

LAMP = {"name": "Lamp", "price": 9.5}


def test_an_item_is_added(client: TestClient) -> None:
    added = client.post("/example", json=LAMP)
    assert added.status_code == 201
    assert added.json() == {"id": 1, **LAMP}
    assert client.get("/example").json() == [{"id": 1, **LAMP}]
    assert client.get("/example/1").json() == {"id": 1, **LAMP}


def test_a_name_is_taken_once(client: TestClient) -> None:
    client.post("/example", json=LAMP)
    response = client.post("/example", json=LAMP)
    assert response.status_code == 409
    assert response.json()["error"]["code"] == "name_taken"


class SlowName(str):
    """A name that lets other threads run between each two steps of the store."""

    def __hash__(self) -> int:
        time.sleep(0.005)
        return super().__hash__()


def test_threads_take_a_name_once() -> None:
    store = ItemStore()
    wishes = [NewItem.model_construct(name=SlowName("Lamp"), price=1)] * 8
    with ThreadPoolExecutor(8) as threads:
        added = [item for item in threads.map(store.add, wishes) if item is not None]
    assert [item.id for item in added] == [1]
    assert len(store.list()) == 1


def test_an_unknown_item_is_not_found(client: TestClient) -> None:
    response = client.get("/example/7")
    assert response.status_code == 404
    assert response.json()["error"]["message"] == "No item with this id"
