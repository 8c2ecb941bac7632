// Mails of password reset and e-mail verification: they are handed to a program of the operator by HTTP, which sends them. With
// no address for it the service has no such routes.
//
//   POST <MAIL_URL>   Authorization: Bearer <MAIL_TOKEN>
//   { "to": "a@example.com", "subject": "...", "text": "...", "purpose": "password_reset", "link": "...", "expiresAt": "..." }

import type { SendMail } from '../builds/stackyard/account-recovery/index.ts';

export interface MailConfig {
  readonly url: string;
  readonly token: string | undefined;
  /** The application, whose pages `reset-password` and `verify-email` the links lead to. */
  readonly link: string;
}

/** Sends by `fetch`. Rejects for every answer but one of 2xx; the message has neither the address nor the token. */
export function createSendMail({ url, token: secret }: MailConfig): SendMail {
  return async ({ to, subject, text, purpose, link, expiresAt }, signal) => {
    const answer = await fetch(url, {
      method: 'POST',
      redirect: 'error',
      headers: {
        'Content-Type': 'application/json',
        ...(secret !== undefined && { Authorization: `Bearer ${secret}` }),
      },
      body: JSON.stringify({ to, subject, text, purpose, link, expiresAt }),
      signal,
    });
    await answer.body?.cancel();
    if (!answer.ok) throw new Error(`MAIL_URL responds with status ${answer.status}`);
  };
}
