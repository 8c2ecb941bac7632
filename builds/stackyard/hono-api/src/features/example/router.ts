// An example to copy and delete: named items, with pages, versions and a description.

import { type Context, Hono } from 'hono';
import { allowMethods } from '../../http/allow-methods.js';
import type { AppEnv } from '../../http/app-env.js';
import { cursorAfter } from '../../http/cursor.js';
import { checkIfMatch, entityTag, hasEntityTag } from '../../http/entity-tag.js';
import { HttpError } from '../../http/http-error.js';
import { parseInput } from '../../http/parse-input.js';
import { readQuery } from '../../http/read-query.js';
import { ItemChanges, ListQuery, NewItem } from './item.js';
import { Items, type StoredItem } from './items.js';

/** Routes to list, add, read, change and remove items. */
export function createExampleRouter(items = new Items()): Hono<AppEnv> {
  const router = new Hono<AppEnv>();

  router
    .get('/', (c) => {
      const page = items.list(parseInput(ListQuery, readQuery(c), 'query'));
      const last = page.items.at(-1);
      return c.json({ items: page.items, nextCursor: page.hasMore && last ? cursorAfter(last.id) : null });
    })
    .post('/', (c) => {
      const added = items.add(parseInput(NewItem, c.get('body'))) ?? nameIsTaken();
      c.header('Location', `${c.req.path}/${added.item.id}`);
      return answer(c, added, 201);
    })
    .all('/', allowMethods('GET', 'POST'));

  router
    .get('/:id', (c) => answer(c, find(items, c.req.param('id'))))
    .patch('/:id', (c) => {
      const stored = find(items, c.req.param('id'));
      checkIfMatch(c, entityTag(stored.version));
      return answer(c, items.change(stored, parseInput(ItemChanges, c.get('body'))) ?? nameIsTaken());
    })
    .delete('/:id', (c) => {
      const stored = find(items, c.req.param('id'));
      checkIfMatch(c, entityTag(stored.version));
      items.remove(stored);
      return c.body(null, 204);
    })
    .all('/:id', allowMethods('GET', 'PATCH', 'DELETE'));

  return router;
}

function find(items: Items, id: string): StoredItem {
  const stored = items.get(id);
  if (stored === undefined) throw new HttpError(404, 'No item with this id');
  return stored;
}

function answer(c: Context, { item, version }: StoredItem, status: 200 | 201 = 200): Response {
  const tag = entityTag(version);
  c.header('ETag', tag);
  return hasEntityTag(c, tag) ? c.body(null, 304) : c.json({ item }, status);
}

function nameIsTaken(): never {
  throw new HttpError(409, 'An item with this name exists', { code: 'name_taken' });
}
