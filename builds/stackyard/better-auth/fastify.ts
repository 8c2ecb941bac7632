// Fastify 5: a plugin with the routes, and a hook that protects other routes.

import type { IncomingHttpHeaders } from 'node:http';
import { Readable } from 'node:stream';
import { fromNodeHeaders } from 'better-auth/node';
import { openAuth } from './instance.js';
import { authPath } from './module.js';
import { answerRequest, METHODS } from './routes.js';
import { authenticate, rememberUser } from './session.js';

// What is used of a request, its reply and the application.
type FastifyRequest = { method: string; url: string; ip: string; headers: IncomingHttpHeaders; body: unknown };
type Parser = (request: never, payload: Readable, done: (error: null, body: unknown) => void) => void;
type Reply = { send(payload: Response): unknown };
type Handler = (request: FastifyRequest, reply: Reply) => Promise<unknown>;

interface FastifyApp {
  removeAllContentTypeParsers(): void;
  addContentTypeParser(type: '*', options: object, parser: Parser): unknown;
  route(options: { method: string[]; url: string; exposeHeadRoute: false; handler: Handler }): unknown;
}

/** The routes: `app.register(authPlugin)`. Rejects where a variable or an option is wrong. */
export async function authPlugin(app: FastifyApp): Promise<void> {
  await openAuth();
  // The library reads bodies. This plugin is a context of its own: other routes keep their parsers.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', {}, (_request, payload, done) => done(null, payload));
  const handler: Handler = async (request, reply) => reply.send(await answerRequest(toRequest(request), request.ip));
  app.route({ method: METHODS, url: `${authPath()}/*`, exposeHeadRoute: false, handler });
}

/** A hook, `{ preHandler: requireSession }`: lets users through, for whom `currentUser(request)` is set. */
export async function requireSession(request: FastifyRequest, reply: Reply): Promise<unknown> {
  const user = await authenticate(request);
  return user instanceof Response ? reply.send(user) : rememberUser(request, user);
}

function toRequest({ method, url, headers, body }: FastifyRequest): Request {
  const hasBody = body instanceof Readable && method !== 'GET' && method !== 'HEAD';
  const init = hasBody ? { body: Readable.toWeb(body) as ReadableStream, duplex: 'half' } : {};
  return new Request(`http://localhost${url}`, { method, headers: fromNodeHeaders(headers), ...init } as RequestInit);
}
