/** A real SMTP server that answers as a test wants. */
import type { AddressInfo } from 'node:net';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { onTestFinished } from 'vitest';

interface Received {
  /** The name that the client has given, `?name=` of the URL. */
  readonly client: string;
  readonly to: string;
  readonly from: string;
  readonly text: string;
  readonly messageId: string;
}

export interface SmtpFixture {
  readonly url: string;
  readonly port: number;
  readonly received: readonly Received[];
  close(): Promise<void>;
}

/** What the server answers to a recipient and to the data of a mail: an error with a code, or nothing. */
export interface SmtpAnswers {
  readonly port?: number;
  /** Whether it stays open beyond the test, for the caller to close. */
  readonly isKept?: boolean;
  readonly onRecipient?: (address: string) => Promise<void> | void;
  readonly onMail?: (mail: Received) => Promise<void> | void;
  readonly options?: SMTPServerOptions;
}

/** An error that the server answers with. */
export function smtpError(responseCode: number, message = 'no'): Error {
  return Object.assign(new Error(message), { responseCode });
}

/** Starts a server, which is closed at the end of the test. */
export async function startSmtp({
  port = 0,
  isKept = false,
  onRecipient,
  onMail,
  options,
}: SmtpAnswers = {}): Promise<SmtpFixture> {
  const received: Received[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    disableReverseLookup: true,
    closeTimeout: 50,
    onRcptTo({ address }, _session, callback) {
      void answer(callback, () => onRecipient?.(address));
    },
    onData(stream, { envelope, clientHostname, hostNameAppearsAs }, callback) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => void chunks.push(chunk));
      stream.on('end', () => {
        const text = Buffer.concat(chunks).toString();
        const mail = {
          client: String(hostNameAppearsAs ?? clientHostname),
          to: envelope.rcptTo[0]?.address ?? '',
          from: envelope.mailFrom === false ? '' : envelope.mailFrom.address,
          text,
          messageId: /^Message-ID: (\S+)/im.exec(text)?.[1] ?? '',
        };
        void answer(callback, async () => {
          await onMail?.(mail);
          received.push(mail);
        });
      });
    },
    ...options,
  });
  server.on('error', () => {});
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const address = server.server.address() as AddressInfo;
  let closing: Promise<void> | undefined;
  const close = () => (closing ??= new Promise<void>((resolve) => server.close(() => resolve())));
  if (!isKept) onTestFinished(close);
  return { url: `smtp://127.0.0.1:${address.port}`, port: address.port, received, close };
}

async function answer(
  callback: (error?: Error | null) => void,
  work: () => unknown,
): Promise<void> {
  let failure: unknown;
  try {
    await work();
  } catch (error) {
    failure = error;
  }
  callback(failure as Error | undefined);
}
