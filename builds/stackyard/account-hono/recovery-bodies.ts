// The bodies of the recovery routes.

import { z } from 'zod';
import { BODY_FAULT, newEmail, newPassword, parseBody, tokenText } from './body-schema.js';

const ResetRequest = z.object({ email: newEmail }, BODY_FAULT);
const Reset = z.object({ token: tokenText, new_password: newPassword }, BODY_FAULT);
const Verification = z.object({ token: tokenText }, BODY_FAULT);

export interface ResetBody {
  readonly token: string;
  readonly new_password: string;
}

/** Whose password shall be reset: the normalised e-mail. Throws as `parseBody` does. */
export function parseResetRequest(body: unknown): string {
  return parseBody<{ readonly email: string }>(ResetRequest, body).email;
}

/** A token of any form and a new password. Throws as `parseBody` does. */
export function parseReset(body: unknown): ResetBody {
  return parseBody<ResetBody>(Reset, body);
}

/** A token of any form. Throws as `parseBody` does. */
export function parseVerification(body: unknown): string {
  return parseBody<{ readonly token: string }>(Verification, body).token;
}
