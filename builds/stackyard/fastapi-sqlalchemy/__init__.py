"""The public names of this folder: the database of the application, with SQLAlchemy and Alembic."""

from .engine import Base, metadata
from .migrate import MigrationError, upgrade
from .module import (
    DatabaseModule,
    database_module,
    database_router,
    get_session,
    router_of,
    session_scope,
)

__all__ = [
    "Base",
    "DatabaseModule",
    "MigrationError",
    "database_module",
    "database_router",
    "get_session",
    "metadata",
    "router_of",
    "session_scope",
    "upgrade",
]
