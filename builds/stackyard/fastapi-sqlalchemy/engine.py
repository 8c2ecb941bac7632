"""Which database it is, by the environment, and how connections to it are made."""

import sqlite3
from collections.abc import Mapping
from pathlib import Path

from sqlalchemy import URL, Connection, Engine, MetaData, create_engine, event, make_url
from sqlalchemy.exc import ArgumentError
from sqlalchemy.orm import DeclarativeBase
from sqlalchemy.pool import ConnectionPoolEntry

metadata = MetaData(
    # Alembic can only change constraints that have names.
    naming_convention={
        "ix": "ix_%(column_0_label)s",
        "uq": "uq_%(table_name)s_%(column_0_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s_%(referred_table_name)s",
        "pk": "pk_%(table_name)s",
    }
)
"""The tables of the application and of its modules, which may refer to each other."""


class Base(DeclarativeBase):
    """What the classes of your tables inherit."""

    metadata = metadata


DEFAULT_URL = "sqlite:///data/app.db"
BUSY_TIMEOUT_MS = 5_000
CONNECT_TIMEOUT_SECONDS = 5

_DRIVERS = {
    "postgres": "postgresql+psycopg",
    "postgresql": "postgresql+psycopg",
    "postgresql+psycopg": "postgresql+psycopg",
    "sqlite": "sqlite",
    "sqlite+pysqlite": "sqlite",
}
_WANTED = 'such as "postgresql://user:password@host/name" or "sqlite:///data/app.db"'


def find_url_problem(env: Mapping[str, str]) -> str | None:
    """Returns why DATABASE_URL cannot be used; never its value, which has a password."""
    text = env.get("DATABASE_URL", "").strip()
    if text == "":
        if env.get("APP_ENV") in ("development", "test"):
            return None
        hint = 'in development set APP_ENV to "development"'
        return f"is not set: use an address {_WANTED}; {hint}"
    try:
        url = make_url(text)
    except ArgumentError:
        return f"is not the address of a database: use one {_WANTED}"
    if url.drivername not in _DRIVERS:
        return f"has an unknown scheme: use an address {_WANTED}"
    if url.drivername.startswith("sqlite") and url.database in (None, "", ":memory:"):
        return f"names no file: use an address {_WANTED}"
    return None


def read_url(env: Mapping[str, str], temporary: Path | None) -> URL:
    """Returns the address, of which `find_url_problem` has found nothing.

    Without a variable it is a file below `temporary` if that is given, for tests, and
    `data/app.db` otherwise.
    """
    text = env.get("DATABASE_URL", "").strip()
    if text == "":
        text = (
            DEFAULT_URL if temporary is None else f"sqlite:///{temporary / 'test.db'}"
        )
    url = make_url(text)
    return url.set(drivername=_DRIVERS[url.drivername])


def make_engine(url: URL, *, busy_timeout_ms: int = BUSY_TIMEOUT_MS) -> Engine:
    """Makes the engine. It connects when it is used, and makes the folder of a SQLite file.

    SQLite has a write-ahead log, foreign keys and a busy timeout. Its transactions take
    the lock for writing when they begin: one that first reads and then writes would fail
    where another one has written in between. The execution option
    `sqlite_begin="DEFERRED"` leaves the lock out, for transactions that only read. Errors
    do not show the values of statements, which may be secrets.
    """
    if not url.drivername.startswith("sqlite"):
        # A connection that the server has closed is found before it is used.
        return create_engine(
            url,
            hide_parameters=True,
            pool_pre_ping=True,
            pool_size=10,
            max_overflow=10,
            pool_timeout=10,
            connect_args={"connect_timeout": CONNECT_TIMEOUT_SECONDS},
        )
    Path(url.database or "").parent.mkdir(parents=True, exist_ok=True)
    engine = create_engine(
        url, hide_parameters=True, pool_size=10, max_overflow=30, pool_timeout=10
    )

    @event.listens_for(engine, "connect")
    def prepare(connection: sqlite3.Connection, _entry: ConnectionPoolEntry) -> None:
        # The driver would begin transactions at some statements only.
        connection.isolation_level = None
        connection.execute(f"PRAGMA busy_timeout = {busy_timeout_ms:d}")
        connection.execute("PRAGMA journal_mode = WAL")
        # What was committed survives a power failure.
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("PRAGMA foreign_keys = ON")

    @event.listens_for(engine, "begin")
    def begin(connection: Connection) -> None:
        options = connection.get_execution_options()
        mode = "DEFERRED" if options.get("sqlite_begin") == "DEFERRED" else "IMMEDIATE"
        connection.exec_driver_sql(f"BEGIN {mode}")

    return engine
