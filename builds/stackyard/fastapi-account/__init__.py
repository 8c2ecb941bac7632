"""Accounts with e-mail, password and bearer tokens: import from here only."""

from .errors import AccountError
from .module import AuthUser, CurrentUser, account_module, account_router, require_auth
from .store import User, end_tokens

current_user = require_auth

__all__ = [
    "AccountError",
    "AuthUser",
    "CurrentUser",
    "User",
    "account_module",
    "account_router",
    "current_user",
    "end_tokens",
    "require_auth",
]
