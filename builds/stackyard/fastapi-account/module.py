"""The accounts as a module of the application, and what other code needs of them."""

import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Protocol

from fastapi import APIRouter, Depends, Request

from ..database import database_module, metadata, router_of
from .config import find_problems, read_config
from .passwords import Passwords
from .routes import Accounts, make_router
from .throttle import Throttle
from .tokens import Tokens


class AccountHost(Protocol):
    """What this module needs of the application that starts it."""

    @property
    def env(self) -> Mapping[str, str]: ...
    @property
    def log(self) -> logging.Logger: ...


@dataclass(frozen=True)
class AuthUser:
    """Who sent a request that `require_auth` has let through."""

    id: int
    email: str


class AccountModule:
    """Accounts in the database of the application, below `prefix`."""

    name = "account"
    checks: Mapping[str, Callable[[], Awaitable[object]]] = {}
    migrations: Sequence[Path] = (Path(__file__).resolve().parent / "versions",)

    def __init__(self, prefix: str = "/auth") -> None:
        self._accounts: Accounts | None = None
        self._listeners: list[Callable[[int], Awaitable[None] | None]] = []
        self.routers: Sequence[tuple[str, APIRouter]] = (
            (prefix, make_router(lambda: self.accounts)),
        )
        # May be replaced before the start, such as in tests.
        self.make_passwords: Callable[[], Passwords] = Passwords

    def check_settings(self, env: Mapping[str, str]) -> Sequence[tuple[str, str]]:
        """Returns what is wrong with JWT_SECRET and JWT_TTL_SECONDS."""
        return find_problems(env)

    @property
    def metadata(self) -> object:
        """The tables."""
        return metadata

    @property
    def accounts(self) -> Accounts:
        """What the routes work with. Raises `RuntimeError` before the start."""
        if self._accounts is None:
            raise RuntimeError(
                "Cannot use the accounts: the application has not started. "
                'In tests use "with TestClient(app) as client"'
            )
        return self._accounts

    def on_user_deleted(
        self, listener: Callable[[int], Awaitable[None] | None]
    ) -> None:
        """Calls `listener` with the id of every account that was deleted."""
        self._listeners.append(listener)

    async def start(self, host: AccountHost) -> None:
        """Reads the variables. Raises `ValueError` with the list of those that are wrong."""
        config = read_config(host.env)
        for notice in config.notices:
            host.log.warning(notice)
        self._accounts = Accounts(
            tokens=Tokens(config.secret, config.ttl_seconds),
            passwords=self.make_passwords(),
            throttle=Throttle() if config.is_production else None,
            log=host.log,
            listeners=self._listeners,
        )

    async def stop(self) -> None:
        """Forgets the secret."""
        self._accounts = None


account_module = AccountModule()
account_router = router_of(account_module)
"""For an application without a list of modules, after `database_router`."""
for _folder in account_module.migrations:
    database_module.register_migrations(_folder)


async def require_auth(request: Request) -> AuthUser:
    """Protects a route, as `Depends(require_auth)`. Raises `AccountError` with a 401."""
    user, _ = await account_module.accounts.authenticate(request)
    return AuthUser(user.id, user.email)


CurrentUser = Annotated[AuthUser, Depends(require_auth)]
"""The type of a parameter that needs an account: `user: CurrentUser`."""


async def current_user(request: Request) -> AuthUser:
    """The account that sent the request; the same as `require_auth`."""
    return await require_auth(request)


def on_user_deleted(listener: Callable[[int], Awaitable[None] | None]) -> None:
    """Calls `listener` with the id of every account that was deleted, after that."""
    account_module.on_user_deleted(listener)
