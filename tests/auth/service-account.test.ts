// The specification's routes as a black box, over HTTP on the service with SQLite.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { findDifferences } from './account-suite.ts';
import { type BuiltService, buildService } from './service-fixture.ts';

const SECRET = 'a secret of the black-box suite, of enough bytes';
/** Where hashes are not the subject. */
const NODE_OPTIONS = `--import=${new URL('cheap-scrypt.ts', import.meta.url).href}`;

let built: BuiltService;

beforeAll(async () => {
  built = await buildService();
});

afterAll(() => built?.remove());

test('the service on SQLite answers as specified', async () => {
  const DATABASE_URL = 'file:data/suite.sqlite';
  const env = { NODE_ENV: 'test', JWT_SECRET: SECRET, DATABASE_URL, NODE_OPTIONS };
  const service = await built.start(env);
  const host = { base: `${service.url}/auth`, secret: SECRET };
  const { requests, differences } = await findDifferences(host);
  expect(differences).toEqual([]);
  expect(requests).toBeGreaterThanOrEqual(100);
  await service.kill('SIGTERM');
  expect(service.output.stderr).toBe('');
});
