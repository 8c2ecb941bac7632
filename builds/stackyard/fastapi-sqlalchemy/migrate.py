"""Applies the migrations of all modules with Alembic.

Each module has a folder of versions, which is a branch of its own: it begins without a
revision before it, and needs no other module's. All that is missing is applied in one
transaction, under a lock: of two processes that start at once the second one waits, and
finds nothing to do. What fails leaves the database as it was.
"""

import logging
import os
from collections.abc import Sequence
from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import URL, Connection, MetaData, text
from sqlalchemy.exc import SQLAlchemyError

from .engine import make_engine

_HOME = Path(__file__).resolve().parent / "migrations"
# How long a start waits for the one that applies them.
_LOCK_TIMEOUT_MS = 60_000
# Any number, but the same in every process and version.
_LOCK_KEY = 5_771_020_915


class MigrationError(Exception):
    """The migrations could not be applied. Nothing of them was."""


def make_config(folders: Sequence[Path]) -> Config:
    """Returns the configuration of Alembic for these folders of versions."""
    config = Config()
    places = os.pathsep.join(str(folder) for folder in folders)
    config.set_main_option("script_location", str(_HOME).replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    config.set_main_option("version_locations", places.replace("%", "%%"))
    return config


def upgrade(
    url: URL, folders: Sequence[Path], tables: MetaData, log: logging.Logger
) -> None:
    """Applies what the folders have and the database has not.

    Raises `MigrationError` when one fails. A database with revisions of a newer version
    of the application stays as it is: both versions run side by side during a restart.
    """
    if not folders:
        return
    config = make_config(folders)
    script = ScriptDirectory.from_config(config)
    engine = make_engine(url, busy_timeout_ms=_LOCK_TIMEOUT_MS)
    try:
        with engine.begin() as connection:
            _lock(connection)
            unknown = _unknown_revisions(connection, script)
            if unknown:
                log.warning(
                    "The database is newer than this version of the application: %s",
                    ", ".join(unknown),
                )
                return
            config.attributes["connection"] = connection
            config.attributes["metadata"] = tables
            command.upgrade(config, "heads")
    except SQLAlchemyError as error:
        raise MigrationError(f"Cannot apply the migrations: {error}") from error
    finally:
        engine.dispose()


def find_missing(url: URL, folders: Sequence[Path]) -> list[str]:
    """Returns the ids of the revisions that the database has not, the first one first."""
    script = ScriptDirectory.from_config(make_config(folders))
    engine = make_engine(url)
    try:
        with engine.begin() as connection:
            heads = MigrationContext.configure(connection).get_current_heads()
            known = tuple(head for head in heads if head in _all_revisions(script))
            done = {one.revision for one in script.iterate_revisions(known, "base")}
    finally:
        engine.dispose()
    every = [one.revision for one in script.walk_revisions("base", "heads")]
    return [revision for revision in reversed(every) if revision not in done]


def _lock(connection: Connection) -> None:
    # The transaction of SQLite has the lock already, see `make_engine`.
    if connection.dialect.name == "postgresql":
        connection.execute(text(f"SET LOCAL lock_timeout = {_LOCK_TIMEOUT_MS}"))
        connection.execute(text(f"SELECT pg_advisory_xact_lock({_LOCK_KEY})"))


def _unknown_revisions(connection: Connection, script: ScriptDirectory) -> list[str]:
    heads = MigrationContext.configure(connection).get_current_heads()
    known = _all_revisions(script)
    return [head for head in heads if head not in known]


def _all_revisions(script: ScriptDirectory) -> set[str]:
    return {one.revision for one in script.walk_revisions("base", "heads")}
