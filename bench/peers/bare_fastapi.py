"""A bare FastAPI for the bench of the starters: what its documentation starts with, and nothing more."""

from fastapi import FastAPI

app = FastAPI()


@app.get("/health")
async def health() -> dict[str, str]:
    return {"status": "ok"}


@app.get("/example")
async def items() -> dict[str, list[str]]:
    return {"items": []}
