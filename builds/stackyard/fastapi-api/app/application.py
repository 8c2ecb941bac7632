"""The application without a port: middleware, features, and how failures are answered."""

from collections.abc import Mapping

from fastapi import FastAPI

from app.body_limit import BodyLimit
from app.catch_all import CatchAll
from app.config import Settings
from app.cors import EXPOSED_HEADERS, JsonCors
from app.error_handlers import add_error_handlers
from app.errors import ErrorBody
from app.readiness import Check, Readiness
from app.request_log import RequestLog
from app.routers import ROUTERS
from app.routers.health import add_probes
from app.security_headers import SecurityHeaders


def create_app(
    settings: Settings, ready_checks: Mapping[str, Check] | None = None
) -> FastAPI:
    """Builds the application. It opens no port and reads no file.

    `ready_checks` are named functions that raise while a part of the system is missing:
    `GET /ready` answers 503 then.
    """
    app = FastAPI(
        title="API",
        docs_url="/docs" if settings.docs else None,
        openapi_url="/openapi.json" if settings.docs else None,
        redoc_url=None,
        # A redirect would be built from the Host header, which the client chooses.
        redirect_slashes=False,
        responses={"default": {"model": ErrorBody, "description": "Failure"}},
    )
    app.state.settings = settings
    app.state.readiness = Readiness(ready_checks or {})
    add_error_handlers(app)

    # The last one added is the outermost: even a failure is logged and has the headers.
    app.add_middleware(BodyLimit, max_bytes=settings.max_body_bytes)
    app.add_middleware(CatchAll)
    if settings.cors_origins:
        app.add_middleware(
            JsonCors,
            allow_origins=settings.cors_origins,
            allow_methods=["*"],
            allow_headers=["*"],
            expose_headers=EXPOSED_HEADERS,
        )
    pages = (app.docs_url, app.swagger_ui_oauth2_redirect_url)
    without_csp = [page for page in pages if page is not None and settings.docs]
    app.add_middleware(SecurityHeaders, without_csp=without_csp)
    app.add_middleware(RequestLog)

    add_probes(app)
    for router in ROUTERS:
        app.include_router(router)
    return app
