// An example to copy and delete: named items, kept in memory.

import { Router } from 'express';
import { z } from 'zod';
import { allowMethods } from '../../http/allow-methods.js';
import { HttpError } from '../../http/http-error.js';

const NewItem = z.object({ name: z.string().trim().min(1).max(100) });

interface Item {
  readonly id: number;
  readonly name: string;
}

/** Routes to list, add and read items. */
export function createExampleRouter(): Router {
  const items: Item[] = [];
  const router = Router();

  router
    .route('/')
    .get((_req, res) => void res.json({ items }))
    .post((req, res) => {
      const { name } = NewItem.parse(req.body);
      if (items.some((item) => item.name === name)) {
        throw new HttpError(409, 'An item with this name exists', { code: 'name_taken' });
      }
      const item = { id: items.length + 1, name };
      items.push(item);
      res.status(201).json({ item });
    })
    .all(allowMethods('GET', 'POST'));

  router
    .route('/:id')
    .get((req, res) => {
      const item = items.find(({ id }) => String(id) === req.params.id);
      if (item === undefined) throw new HttpError(404, 'No item with this id');
      res.json({ item });
    })
    .all(allowMethods('GET'));

  return router;
}
