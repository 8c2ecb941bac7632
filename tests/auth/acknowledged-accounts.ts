// A stream of registrations, to check after a failure that every user can log in whose registration was acknowledged.

import { setTimeout as sleep } from 'node:timers/promises';
import { send } from './service-fixture.ts';

export interface AccountStream {
  /** E-mails of the registrations with response 201. */
  readonly acknowledged: readonly string[];
  /** The number of responses with each status; `broken` for broken connections. */
  readonly counts: Readonly<Record<string, number>>;
  /** Sends further registrations elsewhere, as after a restart on another port. */
  moveTo(url: string): void;
  /** Stops sending and waits for the last responses. */
  stop(): Promise<void>;
}

const PASSWORD = 'correct horse';
const PAUSE_MS = 20;

/** Registers accounts, `clients` at a time, until it is stopped. */
export function streamRegistrations(url: string, clients: number, tag: string): AccountStream {
  const acknowledged: string[] = [];
  const counts: Record<string, number> = {};
  let target = url;
  let isStopped = false;
  let next = 0;

  async function runClient(): Promise<void> {
    while (!isStopped) {
      const email = `${tag}${next++}@example.com`;
      const status = await register(target, email);
      counts[status] = (counts[status] ?? 0) + 1;
      if (status === '201') acknowledged.push(email);
      await sleep(PAUSE_MS);
    }
  }

  const done = Promise.all(Array.from({ length: clients }, runClient));
  return {
    acknowledged,
    counts,
    moveTo(other) {
      target = other;
    },
    async stop() {
      isStopped = true;
      await done;
    },
  };
}

/** Those of `emails` that cannot log in. */
export async function findLost(url: string, emails: readonly string[]): Promise<string[]> {
  const lost: string[] = [];
  const waiting = [...emails];
  const runClient = async (): Promise<void> => {
    for (let email = waiting.pop(); email !== undefined; email = waiting.pop()) {
      const { status } = await send('POST', `${url}/auth/login`, { email, password: PASSWORD });
      if (status !== 200) lost.push(`${email}: ${status}`);
    }
  };
  await Promise.all([runClient(), runClient(), runClient(), runClient()]);
  return lost;
}

async function register(url: string, email: string): Promise<string> {
  try {
    const { status } = await send('POST', `${url}/auth/register`, { email, password: PASSWORD });
    return String(status);
  } catch {
    return 'broken';
  }
}
