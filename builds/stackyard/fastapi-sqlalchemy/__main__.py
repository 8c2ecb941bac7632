"""The migrations of the application, as a script:

python -m app.database upgrade              applies what is missing
python -m app.database status               lists what is missing
python -m app.database revision "<what>"    writes a version for your own tables

The first two need no application that runs; the start of the application upgrades as well.
"""

import importlib
import logging
import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from alembic import command
from sqlalchemy import URL

from .engine import find_url_problem, make_engine, metadata, read_url
from .migrate import MigrationError, find_missing, make_config, upgrade
from .module import OWN_VERSIONS

_USAGE = 'use "upgrade", "status" or "revision" with a text in quotes'


def main(words: Sequence[str]) -> int:
    """Runs one command; returns the exit status."""
    env = _read_environment()
    problem = find_url_problem(env)
    if problem is not None:
        print(f"error: DATABASE_URL {problem}", file=sys.stderr)
        return 1
    url = read_url(env, None)
    folders = _find_folders()
    try:
        match words:
            case ["upgrade"]:
                upgrade(url, folders, metadata, logging.getLogger(__name__))
                print("The database is up to date")
            case ["status"]:
                print("\n".join(find_missing(url, folders)) or "Nothing is missing")
            case ["revision", what]:
                _write_revision(url, folders, what)
            case _:
                print(f"error: Cannot read the command: {_USAGE}", file=sys.stderr)
                return 2
    except MigrationError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    return 0


def _write_revision(url: URL, folders: Sequence[Path], what: str) -> None:
    """Compares the tables of the code with the database, which must be up to date."""
    is_first = not OWN_VERSIONS.is_dir()
    OWN_VERSIONS.mkdir(exist_ok=True)
    config = make_config([*folders, OWN_VERSIONS] if is_first else folders)
    engine = make_engine(url)
    try:
        with engine.begin() as connection:
            config.attributes["connection"] = connection
            config.attributes["metadata"] = metadata
            command.revision(
                config,
                what,
                autogenerate=True,
                head="base" if is_first else "own@head",
                branch_label="own" if is_first else None,
                version_path=str(OWN_VERSIONS),
            )
    finally:
        engine.dispose()


def _find_folders() -> list[Path]:
    modules: Any = importlib.import_module("app.modules").modules
    return [folder for one in modules for folder in one.migrations]


def _read_environment() -> Mapping[str, str]:
    """With the variables of `.env`, where the application reads that file."""
    try:
        config: Any = importlib.import_module("app.config")
        found: Mapping[str, str] = config.read_environment()
    except (ImportError, AttributeError):
        return os.environ
    return found


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
