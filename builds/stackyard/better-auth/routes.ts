// The routes of the library, for hosts of the web standard and of node:http, with bounds on bodies and on time.

import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { toNodeHandler } from 'better-auth/node';
import { openAuth } from './instance.js';
import { refuse } from './session.js';
import { ADDRESS_HEADER } from './settings.js';

export const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'];
const MAX_BODY_BYTES = 262_144;
/** A provider that does not answer must not hold requests for ever. */
const MAX_MS = 30_000;

/** Answers a request for the routes. @param address of the client, by which the rate limit counts */
export async function answerRequest(request: Request, address: string | undefined): Promise<Response> {
  const { url, method } = request;
  if (!METHODS.includes(method)) return refuse(405, 'method_not_allowed', 'Method not allowed');
  const headers = new Headers(request.headers);
  headers.delete(ADDRESS_HEADER);
  if (address) headers.set(ADDRESS_HEADER, address);
  const body = await readBody(request);
  if (body === undefined) return refuse(413, 'payload_too_large', `The body has more than ${MAX_BODY_BYTES} bytes`);
  const read = new Request(url, body.byteLength > 0 ? { method, headers, body } : { method, headers });
  const done = new AbortController();
  const late = sleep(MAX_MS, undefined, { signal: done.signal }).then(
    () => refuse(504, 'timeout', 'Another service did not answer in time'),
    () => new Response(),
  );
  const isFeatures = new URL(url).pathname.endsWith('/features');
  const answer = isFeatures ? answerFeatures() : openAuth().then(({ handler }) => handler(read));
  return Promise.race([answer, late]).finally(() => done.abort());
}

/** The routes in Express, connect and Nest, where `req.originalUrl` has the prefix. */
export async function nodeRoutes(req: IncomingMessage, res: ServerResponse, next: (error?: unknown) => void) {
  let read: Request | undefined;
  try {
    await toNodeHandler((request) => answerRequest((read = request), addressOf(req)))(req, res);
  } catch (error) {
    // Without a `Request`, a method or host was no valid one.
    if (read) next(error);
    else await sendAnswer(res, refuse(400, 'invalid_request', 'Invalid request'));
  }
}

/** Sends an answer in node:http. */
export async function sendAnswer(res: ServerResponse, answer: Response): Promise<void> {
  answer.headers.forEach((value, name) => res.setHeader(name, value));
  res.writeHead(answer.status).end(await answer.text());
}

// `ip` of Express knows the trusted proxies.
const addressOf = ({ ip, socket }: IncomingMessage & { readonly ip?: string }) => ip ?? socket.remoteAddress;

/** What src/auth.ts has switched on: pages of accounts show nothing else. */
async function answerFeatures(): Promise<Response> {
  const { options, hasPlugin } = await (await openAuth()).$context;
  return Response.json({
    mail: options.emailAndPassword?.sendResetPassword !== undefined,
    twoFactor: hasPlugin('two-factor'),
    passkey: hasPlugin('passkey'),
    organization: hasPlugin('organization'),
    deleteUser: options.user?.deleteUser?.enabled === true,
    providers: Object.keys(options.socialProviders ?? {}),
  });
}

/** `undefined` for a body that is too large. It is not cancelled: that would close the connection before the answer. */
async function readBody({ body, headers }: Request): Promise<Uint8Array<ArrayBuffer> | undefined> {
  if (Number(headers.get('content-length')) > MAX_BODY_BYTES) return undefined;
  const chunks: Uint8Array[] = [];
  let size = 0;
  const reader = body?.getReader();
  for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) {
    size += part.value.byteLength;
    if (size > MAX_BODY_BYTES) return undefined;
    chunks.push(part.value);
  }
  return new Uint8Array(Buffer.concat(chunks));
}
