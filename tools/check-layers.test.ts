import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { checkLayers } from './check-layers.ts';

let root: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'stackyard-layers-'));
});

afterEach(() => {
  rmSync(root, { recursive: true });
});

function check(files: Record<string, string>): readonly string[] {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return checkLayers(root).problems;
}

/** `from` imports `to`, which exists. */
function importing(from: string, to: string): readonly string[] {
  const up = '../'.repeat(from.split('/').length - 1);
  return check({ [from]: `import '${up}${to}';\n`, [to]: 'export const a = 1;\n' });
}

test.each([
  ['format/a.ts', 'generator/a.ts'],
  ['format/a.ts', 'client/a.ts'],
  ['format/a.ts', 'tools/a.ts'],
  ['format/a.ts', 'tests/a.ts'],
  ['format/a.ts', 'builds/x/y/a.ts'],
  ['checks/a.ts', 'examine/a.ts'],
  ['checks/a.ts', 'generator/site/a.ts'],
  ['checks/a.ts', 'generator/errors.ts'],
  ['generator/site/a.ts', 'generator/pipeline/a.ts'],
  ['examine/validate.ts', 'generator/git/history.ts'],
  ['generator/git/a.ts', 'generator/commands/generate.ts'],
  ['generator/git/a.ts', 'generator/log/a.ts'],
  ['generator/log/a.ts', 'checks/a.ts'],
  ['generator/gate/a.ts', 'generator/host/a.ts'],
  ['generator/host/a.ts', 'client/publish/a.ts'],
  ['generator/commands/generate.ts', 'client/a.ts'],
  ['client/commands/a.ts', 'generator/a.ts'],
  ['client/a.ts', 'builds/stackyard/account/a.ts'],
  ['auth-service/a.ts', 'client/a.ts'],
  ['auth-service/a.ts', 'builds/stackyard/express-api/a.ts'],
  ['builds/alice/web/a.ts', 'format/a.ts'],
])('checkLayers() refuses that %s imports %s', (from, to) => {
  expect(importing(from, to)).toEqual([`${from}: may not import ${to}`]);
});

test.each([
  ['format/a.ts', 'format/b.ts'],
  ['checks/all.ts', 'checks/a.ts'],
  ['checks/a.ts', 'format/a.ts'],
  ['examine/validate.ts', 'format/a.ts'],
  ['generator/git/a.ts', 'generator/errors.ts'],
  ['generator/log/a.ts', 'generator/errors.ts'],
  ['generator/pipeline/pipeline.ts', 'generator/pipeline/discover.ts'],
  ['generator/gate/rules/a.ts', 'checks/package/a.ts'],
  ['client/install/a.ts', 'client/plan/plan.ts'],
  ['client/install/a.ts', 'format/a.ts'],
  ['auth-service/a.ts', 'builds/stackyard/account/a.ts'],
  ['auth-service/a.ts', 'builds/stackyard/sqlite/a.ts'],
  ['builds/stackyard/account/a.ts', 'builds/stackyard/sqlite/a.ts'],
  ['tools/a.ts', 'client/a.ts'],
  ['tests/a.ts', 'tools/a.ts'],
  ['bench/a.ts', 'generator/commands/generate.ts'],
])('checkLayers() lets %s import %s', (from, to) => {
  expect(importing(from, to)).toEqual([]);
});

describe('checkLayers() sees', () => {
  test.each([
    ['names', "import { a } from '../client/a.ts';"],
    ['names over several lines', "import {\n  a,\n} from '../client/a.ts';"],
    ['a name and a type', "import { type B, a } from '../client/a.ts';"],
    ['an import that loses its types but stays', "import { type B } from '../client/a.ts';"],
    ['a namespace', "import * as a from '../client/a.ts';"],
    ['an export of names', "export { a } from '../client/a.ts';"],
    ['an export of all', "export * from '../client/a.ts';"],
    ['a dynamic import', "export const load = () => import('../client/a.ts');"],
    ['a type import', "import type { B } from '../client/a.ts';"],
    ['a type import over lines', "import type {\n  B,\n} from '../client/a.ts';"],
    ['a type export', "export type { B } from '../client/a.ts';"],
    ['an import type', "export type B = import('../client/a.ts').B;"],
    ['double quotes', 'import { a } from "../client/a.ts";'],
    ['.js for .ts', "import { a } from '../client/a.js';"],
    ['an import behind other code', "const b = 1; import { a } from '../client/a.ts';"],
  ])('%s', (_, line) => {
    const files = { 'format/b.ts': `${line}\n`, 'client/a.ts': 'export const a = 1;\n' };
    expect(check(files)).toEqual(['format/b.ts: may not import client/a.ts']);
  });

  test.each([
    ['a comment', "// import { a } from '../client/a.ts';"],
    ['a text', 'export const text = "import { a } from \'../client/a.ts\'";'],
    ['a package', "import { z } from 'zod';"],
  ])('no crossing in %s', (_, line) => {
    const files = { 'format/b.ts': `${line}\n`, 'client/a.ts': 'export const a = 1;\n' };
    expect(check(files)).toEqual([]);
  });

  test('no crossing in a test', () => {
    expect(importing('format/a.test.ts', 'client/a.ts')).toEqual([]);
  });
});

