// Describes the routes of the example for /openapi.json.

import { z } from 'zod';
import type { Operations } from '../../docs/operation.js';
import { Item, ItemChanges, ListQuery, NewItem } from './item.js';

const ItemAnswer = z.object({ item: Item });
const IfMatch = z.object({ 'If-Match': z.string().optional().describe('The ETag of the item that you read') });

const notFound = 'There is no item with this id';
const isTaken = 'An item with this name exists';
const isChanged = 'The item was changed since you read it';

export const exampleOperations: Operations = {
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
