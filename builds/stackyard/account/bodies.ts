// Reads the bodies of register and login. All messages are set here, so that they do not depend on the version of zod.

import type { Request } from 'express';
import { z } from 'zod';
import { AccountError, invalidJson, invalidRequest, tooLarge } from './errors.js';

const MAX_BYTES = 16_384;
// ASCII, no quoted names, no address literals; internationalised top-level domains such as `xn--p1ai`.
const EMAIL = /^(?!\.)(?!.*\.\.)[\w'+\-.]*[\w+-]@(?:[a-z0-9][a-z0-9-]*\.)+(?:[a-z]{2,}|xn--[a-z0-9-]*[a-z0-9])$/;
// Code points, as NIST SP 800-63B-4 section 3.1.1.2 counts.
const lengthOf = (text: string) => Array.from(text).length;
const email = z.string({ message: 'Email must be a string' }).transform((text) => text.trim().toLowerCase());
const password = z.string({ message: 'Password must be a string' });
export const Login = z.object({ email, password }, { message: 'Expected a JSON object' });
export const Registration = Login.extend({
  email: email
    .refine((text) => lengthOf(text) <= 254, 'Email must be at most 254 characters')
    .refine((text) => lengthOf(text) > 254 || EMAIL.test(text), 'Email must be a valid email address'),
  password: password
    .refine((text) => lengthOf(text) >= 8, 'Password must be at least 8 characters')
    .refine((text) => lengthOf(text) <= 200, 'Password must be at most 200 characters')
    // In UTF-8 all lone surrogates become the same bytes.
    .refine((text) => !/\p{Surrogate}/u.test(text), 'Password must be well-formed Unicode'),
});

export async function readBody(schema: typeof Login | typeof Registration, req: Request) {
  const { data, error } = schema.safeParse(await readJson(req));
  if (data) return data as Readonly<Record<'email' | 'password', string>>;
  throw invalidRequest((error?.issues ?? []).map(({ path, message }) => ({ path: path.join('.') || 'body', message })));
}
async function readJson(req: Request): Promise<unknown> {
  try {
    if (!req.readableDidRead) return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(await readBytes(req)));
  } catch (error) {
    // Without the cause: its message may quote a password.
    throw error instanceof AccountError ? error : invalidJson();
  }
  // A parser of the application has read it. Parsers make `{}` of an empty body, and an object of a form.
  const isJson = req.get('Content-Length') !== '0' && !req.is(['urlencoded', 'multipart']);
  if (isJson && req.body !== undefined) return req.body;
  throw invalidJson();
}

// Reads on where the body is too long, so that the client finishes sending and then reads the answer.
async function readBytes(req: Request): Promise<Buffer> {
  const kept: Buffer[] = [];
  let length = 0;
  for await (const chunk of req as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length <= MAX_BYTES) kept.push(chunk);
  }
  if (length > MAX_BYTES) throw tooLarge();
  return Buffer.concat(kept);
}
