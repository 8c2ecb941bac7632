from collections.abc import Iterator

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

from app.application import create_app
from app.config import Settings
from app.routers.example import get_items


@pytest.fixture
def app() -> FastAPI:
    """An application of its own for each test, untouched by `.env`."""
    app = create_app(Settings(_env_file=None))
    items = {}
    app.dependency_overrides[get_items] = lambda: items
    return app


@pytest.fixture
def client(app: FastAPI) -> Iterator[TestClient]:
    with TestClient(app) as client:
        yield client