describe('checkLayers() finds', () => {
  test('a cycle, named once', () => {
    const problems = check({
      'format/c.ts': "import './a.ts';\n",
      'format/a.ts': "import './b.ts';\n",
      'format/b.ts': "export const load = () => import('./c.ts');\n",
      'format/d.ts': "import './a.ts';\n",
    });
    expect(problems).toEqual([
      'format/a.ts: import cycle format/a.ts -> format/b.ts -> format/c.ts -> format/a.ts',
    ]);
  });

  test('a cycle of types', () => {
    const files = {
      'format/a.ts': "import type { B } from './b.ts';\n",
      'format/b.ts': "import './a.ts';\n",
    };
    expect(check(files)).toEqual([
      'format/a.ts: import cycle format/a.ts -> format/b.ts -> format/a.ts',
    ]);
  });

  test('a cycle of folders without a cycle of files', () => {
    const problems = check({
      'auth-service/limits/a.ts': "import type { B } from '../store/b.ts';\n",
      'auth-service/store/b.ts': '',
      'auth-service/store/c.ts': "import '../limits/d.ts';\n",
      'auth-service/limits/d.ts': '',
    });
    expect(problems).toEqual([
      'auth-service/limits/a.ts: may not import auth-service/store/b.ts',
      'auth-service/limits: import cycle auth-service/limits -> auth-service/store -> auth-service/limits',
    ]);
  });

  test('a folder without a row', () => {
    expect(check({ 'format/new-folder/a.ts': '' })).toEqual([
      'format/new-folder: has no row in tools/layers/walls.ts',
    ]);
  });

  test.each(['format/archive', 'client/plan', 'client/resolve', 'client/merge'])(
    'an impure import in %s, but not of a type',
    (place) => {
      expect(check({ [`${place}/a.ts`]: "import 'node:fs/promises';\n" })).toEqual([
        `${place}/a.ts: is pure and may not import fs`,
      ]);
      expect(check({ [`${place}/a.ts`]: "import type { Stats } from 'node:fs';\n" })).toEqual([]);
    },
  );

  test('a file of 501 lines, but not one of 500 and not a test', () => {
    const problems = check({
      'format/a.ts': '\n'.repeat(501),
      'format/b.ts': '\n'.repeat(500),
      'format/c.test.ts': '\n'.repeat(501),
    });
    expect(problems).toEqual(['format/a.ts: has 501 lines, at most 500 are allowed']);
  });

  test.each([
    'format/utils.ts',
    'client/helpers/a.ts',
    'generator/lib/a.ts',
    'tools/common.ts',
    'tests/shared/a.test.ts',
    'auth-service/misc.test.ts',
  ])('the empty name in %s', (path) => {
    expect(check({ [path]: '\n' })).toContainEqual(expect.stringContaining(`${path}: "`));
  });

  test('no fault in a name that only begins like one', () => {
    expect(check({ 'format/library.ts': '', 'format/common-name.ts': '' })).toEqual([]);
  });

  test('a file that cannot be parsed', () => {
    expect(() => check({ 'format/a.ts': 'import {' })).toThrow('Cannot parse format/a.ts');
  });
});

test('checkLayers() lists the places that each place imports', () => {
  check({
    'client/a.ts': "import '../format/a.ts';\n",
    'client/b.ts': "import '../format/a.ts';\nimport './a.ts';\n",
    'format/a.ts': '',
  });
  expect([...checkLayers(root).graph]).toEqual([['client', ['format']]]);
});

test('checkLayers() finds no fault in this repository', () => {
  expect(checkLayers(join(import.meta.dirname, '..')).problems).toEqual([]);
});

test.each([
  ['client/registry/registry.ts', 'undici', true],
  ['client/commands/a.ts', 'node:https', true],
  ['generator/a.ts', 'node:dns/promises', true],
  ['format/a.ts', 'net', true],
  ['client/registry/network/a.ts', 'undici', false],
  ['auth-service/a.ts', 'node:http', false],
  ['client/a.ts', 'node:fs', false],
])('checkLayers() of %s that imports %s: refused %s', (file, name, isRefused) => {
  expect(check({ [file]: `import '${name}';\n` })).toEqual(
    isRefused
      ? [`${file}: may not import ${name.replace(/^node:|\/.*/g, '')}, which talks to the network`]
      : [],
  );
  expect(check({ [file]: `import type { A } from '${name}';\n` })).toEqual([]);
});
