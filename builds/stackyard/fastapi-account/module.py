"""The accounts as a module of the application, and what other code needs of them."""

import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

from fastapi import Depends, Request

from ..database import database_module, metadata, router_of
from .passwords import DEFAULT_COST, Passwords
from .routes import Accounts, bearer, make_router
from .throttle import Throttle
from .tokens import Tokens

# Strangers may reach a server with any other mode, or without one.
_OPEN_MODES = ("development", "test")
# Everybody can read this secret here: a token signed with it proves nothing.
_BUILT_IN = "stackyard/account: built-in secret for tests and development only"


class AccountModule:
    """Accounts in the database of the application, below `/auth`."""

    name = "account"
    checks: Mapping[str, Callable[[], Awaitable[object]]] = {}
    migrations: Sequence[Path] = (Path(__file__).resolve().parent / "versions",)
    metadata: object = metadata
    previous_secrets: Sequence[str] = ()
    """Earlier values of JWT_SECRET, whose tokens are accepted. Set it before the start."""
    password_cost = DEFAULT_COST

    def __init__(self) -> None:
        self._accounts: Accounts | None = None
        self.routers = (("/auth", make_router(lambda: self.accounts)),)

    def check_settings(self, env: Mapping[str, str]) -> Sequence[tuple[str, str]]:
        """The names of all wrong variables with what is expected, never their values."""
        problems: list[tuple[str, str]] = []
        ttl, secret = env.get("JWT_TTL_SECONDS", "").strip(), env.get("JWT_SECRET", "")
        # Not `int`: it reads 1_0 and digits of other scripts.
        if ttl and not re.fullmatch(r"[1-9][0-9]{0,8}", ttl):
            wanted = 'use whole seconds from 1 to 999999999, such as "604800"'
            problems.append(("JWT_TTL_SECONDS", wanted))
        # A key for HS256 has at least as many bytes as a SHA-256 (RFC 7518 section 3.2).
        if (
            env.get("APP_ENV") not in _OPEN_MODES
            and (size := len(secret.strip().encode())) < 32
        ):
            found = f"has {size} bytes" if size else "is not set"
            wanted = 'use 32 random bytes or more: "openssl rand -hex 32" prints some'
            hint = (
                "" if env.get("APP_ENV") else "; in development set APP_ENV=development"
            )
            problems.append(("JWT_SECRET", f"{found}: {wanted}{hint}"))
        return problems

    @property
    def accounts(self) -> Accounts:
        """What the routes work with. Raises `RuntimeError` before the start."""
        if self._accounts is None:
            raise RuntimeError('Not started: in tests use "with TestClient(app)"')
        return self._accounts

    async def start(self, host: Any) -> None:
        """Reads `host.env`, and warns in `host.log`. Raises `ValueError`."""
        env: Mapping[str, str] = host.env
        if problems := self.check_settings(env):
            raise ValueError(f"Invalid environment variables: {problems}")
        # As it is, spaces included: they are part of the key.
        secret = env.get("JWT_SECRET", "")
        if not secret.strip():
            secret = _BUILT_IN
            host.log.warning("JWT_SECRET is not set: the secret is the built-in one")
        ttl_seconds = int(env.get("JWT_TTL_SECONDS", "").strip() or 604_800)
        tokens = Tokens([secret, *self.previous_secrets], ttl_seconds)
        throttle = None if env.get("APP_ENV") in _OPEN_MODES else Throttle()
        self._accounts = Accounts(tokens, Passwords(self.password_cost), throttle)

    async def stop(self) -> None:
        self._accounts = None


account_module = AccountModule()
account_router = router_of(account_module)
"""For an application without a list of modules, after `database_router`."""
for _folder in account_module.migrations:
    database_module.register_migrations(_folder)


@dataclass(frozen=True)
class AuthUser:
    """Who sent a request that `require_auth` has let through."""

    id: int
    email: str


async def require_auth(
    request: Request, _: Annotated[Any, Depends(bearer)] = None
) -> AuthUser:
    """The account that sent the request. Raises `AccountError` with a 401."""
    user = await account_module.accounts.authenticate(request)
    return AuthUser(user.id, user.email)


CurrentUser = Annotated[AuthUser, Depends(require_auth)]
"""The type of a parameter that needs an account: `user: CurrentUser`."""
