"""The path of a request, as the routers see it and as the log shows it."""

from urllib.parse import quote

from starlette.types import Scope


def route_path(scope: Scope) -> str:
    """Returns the path without `root_path`, the prefix that a proxy or a mount adds."""
    path: str = scope["path"]
    prefix: str = scope.get("root_path", "")
    if prefix and (path == prefix or path.startswith(prefix + "/")):
        return path[len(prefix) :]
    return path


def printable_path(scope: Scope) -> str:
    """Returns the whole path as it was sent, percent-encoded and without the query."""
    raw: bytes | None = scope.get("raw_path")
    # An optional key of ASGI. Line ends in a decoded path would forge lines of the log.
    return quote(scope["path"]) if raw is None else raw.decode("latin-1")
