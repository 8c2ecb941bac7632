"""Tells whatever watches the server that it answers."""

from fastapi import APIRouter, Response

router = APIRouter()


@router.get("/health")
@router.head("/health", include_in_schema=False)
def read_health(response: Response) -> dict[str, str]:
    response.headers["Cache-Control"] = "no-store"
    return {"status": "ok"}
