"""The application without a port: middleware, features, and how failures are answered."""

from fastapi import FastAPI
from fastapi.middleware.cors import CORSMiddleware

from app.body_limit import BodyLimit
from app.catch_all import CatchAll
from app.config import Settings
from app.error_handlers import add_error_handlers
from app.errors import ErrorBody
from app.request_log import RequestLog
from app.routers import ROUTERS
from app.security_headers import SecurityHeaders


def create_app(settings: Settings) -> FastAPI:
    """Builds the application. Opens no port and reads no file, so tests build as many as they like."""
    app = FastAPI(
        title="API",
        redoc_url=None,
        # A redirect would be built from the Host header, which the client chooses.
        redirect_slashes=False,
        responses={"default": {"model": ErrorBody, "description": "Failure"}},
    )
    app.state.settings = settings
    add_error_handlers(app)

    # The last one added is the outermost: even a failure is logged and carries the headers.
    app.add_middleware(BodyLimit, max_bytes=settings.max_body_bytes)
    app.add_middleware(CatchAll)
    if settings.cors_origins:
        app.add_middleware(
            CORSMiddleware,
            allow_origins=settings.cors_origins,
            allow_methods=["*"],
            allow_headers=["*"],
            expose_headers=["X-Request-Id"],
        )
    app.add_middleware(SecurityHeaders)
    app.add_middleware(RequestLog)

    for router in ROUTERS:
        app.include_router(router)
    return app
