/** The picture of a build: on its page with its size, and gone with the version that had it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { GitFixture, build, temporaryFolder } from '../generate/git-fixture.ts';
import { config, makeSite, read } from './site-fixture.ts';

const PAGE = 'builds/alice/web/index.html';

test('a page shows the picture of the latest version, as far as it is within bounds', async () => {
  const git = new GitFixture();
  git.write(config());
  const out = join(temporaryFolder(), 'index');
  const picture = readFileSync(
    join(import.meta.dirname, '../../generator/site/assets/preview.png'),
  );
  const make = async (version: string, name: string, bytes: Uint8Array | null): Promise<string> => {
    git.commit(build('alice/web', version, {}, { [name]: bytes }));
    await makeSite(git, out);
    return read(out, PAGE);
  };
  expect(await make('1.0.0', 'screenshot.png', picture)).toContain(
    '<a class="screenshot" href="screenshot.png"><img src="screenshot.png" alt="Screenshot of alice/web" width="1200" height="630" loading="lazy"',
  );
  expect(readFileSync(join(out, 'builds/alice/web/screenshot.png'))).toEqual(picture);

  const hostile = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>');
  expect(await make('1.0.1', 'screenshot.png', hostile)).not.toContain('class="screenshot"');
  expect(readFileSync(join(out, 'builds/alice/web/screenshot.png'))).toHaveLength(0);
});
