/**
 * docs/tutorial.md: its commands are run and must print what the page shows.
 * `npx vitest run --project long tests/tutorial.long.test.ts -u` writes the real output into the page: read it.
 */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { pageReader } from './documents/follow-page.ts';

const reader = pageReader();

test('docs/tutorial.md shows what its commands print', async () => {
  const page = join(import.meta.dirname, '../docs/tutorial.md');
  const followed = await reader.follow('docs/tutorial.md', reader.home());
  await expect(followed).toMatchFileSnapshot(page);
});
