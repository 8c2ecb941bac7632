import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { COMPILERS, type CompileRow } from './compatibility.ts';
import { PROJECTS, readProjects } from './projects.ts';

const { kinds, servers } = readProjects();

test.each([...kinds, ...servers])('project $name has what its trials name', (kind) => {
  expect(kind.made).not.toMatch(/[{}]/);
  expect(kind.create.length + kind.install.length).toBeGreaterThan(0);
  for (const { build, uses = [] } of kind.trials) {
    const folder = build.includes('/') ? `../../builds/${build}` : `modules/${build}`;
    expect(existsSync(join(PROJECTS, folder, 'stackyard.json'))).toBe(true);
    for (const { files } of uses) expect(Object.keys(files)).not.toEqual([]);
  }
});

type Row = Readonly<Record<keyof CompileRow, string | boolean>>;

/** Whether the compiler and the type packages accept these values at all, whatever the sources are. */
function isPossible(row: Row): boolean {
  const version = Number(row.typescript);
  const isOldest = row.typescript === '4.9';
  const isCommonJs = String(row.modules).startsWith('CommonJS');
  // ECMAScript modules only: with CommonJS the compiler refuses every `import`.
  if (row.verbatimModuleSyntax === true && (isOldest || isCommonJs)) return false;
  if (row.exactOptionalPropertyTypes === true && row.strict !== true) return false;
  if (row.modules === 'ESM, bundler' && isOldest) return false;
  if (row.target === 'ES2023' && version < 5.2) return false;
  if (row.target === 'ES2024' && version < 5.7) return false;
  // Buffer of @types/node 18 is not the Uint8Array of newer compilers; newer type packages need newer compilers.
  if (row.types === 'node 18') return version < 5.7;
  if (row.types === 'node 20') return version >= 5;
  return version >= 5.5;
}

function pairsOf(row: Row): string[] {
  const texts = Object.entries(row).map(([setting, value]) => `${setting} ${value}`);
  return texts.flatMap((one, index) => texts.slice(index + 1).map((other) => `${one}, ${other}`));
}

test('the rows of compilers are possible, few, and have every pair of values that is possible', () => {
  const { rows } = COMPILERS;
  expect(rows.length).toBeLessThan(40);
  expect(rows.filter((row) => !isPossible(row))).toEqual([]);
  let all: Record<string, string | boolean>[] = [{}];
  for (const setting of Object.keys(rows[0]!) as (keyof CompileRow)[]) {
    const values = [...new Set(rows.map((row) => row[setting]))];
    all = all.flatMap((row) => values.map((value) => ({ ...row, [setting]: value })));
  }
  const possible = new Set((all as Row[]).filter(isPossible).flatMap(pairsOf));
  const covered = new Set(rows.flatMap(pairsOf));
  expect([...possible].filter((pair) => !covered.has(pair))).toEqual([]);
});
