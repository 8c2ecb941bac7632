import { expect, it } from 'vitest';
import { SITE } from '../../../tests/site/build-view.ts';
import { diffPage } from './diff-page.ts';
import type { ComparedVersion } from './diff-page.ts';

const NONE = {
  hosts: [],
  environment: [],
  reads: [],
  writes: [],
  processes: [],
  dynamic_code: false,
  unread: [],
};

function version(
  number: string,
  files: Record<string, string>,
  hosts: string[] = [],
): ComparedVersion {
  const listed = Object.entries(files).map(([path, text]) => ({ path, bytes: Buffer.from(text) }));
  return { version: number, capabilities: { ...NONE, hosts }, files: listed };
}

it('diffPage() has new capabilities on top of the files', () => {
  const before = version('1.0.0', { 'a.ts': 'old\n', 'gone.ts': 'x\n' });
  const after = version('1.1.0', { 'a.ts': '<new>\n' }, ['evil.example']);
  const { path, page } = diffPage(SITE, 'alice/web', before, after);
  expect(path).toBe('builds/alice/web/1.1.0/diff/index.html');
  expect(page).toMatch(/New in 1\.1\.0[\s\S]*evil\.example[\s\S]*id="files"/);
  expect(page).toContain('<ins><b>+</b>&lt;new&gt;\n</ins>');
  expect(page).toContain('<del><b>-</b>old\n</del>');
  expect(page).toContain('2 files changed');
});

it('diffPage() of the same files states that nothing changed', () => {
  const files = { 'a.ts': 'x\n' };
  const { page } = diffPage(SITE, 'a/b', version('1.0.0', files), version('1.0.1', files));
  expect(page).toContain('No file changed.');
  expect(page).toContain('nothing else');
});
