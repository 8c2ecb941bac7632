// A bucket of S3, or of a service with its interface, and the signature that it wants (AWS Signature Version 4).
// Clients read bytes by a signed address.

import { createHash, createHmac } from 'node:crypto';
import { RequestError, toStream } from '../module-routes/index.js';
import { pick, type Storage, storageFull, storageUnavailable } from './storage.js';

export interface S3Settings {
  readonly bucket: string;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string | undefined;
  /** Of another service than AWS; the bucket is the first part of its paths. */
  readonly endpoint?: string | undefined;
  /** In front of all keys, such as `shop/`. */
  readonly prefix: string;
}

type Headers = Record<string, string>;
type Init = RequestInit & { duplex?: 'half' };

const UNSIGNED = 'UNSIGNED-PAYLOAD';
const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
// RFC 3986: `encodeURIComponent` leaves five more characters.
const encode = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`);

/** A request before it is signed. */
export interface Unsigned {
  readonly method: string;
  /** Without a query. */
  readonly url: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Headers;
}

/**
 * Signs a request: by headers, or with `expiresSeconds` by its address, for a client that sends `headers` as they are.
 * The body is not signed, unless `x-amz-content-sha256` is given.
 */
export function signRequest(
  settings: Omit<S3Settings, 'bucket' | 'prefix'>,
  request: Unsigned,
  now: Date,
  expiresSeconds?: number,
): { url: string; headers: Headers } {
  const { region, accessKeyId, secretAccessKey, sessionToken } = settings;
  const { host, pathname } = new URL(request.url);
  const time = now.toISOString().replace(/[:-]|\.\d{3}/g, '');
  const scope = `${time.slice(0, 8)}/${region}/s3/aws4_request`;
  const isPresigned = expiresSeconds !== undefined;
  const given = Object.entries(request.headers ?? {}).map(([name, value]) => [name.toLowerCase(), value.trim()]);
  const headers: Headers = { host, ...Object.fromEntries(given) };
  if (!isPresigned) {
    headers['x-amz-date'] = time;
    headers['x-amz-content-sha256'] ??= UNSIGNED;
    if (sessionToken) headers['x-amz-security-token'] = sessionToken;
  }
  const names = Object.keys(headers).sort();
  const signed = names.join(';');
  const query: Record<string, string> = { ...request.query };
  if (isPresigned) {
    Object.assign(query, {
      'X-Amz-Algorithm': 'AWS4-HMAC-SHA256',
      'X-Amz-Credential': `${accessKeyId}/${scope}`,
      'X-Amz-Date': time,
      'X-Amz-Expires': String(expiresSeconds),
      'X-Amz-SignedHeaders': signed,
      ...(sessionToken && { 'X-Amz-Security-Token': sessionToken }),
    });
  }
  const search = Object.keys(query)
    .sort()
    .map((name) => `${encode(name)}=${encode(query[name] ?? '')}`)
    .join('&');
  const lines = names.map((name) => `${name}:${headers[name]}\n`).join('');
  const payload = isPresigned ? UNSIGNED : headers['x-amz-content-sha256'];
  const canonical = [request.method, pathname, search, lines, signed, payload].join('\n');
  const text = ['AWS4-HMAC-SHA256', time, scope, sha256(canonical)].join('\n');
  const key = [time.slice(0, 8), region, 's3', 'aws4_request'].reduce<string | Buffer>(hmac, `AWS4${secretAccessKey}`);
  const signature = hmac(key, text).toString('hex');
  const { host: _host, ...sent } = headers;
  const address = search === '' ? request.url : `${request.url}?${search}`;
  if (isPresigned) return { url: `${address}&X-Amz-Signature=${signature}`, headers: sent };
  const parts = [`Credential=${accessKeyId}/${scope}`, `SignedHeaders=${signed}`, `Signature=${signature}`];
  return { url: address, headers: { ...sent, authorization: `AWS4-HMAC-SHA256 ${parts.join(',')}` } };
}

/** How long the bucket may take to answer what moves no file. */
const TIMEOUT_MS = 15_000;

/** Opens a bucket, which must be there. */
export function openBucket(settings: S3Settings): Storage {
  const { bucket, region, endpoint, prefix } = settings;
  const base = endpoint ? `${endpoint.replace(/\/+$/, '')}/${bucket}` : `https://${bucket}.s3.${region}.amazonaws.com`;
  const keyOf = (path: string): string => `${prefix}${path}`.split('/').map(encode).join('/');
  const address = (path: string): string => `${base}/${keyOf(path)}`;

  /** Answers of the statuses in `expected`, of which the body is the caller's to read. */
  async function send(request: Unsigned, expected: readonly number[], init: Init = {}): Promise<Response> {
    const { method } = request;
    const { url, headers } = signRequest(settings, request, new Date());
    const signal = init.body instanceof ReadableStream ? null : AbortSignal.timeout(TIMEOUT_MS);
    const sent = fetch(url, { signal, ...init, method, headers, redirect: 'manual' });
    const response = await sent.catch((error: unknown) => {
      // Where what is sent could not be read, that is the reason.
      const cause = error instanceof Error && 'cause' in error ? error.cause : error;
      throw cause instanceof RequestError ? cause : storageUnavailable(error);
    });
    if (expected.includes(response.status)) return response;
    const text = await response.text().catch(() => '');
    const [, code = 'no code'] = /<Code>([^<]*)</.exec(text) ?? [];
    const error = new Error(`The bucket "${bucket}" answers ${method} with ${response.status} (${code})`);
    const isFull = response.status === 507 || /Full|Quota|Insufficient/i.test(code);
    throw isFull ? storageFull(error) : storageUnavailable(error);
  }

  async function ask(request: Unsigned, expected: readonly number[], init?: Init) {
    const response = await send(request, expected, init);
    const text = await response.text().catch((cause: unknown) => {
      throw storageUnavailable(cause);
    });
    return { status: response.status, text };
  }

  const remove = (path: string) => ask({ method: 'DELETE', url: address(path) }, [200, 204, 404]);

  return {
    needsSize: true,
    async put(id, chunks, size) {
      const headers = { 'content-length': String(size), 'content-type': 'application/octet-stream' };
      const body = toStream(chunks[Symbol.asyncIterator]());
      await ask({ method: 'PUT', url: address(`files/${id}`), headers }, [200], { body, duplex: 'half' });
    },
    async read(id, first, last) {
      const request = { method: 'GET', url: address(`files/${id}`), headers: { range: `bytes=${first}-${last}` } };
      const { status, body } = await send(request, [200, 206, 404], { signal: null });
      if (status !== 404 && body) return body;
      await body?.cancel();
      return undefined;
    },
    async remove(id) {
      await remove(`files/${id}`);
    },
    async list(place, after, limit) {
      const start = `${prefix}${place}/`;
      const query = { 'list-type': '2', prefix: start, 'start-after': start + after, 'max-keys': String(limit) };
      const { text } = await ask({ method: 'GET', url: `${base}/`, query }, [200]);
      const keys = [...text.matchAll(/<Key>([^<]*)<\/Key>/g)].map(([, key = '']) => key.slice(start.length));
      return pick(keys, after, limit);
    },
    async removeOlder(place, id, time) {
      const { status, headers } = await send({ method: 'HEAD', url: address(`${place}/${id}`) }, [200, 404]);
      if (status === 404 || !(Date.parse(headers.get('Last-Modified') ?? '') < time)) return false;
      await remove(`${place}/${id}`);
      return true;
    },
    async check() {
      const query = { 'list-type': '2', prefix: `${prefix}store-id`, 'max-keys': '1' };
      await ask({ method: 'GET', url: `${base}/`, query }, [200]);
    },
    async mark(id) {
      const { status, text } = await ask({ method: 'GET', url: address('store-id') }, [200, 404]);
      if (status === 200) return text;
      if (id !== undefined) await ask({ method: 'PUT', url: address('store-id') }, [200], { body: id });
      return id;
    },
    signDownload(id, type, disposition, seconds) {
      const query = {
        'response-content-type': type,
        'response-content-disposition': disposition,
        'response-cache-control': 'private, max-age=31536000, immutable',
      };
      return signRequest(settings, { method: 'GET', url: address(`files/${id}`), query }, new Date(), seconds).url;
    },
    close: async () => {},
  };
}
