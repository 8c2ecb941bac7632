"""Accounts, tokens that were ended before their time, and sessions."""

import sqlalchemy as sa
from alembic import op

revision = "account_0001"
down_revision = None
branch_labels = ("account",)
depends_on = None


def upgrade() -> None:
    # AUTOINCREMENT, since SQLite would give the id of a deleted account to the next one,
    # and with it what still refers to that id.
    op.create_table(
        "users",
        sa.Column(
            "id",
            sa.BigInteger().with_variant(sa.Integer, "sqlite"),
            primary_key=True,
            autoincrement=True,
        ),
        sa.Column("email", sa.Text, nullable=False, unique=True),
        sa.Column("password_hash", sa.Text, nullable=False),
        sa.Column("token_version", sa.Integer, nullable=False, server_default="0"),
        sa.Column("created_at", sa.Text, nullable=False),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "revoked_tokens",
        sa.Column("jti", sa.Text, primary_key=True),
        sa.Column("expires_at", sa.BigInteger, nullable=False),
    )
    op.create_index("ix_revoked_tokens_expires_at", "revoked_tokens", ["expires_at"])
    op.create_table(
        "account_sessions",
        sa.Column("jti", sa.Text, primary_key=True),
        sa.Column(
            "user_id",
            sa.BigInteger().with_variant(sa.Integer, "sqlite"),
            sa.ForeignKey("users.id", onupdate="CASCADE", ondelete="CASCADE"),
            nullable=False,
        ),
        sa.Column("token_version", sa.Integer, nullable=False),
        sa.Column("device", sa.Text),
        sa.Column("created_at", sa.BigInteger, nullable=False),
        sa.Column("expires_at", sa.BigInteger, nullable=False),
    )
    op.create_index(
        "ix_account_sessions_user_id",
        "account_sessions",
        ["user_id", "token_version", "created_at"],
    )
    op.create_index(
        "ix_account_sessions_expires_at", "account_sessions", ["expires_at"]
    )
