// The specification's routes as a black box, over HTTP on the service with each database.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { isLong } from '../run/runs.ts';
import { findDifferences } from './account-suite.ts';
import { type PostgresServer, startPostgres } from './postgres-fixture.ts';
import { type BuiltService, buildService } from './service-fixture.ts';

const SECRET = 'a secret of the black-box suite, of enough bytes';
/** Where hashes are not the subject. */
const NODE_OPTIONS = `--import=${new URL('cheap-scrypt.ts', import.meta.url).href}`;

let built: BuiltService;
let postgres: PostgresServer | undefined;

beforeAll(async () => {
  built = await buildService();
  if (isLong()) postgres = await startPostgres();
});

afterAll(() => {
  built?.remove();
  postgres?.remove();
});

const DATABASES = isLong() ? ['SQLite', 'PostgreSQL'] : ['SQLite'];

test.each(DATABASES)('the service on %s answers as specified', async (kind) => {
  const DATABASE_URL =
    kind === 'SQLite'
      ? 'file:data/suite.sqlite'
      : ((await postgres?.createDatabase('suite')) ?? '');
  const env = { NODE_ENV: 'test', JWT_SECRET: SECRET, DATABASE_URL, NODE_OPTIONS };
  const service = await built.start(env);
  const { requests, differences } = await findDifferences({
    base: `${service.url}/auth`,
    secret: SECRET,
  });
  expect(differences).toEqual([]);
  expect(requests).toBeGreaterThanOrEqual(100);
  await service.kill('SIGTERM');
  expect(service.output.stderr).toBe('');
});
