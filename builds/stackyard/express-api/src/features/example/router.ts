// An example to copy and delete: named items, with pages, versions and a description.

import { type Response, Router } from 'express';
import { allowMethods } from '../../http/allow-methods.js';
import { cursorAfter } from '../../http/cursor.js';
import { checkIfMatch, entityTag } from '../../http/entity-tag.js';
import { HttpError } from '../../http/http-error.js';
import { parseInput } from '../../http/parse-input.js';
import { ItemChanges, ListQuery, NewItem } from './item.js';
import { Items, type StoredItem } from './items.js';

/** Routes to list, add, read, change and remove items. */
export function createExampleRouter(items = new Items()): Router {
  const router = Router();

  router
    .route('/')
    .get((req, res) => {
      const page = items.list(parseInput(ListQuery, req.query, 'query'));
      const last = page.items.at(-1);
      res.json({ items: page.items, nextCursor: page.hasMore && last ? cursorAfter(last.id) : null });
    })
    .post((req, res) => {
      const added = items.add(parseInput(NewItem, req.body)) ?? nameIsTaken();
      send(res.status(201).location(`${req.baseUrl}/${added.item.id}`), added);
    })
    .all(allowMethods('GET', 'POST'));

  router
    .route('/:id')
    .get((req, res) => send(res, find(items, req.params.id)))
    .patch((req, res) => {
      const stored = find(items, req.params.id);
      checkIfMatch(req, entityTag(stored.version));
      send(res, items.change(stored, parseInput(ItemChanges, req.body)) ?? nameIsTaken());
    })
    .delete((req, res) => {
      const stored = find(items, req.params.id);
      checkIfMatch(req, entityTag(stored.version));
      items.remove(stored);
      res.status(204).end();
    })
    .all(allowMethods('GET', 'PATCH', 'DELETE'));

  return router;
}

function find(items: Items, id: string): StoredItem {
  const stored = items.get(id);
  if (stored === undefined) throw new HttpError(404, 'No item with this id');
  return stored;
}

function send(res: Response, { item, version }: StoredItem): void {
  res.set('ETag', entityTag(version)).json({ item });
}

function nameIsTaken(): never {
  throw new HttpError(409, 'An item with this name exists', { code: 'name_taken' });
}
