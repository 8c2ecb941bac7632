/** The command `matrix` with packages of the npm registry: a made build whose range is wrong. Needs the network. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { Matrix } from '../../format/index/compatibility.ts';
import { knownGood } from '../../format/index/known-good.ts';
import { GitFixture, build, temporaryFolder } from '../generate/git-fixture.ts';
import { runProcess } from '../run/script-process.ts';

const COMMAND = join(import.meta.dirname, '../../generator/main.ts');

it('matrix finds that code for zod 4 does not work with zod 3', async () => {
  const git = new GitFixture();
  const changes = {
    stack: { requires: { typescript: '>=5.9.0' } },
    dependencies: { npm: { zod: '>=3.23.0' } },
    base: 'src/address',
    files: ['index.ts'],
  };
  const code = "import { z } from 'zod';\n\nexport const Address = z.email();\n";
  const all: Record<string, string | Uint8Array | null> = {
    ...build('a/address', '1.0.0', changes, { 'index.ts': code }),
  };
  delete all['builds/a/address/src/index.ts'];
  git.commit(all);
  const args = ['matrix', '--repo', git.folder, '--cache', temporaryFolder()];
  const { status, stderr } = await runProcess({
    file: COMMAND,
    args,
    cwd: git.folder,
    env: process.env,
  });
  expect({ status, stderr }).toMatchObject({ status: 0 });
  const text = readFileSync(join(git.folder, 'signals/a/address.matrix.json'), 'utf8');
  const [measured] = Matrix.parse(JSON.parse(text)).versions;
  const zod = knownGood(measured?.results ?? []).find(({ tag }) => tag === 'zod');
  expect(zod?.badBelow?.version).toMatch(/^3\./);
  expect(zod?.badBelow?.row).toMatchObject({ step: 'types' });
  expect(zod?.badBelow?.row.error?.[0]).toContain("Property 'email' does not exist");
  expect(zod?.firstGood).toMatch(/^4\./);
});
