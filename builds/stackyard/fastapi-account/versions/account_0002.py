"""Ends all tokens of accounts with tokens that version 1.0.0 ended one by one."""

import sqlalchemy as sa
from alembic import op

revision = "account_0002"
down_revision = "account_0001"


def upgrade() -> None:
    # Nothing reads that table any more: those tokens would be valid again.
    if sa.inspect(op.get_bind()).has_table("revoked_tokens"):
        op.execute(
            "UPDATE users SET token_version = token_version + 1 WHERE id IN (SELECT user_id"
            " FROM account_sessions WHERE jti IN (SELECT jti FROM revoked_tokens))"
        )
