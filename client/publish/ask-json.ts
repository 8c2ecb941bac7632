/** One request with a token and an answer in JSON. Redirects are not followed: the token is for this address only. */
import { Agent, EnvHttpProxyAgent, request } from 'undici';
import { ClientError } from '../errors.ts';
import { isLoopback } from '../../format/registry/registry-headers.ts';
import { readBody } from '../registry/network/read-body.ts';
import { oneLine } from '../terminal/printable.ts';

const TIMEOUT_MS = 30_000;
const MAX_ANSWER_BYTES = 5_000_000;
const PACE = { graceMs: TIMEOUT_MS, minBytesPerSecond: 1024 };

interface JsonRequest {
  readonly token: string;
  /** Sent by POST, unless `method` is another one; absent: GET. */
  readonly body?: object;
  readonly method?: 'PATCH' | 'PUT';
  readonly signal: AbortSignal;
}

export interface JsonAnswer {
  readonly status: number;
  /** `undefined` for what is not JSON. */
  readonly value: unknown;
  /** How long the server asks to wait, where it does. */
  readonly waitSeconds: number | undefined;
}

/**
 * @param name of the server, for messages
 * @throws {ClientError} `ERR_NETWORK`; `ERR_USAGE`, `ERR_INSECURE_URL` for an address that no token is sent to
 */
export async function askJson(
  name: string,
  address: string,
  { token, body, method, signal }: JsonRequest,
): Promise<JsonAnswer> {
  const url = checkedUrl(name, address);
  const options = {
    headersTimeout: TIMEOUT_MS,
    bodyTimeout: TIMEOUT_MS,
    connectTimeout: TIMEOUT_MS,
  };
  const dispatcher = isLoopback(url) ? new Agent(options) : new EnvHttpProxyAgent(options);
  const start = Date.now();
  try {
    const response = await request(url, {
      method: body === undefined ? 'GET' : (method ?? 'POST'),
      dispatcher,
      signal,
      headers: {
        accept: 'application/json',
        authorization: `Bearer ${token}`,
        'user-agent': 'stackyard',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const length = response.headers['content-length'];
    const bytes = await readBody(response.body, length, MAX_ANSWER_BYTES, { start, ...PACE });
    const { statusCode: status, headers } = response;
    return { status, value: tryJson(bytes), waitSeconds: waitOf(status, headers) };
  } catch (cause) {
    signal.throwIfAborted();
    const why = cause instanceof Error ? oneLine(cause.message || cause.name) : String(cause);
    throw new ClientError('ERR_NETWORK', `Cannot reach ${name} at ${url.origin}: ${why}`, {
      cause,
      hint: 'check the network, then run the same command again',
    });
  } finally {
    await dispatcher.destroy();
  }
}

/** Of a server that limits how many requests it takes. */
function waitOf(
  status: number,
  headers: Readonly<Record<string, string | string[] | undefined>>,
): number | undefined {
  if (![403, 429, 503].includes(status)) return undefined;
  const after = headers['retry-after'];
  if (typeof after === 'string' && /^\d{1,6}$/.test(after)) return Number(after);
  const isSpent = (headers['x-ratelimit-remaining'] ?? headers['ratelimit-remaining']) === '0';
  const reset = Number(headers['x-ratelimit-reset'] ?? headers['ratelimit-reset']);
  if (isSpent && reset > 0) return Math.max(0, Math.ceil(reset - Date.now() / 1000));
  return status === 429 ? 1 : undefined;
}

function checkedUrl(name: string, address: string): URL {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url === undefined || !['http:', 'https:'].includes(url.protocol)) {
    throw new ClientError('ERR_USAGE', `The address of ${name} is not one of https`);
  }
  if (url.protocol === 'http:' && !isLoopback(url)) {
    throw new ClientError('ERR_INSECURE_URL', `The address of ${name} is not encrypted`, {
      hint: 'a token is sent over https only',
    });
  }
  return url;
}

function tryJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(bytes).toString('utf8'));
  } catch {
    return undefined;
  }
}
