"""An example to copy and delete: named items, kept in memory."""

from functools import lru_cache
from typing import Annotated

from fastapi import APIRouter, Depends, HTTPException
from pydantic import BaseModel, Field

from app.errors import ApiError

router = APIRouter(prefix="/example", tags=["example"])


class NewItem(BaseModel):
    name: str = Field(min_length=1, max_length=100)
    # JSON as Python reads it has NaN and Infinity, which no answer can hold.
    price: float = Field(ge=0, allow_inf_nan=False)


class Item(NewItem):
    id: int


@lru_cache
def get_items() -> dict[int, Item]:
    """The items by id. Tests put another dict in its place."""
    return {}


Items = Annotated[dict[int, Item], Depends(get_items)]


@router.get("")
def list_items(items: Items) -> list[Item]:
    return list(items.values())


@router.post("", status_code=201)
def add_item(new: NewItem, items: Items) -> Item:
    if any(item.name == new.name for item in items.values()):
        raise ApiError(409, "An item with this name exists", code="name_taken")
    item = Item(id=len(items) + 1, **new.model_dump())
    items[item.id] = item
    return item


@router.get("/{item_id}")
def read_item(item_id: int, items: Items) -> Item:
    if item_id not in items:
        raise HTTPException(404, "No item with this id")
    return items[item_id]
