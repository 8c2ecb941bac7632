// Refuses paths that are no text. Hono would hand their parameters on as they are.

import type { MiddlewareHandler } from 'hono';
import { HttpError } from './http-error.js';

/** Middleware that answers 400 where the path cannot be decoded, such as `/%ff`. */
export const checkPath: MiddlewareHandler = async (c, next) => {
  if (c.req.path.includes('%')) decode(c.req.path);
  await next();
};

function decode(path: string): void {
  try {
    decodeURIComponent(path);
  } catch (cause) {
    throw new HttpError(400, undefined, { cause });
  }
}
