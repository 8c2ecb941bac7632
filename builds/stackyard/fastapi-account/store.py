"""The table of accounts, as `stackyard/account` has it. All functions block."""

from datetime import UTC, datetime

from sqlalchemy import BigInteger, ColumnElement, Integer, Text, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Mapped, mapped_column

from ..database import Base, session_scope

_ID = BigInteger().with_variant(Integer, "sqlite")


class User(Base):
    """An account. Refer to it by `ForeignKey("users.id", ondelete="CASCADE")`."""

    __tablename__ = "users"
    __table_args__ = ({"sqlite_autoincrement": True},)

    id: Mapped[int] = mapped_column(_ID, primary_key=True, autoincrement=True)
    email: Mapped[str] = mapped_column(Text, unique=True)
    password_hash: Mapped[str] = mapped_column(Text)
    token_version: Mapped[int] = mapped_column(Integer, server_default="0", default=0)
    """Raised to end all tokens of the account."""
    created_at: Mapped[str] = mapped_column(Text)
    """UTC with `Z`, such as `2026-11-21T09:30:00.000Z`."""


def find(by: ColumnElement[bool]) -> User | None:
    with session_scope(is_read_only=True) as session:
        return session.scalar(select(User).where(by))


def insert(email: str, password_hash: str) -> User | None:
    """Adds an account; `None` when the unique index refuses the address."""
    created_at = datetime.now(UTC).isoformat(timespec="milliseconds")[:23] + "Z"
    user = User(email=email, password_hash=password_hash, created_at=created_at)
    try:
        with session_scope() as session:
            session.add(user)
    except IntegrityError:
        if find(User.email == email) is None:
            raise
        return None
    return user


def end_tokens(user_id: int) -> bool:
    """Ends all tokens of an account. Returns whether there is such an account."""
    raised = update(User).values(token_version=User.token_version + 1)
    statement = raised.where(User.id == user_id).returning(User.id)
    with session_scope() as session:
        return session.scalar(statement) is not None
