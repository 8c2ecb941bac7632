"""Accounts. Version 1.0.0 also made `revoked_tokens` and `account_sessions` here."""

import sqlalchemy as sa
from alembic import op

revision = "account_0001"
down_revision = None
branch_labels = ("account",)
_ID = sa.BigInteger().with_variant(sa.Integer, "sqlite")


def upgrade() -> None:
    # AUTOINCREMENT: SQLite would give the id of a deleted account to the next one.
    op.create_table(
        "users",
        sa.Column("id", _ID, primary_key=True, autoincrement=True),
        sa.Column("email", sa.Text, nullable=False, unique=True),
        sa.Column("password_hash", sa.Text, nullable=False),
        sa.Column("token_version", sa.Integer, nullable=False, server_default="0"),
        sa.Column("created_at", sa.Text, nullable=False),
        sqlite_autoincrement=True,
    )
