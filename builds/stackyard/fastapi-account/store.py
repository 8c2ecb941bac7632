"""The tables of the accounts, and all that is read from them and written to them.

The tables and columns are those of `stackyard/account` in TypeScript. All functions block:
the routes call them in threads.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import (
    BigInteger,
    ForeignKey,
    Index,
    Integer,
    Text,
    delete,
    exists,
    select,
    update,
)
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Mapped, mapped_column

from ..database import Base, session_scope

_Id = BigInteger().with_variant(Integer, "sqlite")


class User(Base):
    """An account. Refer to it by `ForeignKey("users.id", ondelete="CASCADE")`."""

    __tablename__ = "users"
    __table_args__ = ({"sqlite_autoincrement": True},)

    id: Mapped[int] = mapped_column(_Id, primary_key=True, autoincrement=True)
    email: Mapped[str] = mapped_column(Text, unique=True)
    """Trimmed and in lower case."""
    password_hash: Mapped[str] = mapped_column(Text)
    token_version: Mapped[int] = mapped_column(Integer, server_default="0", default=0)
    """Raised to end all sessions."""
    created_at: Mapped[str] = mapped_column(Text)
    """UTC with `Z`, such as `2026-11-21T09:30:00.000Z`."""


class RevokedToken(Base):
    """A token that was ended before its time."""

    __tablename__ = "revoked_tokens"

    jti: Mapped[str] = mapped_column(Text, primary_key=True)
    expires_at: Mapped[int] = mapped_column(BigInteger, index=True)


class AccountSession(Base):
    """One token, from the login that issued it to its end, for the list of sessions."""

    __tablename__ = "account_sessions"
    __table_args__ = (
        Index("ix_account_sessions_user_id", "user_id", "token_version", "created_at"),
    )

    jti: Mapped[str] = mapped_column(Text, primary_key=True)
    user_id: Mapped[int] = mapped_column(
        _Id, ForeignKey("users.id", onupdate="CASCADE", ondelete="CASCADE")
    )
    token_version: Mapped[int] = mapped_column(Integer)
    device: Mapped[str | None] = mapped_column(Text)
    created_at: Mapped[int] = mapped_column(BigInteger)
    expires_at: Mapped[int] = mapped_column(BigInteger, index=True)


@dataclass(frozen=True)
class TokenOwner:
    user: User
    is_revoked: bool


def find_by_email(email: str) -> User | None:
    """The account with this normalised address."""
    with session_scope(is_read_only=True) as session:
        return session.scalar(select(User).where(User.email == email))


def find_by_token(user_id: int, token_id: str) -> TokenOwner | None:
    """The account of a token and whether that was revoked, in one read."""
    is_revoked = exists().where(RevokedToken.jti == token_id)
    with session_scope(is_read_only=True) as session:
        row = session.execute(
            select(User, is_revoked).where(User.id == user_id)
        ).one_or_none()
        return None if row is None else TokenOwner(row[0], bool(row[1]))


def insert(email: str, password_hash: str, created_at: str) -> User | None:
    """Adds an account; `None` when the address is taken, which the unique index decides."""
    user = User(email=email, password_hash=password_hash, created_at=created_at)
    try:
        with session_scope() as session:
            session.add(user)
            session.flush()
    except IntegrityError:
        if find_by_email(email) is None:
            raise
        return None
    return user


def replace_hash(user_id: int, old_hash: str, new_hash: str) -> bool:
    """Replaces the hash where it still is `old_hash`; sessions continue."""
    statement = (
        update(User)
        .where(User.id == user_id, User.password_hash == old_hash)
        .values(password_hash=new_hash)
        .returning(User.id)
    )
    with session_scope() as session:
        return session.scalar(statement) is not None


def change_password(user_id: int, old_hash: str, new_hash: str) -> User | None:
    """Replaces the hash where it still is `old_hash`, and ends all sessions."""
    statement = (
        update(User)
        .where(User.id == user_id, User.password_hash == old_hash)
        .values(password_hash=new_hash, token_version=User.token_version + 1)
        .returning(User)
    )
    with session_scope() as session:
        return session.scalar(statement)


def raise_token_version(user_id: int) -> None:
    """Ends all sessions."""
    statement = (
        update(User)
        .where(User.id == user_id)
        .values(token_version=User.token_version + 1)
    )
    with session_scope() as session:
        session.execute(statement)


def delete_user(user_id: int) -> None:
    """Deletes the account, and with it what refers to it by `ON DELETE CASCADE`."""
    with session_scope() as session:
        session.execute(delete(User).where(User.id == user_id))


def revoke_token(token_id: str, expires_at: int, now: int) -> None:
    """Revokes one token. Those that have expired are forgotten."""
    with session_scope() as session:
        session.execute(delete(RevokedToken).where(RevokedToken.expires_at <= now))
        if session.get(RevokedToken, token_id) is None:
            session.add(RevokedToken(jti=token_id, expires_at=expires_at))


def add_session(one: AccountSession, now: int) -> None:
    """Adds a session. Those that are over are forgotten."""
    table = AccountSession
    with session_scope() as session:
        session.execute(delete(table).where(table.expires_at <= now))
        session.execute(
            delete(table).where(
                table.user_id == one.user_id, table.token_version < one.token_version
            )
        )
        session.add(one)


def list_sessions(
    user: User, now: int, limit: int, session_id: str | None = None
) -> Sequence[AccountSession]:
    """The open sessions of an account, newest first; with `session_id` only that one."""
    table = AccountSession
    statement = (
        select(table)
        .where(
            table.user_id == user.id,
            table.token_version == user.token_version,
            table.expires_at > now,
            ~exists().where(RevokedToken.jti == table.jti),
        )
        .order_by(table.created_at.desc(), table.jti)
        .limit(limit)
    )
    if session_id is not None:
        statement = statement.where(table.jti == session_id)
    with session_scope(is_read_only=True) as session:
        return session.scalars(statement).all()
