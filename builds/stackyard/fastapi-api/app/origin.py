"""Checks origins in the form in which browsers send them: scheme, host and port."""

import re
from ipaddress import AddressValueError, IPv4Address, IPv6Address

_DEFAULT_PORTS = {"http": "80", "https": "443"}
_PARTS = re.compile(
    r"(?P<scheme>https?)://(?P<host>\[[^\[\]]+\]|[^\[\]:]+)(?::(?P<port>.*))?"
)
_NAME = re.compile(r"[a-z0-9_-]+(?:\.[a-z0-9_-]+)*")
_PORT = re.compile(r"[1-9][0-9]{0,4}")


def origin_problem(text: str) -> str | None:
    """Returns why no browser sends `text` as its origin; `None` for an origin.

    A browser compares nothing: the server compares the header with the setting, so that a
    setting in another form never matches. The reason does not repeat the text.
    """
    if "*" in text:
        return "has a wildcard"
    if text != text.lower():
        return "is not in lower case"
    if "@" in text:
        return "has a user"
    scheme, separator, rest = text.partition("://")
    if not separator or scheme not in _DEFAULT_PORTS:
        return "does not begin with http:// or https://"
    if re.search(r"[/?#\\]", rest):
        return "has a path"
    parts = _PARTS.fullmatch(text)
    if parts is None or not _is_host(parts["host"]):
        return "has no valid host"
    port = parts["port"]
    if port is None:
        return None
    if not _PORT.fullmatch(port) or int(port) > 65_535:
        return "has no valid port"
    return "has the default port" if port == _DEFAULT_PORTS[scheme] else None


def _is_host(host: str) -> bool:
    """Whether `host` is a name in ASCII, or an address in its only form."""
    try:
        if host.startswith("["):
            return str(IPv6Address(host[1:-1])) == host[1:-1]
        if host.rpartition(".")[2].isdecimal():
            return str(IPv4Address(host)) == host
    except AddressValueError:
        return False
    return _NAME.fullmatch(host) is not None
