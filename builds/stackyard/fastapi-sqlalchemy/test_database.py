import asyncio
import logging
import sqlite3
from collections.abc import Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Annotated

import pytest
from fastapi import APIRouter, Depends, FastAPI, HTTPException
from fastapi.testclient import TestClient
from sqlalchemy import URL, String, make_url, text
from sqlalchemy.orm import Mapped, Session, mapped_column

from app.application import create_app
from app.config import Settings
from app.database import (
    Base,
    DatabaseModule,
    MigrationError,
    database_module,
    get_session,
    metadata,
    router_of,
    session_scope,
    upgrade,
)
from app.database.__main__ import main
from app.database.engine import find_url_problem, make_engine, read_url
from app.database.migrate import find_missing
from app.module import Module

LOG = logging.getLogger("test")
TEST = {"APP_ENV": "test"}


class Item(Base):
    __tablename__ = "test_items"

    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(String(100), unique=True)


CREATE_ITEMS = """
    op.create_table(
        "test_items",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("name", sa.String(100), nullable=False, unique=True),
    )
"""


def write_version(
    folder: Path, revision: str, code: str = "    pass", after: str | None = None
) -> Path:
    """Writes a version of a branch; returns its folder."""
    folder.mkdir(exist_ok=True)
    (folder / f"{revision}.py").write_text(
        "import sqlalchemy as sa\nimport time\nfrom alembic import op\n\n"
        f"revision = {revision!r}\ndown_revision = {after!r}\n"
        "branch_labels = None\ndepends_on = None\n\n\n"
        f"def upgrade() -> None:\n{code}\n"
    )
    return folder


