"""CORS whose refusals have the one error body."""

from starlette.datastructures import Headers
from starlette.middleware.cors import CORSMiddleware
from starlette.responses import Response

from app.errors import error_response

# What a browser lets its page read, besides the few headers that are always readable.
EXPOSED_HEADERS = (
    "ETag",
    "Location",
    "Retry-After",
    "WWW-Authenticate",
    "X-Request-Id",
)


class JsonCors(CORSMiddleware):
    """The middleware of Starlette, which answers refused preflights in plain text."""

    def preflight_response(self, request_headers: Headers) -> Response:
        response = super().preflight_response(request_headers)
        if response.status_code < 400:
            return response
        headers = {
            name: value
            for name, value in response.headers.items()
            if name not in ("content-length", "content-type")
        }
        message = bytes(response.body).decode()
        return error_response(
            response.status_code, message, code="cors_refused", headers=headers
        )
