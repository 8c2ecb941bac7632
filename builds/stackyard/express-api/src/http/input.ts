// What comes with a request: JSON bodies, schemas that check them, places in lists, and versions that the client has.

import express, { type Request, type RequestHandler } from 'express';
import { z } from 'zod';
import { HttpError } from './errors.js';

/** Middleware that parses JSON up to `limit` bytes and refuses what is not JSON. */
export function parseJson(limit: string): RequestHandler {
  const parse = express.json({
    limit,
    type: ['application/json', 'application/*+json'],
    // Values such as `null` are JSON: that they are not the wanted ones is for the schema to say.
    strict: false,
    verify: (_req, _res, body) => {
      if (body.length === 0) throw invalidJson();
    },
  });
  return (req, res, next) => parse(req, res, (error) => next(error && refusal(error)));
}

/** The parser's own messages quote the body and the libraries beneath, so they stay in `cause`. */
function refusal(error: unknown): HttpError {
  if (error instanceof HttpError) return error;
  const { status, type } = error as { status: number; type?: string };
  return type === 'entity.parse.failed' ? invalidJson(error) : new HttpError(status, undefined, { cause: error });
}

function invalidJson(cause?: unknown): HttpError {
  return new HttpError(400, 'Invalid JSON body', { code: 'invalid_json', cause });
}

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

/** The place in a list where the next page begins, as text that clients send back and do not read:
 * the cursor for what comes after the entry with this id. */
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

/** The value of `ETag` for a version. Express answers 304 by itself where `If-None-Match` names it. */
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
