/** What people do outside of the application: read a mail, and compute a code of an authenticator app. */
import { createHmac } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type SmtpFixture, startSmtp } from './smtp-fixture.ts';

export class Mailbox {
  readonly #server: SmtpFixture;

  private constructor(server: SmtpFixture) {
    this.#server = server;
  }

  static async start(): Promise<Mailbox> {
    return new Mailbox(await startSmtp({ isKept: true }));
  }

  get url(): string {
    return this.#server.url;
  }

  /** How many mails an address has got. */
  count(address: string): number {
    return this.#server.received.filter(({ to }) => to === address).length;
  }

  /** The link in the first mail to `address` that has `subject`, which it waits for. */
  async link(address: string, subject: string): Promise<string> {
    for (let tries = 0; tries < 300; tries += 1) {
      const mail = this.#server.received.find(
        ({ to, text }) => to === address && text.includes(subject),
      );
      if (mail !== undefined) return /https?:\/\/\S+/.exec(decode(mail.text))![0];
      await sleep(50);
    }
    throw new Error(`${address} got no mail "${subject}"`);
  }

  close(): Promise<void> {
    return this.#server.close();
  }
}

/** Quoted-printable (RFC 2045), where the mail is in that form. */
function decode(text: string): string {
  if (!/quoted-printable/i.test(text)) return text;
  const joined = text.replaceAll(/=\r?\n/g, '');
  return joined.replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) =>
    String.fromCodePoint(Number.parseInt(hex, 16)),
  );
}

/** The code of an authenticator app (RFC 6238) for an address `otpauth://totp/...`. */
export function codeOf(uri: string, now = Date.now()): string {
  const secret = new URL(uri).searchParams.get('secret') ?? '';
  const bits = Array.from(secret, (letter) =>
    'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0'),
  );
  const bytes = (bits.join('').match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2));
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(now / 30_000)));
  const hash = createHmac('sha1', Buffer.from(bytes)).update(counter).digest();
  const offset = hash.at(-1)! & 15;
  const code = (hash.readUInt32BE(offset) & 0x7f_ff_ff_ff) % 1_000_000;
  return String(code).padStart(6, '0');
}
