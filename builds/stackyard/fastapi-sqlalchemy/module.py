"""The database as a module of the application, and the sessions of its requests."""

import logging
import os
import shutil
import tempfile
from collections.abc import (
    AsyncGenerator,
    Awaitable,
    Callable,
    Generator,
    Mapping,
    Sequence,
)
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fastapi import APIRouter, Request
from fastapi.concurrency import run_in_threadpool
from sqlalchemy import Engine, text
from sqlalchemy.orm import Session

from .engine import find_url_problem, make_engine, metadata, read_url
from .migrate import upgrade

# The versions of the application's own tables, see __main__.py.
OWN_VERSIONS = Path(__file__).resolve().parent.parent / "migrations"


@dataclass(frozen=True)
class DatabaseHost:
    """What this module needs of the application that starts it."""

    env: Mapping[str, str]
    log: logging.Logger
    migrations: Sequence[Path]


class DatabaseModule:
    """Opens the database, applies the migrations of all modules, and closes it."""

    name = "database"
    routers: Sequence[tuple[str, APIRouter]] = ()

    def __init__(self) -> None:
        self._engine: Engine | None = None
        self._temporary: Path | None = None
        self._registered: list[Path] = []

    def register_migrations(self, folder: Path) -> None:
        """Adds a folder of versions, where the application has no list of modules."""
        self._registered.append(folder)

    def check_settings(self, env: Mapping[str, str]) -> Sequence[tuple[str, str]]:
        """Returns what is wrong with DATABASE_URL."""
        problem = find_url_problem(env)
        return () if problem is None else [("DATABASE_URL", problem)]

    @property
    def checks(self) -> Mapping[str, Callable[[], Awaitable[object]]]:
        """For `GET /ready`: whether the database answers."""
        return {"database": self._check}

    @property
    def migrations(self) -> Sequence[Path]:
        """The folder of the application's own versions, once there is one."""
        return [OWN_VERSIONS] if OWN_VERSIONS.is_dir() else []

    @property
    def metadata(self) -> object:
        """The tables of the application."""
        return metadata

    @property
    def engine(self) -> Engine:
        """The engine. Raises `RuntimeError` before the start and after the end."""
        if self._engine is None:
            raise RuntimeError(
                "Cannot use the database: the application has not started. "
                'In tests use "with TestClient(app) as client"'
            )
        return self._engine

    async def start(self, host: Any) -> None:
        """Opens the database and applies the migrations. Raises what they raise.

        With APP_ENV "test" and without DATABASE_URL it is a temporary one, which is
        empty at every start: tests never write into the data of development.
        """
        if self._engine is not None:
            raise RuntimeError("Cannot start the database: it has started already")
        for name, problem in self.check_settings(host.env):
            raise ValueError(f"{name} {problem}")
        if host.env.get("APP_ENV") == "test":
            self._temporary = Path(tempfile.mkdtemp(prefix="database-"))
        url = read_url(host.env, self._temporary)
        folders = list(dict.fromkeys([*host.migrations, *self._registered]))
        try:
            await run_in_threadpool(upgrade, url, folders, metadata, host.log)
        except BaseException:
            self._remove_temporary()
            raise
        self._engine = make_engine(url)

    async def stop(self) -> None:
        """Closes all connections, and deletes a temporary database."""
        engine, self._engine = self._engine, None
        if engine is not None:
            engine.dispose()
        self._remove_temporary()

    async def _check(self) -> None:
        def ask() -> None:
            with session_scope(is_read_only=True) as session:
                session.execute(text("SELECT 1"))

        await run_in_threadpool(ask)

    def _remove_temporary(self) -> None:
        folder, self._temporary = self._temporary, None
        if folder is not None:
            shutil.rmtree(folder, ignore_errors=True)


database_module = DatabaseModule()


def router_of(module: Any) -> APIRouter:
    """For an application without a list of modules: `app.include_router(...)`.

    The router has the routes of the module. The module starts and stops with the
    application, in the order in which the routers are included, and reads `os.environ`.
    """

    @asynccontextmanager
    async def live(_: object) -> AsyncGenerator[None]:
        problems = module.check_settings(os.environ)
        if problems:
            lines = [f"  {name}: {message}" for name, message in problems]
            raise RuntimeError("\n".join(["Invalid environment variables:", *lines]))
        log = logging.getLogger(f"app.{module.name}")
        await module.start(DatabaseHost(os.environ, log, module.migrations))
        try:
            yield None
        finally:
            await module.stop()

    router = APIRouter(lifespan=live)
    for prefix, routes in module.routers:
        router.include_router(routes, prefix=prefix)
    return router


database_router = router_of(database_module)


@contextmanager
def session_scope(*, is_read_only: bool = False) -> Generator[Session]:
    """A session outside of requests. It commits at the end, unless something was raised."""
    with _open(is_read_only) as session:
        yield session
        session.commit()


def get_session(request: Request) -> Generator[Session]:
    """The session of a request, as `Annotated[Session, Depends(get_session)]`.

    Call `session.commit()` before you return: FastAPI ends this function after the answer
    was sent, which would then be about something that is not stored yet. What was not
    committed is undone.
    """
    with _open(request.method in ("GET", "HEAD")) as session:
        yield session


def _open(is_read_only: bool) -> Session:
    engine = database_module.engine
    if is_read_only:
        engine = engine.execution_options(sqlite_begin="DEFERRED")
    return Session(engine, expire_on_commit=False)
