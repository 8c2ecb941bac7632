// Reads the request bodies. Every issue text is set here, so that answers do not depend on the host's version of zod.

import { z } from 'zod';
import { invalidRequest, type Issue } from './account-error.js';
import { findEmailFault, normalizeEmail } from './email-address.js';
import { findPasswordFault } from './password-rule.js';

const emailText = z.string({ message: 'Email must be a string' }).transform(normalizeEmail);
const passwordText = z.string({ message: 'Password must be a string' });

const newEmail = emailText.superRefine(refuse(findEmailFault));
const newPassword = passwordText.superRefine(refuse(findPasswordFault));

const BODY_FAULT = { message: 'Expected a JSON object' };

const Registration = z.object({ email: newEmail, password: newPassword }, BODY_FAULT);
const Login = z.object({ email: emailText, password: passwordText }, BODY_FAULT);
const PasswordChange = z.object({ current_password: passwordText, new_password: newPassword }, BODY_FAULT);

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

export interface Credentials {
  /** Normalised. */
  readonly email: string;
  /** As it was sent. */
  readonly password: string;
}

export interface PasswordChangeBody {
  readonly current_password: string;
  readonly new_password: string;
}

/** Body of a registration. Throws `AccountError` with code `invalid_request` and one issue for each bad field. */
export function parseRegistration(body: unknown): Credentials {
  return parse<Credentials>(Registration, body);
}

/** Body of a login: two strings, whatever they hold. Throws as `parseRegistration` does. */
export function parseLogin(body: unknown): Credentials {
  return parse<Credentials>(Login, body);
}

/** Body of a password change. Throws as `parseRegistration` does. */
export function parsePasswordChange(body: unknown): PasswordChangeBody {
  return parse<PasswordChangeBody>(PasswordChange, body);
}

function refuse(findFault: (text: string) => string | undefined) {
  return (text: string, context: z.RefinementCtx): void => {
    const message = findFault(text);
    if (message !== undefined) context.addIssue({ code: 'custom', message });
  };
}

function parse<T>(schema: Schema, body: unknown): T {
  const { error, data } = schema.safeParse(body);
  if (error) throw invalidRequest(error.issues.map(toIssue));
  return data as T;
}

function toIssue({ path, message }: SchemaIssue): Issue {
  return { path: path.map(String).join('.') || 'body', message };
}