class Items(Module):
    """A module with a table and routes."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    @property
    def name(self) -> str:
        return "items"

    @property
    def migrations(self) -> list[Path]:
        return [write_version(self._folder, "items_0001", CREATE_ITEMS)]

    @property
    def routers(self) -> list[tuple[str, APIRouter]]:
        return [("/items", router)]


router = APIRouter()
Connected = Annotated[Session, Depends(get_session)]


@router.get("")
def list_items(session: Connected) -> list[str]:
    return [name for (name,) in session.execute(text("SELECT name FROM test_items"))]


@router.post("/{name}")
def add_item(name: str, session: Connected, fails: bool = False) -> None:
    # To read and then to write is one step: nobody writes in between.
    session.execute(text("SELECT 1 FROM test_items"))
    session.add(Item(name=name))
    session.flush()
    if fails:
        raise HTTPException(418)
    session.commit()


@pytest.fixture
def url(tmp_path: Path) -> URL:
    return make_url(f"sqlite:///{tmp_path / 'x.db'}")


@pytest.fixture
def items(tmp_path: Path) -> Iterator[TestClient]:
    modules = [database_module, Items(tmp_path / "versions")]
    with TestClient(create_app(Settings(), modules=modules, env=TEST)) as client:
        yield client


def test_an_application_without_a_list_of_modules(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    items = Items(tmp_path / "versions")
    database = DatabaseModule()
    for folder in items.migrations:
        database.register_migrations(folder)
    app = FastAPI()
    app.include_router(router_of(database))
    monkeypatch.delenv("DATABASE_URL", raising=False)
    monkeypatch.setenv("APP_ENV", "production")
    with pytest.raises(RuntimeError, match="DATABASE_URL: is not set"), TestClient(app):
        raise AssertionError("It must not start")
    monkeypatch.setenv("APP_ENV", "test")
    with TestClient(app):
        assert tables_of(database.engine.url) == {"test_items"}


def tables_of(url: URL) -> set[str]:
    with sqlite3.connect(url.database or "") as connection:
        rows = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
        return {name for (name,) in rows} - {"alembic_version"}


def test_what_is_committed_stays_and_the_rest_is_undone(items: TestClient) -> None:
    assert items.post("/items/lamp").status_code == 200
    assert items.post("/items/sofa?fails=1").status_code == 418
    assert items.get("/items").json() == ["lamp"]


def test_every_start_under_tests_has_an_empty_database(tmp_path: Path) -> None:
    for _ in range(2):
        modules = [database_module, Items(tmp_path / "versions")]
        with TestClient(create_app(Settings(), modules=modules, env=TEST)) as client:
            assert client.get("/items").json() == []
            client.post("/items/lamp")
            file = Path(database_module.engine.url.database or "")
            assert file.is_file()
        assert not file.parent.exists()


def test_ready_asks_the_database(items: TestClient) -> None:
    assert items.get("/ready").status_code == 200
    asyncio.run(database_module.stop())
    assert items.get("/ready").json()["error"]["message"] == "Not ready: database"


def test_many_threads_read_and_write_at_once(items: TestClient) -> None:
    def add(number: int) -> int:
        return items.post(f"/items/{number % 20}").status_code

    with ThreadPoolExecutor(16) as threads:
        added = list(threads.map(add, range(40)))
    assert added.count(200) == 20
    assert len(items.get("/items").json()) == 20


def test_sqlite_has_its_settings(items: TestClient) -> None:
    with session_scope() as session:
        found = {
            name: session.execute(text(f"PRAGMA {name}")).scalar_one()
            for name in ("journal_mode", "foreign_keys", "busy_timeout", "synchronous")
        }
    assert found == {
        "journal_mode": "wal",
        "foreign_keys": 1,
        "busy_timeout": 5000,
        "synchronous": 2,
    }


def test_a_transaction_that_only_reads_waits_for_nobody(items: TestClient) -> None:
    with session_scope() as writer:
        writer.add(Item(name="lamp"))
        writer.flush()
        assert items.get("/items").json() == []
    assert items.get("/items").json() == ["lamp"]


def test_the_database_cannot_be_used_before_the_start() -> None:
    with pytest.raises(RuntimeError, match="has not started"), session_scope():
        raise AssertionError("It must not open")


def test_versions_of_several_modules_are_applied_once_and_in_order(
    tmp_path: Path, url: URL
) -> None:
    one = write_version(tmp_path / "one", "one_0001", CREATE_ITEMS)
    write_version(
        one,
        "one_0002",
        '    op.add_column("test_items", sa.Column("x", sa.Integer))',
        "one_0001",
    )
    two = write_version(
        tmp_path / "two",
        "two_0001",
        '    op.create_table("two", sa.Column("id", sa.Integer))',
    )
    upgrade(url, [one], metadata, LOG)
    assert tables_of(url) == {"test_items"}
    assert find_missing(url, [one, two]) == ["two_0001"]
    for _ in range(2):
        upgrade(url, [one, two], metadata, LOG)
    assert tables_of(url) == {"test_items", "two"}
    assert find_missing(url, [one, two]) == []


def test_a_migration_that_fails_in_the_middle_leaves_nothing(
    tmp_path: Path, url: URL
) -> None:
    one = write_version(tmp_path / "one", "one_0001", CREATE_ITEMS)
    write_version(one, "one_0002", '    op.drop_table("none")', "one_0001")
    with pytest.raises(MigrationError, match="no such table: none"):
        upgrade(url, [one], metadata, LOG)
    assert tables_of(url) == set()
    write_version(one, "one_0002", "    pass", "one_0001")
    upgrade(url, [one], metadata, LOG)
    assert tables_of(url) == {"test_items"}


def test_a_start_whose_migrations_fail_ends(tmp_path: Path) -> None:
    write_version(
        tmp_path / "versions", "items_0002", "    raise OSError", "items_0001"
    )
    modules = [database_module, Items(tmp_path / "versions")]
    with (
        pytest.raises(OSError),
        TestClient(create_app(Settings(), modules=modules, env=TEST)),
    ):
        raise AssertionError("It must not start")
    with pytest.raises(RuntimeError, match="has not started"):
        assert database_module.engine


def test_the_former_version_of_the_application_runs_beside_the_new_one(
    tmp_path: Path, url: URL, caplog: pytest.LogCaptureFixture
) -> None:
    former = write_version(tmp_path / "former", "one_0001", CREATE_ITEMS)
    new = write_version(tmp_path / "new", "one_0001", CREATE_ITEMS)
    write_version(new, "one_0002", "    pass", "one_0001")
    upgrade(url, [new], metadata, LOG)
    upgrade(url, [former], metadata, LOG)
    assert "newer than this version of the application: one_0002" in caplog.text
    assert find_missing(url, [new]) == []


def upgrade_in_process(text: str, folder: Path) -> None:
    upgrade(make_url(text), [folder], metadata, LOG)


def test_two_processes_that_start_at_once_apply_a_migration_once(
    tmp_path: Path, url: URL
) -> None:
    slow = write_version(
        tmp_path / "slow",
        "slow_0001",
        f"    time.sleep(0.5)\n{CREATE_ITEMS.lstrip(chr(10))}",
    )
    with ProcessPoolExecutor(4, mp_context=get_context("spawn")) as processes:
        text = url.render_as_string(hide_password=False)
        waiting = [processes.submit(upgrade_in_process, text, slow) for _ in range(4)]
        for one in waiting:
            one.result()
    assert tables_of(url) == {"test_items"}


@pytest.mark.parametrize(
    ("env", "problem"),
    [
        ({}, "is not set"),
        ({"DATABASE_URL": " "}, "is not set"),
        ({"APP_ENV": "production"}, "is not set"),
        ({"APP_ENV": "Development"}, "is not set"),
        ({"DATABASE_URL": "secret"}, "is not the address of a database"),
        ({"DATABASE_URL": "mysql://u:secret@h/d"}, "has an unknown scheme"),
        ({"DATABASE_URL": "sqlite://"}, "names no file"),
        ({"DATABASE_URL": "sqlite:///:memory:"}, "names no file"),
        ({"DATABASE_URL": "postgresql://u:secret@h/d"}, None),
        ({"DATABASE_URL": "sqlite:///data/x.db"}, None),
        ({"APP_ENV": "development"}, None),
        ({"APP_ENV": "test"}, None),
    ],
)
def test_what_is_wrong_with_the_address(
    env: Mapping[str, str], problem: str | None
) -> None:
    found = find_url_problem(env)
    assert (found is None) == (problem is None)
    assert (problem or "") in (found or "")
    assert "secret" not in (found or "")
    assert (
        DatabaseModule().check_settings(env)
        == ([] if found is None else [("DATABASE_URL", found)])
        or found is None
    )


def test_addresses_get_their_drivers(tmp_path: Path) -> None:
    for scheme in ["postgres", "postgresql", "postgresql+psycopg"]:
        url = read_url({"DATABASE_URL": f"{scheme}://u:p@h/d"}, None)
        assert make_engine(url).dialect.driver == "psycopg"
    assert read_url({}, None).database == "data/app.db"
    assert read_url({}, tmp_path).database == str(tmp_path / "test.db")


def test_the_script_upgrades_and_writes_versions(
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    url: URL,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr("app.database.__main__.OWN_VERSIONS", tmp_path / "own")
    monkeypatch.setattr("app.database.module.OWN_VERSIONS", tmp_path / "own")
    monkeypatch.setenv("DATABASE_URL", url.render_as_string(hide_password=False))
    monkeypatch.setattr("app.modules.modules", [database_module])
    assert main(["revision", "create items"]) == 0
    [version] = (tmp_path / "own").glob("*.py")
    assert "'test_items'" in version.read_text()
    assert main(["status"]) == 0
    assert capsys.readouterr().out.strip().endswith(version.stem.split("_")[0])
    assert main(["upgrade"]) == 0
    assert "test_items" in tables_of(url)
    assert main(["revision", "nothing"]) == 0
    assert len(list((tmp_path / "own").glob("*.py"))) == 2
    assert main(["nonsense"]) == 2
    monkeypatch.setenv("DATABASE_URL", "secret")
    assert main(["status"]) == 1
    assert "secret" not in capsys.readouterr().err
