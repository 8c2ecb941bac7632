"""The application without a port: middleware, features, modules, and their life."""

import logging
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager

from fastapi import FastAPI
from fastapi_offline import FastAPIOffline

from app.config import Settings
from app.errors import ErrorBody, add_error_handlers
from app.health import Readiness, add_probes
from app.middleware import (
    EXPOSED_HEADERS,
    BodyLimit,
    CatchAll,
    JsonCors,
    RequestLog,
    SecurityHeaders,
)
from app.module import Check, Module, ModuleHost
from app.modules import modules as all_modules
from app.routers import ROUTERS


def create_app(
    settings: Settings,
    ready_checks: Mapping[str, Check] | None = None,
    *,
    modules: Sequence[Module] = all_modules,
    env: Mapping[str, str] | None = None,
) -> FastAPI:
    """Builds the application. It opens no port and reads no file.

    `ready_checks` are named functions that raise while a part of the system is missing:
    `GET /ready` answers 503 then. `env` has the variables that the modules read. They
    start when a server or `with TestClient(app)` starts the application.
    """
    checks = {**(ready_checks or {})}
    for module in modules:
        checks.update(module.checks)

    @asynccontextmanager
    async def live(_: FastAPI) -> AsyncGenerator[None]:
        async with AsyncExitStack() as started:
            for module in modules:
                await module.start(_host_of(module, modules, env or {}))
                started.push_async_callback(module.stop)
            yield None

    # The other one serves the files of /docs itself, so that it works without internet.
    make_app = FastAPIOffline if settings.docs else FastAPI
    app = make_app(
        title="API",
        lifespan=live,
        openapi_url="/openapi.json" if settings.docs else None,
        redoc_url=None,
        # A redirect would be built from the Host header, which the client chooses.
        redirect_slashes=False,
        responses={"default": {"model": ErrorBody, "description": "Failure"}},
    )
    app.state.settings = settings
    app.state.readiness = Readiness(checks)
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
    without_csp = ("/docs", "/docs/oauth2-redirect") if settings.docs else ()
    app.add_middleware(SecurityHeaders, without_csp=without_csp)
    app.add_middleware(RequestLog, readiness=app.state.readiness)

    add_probes(app)
    for router in ROUTERS:
        app.include_router(router)
    for module in modules:
        for prefix, router in module.routers:
            app.include_router(router, prefix=prefix)
    return app


def _host_of(
    module: Module, modules: Sequence[Module], env: Mapping[str, str]
) -> ModuleHost:
    return ModuleHost(
        env=env,
        log=logging.getLogger(f"app.{module.name}"),
        migrations=[folder for one in modules for folder in one.migrations],
        metadata=[one.metadata for one in modules if one.metadata is not None],
    )
