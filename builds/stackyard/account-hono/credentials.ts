// The bodies of a registration, a login and a password change.

import { z } from 'zod';
import { BODY_FAULT, emailText, newEmail, newPassword, parseBody, passwordText } from './body-schema.js';

const Registration = z.object({ email: newEmail, password: newPassword }, BODY_FAULT);
const Login = z.object({ email: emailText, password: passwordText }, BODY_FAULT);
const PasswordChange = z.object({ current_password: passwordText, new_password: newPassword }, BODY_FAULT);

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

/** Body of a registration. Throws as `parseBody` does. */
export function parseRegistration(body: unknown): Credentials {
  return parseBody<Credentials>(Registration, body);
}

/** Body of a login: two strings of any form. Throws as `parseBody` does. */
export function parseLogin(body: unknown): Credentials {
  return parseBody<Credentials>(Login, body);
}

/** Body of a password change. Throws as `parseBody` does. */
export function parsePasswordChange(body: unknown): PasswordChangeBody {
  return parseBody<PasswordChangeBody>(PasswordChange, body);
}
