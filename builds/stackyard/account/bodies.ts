// Reads the bodies of register and login: JSON, whatever the content type says. All issue texts are set here, so that
// answers do not depend on the version of zod.

import type { Request } from 'express';
import { z } from 'zod';
import { AccountError, invalidJson, type Issue, tooLarge } from './errors.js';

// ASCII, no quoted names, no address literals; internationalised top-level domains such as `xn--p1ai`.
const EMAIL =
  /^(?!\.)(?!.*\.\.)[a-z0-9_'+\-.]*[a-z0-9_+-]@(?:[a-z0-9][a-z0-9-]*\.)+(?:[a-z]{2,}|xn--[a-z0-9-]*[a-z0-9])$/;

const email = z.string({ message: 'Email must be a string' }).transform((text) => text.trim().toLowerCase());
const password = z.string({ message: 'Password must be a string' });
const Login = z.object({ email, password }, { message: 'Expected a JSON object' });
const Registration = Login.extend({
  email: email.superRefine(refuse(findEmailFault)),
  password: password.superRefine(refuse(findPasswordFault)),
});

export const readLogin = async (req: Request) => check(Login, await readJson(req));
export const readRegistration = async (req: Request) => check(Registration, await readJson(req));

function findEmailFault(text: string): string | undefined {
  // The length first, so that no long text reaches the expression.
  if (Array.from(text).length > 254) return 'Email must be at most 254 characters';
  return EMAIL.test(text) ? undefined : 'Email must be a valid email address';
}

function findPasswordFault(text: string): string | undefined {
  // In UTF-8 all lone surrogates become the same bytes.
  if (/\p{Surrogate}/u.test(text)) return 'Password must be well-formed Unicode';
  // Code points, as NIST SP 800-63B-4 section 3.1.1.2 counts.
  const { length } = Array.from(text);
  if (length < 8) return 'Password must be at least 8 characters';
  return length > 200 ? 'Password must be at most 200 characters' : undefined;
}

function refuse(findFault: (text: string) => string | undefined) {
  return (text: string, context: z.RefinementCtx): void => {
    const message = findFault(text);
    if (message !== undefined) context.addIssue({ code: 'custom', message });
  };
}

function check(schema: typeof Login | typeof Registration, body: unknown) {
  const { data, error } = schema.safeParse(body);
  if (data) return data as { readonly email: string; readonly password: string };
  throw invalidRequest((error?.issues ?? []).map(({ path, message }) => ({ path: path.join('.') || 'body', message })));
}

export function invalidRequest(issues: readonly Issue[]): AccountError {
  const text = issues.map(({ path, message }) => `${path}: ${message}`).join('; ');
  return new AccountError(400, 'invalid_request', `Invalid request: ${text}`, { issues });
}

const [MAX_BYTES, MAX_DROPPED_BYTES] = [16_384, 16_777_216];

async function readJson(req: Request): Promise<unknown> {
  if (req.readableDidRead) {
    // A parser of the application has read it. Parsers make `{}` of an empty body, and an object of a form.
    if (req.get('Content-Length') === '0' || req.is(['urlencoded', 'multipart'])) throw invalidJson();
    if (req.body !== undefined) return req.body;
    throw new Error('The body was read before the account routes, without setting "req.body"');
  }
  const bytes = await readBytes(req);
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    // Without the cause: its message may quote a password.
    throw invalidJson();
  }
}

// Reads on where the body is too long, so that the client finishes sending and then reads the answer.
async function readBytes(req: AsyncIterable<Buffer>): Promise<Buffer> {
  const kept: Buffer[] = [];
  let length = 0;
  for await (const chunk of req) {
    length += chunk.length;
    if (length <= MAX_BYTES) kept.push(chunk);
    else if (length > MAX_DROPPED_BYTES) break;
  }
  if (length > MAX_BYTES) throw tooLarge();
  return Buffer.concat(kept);
}
