// What the example keeps, sends and accepts, and where it keeps it: in memory, until the process ends. A real feature
// has a database instead.

import { z } from 'zod';
import { Cursor } from '../../http/input.js';

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

/** An item with the number of its version, which is 1 at first. */
export interface StoredItem {
  readonly item: Item;
  readonly version: number;
}

export class Items {
  readonly #byId = new Map<number, StoredItem>();
  #lastId = 0;

  /** A page of items, oldest first, and whether there are more. */
  list({ limit, cursor = 0, search = '' }: ListQuery): { items: Item[]; hasMore: boolean } {
    const found = [...this.#byId.values()]
      .map(({ item }) => item)
      .filter(({ id, name }) => id > cursor && name.toLowerCase().includes(search.toLowerCase()));
    return { items: found.slice(0, limit), hasMore: found.length > limit };
  }

  get(id: string): StoredItem | undefined {
    // Only the usual form of a number: not 1e0, 01 or 0x1.
    const stored = this.#byId.get(Number(id));
    return stored !== undefined && String(stored.item.id) === id ? stored : undefined;
  }

  /** `undefined` where another item has the name. Checks and adds at once, so that two requests cannot both succeed. */
  add(added: NewItem): StoredItem | undefined {
    if (this.#isTaken(added.name)) return undefined;
    return this.#put({ id: ++this.#lastId, ...added }, 1);
  }

  /** As `add`. */
  change({ item, version }: StoredItem, changes: ItemChanges): StoredItem | undefined {
    const { name = item.name, note = item.note } = changes;
    if (name !== item.name && this.#isTaken(name)) return undefined;
    return this.#put({ id: item.id, name, note }, version + 1);
  }

  remove({ item }: StoredItem): void {
    this.#byId.delete(item.id);
  }

  #isTaken(name: string): boolean {
    return [...this.#byId.values()].some(({ item }) => item.name === name);
  }

  #put(item: Item, version: number): StoredItem {
    const stored = { item, version };
    this.#byId.set(item.id, stored);
    return stored;
  }
}
