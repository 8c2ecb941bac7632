"""Reports to whatever watches the server that it responds, and that it can work."""

from fastapi import APIRouter, Request
from fastapi.responses import JSONResponse
from pydantic import BaseModel

from app.errors import ApiError
from app.readiness import Readiness

router = APIRouter()

_NO_STORE = {"Cache-Control": "no-store"}


class Status(BaseModel):
    status: str


# Not `def`: that would wait for a free thread behind slow requests.
@router.get("/health", response_model=Status)
@router.head("/health", include_in_schema=False)
async def read_health() -> JSONResponse:
    """The process responds. Restart it when this fails."""
    return JSONResponse({"status": "ok"}, headers=_NO_STORE)


@router.get("/ready", response_model=Status)
@router.head("/ready", include_in_schema=False)
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
    return JSONResponse({"status": "ready"}, headers=_NO_STORE)
