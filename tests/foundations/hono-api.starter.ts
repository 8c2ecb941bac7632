// What the checks of the starters need of stackyard/hono-api.

import type { NodeStarter } from './express-api.contract.ts';
import { SECRET } from './starter-answers.ts';

const PROBE_ROUTER = `
import type { Server } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { Hono } from 'hono';
import { z } from 'zod';
import type { AppEnv } from '../../http/context.js';
import { HttpError } from '../../http/errors.js';
import { parseInput } from '../../http/input.js';

export function createProbeRouter(): Hono<AppEnv> {
  const router = new Hono<AppEnv>();
  router.get('/conflict', async () => {
    await sleep(1);
    throw new HttpError(409, 'Taken', { code: 'taken', headers: { 'Retry-After': '7' } });
  });
  router.get('/zod', (c) => c.json(parseInput(z.object({ a: z.string() }), {})));
  router.get('/own-data', (c) => c.json(z.object({ '${SECRET}': z.string() }).parse({})));
  router.get('/reject', (c) => { void Promise.reject(new Error('${SECRET}')); return c.json({}); });
  router.get('/throw', (c) => { setTimeout(() => { throw new Error('${SECRET}'); }); return c.json({}); });
  router.get('/server-error', (c) => {
    (c.env?.incoming?.socket as unknown as { server: Server }).server.emit('error', new Error('${SECRET}'));
    return c.json({});
  });
  router.get('/crash', () => { throw new Error('${SECRET}'); });
  router.get('/text', () => { throw '${SECRET}'; });
  router.get('/status/:status', (c) => {
    throw Object.assign(new Error('${SECRET}'), { status: Number(c.req.param('status')) });
  });
  router.get('/late', (c) => {
    let hasBegun = false;
    return c.body(new ReadableStream({
      async pull(controller) {
        if (hasBegun) throw new Error('${SECRET}');
        hasBegun = true;
        controller.enqueue(new TextEncoder().encode('partial'));
        await sleep(50);
      },
    }));
  });
  router.get('/slow', async (c) => { await sleep(1000); return c.json({ slow: true }); });
  router.get('/ip', (c) => c.json({ ip: c.get('clientAddress') }));
  return router;
}
`;

export const honoApi: NodeStarter = {
  id: 'stackyard/hono-api',
  jsonType: 'application/json',
  probeRouter: PROBE_ROUTER,
  ignoresCase: false,
  readsBodyOfGet: false,
};
