"""What a module of this application is: accounts, a database, a queue.

A module that comes with a build does not import this file. Its object has the same
parts, and mypy checks that where `app/modules.py` lists it. Write your own as a class
that inherits `Module`, and set what it needs.
"""

import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from fastapi import APIRouter

Check = Callable[[], Awaitable[object]]
"""Returns when a part works, such as a database that answers; raises otherwise."""


@dataclass(frozen=True)
class ModuleHost:
    """What a module finds when it starts."""

    env: Mapping[str, str]
    """The variables of the process and of `.env`."""
    log: logging.Logger
    """Its lines have the form of all others. `extra={"fields": {...}}` adds to them."""
    migrations: Sequence[Path]
    """The folders of Alembic versions of all modules, in the order of the list."""
    metadata: Sequence[object]
    """The `MetaData` of all modules that have tables."""


class Module(Protocol):
    """One part of the application. What a module does not need keeps these defaults."""

    @property
    def name(self) -> str:
        """Unique, such as `database` or `account`."""
        ...

    def check_settings(self, env: Mapping[str, str]) -> Sequence[tuple[str, str]]:
        """Returns all wrong variables with what is expected, never with their values.

        Runs before anything starts. The start ends with the list and status 1.
        """
        return ()

    @property
    def routers(self) -> Sequence[tuple[str, APIRouter]]:
        """Prefixes such as `/auth` with the routes below them."""
        return ()

    @property
    def checks(self) -> Mapping[str, Check]:
        """What `GET /ready` asks, by the name that it reports."""
        return {}

    @property
    def migrations(self) -> Sequence[Path]:
        """Folders of Alembic versions. The module that is the database applies those of all."""
        return ()

    @property
    def metadata(self) -> object:
        """The `MetaData` of its tables, for Alembic; `None` without tables."""
        return None

    async def start(self, host: ModuleHost) -> None:
        """Opens what it needs, before the server listens. An error ends the start."""
        return

    async def stop(self) -> None:
        """Closes it after the last request was answered."""
        return
