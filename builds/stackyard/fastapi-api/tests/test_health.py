import asyncio
import logging

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

from app import health
from app.application import create_app
from app.config import Settings
from app.module import Check


async def passes() -> None:
    """A check of a part that works."""


async def fails() -> None:
    raise ConnectionError("secret")


async def hangs() -> None:
    await asyncio.sleep(60)


def get_ready(checks: dict[str, Check]) -> tuple[int, str | None, str | None]:
    """Returns status, code and message of `GET /ready`."""
    response = TestClient(create_app(Settings(), checks, modules=())).get("/ready")
    assert response.headers["cache-control"] == "no-store"
    error = response.json().get("error", {})
    return response.status_code, error.get("code"), error.get("message")


def test_an_application_without_checks_is_ready(client: TestClient) -> None:
    response = client.get("/ready")
    assert (response.status_code, response.json()) == (200, {"status": "ready"})
    assert client.head("/ready").status_code == 200


def test_all_checks_pass() -> None:
    assert get_ready({"database": passes, "queue": passes}) == (200, None, None)


def test_a_failed_check_is_named_and_logged(caplog: pytest.LogCaptureFixture) -> None:
    found = get_ready({"database": fails, "queue": passes, "mail": fails})
    assert found == (503, "not_ready", "Not ready: database, mail")
    logged = [r for r in caplog.records if r.name == health.__name__ and r.exc_info]
    assert [record.getMessage() for record in logged] == [
        "Check database failed",
        "Check mail failed",
    ]


def test_a_check_that_hangs_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(health, "CHECK_TIMEOUT_SECONDS", 0.01)
    assert get_ready({"queue": hangs})[2] == "Not ready: queue"


def test_an_application_that_is_shutting_down_is_not_ready(
    app: FastAPI, client: TestClient, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, logger="app.request_log")
    app.state.readiness.is_draining = True
    response = client.get("/ready")
    assert (response.status_code, response.json()["error"]["code"]) == (503, "draining")
    assert client.get("/health").status_code == 200
    # The client must not send another request on this connection.
    for path in ["/ready", "/example", "/nowhere"]:
        assert client.get(path).headers["connection"] == "close"
    logged = [r.getMessage() for r in caplog.records if r.name == "app.request_log"]
    assert logged[0] == "GET /ready 503"
