"""An example to copy and delete: named items, kept in memory."""

from typing import Annotated

from fastapi import APIRouter, Depends, HTTPException
from pydantic import BaseModel, Field

from app.errors import ApiError

router = APIRouter(prefix="/example", tags=["example"])


class NewItem(BaseModel):
    name: str = Field(min_length=1, max_length=100)
    # JSON as Python reads it has NaN and Infinity, which no response can hold.
    price: float = Field(ge=0, allow_inf_nan=False)


class Item(NewItem):
    id: int


class ItemStore:
    """Items by name and by id. A database does this with a unique index."""

    def __init__(self) -> None:
        self._items: dict[int, Item] = {}
        self._names: set[str] = set()

    def add(self, new: NewItem) -> Item | None:
        """Returns the added item; `None` when the name is taken.

        The event loop runs one function at a time: without `await` in between, to check
        whether a name is free and to take it is one step.
        """
        if new.name in self._names:
            return None
        item = Item(id=len(self._items) + 1, name=new.name, price=new.price)
        self._items[item.id] = item
        self._names.add(new.name)
        return item

    def find(self, item_id: int) -> Item | None:
        return self._items.get(item_id)

    def list(self) -> list[Item]:
        return [*self._items.values()]


_store = ItemStore()


async def get_store() -> ItemStore:
    """Returns the store of this process. Tests put another one in its place."""
    return _store


Store = Annotated[ItemStore, Depends(get_store)]


# `async def`, since nothing blocks. FastAPI runs `def` functions in threads.
@router.get("")
async def list_items(store: Store) -> list[Item]:
    return store.list()


@router.post("", status_code=201)
async def add_item(new: NewItem, store: Store) -> Item:
    item = store.add(new)
    if item is None:
        raise ApiError(409, "An item with this name exists", code="name_taken")
    return item


@router.get("/{item_id}")
async def read_item(item_id: int, store: Store) -> Item:
    item = store.find(item_id)
    if item is None:
        raise HTTPException(404, "No item with this id")
    return item
