// Versions of what a route answers, so that clients need not fetch it again or overwrite what others changed.

import type { Request } from 'express';
import { HttpError } from './http-error.js';

/** The value of `ETag` for a version. Express answers 304 by itself where `If-None-Match` names the one of the answer. */
export function entityTag(version: string | number): string {
  return `"${version}"`;
}

/** Throws a 412 where the request has `If-Match` and it does not name `tag`. */
export function checkIfMatch(req: Request, tag: string): void {
  const wanted = req.get('If-Match');
  if (wanted === undefined || wanted.trim() === '*') return;
  // Weak tags never match here, as RFC 9110 demands for changes.
  const tags = wanted.split(',').map((one) => one.trim());
  if (!tags.includes(tag)) throw new HttpError(412, 'It was changed meanwhile: read it again');
}
