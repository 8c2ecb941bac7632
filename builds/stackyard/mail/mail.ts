// What a mail is, and the check that lets nothing through that could change its headers or its recipient.

/** A mailbox: `a@example.com`, or with a name. */
export type Mailbox = string | { readonly name?: string; readonly address: string };

/** A mail to one person. What a server answers is then about this person alone. */
export interface Mail {
  readonly to: Mailbox;
  readonly subject: string;
  readonly text: string;
  /** Text of `html` or `letter`, which escape what is put into it. */
  readonly html?: string | { toString(): string } | undefined;
  /** Default: MAIL_FROM. */
  readonly from?: Mailbox | undefined;
  readonly replyTo?: Mailbox | undefined;
}

/** A mailbox as it is sent. */
export interface Address {
  readonly name: string;
  readonly address: string;
}

/** A mail as it is stored. */
export interface MailContent {
  readonly from: Address;
  readonly to: Address;
  readonly replyTo?: Address | undefined;
  readonly subject: string;
  readonly text: string;
  readonly html?: string | undefined;
}

/** A mail that was queued. */
export interface StoredMail {
  readonly id: string;
  readonly status: 'queued' | 'sent' | 'dead';
  readonly attempts: number;
  /** Of the last attempt that failed. */
  readonly error: string | null;
  readonly createdAt: string;
  readonly finishedAt: string | null;
  /** The header `Message-ID`, the same in each attempt. Absent as `content` is. */
  readonly messageId?: string;
  /** Absent after it was sent, but in development and tests. */
  readonly content?: MailContent;
}

export interface ListOptions {
  readonly status?: StoredMail['status'];
  /** The address of the recipient. */
  readonly to?: string;
  /** Default: 100. */
  readonly limit?: number;
}

/** A mail that cannot be taken, or a module that is not started. `code` is stable. */
export class MailError extends Error {
  override readonly name = 'MailError';
  readonly code: 'ERR_MAIL_INVALID' | 'ERR_MAIL_NOT_STARTED';

  constructor(code: MailError['code'], message: string) {
    super(message);
    this.code = code;
  }
}

const MAX_ADDRESS = 254;
const MAX_LINE = 500;
const MAX_BODY = 500_000;

// One `@`, none of the characters that separate or quote addresses (RFC 5322), no space and no control character.
// Quoted local parts are refused: parsers of addresses do not agree on them.
const ADDRESS = /^[^\s@<>()[\]\\,;:"\p{Cc}\p{Cs}]{1,64}@[^\s@<>()[\]\\,;:"\p{Cc}\p{Cs}]+$/u;
// A line end would begin another header. U+2028 and U+2029 are line ends to some programs.
const CONTROL = /[\p{Cc}\u2028\u2029]/u;
// Half a surrogate pair is no Unicode; PostgreSQL fails on NUL.
const UNSTORABLE = /\0|\p{Cs}/u;
const NAMED = /^([^<>]*?)\s*<([^<>]+)>$/;

/** Reads a mailbox such as `a@example.com` or `App <no-reply@example.com>`. Throws `MailError`. */
export function parseMailbox(field: string, mailbox: Mailbox): Address {
  const { name = '', address } = typeof mailbox === 'string' ? splitMailbox(mailbox) : mailbox;
  checkLine(`${field}.name`, name);
  const isValid = typeof address === 'string' && address.length <= MAX_ADDRESS && ADDRESS.test(address);
  if (!isValid) throw invalid(field, 'is not the address of one mailbox, such as "a@example.com"');
  return { name, address };
}

/** Checks a mail. Throws `MailError`, code `ERR_MAIL_INVALID`, which names the field and never its value. */
export function checkMail(mail: Mail, defaultFrom: Address): MailContent {
  checkLine('subject', mail.subject);
  checkBody('text', mail.text);
  const html = mail.html?.toString();
  if (html !== undefined) checkBody('html', html);
  return {
    from: mail.from === undefined ? defaultFrom : parseMailbox('from', mail.from),
    to: parseMailbox('to', mail.to),
    ...(mail.replyTo !== undefined && { replyTo: parseMailbox('replyTo', mail.replyTo) }),
    subject: mail.subject,
    text: mail.text,
    ...(html !== undefined && { html }),
  };
}

function splitMailbox(text: string): { readonly name?: string; readonly address: string } {
  const [, name = '', address = ''] = NAMED.exec(text) ?? [];
  return address === '' ? { address: text } : { name: name.replace(/^"(.*)"$/, '$1'), address };
}

function checkLine(field: string, text: unknown): void {
  checkLength(field, text, MAX_LINE);
  if (CONTROL.test(text) || UNSTORABLE.test(text)) {
    throw invalid(field, 'has a line end or another control character: use one line of text');
  }
}

function checkBody(field: string, text: unknown): void {
  checkLength(field, text, MAX_BODY);
  if (UNSTORABLE.test(text)) throw invalid(field, 'has a NUL character or half a surrogate pair');
}

function checkLength(field: string, text: unknown, most: number): asserts text is string {
  if (typeof text === 'string' && text.length <= most) return;
  throw invalid(field, `is not a text of at most ${most} characters`);
}

function invalid(field: string, fault: string): MailError {
  return new MailError('ERR_MAIL_INVALID', `Cannot send the mail: "${field}" ${fault}`);
}
