// Refuses passwords that are among the most common ones, before anybody hashes them. The account module has no such list:
// its rules are those of the specification.

import { dictionary } from '@zxcvbn-ts/language-common';
import type { PasswordRule } from '../builds/stackyard/account/index.ts';

const MIN_PASSWORD_LENGTH = 8;

/** The rule for new passwords: compares without regard to case, after NFC, as passwords are hashed. */
export function createCommonPasswordRule(): PasswordRule {
  // Shorter ones are refused anyway.
  const common = new Set(
    dictionary['passwords-common'].filter((text) => text.length >= MIN_PASSWORD_LENGTH),
  );
  return (password) =>
    common.has(password.normalize('NFC').toLowerCase())
      ? 'Password is too common: choose another one'
      : undefined;
}
