/** The last job of deploy.yml: the published log in a branch of the repository. */
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { formatNoteKey, formatNoteSigner, noteSigner } from '../../format/log/note-key.ts';
import { serveFolder } from '../client/registry-fixture.ts';
import { build, temporaryFolder } from '../generate/git-fixture.ts';
import { runCommand } from '../run/generator-command.ts';
import { CodeHostFixture } from './code-host-fixture.ts';

const SIGNER = noteSigner('registry.example/log', 'note', new Uint8Array(32).fill(1));

it('keeps the log of the address, adds what is new, and pushes nothing where nothing is', async () => {
  const log = { key: formatNoteKey(SIGNER) };
  const config = { name: 'example', base_url: 'https://registry.example', log };
  const files = { ...build('a/x', '1.0.0'), 'registry.config.json': JSON.stringify(config) };
  const host = await CodeHostFixture.open(files);
  const out = join(temporaryFolder(), 'index');
  const generate = () =>
    runCommand('generate', ['--repo', host.git.folder, '--out', out, '--no-client', '--no-site'], {
      STACKYARD_LOG_KEY: formatNoteSigner(SIGNER),
    });
  await generate();
  const env = { BASE_URL: await serveFolder(out), GITHUB_TOKEN: 'write' };
  const branch = (): string => host.git.git('-C', host.host, 'log', '--format=%s', 'stackyard-log');
  expect((await host.run('keep-log', env)).stdout).toBe(
    'kept 3 entries of the log, 3 of them new\n',
  );
  expect((await host.run('keep-log', env)).stdout).toBe(
    'kept 3 entries of the log, 0 of them new\n',
  );
  host.git.commit(build('a/x', '1.1.0'));
  await generate();
  expect((await host.run('keep-log', env)).status).toBe(0);
  expect(branch()).toBe('Keep 5 entries of the log\nKeep 3 entries of the log');
});
