import logging
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest
from fastapi import APIRouter
from fastapi.testclient import TestClient

from app.application import create_app
from app.config import Settings, load_settings, read_environment
from app.errors import ApiError
from app.module import Check, Module, ModuleHost

router = APIRouter()


@router.get("/taken")
def taken() -> None:
    raise ApiError(409, "Taken", code="taken")


class Recorded(Module):
    """A module that uses every part, and writes down what happens to it."""

    def __init__(self, name: str, events: list[str], *, fails: bool = False) -> None:
        self._name = name
        self._events = events
        self._fails = fails
        self.is_up = True
        self.hosts: list[ModuleHost] = []

    @property
    def name(self) -> str:
        return self._name

    def check_settings(self, env: Mapping[str, str]) -> Sequence[tuple[str, str]]:
        variable = f"{self._name.upper()}_URL"
        return () if variable in env else [(variable, "is not set")]

    @property
    def routers(self) -> Sequence[tuple[str, APIRouter]]:
        return [(f"/{self._name}", router)]

    @property
    def checks(self) -> Mapping[str, Check]:
        return {self._name: self._check}

    async def _check(self) -> None:
        if not self.is_up:
            raise ConnectionError

    @property
    def migrations(self) -> Sequence[Path]:
        return [Path(self._name)]

    @property
    def metadata(self) -> object:
        return self._name

    async def start(self, host: ModuleHost) -> None:
        self.hosts.append(host)
        if self._fails:
            raise ConnectionError(self._name)
        self._events.append(f"start {self._name}")

    async def stop(self) -> None:
        self._events.append(f"stop {self._name}")


class Plain(Module):
    """A module that needs nothing."""

    @property
    def name(self) -> str:
        return "plain"


def test_modules_start_in_order_and_stop_in_the_reverse_order() -> None:
    events: list[str] = []
    modules = [Recorded("one", events), Plain(), Recorded("two", events)]
    app = create_app(Settings(), modules=modules, env={"A": "1"})
    assert events == []
    with TestClient(app):
        assert events == ["start one", "start two"]
    assert events[2:] == ["stop two", "stop one"]


def test_a_module_that_cannot_start_ends_the_start_and_stops_the_others() -> None:
    events: list[str] = []
    modules = [Recorded("one", events), Recorded("two", events, fails=True)]
    app = create_app(Settings(), modules=modules)
    with pytest.raises(ConnectionError, match="two"), TestClient(app):
        raise AssertionError("It must not start")
    assert events == ["start one", "stop one"]


def test_a_module_sees_the_variables_and_the_tables_of_all() -> None:
    modules = [Recorded("one", []), Plain(), Recorded("two", [])]
    with TestClient(create_app(Settings(), modules=modules, env={"A": "1"})):
        [host] = modules[0].hosts if isinstance(modules[0], Recorded) else []
    assert host.env == {"A": "1"}
    assert host.migrations == [Path("one"), Path("two")]
    assert host.metadata == ["one", "two"]
    assert host.log is logging.getLogger("app.one")


def test_the_routes_of_a_module_are_below_its_prefix_and_in_the_docs() -> None:
    client = TestClient(create_app(Settings(), modules=[Recorded("one", [])]))
    assert client.get("/one/taken").json()["error"]["code"] == "taken"
    assert "/one/taken" in client.get("/openapi.json").json()["paths"]


def test_ready_asks_the_modules() -> None:
    one = Recorded("one", [])
    client = TestClient(create_app(Settings(), modules=[one]))
    assert client.get("/ready").status_code == 200
    one.is_up = False
    error = client.get("/ready").json()["error"]
    assert (error["code"], error["message"]) == ("not_ready", "Not ready: one")


def test_wrong_variables_of_all_modules_and_of_the_server_are_one_list(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PORT", "none")
    (tmp_path / ".env").write_text("TWO_URL=x\n")
    modules = [Recorded("one", []), Recorded("two", []), Recorded("three", [])]
    with pytest.raises(SystemExit) as caught:
        load_settings(tmp_path / ".env", modules)
    lines = str(caught.value).splitlines()
    assert lines[0] == "Invalid environment variables:"
    assert lines[1].startswith("  PORT: ")
    assert lines[2:] == ["  ONE_URL: is not set", "  THREE_URL: is not set"]


def test_modules_read_the_env_file_and_the_environment_has_priority(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / ".env").write_text("ONE_URL=file\nTWO_URL=file\nEMPTY\n")
    monkeypatch.setenv("ONE_URL", "process")
    env = read_environment(tmp_path / ".env")
    assert (env["ONE_URL"], env["TWO_URL"], "EMPTY" in env) == (
        "process",
        "file",
        False,
    )
