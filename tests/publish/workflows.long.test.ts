/** A linter for the security of workflows finds nothing in ours; `workflows.test.ts` has what they are for. */
import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { providePython } from '../run/provide-python.ts';

const ROOT = join(import.meta.dirname, '../..');
const GITHUB = join(ROOT, '.github');

it(
  'zizmor finds nothing in .github and in the templates of init',
  { timeout: 300_000 },
  async (context) => {
    // Without a network it cannot be installed, and there is nothing to run.
    const packages = await providePython(['zizmor==1.32.0']).catch(() => context.skip());
    const zizmor = join(packages, 'bin/zizmor');
    // Outside of .github it takes files alone.
    const templates = ['github', 'measuring'].flatMap((name) => {
      const folder = join(ROOT, 'generator/setup/templates', name);
      return readdirSync(folder).map((file) => join(folder, file));
    });
    const args = ['--offline', '--no-progress', '--format', 'json', GITHUB, ...templates];
    const report = execFileSync(zizmor, args, { encoding: 'utf8' });
    expect(JSON.parse(report)).toEqual([]);
  },
);
