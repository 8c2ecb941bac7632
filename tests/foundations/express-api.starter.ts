// What the checks of the starters need of stackyard/express-api.

import type { NodeStarter } from './express-api.contract.ts';
import { SECRET } from './starter-answers.ts';

const PROBE_ROUTER = `
import type { Server } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { Router } from 'express';

export function createProbeRouter(): Router {
  const router = Router();
  router.get('/reject', (_req, res) => { void Promise.reject(new Error('${SECRET}')); res.json({}); });
  router.get('/throw', (_req, res) => { setTimeout(() => { throw new Error('${SECRET}'); }); res.json({}); });
  router.get('/server-error', (req, res) => {
    (req.socket as unknown as { server: Server }).server.emit('error', new Error('${SECRET}'));
    res.json({});
  });
  router.get('/crash', () => { throw new Error('${SECRET}'); });
  router.get('/text', () => { throw '${SECRET}'; });
  router.get('/late', (_req, res) => { res.write('partial'); throw new Error('${SECRET}'); });
  router.get('/slow', async (_req, res) => { await sleep(1000); res.json({ slow: true }); });
  router.get('/ip', (req, res) => { res.json({ ip: req.ip }); });
  return router;
}
`;

export const expressApi: NodeStarter = {
  id: 'stackyard/express-api',
  jsonType: 'application/json; charset=utf-8',
  probeRouter: PROBE_ROUTER,
};
