// The place in a list where the next page begins, as text that clients send back and do not read.

import { z } from 'zod';

/** The cursor for what comes after the entry with this id. */
export function cursorAfter(id: number): string {
  return Buffer.from(String(id)).toString('base64url');
}

/** Reads a cursor from a query: the id of the last entry that the client has. */
export const Cursor = z
  .string()
  .refine((text) => isCursor(text), 'Expected the nextCursor of another page')
  .transform(readId);

function isCursor(text: string): boolean {
  const id = readId(text);
  return Number.isSafeInteger(id) && id > 0 && cursorAfter(id) === text;
}

function readId(text: string): number {
  return Number(Buffer.from(text, 'base64url').toString('latin1'));
}
