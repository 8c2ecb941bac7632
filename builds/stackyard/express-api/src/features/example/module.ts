// An example to copy and delete: named items, with pages, versions and a description.

import { type Response, Router } from 'express';
import { z } from 'zod';
import type { Operations } from '../../http/docs.js';
import { allowMethods, HttpError } from '../../http/errors.js';
import { checkIfMatch, cursorAfter, entityTag, parseInput } from '../../http/input.js';
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
function createRouter(items: Items): Router {
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
