// The parts of the schemas of request bodies. Every issue text is set here, so that answers do not depend on the host's
// version of zod.

import { z } from 'zod';
import { invalidRequest, type Issue } from './account-error.js';
import { findEmailFault, normalizeEmail } from './email-address.js';
import { findPasswordFault } from './password-rule.js';

/** An e-mail of any form, normalised. */
export const emailText = z.string({ message: 'Email must be a string' }).transform(normalizeEmail);
/** A password of any form. */
export const passwordText = z.string({ message: 'Password must be a string' });
/** A token of any form. */
export const tokenText = z.string({ message: 'Token must be a string' });

export const newEmail = emailText.superRefine(refuse(findEmailFault));
export const newPassword = passwordText.superRefine(refuse(findPasswordFault));

/** For a body that is not an object. */
export const BODY_FAULT = { message: 'Expected a JSON object' };

// What zod 3 and zod 4 have in common. The result has one type for both outcomes, because without `strict` the compiler
// does not tell them apart, and makes all fields of what zod infers optional.
interface Schema {
  safeParse(body: unknown): {
    readonly success: boolean;
    readonly data?: unknown;
    readonly error?: { readonly issues: readonly SchemaIssue[] } | undefined;
  };
}

interface SchemaIssue {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

/** The body as `schema` reads it. Throws `AccountError` with code `invalid_request` and one issue for each bad field. */
export function parseBody<T>(schema: Schema, body: unknown): T {
  const { error, data } = schema.safeParse(body);
  if (error) throw invalidRequest(error.issues.map(toIssue));
  return data as T;
}

function refuse(findFault: (text: string) => string | undefined) {
  return (text: string, context: z.RefinementCtx): void => {
    const message = findFault(text);
    if (message !== undefined) context.addIssue({ code: 'custom', message });
  };
}

function toIssue({ path, message }: SchemaIssue): Issue {
  return { path: path.map(String).join('.') || 'body', message };
}
