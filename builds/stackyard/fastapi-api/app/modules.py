"""The modules of this application, in the order in which they start; they stop in the reverse order."""

from app.module import Module

modules: list[Module] = []
