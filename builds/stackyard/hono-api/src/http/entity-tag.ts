// Versions of what a route answers, so that clients need not fetch it again or overwrite what others changed.

import type { Context } from 'hono';
import { HttpError } from './http-error.js';

/** The value of `ETag` for a version. */
export function entityTag(version: string | number): string {
  return `"${version}"`;
}

/** Whether the client has `tag` already, by `If-None-Match`: then answer `c.body(null, 304)`. */
export function hasEntityTag(c: Context, tag: string): boolean {
  if (c.req.method !== 'GET' && c.req.method !== 'HEAD') return false;
  const known = listTags(c.req.header('If-None-Match'));
  // Weak tags match here, as RFC 9110 demands for reading.
  return known.some((one) => one === '*' || one.replace(/^W\//, '') === tag);
}

/** Throws a 412 where the request has `If-Match` and it does not name `tag`. */
export function checkIfMatch(c: Context, tag: string): void {
  const wanted = c.req.header('If-Match');
  if (wanted === undefined || wanted.trim() === '*') return;
  // Weak tags never match here, as RFC 9110 demands for changes.
  if (!listTags(wanted).includes(tag)) throw new HttpError(412, 'It was changed meanwhile: read it again');
}

function listTags(header = ''): string[] {
  return header.split(',').map((one) => one.trim());
}
