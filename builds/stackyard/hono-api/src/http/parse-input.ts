// Checks what came with a request.

import type { z } from 'zod';
import { HttpError } from './http-error.js';

/**
 * The value that `schema` makes of `input`. Throws a 400 with the issues, so use it for input of clients only: faults
 * in other data are ours.
 * @param root the name of the input in issues about the whole of it
 */
export function parseInput<Schema extends z.ZodType>(schema: Schema, input: unknown, root = 'body'): z.output<Schema> {
  const result = schema.safeParse(input);
  if (result.success) return result.data;
  const issues = result.error.issues.map(({ path, message }) => {
    return { path: path.map(String).join('.') || root, message };
  });
  const text = issues.map(({ path, message }) => `${path}: ${message}`).join('; ');
  throw new HttpError(400, `Invalid request: ${text}`, { code: 'invalid_request', issues, cause: result.error });
}
