"""The public names of this folder: accounts with e-mail, password and bearer tokens."""

from .errors import AccountError
from .module import (
    AccountModule,
    AuthUser,
    CurrentUser,
    account_module,
    account_router,
    current_user,
    on_user_deleted,
    require_auth,
)
from .passwords import Passwords, ScryptCost
from .store import User
from .tokens import TokenClaims, Tokens

__all__ = [
    "AccountError",
    "AccountModule",
    "AuthUser",
    "CurrentUser",
    "Passwords",
    "ScryptCost",
    "TokenClaims",
    "Tokens",
    "User",
    "account_module",
    "account_router",
    "current_user",
    "on_user_deleted",
    "require_auth",
]
