/** Every bench runs, and prints its figures. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const BENCHES = [
  ['generate', /^full, one thread .* x floor[^]*^incremental, 2 builds .* s /m],
  ['client', /^\| stackyard add, cold \| \d+ \|[^]*^--help over node -e 0: -?\d+ ms/m],
  ['auth', /^register, auth service .*\/s[^]*^me, stackyard\/account .*\/s[^]*^peak memory.* MB/m],
  ['checks', /^yaml .* s .* MB$/m],
  ['starters', /^\| `stackyard\/express-api`, Express \| `\/example` \| \d+\/s \| \d+\/s \|/m],
] as const;

test.concurrent.each(BENCHES)('bench/%s.ts --tiny', { timeout: 300_000 }, async (name, figures) => {
  const file = join(import.meta.dirname, '../bench', `${name}.ts`);
  const { stdout } = await promisify(execFile)(process.execPath, [file, '--tiny']);
  expect(stdout).toMatch(figures);
});
