import os
from collections.abc import Iterator

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

from app.application import create_app
from app.config import Settings
from app.routers.example import ItemStore, get_store


@pytest.fixture(autouse=True)
def no_settings_of_the_shell(monkeypatch: pytest.MonkeyPatch) -> None:
    """Removes the variables that the shell may have set, such as PORT, in any case."""
    for name in list(os.environ):
        if name.lower() in Settings.model_fields:
            monkeypatch.delenv(name)


@pytest.fixture
def app() -> FastAPI:
    """An application of its own for each test, untouched by `.env` and by the modules' data."""
    app = create_app(Settings(), env={"APP_ENV": "test"})
    store = ItemStore()
    app.dependency_overrides[get_store] = lambda: store
    return app


@pytest.fixture
def client(app: FastAPI) -> Iterator[TestClient]:
    with TestClient(app) as client:
        yield client
