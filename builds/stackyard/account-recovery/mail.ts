// The messages of the recovery routes, which the host sends.

import type { RecoveryPurpose } from '../account-core/index.js';

/** A message to one address. `subject` and `text` are in English: a host may write its own from the other fields. */
export interface RecoveryMail {
  readonly to: string;
  readonly purpose: RecoveryPurpose;
  /** For `POST /password-reset/confirm` or `POST /verification/confirm`. Never log it. */
  readonly token: string;
  /** The page of the application that sends the token there. */
  readonly link: string;
  /** UTC, such as `2026-11-21T09:30:00.000Z`. */
  readonly expiresAt: string;
  readonly subject: string;
  readonly text: string;
  /** The same as `text`. */
  readonly html: string;
}

/** Makes the link for a mail. */
export type RecoveryLink = (purpose: RecoveryPurpose, token: string) => string;

export interface MailContents {
  readonly to: string;
  readonly purpose: RecoveryPurpose;
  readonly token: string;
  readonly link: string;
  readonly expiresAt: string;
  readonly ttlSeconds: number;
}

const PAGES: Readonly<Record<RecoveryPurpose, string>> = {
  password_reset: 'reset-password',
  email_verification: 'verify-email',
};

const TEXTS: Readonly<Record<RecoveryPurpose, { readonly subject: string; lines(to: string): readonly [string, string, string] }>> = {
  password_reset: {
    subject: 'Reset your password',
    lines: (to) => [
      `A new password was requested for the account ${to}.`,
      'To choose one, open this link',
      'If you did not request it, do nothing: your password stays as it is.',
    ],
  },
  email_verification: {
    subject: 'Confirm your e-mail address',
    lines: (to) => [
      `An account uses the address ${to}.`,
      'To confirm that it is yours, open this link',
      'If you have no account, do nothing.',
    ],
  },
};

/**
 * Links to the pages `reset-password` and `verify-email` below `baseUrl`, with the query `?token=...`. Throws `RangeError`
 * unless `baseUrl` is an absolute URL of http or https.
 */
export function linkBelow(baseUrl: string): RecoveryLink {
  const base = tryParseUrl(baseUrl);
  if (!base || !/^https?:$/.test(base.protocol)) {
    throw new RangeError(`Option "link" is "${baseUrl}": use a function, or a URL such as "https://app.example.com"`);
  }
  const folder = base.pathname.replace(/\/*$/, '/');
  return (purpose, token) => `${base.origin}${folder}${PAGES[purpose]}?token=${token}`;
}

export function writeMail({ ttlSeconds, ...fields }: MailContents): RecoveryMail {
  const { subject, lines } = TEXTS[fields.purpose];
  const [reason, request, otherwise] = lines(fields.to);
  const within = `${request} within ${formatDuration(ttlSeconds)}:`;
  const text = `${reason}\n\n${within}\n${fields.link}\n\n${otherwise}\n`;
  const link = escapeHtml(fields.link);
  const paragraphs = [escapeHtml(reason), `${within}<br><a href="${link}">${link}</a>`, otherwise];
  const html = `<!doctype html><meta charset="utf-8"><title>${subject}</title><body style="font:16px/1.5 system-ui,sans-serif">${paragraphs.map((part) => `<p>${part}</p>`).join('')}`;
  return { ...fields, subject, text, html };
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

// Rounded down, so that the link works for at least that long.
function formatDuration(seconds: number): string {
  const [size, unit] = seconds >= 7200 ? [3600, 'hour'] : seconds >= 120 ? [60, 'minute'] : [1, 'second'];
  const count = Math.floor(seconds / size);
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}

function tryParseUrl(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}
