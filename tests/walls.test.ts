/** The walls of `.oxlintrc.json`: each catches a breach, whatever the form of the import. */
import { execFile } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';

const ROOT = join(import.meta.dirname, '..');
const OXLINT = join(ROOT, 'node_modules/.bin/oxlint');
const IMPORTS = 'eslint(no-restricted-imports)';
const CYCLE = 'import(no-cycle)';

/** File, text, and the rule that refuses it; `undefined` for what is allowed. */
const CASES: readonly (readonly [file: string, text: string, rule: string | undefined])[] = [
  ['format/a/room.ts', "import { a } from '../../scan/b.ts';", IMPORTS],
  ['format/type.ts', "import type { B } from '../client/b.ts';", IMPORTS],
  ['format/lazy.ts', "export const load = () => import('../client/b.ts');", IMPORTS],
  [
    'format/type-of.ts',
    "export type B = import('../client/b.ts').B;",
    'typescript(consistent-type-imports)',
  ],
  ['format/again.ts', "export * from '../tools/b.ts';", IMPORTS],
  ['format/disk.ts', "import { readFile } from 'node:fs/promises';", IMPORTS],
  ['format/clock.ts', 'export const now = () => Date.now();', 'eslint(no-restricted-globals)'],
  ['format/print.ts', "console.log('a');", 'eslint(no-console)'],
  ['format/fine.ts', "import { createHash } from 'node:crypto';", undefined],
  ['scan/rules/a.ts', "import { b } from '../../generator/b.ts';", IMPORTS],
  ['scan/a.ts', "import { b } from '../client/b.ts';", IMPORTS],
  ['scan/a.ts', "import { b } from '../client/b.ts';", IMPORTS],
  ['scan/net.ts', "import { request } from 'undici';", IMPORTS],
  ['scan/fine.ts', "import { b } from '../format/b.ts';", undefined],
  ['generator/gate/a.ts', "import { b } from '../../client/b.ts';", IMPORTS],
  ['generator/gate/up.ts', "import { b } from '../commands/b.ts';", IMPORTS],
  ['generator/gate/net.ts', "import { request } from 'node:https';", IMPORTS],
  ['generator/gate/type.ts', "import type { Agent } from 'node:https';", undefined],
  ['generator/host/a.ts', "import { request } from 'node:https';", undefined],
  ['generator/host/up.ts', "import { b } from '../commands/b.ts';", IMPORTS],
  ['generator/commands/a.ts', "import { b } from '../../client/b.ts';", IMPORTS],
  ['generator/commands/fine.ts', "import { b } from './main/commands/b.ts';", undefined],
  ['generator/site/page/a.ts', "import { b } from '../../state/b.ts';", IMPORTS],
  ['client/apply/a.ts', "import { b } from '../../generator/b.ts';", IMPORTS],
  ['client/apply/up.ts', "import { b } from '../commands/b.ts';", IMPORTS],
  ['client/apply/net.ts', "import { request } from 'undici';", IMPORTS],
  ['client/registry/http.ts', "import { request } from 'undici';", undefined],
  ['client/registry/a.ts', "import { request } from 'undici';", IMPORTS],
  ['client/edit/compare/a.ts', "import { existsSync } from 'node:fs';", IMPORTS],
  ['client/mcp/a.ts', "import { b } from '../commands/b.ts';", undefined],
  ['client/commands/a.ts', "import { b } from './b.ts';", IMPORTS],
  ['client/commands/b.ts', "import { b } from '../apply/b.ts';", undefined],
  ['client/resolve/a.ts', "import { request } from 'undici';", IMPORTS],
  ['client/plan/a.ts', "import { existsSync } from 'node:fs';", IMPORTS],
  ['client/plan/room.ts', "import type { B } from '../registry/b.ts';", IMPORTS],
  ['client/change/plan.ts', "import { b } from '../project/b.ts';", IMPORTS],
  ['client/plan/place/a.ts', "import { b } from '../../terminal/b.ts';", IMPORTS],
  ['client/wire/python/a.ts', "import { b } from '../../project/b.ts';", IMPORTS],
  ['client/edit/a.ts', 'export const now = () => Date.now();', 'eslint(no-restricted-globals)'],
  ['client/edit/merge/a.ts', "console.log('a');", 'eslint(no-console)'],
  ['client/plan/place/b.ts', "import { spawn } from 'child_process';", IMPORTS],
  ['client/plan/place/fine.ts', "import { b } from '../b.ts';", undefined],
  ['auth-service/a.ts', "import { b } from '../client/b.ts';", IMPORTS],
  ['auth-service/b.ts', "import { b } from '../builds/stackyard/express-api/b.ts';", IMPORTS],
  ['auth-service/c.ts', "import { b } from '../builds/stackyard/account/accounts.ts';", undefined],
  ['tools/a.ts', "import { b } from '../client/b.ts';", undefined],
  ['client/registry/one.ts', "import type { B } from './two.ts';\nexport type A = B;", CYCLE],
  ['client/registry/two.ts', "import type { A } from './one.ts';\nexport type B = A;", CYCLE],
];

const Report = z.object({
  diagnostics: z.array(z.object({ code: z.string(), filename: z.string() })),
});
const rules = new Map<string, Set<string>>();
let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'stackyard-walls-'));
  copyFileSync(join(ROOT, '.oxlintrc.json'), join(folder, '.oxlintrc.json'));
  for (const [file, text] of CASES) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), `${text}\n`);
  }
  const run = promisify(execFile)(process.execPath, [OXLINT, '--format', 'json'], { cwd: folder });
  const output = await run.catch((error: unknown) => error);
  const { stdout } = z.object({ stdout: z.string() }).parse(output);
  for (const { code, filename } of Report.parse(JSON.parse(stdout)).diagnostics) {
    rules.set(filename, (rules.get(filename) ?? new Set()).add(code));
  }
});

afterAll(() => {
  rmSync(folder, { recursive: true });
});

const WALLS = new Set([IMPORTS, CYCLE, ...CASES.flatMap(([, , rule]) => rule ?? [])]);

test.each(CASES)('%s with "%s" is refused by %s', (file, _text, rule) => {
  const found = [...(rules.get(file) ?? [])].filter((code) => WALLS.has(code));
  expect(found).toEqual(rule === undefined ? [] : [rule]);
});
