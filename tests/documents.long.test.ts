/**
 * README.md: its commands are run and must print what the page shows.
 * `npx vitest run --project long tests/documents.long.test.ts -u` writes the real output into the page: read it.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { pageReader } from './documents/follow-page.ts';

const ROOT = join(import.meta.dirname, '..');
const reader = pageReader();

test('README.md shows what its commands print', async () => {
  const project = join(reader.home(), 'readme/my-app');
  mkdirSync(project, { recursive: true });
  const manifest = { type: 'module', devDependencies: { typescript: '^7.0.2' } };
  writeFileSync(join(project, 'package.json'), JSON.stringify(manifest));
  const followed = await reader.follow('README.md', project);
  await expect(followed).toMatchFileSnapshot(join(ROOT, 'README.md'));
});
