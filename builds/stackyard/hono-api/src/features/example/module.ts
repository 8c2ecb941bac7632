// An example to copy and delete: named items, with pages, versions and a description.

import { type Context, Hono } from 'hono';
import { z } from 'zod';
import type { AppEnv } from '../../http/context.js';
import type { Operations } from '../../http/docs.js';
import { HttpError } from '../../http/errors.js';
import { checkIfMatch, cursorAfter, entityTag, hasEntityTag, parseInput, readQuery } from '../../http/input.js';
import type { Module } from '../../module.js';
import { Item, ItemChanges, Items, ListQuery, NewItem, type StoredItem } from './items.js';

const ItemAnswer = z.object({ item: Item });
const IfMatch = z.object({ 'If-Match': z.string().optional().describe('The ETag of the item that you read') });

const notFound = 'There is no item with this id';
const isTaken = 'An item with this name exists';
const isChanged = 'The item was changed since you read it';

const operations: Operations = {
  '/': {
    get: {
      summary: 'List items',
      query: ListQuery,
      answers: { 200: z.object({ items: z.array(Item), nextCursor: z.string().nullable() }), 400: 'A wrong query' },
    },
    post: {
      summary: 'Add an item',
      body: NewItem,
      answers: { 201: ItemAnswer, 400: 'A wrong body', 409: isTaken },
    },
  },
  '/{id}': {
    get: {
      summary: 'Read an item',
      headers: z.object({ 'If-None-Match': z.string().optional().describe('The ETag of the item that you have') }),
      answers: { 200: ItemAnswer, 304: 'You have this version', 404: notFound },
    },
    patch: {
      summary: 'Change an item',
      headers: IfMatch,
      body: ItemChanges,
      answers: { 200: ItemAnswer, 400: 'A wrong body', 404: notFound, 409: isTaken, 412: isChanged },
    },
    delete: {
      summary: 'Remove an item',
      headers: IfMatch,
      answers: { 204: 'It is removed', 404: notFound, 412: isChanged },
    },
  },
};

/** The example as an entry of `modules`, with items of its own. */
export function createExampleModule(): Module {
  return { name: 'example', routes: [{ prefix: '/example', router: createRouter(new Items()), operations }] };
}

/** Routes to list, add, read, change and remove items. */
function createRouter(items: Items): Hono<AppEnv> {
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
    });

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
    });

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
