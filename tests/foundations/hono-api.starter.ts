// What the checks of the starters need of stackyard/hono-api.

import type { NodeStarter } from './express-api.contract.ts';
import { SECRET } from './starter-answers.ts';

const PROBE_ROUTER = `
import type { Server } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { Hono } from 'hono';
import type { AppEnv } from '../../http/context.js';

export function createProbeRouter(): Hono<AppEnv> {
  const router = new Hono<AppEnv>();
  router.get('/reject', (c) => { void Promise.reject(new Error('${SECRET}')); return c.json({}); });
  router.get('/throw', (c) => { setTimeout(() => { throw new Error('${SECRET}'); }); return c.json({}); });
  router.get('/server-error', (c) => {
    (c.env?.incoming?.socket as unknown as { server: Server }).server.emit('error', new Error('${SECRET}'));
    return c.json({});
  });
  router.get('/crash', () => { throw new Error('${SECRET}'); });
  router.get('/text', () => { throw '${SECRET}'; });
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
};
