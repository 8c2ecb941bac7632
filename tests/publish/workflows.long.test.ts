/** A linter for the security of workflows finds nothing in ours; `workflows.test.ts` has what they are for. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { registryWorkflows } from '../../generator/setup/registry-workflows.ts';
import { temporaryFolder } from '../generate/git-fixture.ts';
import { providePython } from '../run/provide-python.ts';

it(
  'zizmor finds nothing in .github and in what init writes',
  { timeout: 300_000 },
  async (context) => {
    // Without a network it cannot be installed, and there is nothing to run.
    const packages = await providePython(['zizmor==1.32.0']).catch(() => context.skip());
    const zizmor = join(packages, 'bin/zizmor');
    const made = temporaryFolder();
    const host = { kind: 'github', runner: 'ubuntu-24.04' } as const;
    for (const [path, text] of Object.entries(registryWorkflows(host, { base_url: '' }))) {
      mkdirSync(dirname(join(made, path)), { recursive: true });
      writeFileSync(join(made, path), text);
    }
    const folders = [join(import.meta.dirname, '../../.github'), made];
    const args = ['--offline', '--no-progress', '--format', 'json', ...folders];
    const report = execFileSync(zizmor, args, { encoding: 'utf8' });
    expect(JSON.parse(report)).toEqual([]);
  },
);
