"""Headers that stop browsers from doing more with a response than an API intends."""

from collections.abc import Collection

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.path import route_path

_CSP = (b"content-security-policy", b"default-src 'none'; frame-ancestors 'none'")
_OTHERS = (
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"referrer-policy", b"no-referrer"),
    (b"strict-transport-security", b"max-age=31536000; includeSubDomains"),
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"SAMEORIGIN"),
)


class SecurityHeaders:
    """Adds the headers to every response that does not have them.

    The pages in `without_csp` load scripts and styles: they get no policy from here, and
    keep one of their own.
    """

    def __init__(self, app: ASGIApp, without_csp: Collection[str] = ()) -> None:
        self.app = app
        self.without_csp = without_csp

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                sent = message.get("headers", ())
                names = {name for name, _ in sent}
                added = [pair for pair in _OTHERS if pair[0] not in names]
                if _CSP[0] not in names and route_path(scope) not in self.without_csp:
                    added.append(_CSP)
                message["headers"] = [*sent, *added]
            await send(message)

        await self.app(scope, receive, send_with_headers)
