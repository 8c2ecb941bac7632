"""The features of the application: one router each, with its prefix."""

from app.routers import example

ROUTERS = [
    example.router,
]
