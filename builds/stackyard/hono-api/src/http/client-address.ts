// Where a request comes from, when proxies in front of the server say so.

import type { Context } from 'hono';
import type { AppEnv } from './app-env.js';

/**
 * The address that the outermost of `proxies` trusted proxies saw; without proxies that of the connection. Each proxy adds
 * the address of its client at the end of the list. What stands before those, the client itself has written.
 */
export function clientAddress(c: Context<AppEnv>, proxies: number): string | undefined {
  const peer = c.env?.incoming?.socket.remoteAddress;
  if (proxies === 0) return peer;
  const hops = (c.req.header('X-Forwarded-For') ?? '').split(',').flatMap((hop) => hop.trim() || []);
  return [...hops, peer].slice(-1 - proxies)[0];
}
