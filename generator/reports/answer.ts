/**
 * Requests and answers of the program that takes reports: JSON with the error body that all builds use. Everything in a request
 * is hostile.
 *
 *     { "error": { "status": 404, "code": "not_found", "message": "...", "requestId": "..." } }
 */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';

const STATUSES = {
  invalid_json: 400,
  invalid_request: 400,
  several_hosts: 400,
  missing_token: 401,
  invalid_token: 401,
  token_expired: 401,
  token_replayed: 401,
  unknown_issuer: 401,
  account_gone: 401,
  not_found: 404,
  version_not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  payload_too_large: 413,
  integrity_mismatch: 422,
  personal_data: 422,
  rate_limited: 429,
  internal: 500,
  database_unavailable: 503,
  issuer_unavailable: 503,
} as const;

/** Why a request is not accepted. The message is for the client and quotes nothing secret. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly code: keyof typeof STATUSES;
  readonly retryAfterSeconds?: number;

  constructor(
    code: keyof typeof STATUSES,
    message: string,
    options: ErrorOptions & { readonly retryAfterMs?: number } = {},
  ) {
    super(message, options);
    this.code = code;
    const { retryAfterMs } = options;
    if (retryAfterMs !== undefined) {
      this.retryAfterSeconds = Math.max(1, Math.ceil(retryAfterMs / 1000));
    }
  }

  get status(): number {
    return STATUSES[this.code];
  }
}

/** A request as the routes see it. */
export interface ReportsRequest {
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** Of the client, see `addressOf`. */
  readonly address: string;
  /** The token of `Authorization: Bearer`. */
  readonly bearer: string | undefined;
  /** The parsed body. @throws {Refusal} when it has more bytes than `limit`, or is not JSON */
  readBody(limit: number): Promise<unknown>;
}

export interface ReportsAnswer {
  readonly status: number;
  /** JSON unless `lines` is there. */
  readonly body?: object;
  readonly lines?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

// An interface for programs: no page may frame, load or run what it answers.
const HEADERS = {
  'Content-Security-Policy': "default-src 'none';frame-ancestors 'none'",
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'Cache-Control': 'no-store',
} as const;

/** One JSON object a line: neither headers, bodies nor queries. */
export type Log = (level: 'info' | 'warn' | 'error', fields: object) => void;

/** Answers requests by `route`, each with an id, and writes one line for each. @param proxies in front of the program */
export function createListener(
  route: (request: ReportsRequest) => Promise<ReportsAnswer>,
  proxies: number,
  log: Log,
): (req: IncomingMessage, res: ServerResponse) => void {
  return (req, res) => {
    const begin = performance.now();
    const { pathname, searchParams } = targetOf(req);
    const given = req.headers['x-request-id'];
    // Clients choose it.
    const isId = typeof given === 'string' && /^[A-Za-z0-9_.:-]{1,64}$/.test(given);
    const requestId = isId ? given : randomUUID();
    const request = {
      method: req.method ?? '',
      path: pathname,
      query: searchParams,
      address: addressOf(req, proxies),
      bearer: /^Bearer +(\S+) *$/i.exec(req.headers.authorization ?? '')?.[1],
      readBody: (limit: number) => readJson(req, limit),
    };
    let failure: unknown;
    res.on('close', () => {
      const status = res.statusCode;
      log(status >= 500 ? 'error' : 'info', {
        req: { id: requestId, method: request.method, path: pathname },
        res: { status },
        responseTime: Math.round(performance.now() - begin),
        msg: res.writableEnded ? 'request completed' : 'request aborted',
        ...(status >= 500 && { err: describe(failure) }),
      });
    });
    const answering = countHosts(req) > 1 ? severalHosts() : route(request);
    answering.then(
      (answer) => send(res, requestId, answer),
      (error: unknown) => {
        failure = error;
        send(res, requestId, refusalAnswer(error, requestId));
      },
    );
  };
}

// An allow list: errors of drivers carry rows and parameters in other fields.
function describe(error: unknown): object {
  if (!(error instanceof Error)) return { type: typeof error };
  const { name, message, stack, cause } = error;
  if (cause !== undefined) return { type: name, message, cause: describe(cause) };
  return { type: name, message, ...(!(error instanceof Refusal) && { stack }) };
}

// Proxies and servers differ in which one they take (RFC 9112 section 3.2).
async function severalHosts(): Promise<never> {
  throw new Refusal('several_hosts', 'Send exactly one Host header');
}

function countHosts({ rawHeaders }: IncomingMessage): number {
  return rawHeaders.filter((name, at) => at % 2 === 0 && /^host$/i.test(name)).length;
}

function targetOf({ url = '/' }: IncomingMessage): Pick<URL, 'pathname' | 'searchParams'> {
  const [path = '', query = ''] = url.split('?', 2);
  return { pathname: path, searchParams: new URLSearchParams(query) };
}

/** The address that the outermost of our own proxies has seen. */
function addressOf({ headers, socket }: IncomingMessage, proxies: number): string {
  const seen = String(headers['x-forwarded-for'] ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
  return (proxies > 0 ? seen.at(-proxies) : undefined) ?? socket.remoteAddress ?? '';
}

async function readJson(req: IncomingMessage, limit: number): Promise<unknown> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of req as AsyncIterable<Buffer>) {
    bytes += part.length;
    // The rest is read and dropped, so that the client reads the answer; `requestTimeout` bounds how long it may take.
    if (bytes <= limit) parts.push(part);
  }
  if (bytes > limit) {
    throw new Refusal('payload_too_large', `The body has more than ${limit / 1024} KiB`);
  }
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(parts)));
  } catch {
    // The parser's own message would quote the body.
    throw new Refusal('invalid_json', 'The body is not JSON');
  }
}

function refusalAnswer(error: unknown, requestId: string): ReportsAnswer {
  const refusal =
    error instanceof Refusal ? error : new Refusal('internal', 'Internal Server Error');
  const { status, code, message, retryAfterSeconds } = refusal;
  return {
    status,
    body: { error: { status, code, message, requestId } },
    headers: {
      ...(retryAfterSeconds !== undefined && { 'Retry-After': String(retryAfterSeconds) }),
      ...(status === 401 && { 'WWW-Authenticate': 'Bearer' }),
      ...(status === 405 && { Allow: 'GET, HEAD, POST' }),
    },
  };
}

function send(res: ServerResponse, requestId: string, answer: ReportsAnswer): void {
  const { status, body, lines, headers = {} } = answer;
  const text = lines ?? JSON.stringify(body);
  const type = lines === undefined ? 'application/json' : 'application/x-ndjson';
  res.writeHead(status, {
    ...HEADERS,
    'X-Request-Id': requestId,
    'Content-Type': `${type}; charset=utf-8`,
    'Content-Length': Buffer.byteLength(text),
    ...headers,
  });
  res.end(text);
}
