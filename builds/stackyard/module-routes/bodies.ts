// What comes in and goes out: JSON, streams, places in lists, and the error that a foundation answers.

/** A request that the routes refuse. A foundation answers it with its error body. */
export class RequestError extends Error {
  override readonly name = 'RequestError';
  readonly expose = true;
  readonly status: number;
  /** A stable word for programs. */
  readonly code: string;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    status: number,
    code: string,
    message: string,
    { cause, headers = {} }: { readonly cause?: unknown; readonly headers?: Readonly<Record<string, string>> } = {},
  ) {
    super(message);
    this.status = status;
    this.code = code;
    this.headers = headers;
    // As the second parameter of `Error` does, which the types of ES2020 do not have.
    if (cause !== undefined) Object.defineProperty(this, 'cause', { value: cause, writable: true, configurable: true });
  }
}

/** JSON that no cache may keep. */
export function json(status: number, body: object): Response {
  const text = JSON.stringify(body);
  const headers = {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': String(Buffer.byteLength(text)),
    'Cache-Control': 'no-store',
  };
  return new Response(text, { status, headers });
}

const MAX_JSON_BYTES = 16_384;

/** The object in the body. Throws `RequestError`. */
export async function readJson(request: Request): Promise<Readonly<Record<string, unknown>>> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of readChunks(request)) {
    length += chunk.length;
    if (length > MAX_JSON_BYTES) {
      throw new RequestError(413, 'payload_too_large', `Request body is larger than ${MAX_JSON_BYTES} bytes`);
    }
    chunks.push(chunk);
  }
  try {
    const value: unknown = JSON.parse(Buffer.concat(chunks).toString());
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  } catch {
    // Not with its cause, which has the beginning of the body.
  }
  throw new RequestError(400, 'invalid_json', 'Expected a JSON object as the body');
}

/** As much of a refused body is read, so that the client reads the answer. */
export const MAX_DROPPED_BYTES = 16_777_216;

/**
 * The body piece by piece. Throws `RequestError` when the client went away in the middle. What is left where the caller
 * ends early is dropped, so that the client can finish sending, reads the answer, and uses the connection again.
 */
export async function* readChunks({
  body,
}: {
  readonly body: ReadableStream<Uint8Array> | null;
}): AsyncGenerator<Uint8Array, void, undefined> {
  if (!body) return;
  const reader = body.getReader();
  let isOver = false;
  try {
    for (;;) {
      const { done, value } = await reader.read().catch((cause: unknown) => {
        isOver = true;
        throw new RequestError(400, 'connection_lost', 'The connection was lost before the end of the body', { cause });
      });
      isOver = done;
      if (done) return;
      yield value;
    }
  } finally {
    if (!isOver) void dropRest(reader).catch(() => {});
  }
}

/** The same for a body of which nothing was read. */
export function dropBody({ body, bodyUsed }: Pick<Request, 'body' | 'bodyUsed'>): void {
  if (body && !bodyUsed && !body.locked) void dropRest(body.getReader()).catch(() => {});
}

async function dropRest(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<void> {
  for (let bytes = 0; bytes <= MAX_DROPPED_BYTES;) {
    const { done, value } = await reader.read();
    if (done) return;
    bytes += value.length;
  }
  await reader.cancel();
}

/** A place in a list that is ordered by a time or number, and where that is the same by an id: descending. */
export interface Place {
  readonly time: number;
  readonly id: string;
}

/** A page of a list: at most `limit` entries behind the place. A place stays right where entries come and go. */
export interface Page {
  readonly limit: number;
  readonly after: Place;
}

export const FIRST_PAGE: Page = { limit: 50, after: { time: Number.MAX_SAFE_INTEGER, id: '' } };

/** The page that `?limit=` and `?after=` ask for. Throws `RequestError`. */
export function readPage(query: URLSearchParams): Page {
  const text = query.get('limit') ?? '50';
  const limit = /^\d{1,3}$/.test(text) ? Number(text) : 0;
  if (limit < 1 || limit > 100) throw invalid('limit', 'Expected a whole number from 1 to 100');
  const after = query.get('after');
  if (after === null) return { ...FIRST_PAGE, limit };
  const [, time, id] = /^(\d{1,15})\.([\w-]{1,64})$/.exec(after) ?? [];
  if (time === undefined || id === undefined) throw invalid('after', 'Expected the "next" of the page before');
  return { limit, after: { time: Number(time), id } };
}

/** Of `limit` + 1 rows those of the page, and `next` for the page behind, or null. */
export function cutPage<Row>(
  rows: readonly Row[],
  limit: number,
  placeOf: (row: Row) => Place,
): { readonly rows: Row[]; readonly next: string | null } {
  const last = rows.length > limit ? rows[limit - 1] : undefined;
  if (last === undefined) return { rows: [...rows], next: null };
  const { time, id } = placeOf(last);
  return { rows: rows.slice(0, limit), next: `${time}.${id}` };
}

/** 400 for the member or parameter `name`. */
export function invalid(name: string, message: string): RequestError {
  return new RequestError(400, 'invalid_request', `${name}: ${message}`);
}

/** The header `Idempotency-Key`, or null. Throws `RequestError`. */
export function readRequestKey({ headers }: Request): string | null {
  const key = headers.get('Idempotency-Key');
  if (key === null || /^[\x21-\x7e]{1,200}$/.test(key)) return key;
  throw invalid('Idempotency-Key', 'Expected 1 to 200 letters, digits and signs');
}

/** The header `Content-Length`, if any. Throws `RequestError`. */
export function readLength({ headers }: Request): number | undefined {
  const text = headers.get('Content-Length');
  if (text === null) return undefined;
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw invalid('Content-Length', 'Expected a whole number');
}
