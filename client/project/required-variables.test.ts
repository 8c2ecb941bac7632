import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { fetched } from '../../tests/client/edited-project-fixture.ts';
import { requiredVariables, unsetVariables } from './required-variables.ts';

const SECRET = 'STACKYARD_TEST_SECRET';
const PORT = 'STACKYARD_TEST_PORT';
const account = fetched('a/account', {
  env: {
    [SECRET]: { required: true, description: 'Signs tokens. Required in production: none without' },
    [PORT]: { required: true, description: 'Port' },
    STACKYARD_TEST_TTL: { description: 'Seconds' },
  },
}).manifest;
const guarded = fetched('c/guarded', {
  env: {
    [SECRET]: {
      required: true,
      description:
        'Signs tokens. Required unless NODE_ENV is exactly development or test: none without',
    },
  },
}).manifest;
const strict = fetched('b/strict', { env: { [SECRET]: { required: true } } }).manifest;

test.each([
  ['', [account], [PORT], [SECRET]],
  ['NODE_ENV=production\n', [account], [PORT, SECRET], []],
  [`${PORT}=1\n`, [account], [], [SECRET]],
  [`${PORT}=1\n${SECRET}=x\n`, [account], [], []],
  ['', [account, strict], [PORT, SECRET], []],
  ['', [guarded], [], [SECRET]],
  ['NODE_ENV=development\n', [guarded], [], [SECRET]],
  ['NODE_ENV=staging\n', [guarded], [SECRET], []],
  ['NODE_ENV=staging\n', [account, guarded], [PORT, SECRET], []],
  ['NODE_ENV=staging\n', [guarded, account], [PORT, SECRET], []],
])('unsetVariables() with .env %j', (text, manifests, needed, later) => {
  const project = mkdtempSync(join(tmpdir(), 'stackyard-env-'));
  onTestFinished(() => rmSync(project, { recursive: true }));
  const before = process.env['NODE_ENV'];
  onTestFinished(() => void (process.env['NODE_ENV'] = before ?? 'test'));
  delete process.env['NODE_ENV'];
  writeFileSync(join(project, '.env'), text);
  expect(unsetVariables(project, requiredVariables(manifests))).toEqual({ needed, later });
});
