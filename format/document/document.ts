/** Reading the JSON documents of the index and of projects: size, UTF-8, JSON, then the schema. */
import type { z } from 'zod';
import { FormatError } from '../errors.ts';

/** No document of the index is larger; a reader stops here. */
export const MAX_DOCUMENT_BYTES = 5_000_000;

/** A moment in UTC with milliseconds, as records write it: `2026-11-21T09:30:00.000Z`. */
export const TIMESTAMP_PATTERN: RegExp = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;

/**
 * Reads a JSON document by its schema. Fields that an open schema does not name are dropped, so that a
 * newer registry may add some.
 * @param name the name of the document in the error, such as its address
 * @throws {FormatError} `ERR_DOCUMENT`
 */
export function parseDocument<Schema extends z.ZodType>(
  schema: Schema,
  bytes: Uint8Array,
  name: string,
): z.infer<Schema> {
  if (bytes.length > MAX_DOCUMENT_BYTES) {
    throw refused(name, `it has ${bytes.length} bytes, at most ${MAX_DOCUMENT_BYTES} are read`);
  }
  const result = schema.safeParse(parseJson(bytes, name));
  if (result.success) return result.data;
  const issues = result.error.issues.slice(0, 3).map((issue) => {
    const path = issue.path.map(String).join('.');
    return `${path === '' ? 'the document' : `field "${path}"`}: ${issue.message}`;
  });
  throw refused(name, issues.join('; '));
}

/** The same, with what is wrong as a value. */
export function documentOrError<Schema extends z.ZodType>(
  ...args: Parameters<typeof parseDocument<Schema>>
): z.infer<Schema> | FormatError {
  try {
    return parseDocument(...args);
  } catch (error) {
    if (error instanceof FormatError) return error;
    throw error;
  }
}

function parseJson(bytes: Uint8Array, name: string): unknown {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    throw refused(name, 'it is not UTF-8', cause);
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    const looksLikeHtml = /^\s*<(?:!doctype|html|head|body)/i.test(text);
    throw refused(name, looksLikeHtml ? 'it is an HTML page, not JSON' : 'it is not JSON', cause);
  }
  // Only an escape can be one, and no document can be made of it.
  if (/\\u[dD][89a-fA-F]/.test(text) && !isWellFormed(value)) {
    throw refused(name, 'a string has half of a surrogate pair');
  }
  return value;
}

/** Without recursion: `value` may be nested to any depth. */
function isWellFormed(value: unknown): boolean {
  const open = [value];
  for (const one of open) {
    if (typeof one === 'string' && !one.isWellFormed()) return false;
    if (typeof one !== 'object' || one === null) continue;
    for (const [key, member] of Object.entries(one)) open.push(key, member);
  }
  return true;
}

function refused(name: string, problem: string, cause?: unknown): FormatError {
  return new FormatError('ERR_DOCUMENT', `Cannot read ${name}: ${problem}`, { cause });
}
