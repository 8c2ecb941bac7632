from fastapi.testclient import TestClient

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


def test_an_unknown_item_is_not_found(client: TestClient) -> None:
    response = client.get("/example/7")
    assert response.status_code == 404
    assert response.json()["error"]["message"] == "No item with this id"
