/// <reference types="node" />
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { Express } from 'express';

/** Sends a request to the application on a free port. */
export async function ask(app: Express, path: string, init?: RequestInit): Promise<[number, string]> {
  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, init);
  const text = await answer.text();
  await new Promise((resolve) => server.close(resolve));
  return [answer.status, text];
}
