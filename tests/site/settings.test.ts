/** What a changed setting costs: a fixed number of files, however many builds there are. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { GitFixture, build, temporaryFolder } from '../generate/git-fixture.ts';
import { readTree } from '../generate/index-reader.ts';
import { config, makeSite } from './site-fixture.ts';

const SETTINGS = {
  name: 'Two',
  repository: 'https://code.example/registry',
  code_host: 'gitea',
  origin: 'registry.example',
  upstreams: [{ address: 'https://public.example' }],
  admins: [{ login: 'root', account_id: 1 }],
  site: { highlighting: false },
  base_url: 'https://other.example',
};

/** Names of the settings to the number of files that each writes. */
async function writtenFiles(builds: number): Promise<Record<string, number>> {
  const git = new GitFixture();
  const out = join(temporaryFolder(), 'index');
  const all = Array.from({ length: builds }, (_, at) =>
    build(`owner${at}/web`, '1.0.0', { stack: { provides: [`tag${at}`] } }),
  );
  git.commit(Object.assign({}, config(), ...all));
  await makeSite(git, out);
  const written: Record<string, number> = {};
  let [before, settings] = [readTree(out), {}];
  for (const [name, value] of Object.entries(SETTINGS)) {
    settings = { ...settings, [name]: value };
    git.commit(config(settings));
    await makeSite(git, out);
    const after = readTree(out);
    const paths = Object.keys({ ...before, ...after });
    written[name] = paths.filter((path) => before[path] !== after[path]).length;
    before = after;
  }
  return written;
}

test('a setting writes the same number of files for 3 and for 9 builds, another address 2 more a build', async () => {
  const { base_url: few = 0, ...some } = await writtenFiles(3);
  const { base_url: many = 0, ...more } = await writtenFiles(9);
  expect(more).toEqual(some);
  // Beside the pages and twins, the sitemaps: at most 256.
  expect(many - few).toBeLessThanOrEqual(6 * 3);
});
