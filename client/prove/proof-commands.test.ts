import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { formatProofCommand, proofCommands } from './proof-commands.ts';

const scripts = (of: Readonly<Record<string, string>>): string => JSON.stringify({ scripts: of });

it.each([
  ['npm', { 'package.json': scripts({ test: 'x' }) }, ['npm run test (x)']],
  ['pnpm', { 'package.json': scripts({ test: 'x' }), 'pnpm-lock.yaml': '' }, ['pnpm run test (x)']],
  ['deno', { 'package.json': scripts({ test: 'x' }), 'deno.lock': '{}' }, ['deno task test (x)']],
  ['pytest', { 'pytest.ini': '' }, ['python -m pytest']],
  ['nothing', { 'package.json': '{}' }, []],
  [
    'placeholders',
    {
      'package.json': scripts({
        test: 'echo "Error: no test specified" && exit 1',
        lint: "echo 'TODO; later'",
        typecheck: 'exit 0',
        start: ': ; true',
      }),
      'pytest.ini': '',
    },
    ['python -m pytest'],
  ],
  [
    'an echo before tests',
    { 'package.json': scripts({ test: 'echo go && x || exit 1' }) },
    ['npm run test (echo go && x || exit 1)'],
  ],
  [
    'scripts that wait for changes or make them',
    {
      'package.json': scripts({
        test: 'vitest --watch',
        typecheck: 'tsc -w',
        'check-types': 'tsc',
        lint: 'eslint --fix .',
        'lint:check': 'eslint .',
      }),
    },
    ['npm run check-types (tsc)', 'npm run lint:check (eslint .)'],
  ],
  [
    'programs with settings, without scripts',
    {
      'tsconfig.json': '{}',
      'eslint.config.js': '',
      'node_modules/.bin/tsc': '',
      'node_modules/.bin/eslint': '',
      'node_modules/.bin/biome': '',
    },
    ['node_modules/.bin/tsc --noEmit -p tsconfig.json', 'node_modules/.bin/eslint .'],
  ],
  [
    'an application that watches',
    { 'package.json': scripts({ start: 'node dist/main.js', dev: 'tsx watch src/main.ts' }) },
    ['npm run dev (tsx watch src/main.ts)'],
  ],
  [
    'an application that is built',
    { 'package.json': scripts({ start: 'node dist/main.js', build: 'tsc' }) },
    ['npm run build && npm run start (tsc && node dist/main.js)'],
  ],
])('proofCommands() of %s', async (_, files, expected) => {
  const folder = mkdtempSync(join(tmpdir(), 'commands-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(folder, dirname(path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  expect((await proofCommands(folder)).map(formatProofCommand)).toEqual(expected);
});
