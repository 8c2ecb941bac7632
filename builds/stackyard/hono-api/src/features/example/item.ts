// What the example keeps, sends and accepts.

import { z } from 'zod';
import { Cursor } from '../../http/cursor.js';

export const Item = z.object({ id: z.int(), name: z.string(), note: z.string() });
export type Item = z.infer<typeof Item>;

const name = z.string().trim().min(1).max(100);
const note = z.string().trim().max(1000);

export const NewItem = z.object({ name, note: note.default('') });
export type NewItem = z.infer<typeof NewItem>;

/** Changes of an item: what is absent stays. */
export const ItemChanges = z
  .object({ name, note })
  .partial()
  .refine((changes) => Object.keys(changes).length > 0, 'Expected name or note');
export type ItemChanges = z.infer<typeof ItemChanges>;

/** The query of the list. */
export const ListQuery = z.object({
  limit: z.coerce.number().int().min(1).max(100).default(20),
  cursor: Cursor.optional().describe('The nextCursor of the page before'),
  search: z.string().trim().min(1).max(100).optional().describe('Part of the name'),
});
export type ListQuery = z.infer<typeof ListQuery>;
