import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { openProjectCode } from './project-code.ts';

it('openProjectCode() finds nothing below a file', () => {
  const project = mkdtempSync(join(tmpdir(), 'stackyard-code-'));
  onTestFinished(() => rmSync(project, { recursive: true }));
  writeFileSync(join(project, 'package.json'), '{}');
  const code = openProjectCode(project);
  // `import manifest from './package.json'` may be a folder with an index.
  expect([code.read('package.json/index.ts'), code.isTaken('package.json/index.ts')]).toEqual([
    undefined,
    false,
  ]);
  expect(code.read('package.json')).toBe('{}');
});
