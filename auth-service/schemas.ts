// The bodies of requests and responses as zod schemas: openapi.json is generated from them, and tests validate responses
// against them. The account module has its own rules for requests; schemas.test.ts checks that both agree.

import { z } from 'zod';
import type { AccountErrorCode } from '../builds/stackyard/account/index.ts';

const ERROR_CODES = [
  'invalid_json',
  'invalid_request',
  'missing_token',
  'invalid_token',
  'token_expired',
  'account_gone',
  'invalid_credentials',
  'wrong_password',
  'recent_login_required',
  'not_found',
  'method_not_allowed',
  'email_taken',
  'conflict',
  'payload_too_large',
  'rate_limited',
  'internal',
  'overloaded',
  'database_unavailable',
] as const satisfies readonly (AccountErrorCode | ServiceErrorCode)[];

/** Error codes that the account module does not use. */
type ServiceErrorCode = 'not_found' | 'database_unavailable';

const email = z.string().meta({
  description: 'Trimmed, put into lower case, then at most 254 characters. ASCII only.',
  examples: ['a@example.com'],
});
const newPassword = z.string().min(8).max(200).meta({
  description: 'Characters are Unicode code points. Nothing is trimmed.',
  format: 'password',
});
const password = z.string().meta({ format: 'password' });
const token = z.string().meta({ description: 'For the header "Authorization: Bearer <token>".' });

export const Registration = z.object({
  email: email.meta({ format: 'email' }),
  password: newPassword,
});
export const Login = z.object({ email, password });
export const PasswordChange = z.object({ current_password: password, new_password: newPassword });

export const User = z.strictObject({
  id: z.int().positive(),
  email: z.string(),
  created_at: z.iso.datetime(),
});
export const Session = z.strictObject({ user: User, token });
export const Me = z.strictObject({ user: User });

export const ErrorBody = z.strictObject({
  error: z.strictObject({
    status: z.int().min(400).max(599),
    code: z.enum(ERROR_CODES),
    message: z.string(),
    issues: z
      .array(z.strictObject({ path: z.string(), message: z.string() }))
      .optional()
      .meta({ description: 'What is wrong with single fields; only with code "invalid_request".' }),
    requestId: z.string().optional(),
  }),
});

export const Health = z.strictObject({ status: z.literal('ok') });
export const Ready = z.strictObject({
  status: z.enum(['ready', 'unavailable']),
  checks: z.strictObject({
    database: z.enum(['ok', 'unavailable']),
    secret: z.enum(['ok', 'missing']),
    shutdown: z.enum(['no', 'in_progress']),
  }),
});
