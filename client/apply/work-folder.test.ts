/** The working folder of a project that cannot have one. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../tests/generate/git-fixture.ts';
import { makeWorkFolder } from './work-folder.ts';

test('makeWorkFolder() names the whole path of what cannot be made', async () => {
  const file = join(temporaryFolder(), 'file');
  writeFileSync(file, '');
  await expect(makeWorkFolder(file)).rejects.toMatchObject({
    code: 'ERR_WRITE',
    message: expect.stringContaining(`Cannot write "${join(file, '.stackyard')}"`) as string,
  });
});
