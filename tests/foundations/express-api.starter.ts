// What the checks of the starters need of stackyard/express-api.

import type { NodeStarter } from './express-api.contract.ts';
import { SECRET } from './starter-answers.ts';

const PROBE_ROUTER = `
import type { Server } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { Router } from 'express';
import { z } from 'zod';
import { HttpError } from '../../http/errors.js';
import { parseInput } from '../../http/input.js';

export function createProbeRouter(): Router {
  const router = Router();
  router.get('/conflict', async () => {
    await sleep(1);
    throw new HttpError(409, 'Taken', { code: 'taken', headers: { 'Retry-After': '7' } });
  });
  router.get('/zod', () => { parseInput(z.object({ a: z.string() }), {}); });
  router.get('/own-data', () => { z.object({ '${SECRET}': z.string() }).parse({}); });
  router.get('/reject', (_req, res) => { void Promise.reject(new Error('${SECRET}')); res.json({}); });
  router.get('/throw', (_req, res) => { setTimeout(() => { throw new Error('${SECRET}'); }); res.json({}); });
  router.get('/server-error', (req, res) => {
    (req.socket as unknown as { server: Server }).server.emit('error', new Error('${SECRET}'));
    res.json({});
  });
  router.get('/crash', () => { throw new Error('${SECRET}'); });
  router.get('/text', () => { throw '${SECRET}'; });
  router.get('/status/:status', (req) => {
    throw Object.assign(new Error('${SECRET}'), { status: Number(req.params.status) });
  });
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
  ignoresCase: true,
  readsBodyOfGet: true,
};
