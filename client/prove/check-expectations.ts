/** Sends the requests of guides to an application on this machine, and compares its answers. Nothing is followed elsewhere. */
import { randomBytes } from 'node:crypto';
import { request as httpRequest } from 'node:http';
import {
  formatExpectation,
  RUN_NAME,
  variablesIn,
  type Expectation,
} from '../../format/wiring/expectations.ts';

export interface Answered {
  /** `POST /auth/register` */
  readonly request: string;
  /** Absent where no answer came. */
  readonly status?: number;
  /** In what the answer differs; absent for the one that was promised. */
  readonly why?: string;
}

/** Servers for development compile what the first request asks for. */
const TIMEOUTS_MS = { first: 60_000, later: 10_000 };
const MAX_ANSWER_BYTES = 1_000_000;

/**
 * @param address of the application, on the loopback interface
 * @throws what `signal` is aborted with
 */
export async function checkExpectations(
  address: string,
  requests: readonly Expectation[],
  signal: AbortSignal,
  timeouts = TIMEOUTS_MS,
): Promise<Answered[]> {
  // The database may keep what earlier runs have sent.
  const known = new Map([[RUN_NAME, randomBytes(6).toString('hex')]]);
  const answered: Answered[] = [];
  let timeoutMs = timeouts.first;
  for (const one of requests) {
    const request = `${one.method} ${one.path}`;
    const unknown = [one.path, one.body ?? '', ...one.headers.flat()]
      .flatMap(variablesIn)
      .find((name) => !known.has(name));
    if (unknown !== undefined) {
      answered.push({ request, why: `for want of "$${unknown}" of an earlier answer` });
      continue;
    }
    const answer = await send(address, one, known, { signal, timeout: timeoutMs });
    timeoutMs = timeouts.later;
    signal.throwIfAborted();
    if (answer === undefined) answered.push({ request, why: `not as ${formatExpectation(one)}` });
    else answered.push({ request, status: answer.status, ...differenceOf(one, answer, known) });
  }
  return answered;
}

interface Answer {
  readonly status: number;
  /** `undefined` where the answer is no JSON. */
  readonly json: unknown;
}

/** `undefined` where nothing answers. */
function send(
  address: string,
  { method, path, headers, body }: Expectation,
  known: ReadonlyMap<string, string>,
  limits: { readonly signal: AbortSignal; readonly timeout: number },
): Promise<Answer | undefined> {
  const fill = (text: string, quote = (value: string): string => value): string =>
    text.replaceAll(/\$([a-z][a-z0-9_]{0,39})/gi, (_, name: string) =>
      quote(known.get(name) ?? ''),
    );
  const { hostname, port } = new URL(address);
  const sent =
    body === undefined ? undefined : fill(body, (value) => JSON.stringify(value).slice(1, -1));
  const named = headers.map(([name, value]) => [name, fill(value).replaceAll(/[^ -~]/g, '')]);
  return new Promise((resolve) => {
    const end = (): void => resolve(undefined);
    const outgoing = httpRequest(
      {
        hostname: hostname.replaceAll(/[[\]]/g, ''),
        port,
        method,
        // What an answer has handed on is data of the application: it cannot leave the path.
        path: fill(path, encodeURIComponent),
        headers: {
          ...(sent === undefined ? {} : { 'content-type': 'application/json' }),
          ...Object.fromEntries(named),
        },
        ...limits,
      },
      (incoming) => {
        const chunks: Buffer[] = [];
        let length = 0;
        incoming.on('data', (chunk: Buffer) => {
          length += chunk.length;
          if (length <= MAX_ANSWER_BYTES) chunks.push(chunk);
          else incoming.destroy();
        });
        incoming.on('error', end);
        incoming.on('close', () => {
          resolve({
            status: incoming.statusCode ?? 0,
            json: tryJson(Buffer.concat(chunks).toString()),
          });
        });
      },
    );
    outgoing.on('timeout', () => outgoing.destroy());
    outgoing.on('error', end);
    outgoing.end(sent);
  });
}

/** What is not as promised; keeps what later requests use. */
function differenceOf(
  { status, code, members, captures }: Expectation,
  answer: Answer,
  known: Map<string, string>,
): { readonly why?: string } {
  if (answer.status !== status) return { why: `not ${status}` };
  const codes = ['error.code', 'code', 'error', 'detail'].map((path) =>
    memberOf(answer.json, path),
  );
  if (code !== undefined && !codes.includes(code)) return { why: `without the code "${code}"` };
  for (const { path, value } of members) {
    const found = JSON.stringify(memberOf(answer.json, path));
    if (found !== JSON.stringify(JSON.parse(value)))
      return { why: `and "${path}" is not ${value}` };
  }
  for (const { name, path } of captures) {
    const found = memberOf(answer.json, path);
    if (typeof found !== 'string' && typeof found !== 'number') return { why: `without "${path}"` };
    known.set(name, String(found));
  }
  return {};
}

/** The member at `user.email`, or the item at `items.0`. */
function memberOf(value: unknown, path: string): unknown {
  let at = value;
  for (const name of path.split('.')) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, name)) return undefined;
    at = (at as Record<string, unknown>)[name];
  }
  return at;
}

function tryJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
