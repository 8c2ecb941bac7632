"""Reports to whatever watches the server that it responds, and that it can work."""

from fastapi import FastAPI, Request
from fastapi.responses import JSONResponse
from pydantic import BaseModel

from app.errors import ApiError
from app.readiness import Readiness

_NO_STORE = {"Cache-Control": "no-store"}


class Status(BaseModel):
    status: str


_HEALTHY = JSONResponse({"status": "ok"}, headers=_NO_STORE)
_READY = JSONResponse({"status": "ready"}, headers=_NO_STORE)


def add_probes(app: FastAPI) -> None:
    """Adds `/health` and `/ready`. The routes of a router would take longer to find."""
    app.get("/health", response_model=Status)(read_health)
    app.head("/health", include_in_schema=False)(read_health)
    app.get("/ready", response_model=Status)(read_ready)
    app.head("/ready", include_in_schema=False)(read_ready)


# Not `def`: that would wait for a free thread behind slow requests.
async def read_health() -> JSONResponse:
    """The process responds. Restart it when this fails."""
    return _HEALTHY


async def read_ready(request: Request) -> JSONResponse:
    """The process can do its work. Send it no requests while this fails."""
    readiness: Readiness = request.app.state.readiness
    if readiness.is_draining:
        raise ApiError(
            503, "The server is shutting down", code="draining", headers=_NO_STORE
        )
    failed = await readiness.find_failures()
    if failed:
        message = f"Not ready: {', '.join(failed)}"
        raise ApiError(503, message, code="not_ready", headers=_NO_STORE)
    return _READY
