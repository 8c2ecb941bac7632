/// <reference types="node" />
// Accounts in Fastify, on SQLite: a plugin with the routes, and a hook that protects other routes. The core is in ../account-core.

import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { AccountModule, AuthUser, HostContext } from '../account-core/index.js';
import { accountModule } from '../account-sqlite/index.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by `requireAuth`. */
    account?: AuthUser;
  }
}

export interface AccountPluginOptions {
  /** Where the routes are, such as `/auth`; Fastify reads it. */
  readonly prefix?: string;
  /** Accounts in another store, such as those of stackyard/account-postgres. Default: those of stackyard/account-sqlite. */
  readonly accounts?: AccountModule;
}

/** Below which the module of the core finds its routes, whatever the prefix is here. */
const PREFIX = '/auth';
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'];

/**
 * The routes of accounts: `app.register(accountPlugin, { prefix: '/auth' })`. Opens the accounts when the application gets ready; rejects
 * where a variable is wrong or missing, so that it does not start.
 */
export async function accountPlugin(app: FastifyInstance, options: AccountPluginOptions = {}): Promise<void> {
  const { accounts = accountModule } = options;
  accounts.assertSettings(process.env);
  await accounts.start({ env: process.env, log: app.log });
  // The routes read bodies themselves, whatever their type. This plugin is a context of its own: other routes keep their parsers.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (_request, payload, done) => done(null, payload));
  app.route({
    method: METHODS,
    url: '/*',
    schema: { hide: true } as object,
    exposeHeadRoute: false,
    handler: async (request, reply) => {
      const url = PREFIX + request.url.slice(app.prefix.length);
      await accounts.context(contextOf(request, reply, url), async () => void reply.callNotFound());
      return reply;
    },
  });
}

/** A hook that lets requests with a valid token through, and answers others: `{ preHandler: requireAuth }`. */
export const requireAuth = createRequireAuth(accountModule);

/** `requireAuth` for accounts in another store. */
export function createRequireAuth(accounts: AccountModule) {
  return async function requireAuth(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | void> {
    let isAdmitted = false;
    await accounts.requireAuth(contextOf(request, reply, PREFIX), async () => void (isAdmitted = true));
    // Fastify goes on to the handler unless a hook returns the reply.
    return isAdmitted ? undefined : reply;
  };
}

/** The user of a request behind `requireAuth`. Throws `TypeError` on a route that it does not protect. */
export function currentUser({ account }: Pick<FastifyRequest, 'account'>): AuthUser {
  if (account) return account;
  throw new TypeError('Cannot read the current user: add "preHandler: requireAuth" to the route');
}

// A request and its reply as the adapter of the core for web-standard hosts takes them.
function contextOf(request: FastifyRequest, reply: FastifyReply, url: string): HostContext {
  const { method, body } = request;
  const stream = body instanceof Readable ? (Readable.toWeb(body) as ReadableStream<Uint8Array>) : null;
  const raw = new Request(`http://localhost${url}`, stream ? { method, body: stream, duplex: 'half' } : { method });
  const known: Readonly<Record<string, unknown>> = { clientAddress: request.ip, requestId: request.id };
  return {
    req: {
      raw,
      arrayBuffer: () => raw.arrayBuffer(),
      header(name) {
        const value = request.headers[name.toLowerCase()];
        return Array.isArray(value) ? value.join(', ') : value;
      },
    },
    env: { incoming: request.raw },
    get: (name) => known[name],
    set: (_name, value) => void (request.account = value as AuthUser),
    newResponse(text, { status, headers }) {
      void reply.code(status).headers(headers).send(text ?? undefined);
      return new Response();
    },
  };
}

export { accountMigrations, accountModule, onUserDeleted } from '../account-sqlite/index.js';
export type { AuthUser } from '../account-core/index.js';
