// Hands one mail to an SMTP server, and says what a failure means.

import nodemailer from 'nodemailer';
import type { MailContent } from './mail.js';

/** A mail on its way. */
export interface SentMail {
  readonly id: string;
  readonly messageId: string;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  readonly content: MailContent;
}

/** Sends a mail: resolves once the server has taken it over. Rejects otherwise, and when `signal` is aborted. */
export type Transport = (mail: SentMail, signal: AbortSignal) => Promise<unknown>;

const CONNECT_TIMEOUT_MS = 10_000;
/**
 * RFC 5321 section 4.5.3.2.6: the server may take ten minutes for its answer to the data. A client that leaves earlier
 * sends a mail again that was accepted.
 */
const ANSWER_TIMEOUT_MS = 600_000;
const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[?::1\]?)$/i;

/** What is wrong with SMTP_URL, or `undefined`. */
export function findUrlFault(text: string): string | undefined {
  try {
    const { protocol, hostname, username, password } = new URL(text);
    for (const part of [username, password]) decodeURIComponent(part);
    if ((protocol === 'smtp:' || protocol === 'smtps:') && hostname !== '') return undefined;
  } catch {
    // Not with the text: it holds a password.
  }
  const forms = '"smtp://USER:PASSWORD@HOST:587" (STARTTLS) or "smtps://USER:PASSWORD@HOST:465"';
  return `Expected a URL such as ${forms}, with special characters percent-encoded`;
}

/**
 * A connection for each mail. With credentials STARTTLS is required, except to this machine: `?requireTLS=false` in the
 * URL allows them on a connection that anybody can read.
 */
export function createSmtpTransport(url: string): Transport {
  const { hostname, username, searchParams } = new URL(url);
  const transport = nodemailer.createTransport({
    url,
    ...(username !== '' && !LOOPBACK.test(hostname) && !searchParams.has('requireTLS') && { requireTLS: true }),
    connectionTimeout: CONNECT_TIMEOUT_MS,
    greetingTimeout: CONNECT_TIMEOUT_MS,
    socketTimeout: ANSWER_TIMEOUT_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return ({ messageId, createdAt, content: { from, to, replyTo, subject, text, html } }, signal) =>
    transport.sendMail({
      signal,
      messageId,
      date: new Date(createdAt),
      envelope: { from: from.address, to: to.address },
      from,
      to,
      ...(replyTo && { replyTo }),
      subject,
      text,
      ...(html !== undefined && { html }),
      // RFC 3834: no answers of machines to a machine.
      headers: { 'Auto-Submitted': 'auto-generated' },
    });
}

const COMMANDS_OF_A_MAIL = /^(?:MAIL FROM|RCPT TO|DATA)$/;

/**
 * The error of a job for that of a transport: `permanent` where the mail itself was refused. One of nodemailer has
 * `responseCode` and `command`; another may set `permanent`. Without addresses, which are in the answers of servers.
 */
export function explainFailure(error: unknown): Error {
  const { message = String(error), code, command, response, responseCode, permanent } = (error ?? {}) as {
    readonly message?: string;
    readonly code?: string;
    readonly command?: string;
    readonly response?: string;
    readonly responseCode?: number;
    readonly permanent?: boolean;
  };
  // nodemailer sets `permanent` as well, also where the server refuses a login or everybody.
  const isAboutMail = COMMANDS_OF_A_MAIL.test(command ?? '') && (responseCode ?? 0) >= 500;
  const isRefused = command === undefined ? permanent === true : isAboutMail;
  // What nodemailer itself finds wrong with a mail, such as one that is larger than the server allows.
  const isWrong = (code === 'EENVELOPE' || code === 'EMESSAGE') && response === undefined;
  const text = message.replace(/[^\s<>]+@[^\s<>]+/g, '(address)').replace(/[^\t\n\x20-\x7e]/g, '?');
  return Object.assign(new Error(text.slice(0, 1000)), { permanent: isRefused || isWrong });
}
