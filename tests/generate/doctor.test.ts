/** `doctor` names the state of the key of the log, as an operator finds it. */
import { join } from 'node:path';
import { expect, it } from 'vitest';
import {
  formatNoteKey,
  formatNoteSigner,
  noteSigner,
  type NoteSigner,
} from '../../format/log/note-key.ts';
import { runCommand } from '../run/generator-command.ts';
import { generateDocuments } from './generate-documents.ts';
import { GitFixture, build, temporaryFolder } from './git-fixture.ts';

const [KEY, NEXT] = [1, 2].map((byte) =>
  noteSigner('registry.example/log', 'note', new Uint8Array(32).fill(byte)),
) as [NoteSigner, NoteSigner];

it('doctor names the state of the key here and at the published index', async () => {
  const git = new GitFixture();
  const out = join(temporaryFolder(), 'index');
  const configure = (log: object): void => {
    const config = JSON.stringify({ origin: 'registry.example', log });
    git.commit({ 'registry.config.json': config, ...build('a/x', '1.0.0') });
  };
  const doctor = async (...signers: NoteSigner[]): Promise<unknown[]> => {
    const key = { STACKYARD_LOG_KEY: signers.map((one) => formatNoteSigner(one)).join('\n') };
    const { status, stdout, stderr } = await runCommand(
      'doctor',
      ['--repo', git.folder, '--published', out],
      key,
    );
    for (const one of signers) expect(stdout + stderr).not.toContain(formatNoteSigner(one));
    return [
      status,
      ...stdout
        .trimEnd()
        .split('\n')
        // What it reports of the code host: tests/publish/setup.test.ts.
        .filter((line) => !line.startsWith('hint: ') && !/^\w+ +host: /.test(line))
        .map((line) => line.slice(0, 8).trim()),
    ];
  };
  const text = async (...signers: NoteSigner[]): Promise<string> => {
    const key = { STACKYARD_LOG_KEY: signers.map((one) => formatNoteSigner(one)).join('\n') };
    return (await runCommand('doctor', ['--repo', git.folder, '--published', out], key)).stdout;
  };
  const publish = (signers: NoteSigner[]): Promise<unknown> =>
    generateDocuments({ repo: git.folder, out, threads: 1, signers, unsigned: true });
  configure({});
  expect(await doctor()).toEqual([0, 'note', 'note']);
  expect(await doctor(KEY)).toEqual([0, 'note', 'note']);
  configure({ key: formatNoteKey(KEY) });
  expect(await doctor()).toEqual([1, 'problem', 'note']);
  expect(await text()).toContain('STACKYARD_LOG_KEY is not set [ERR_LOG_KEY]');
  expect(await doctor(KEY)).toEqual([0, 'ok', 'note']);
  await publish([KEY]);
  expect(await doctor(KEY)).toEqual([0, 'ok', 'ok']);
  // A key that clients do not know, alone and with the one that they know.
  configure({ key: formatNoteKey(NEXT) });
  expect(await doctor(NEXT)).toEqual([1, 'ok', 'problem']);
  expect(await text(NEXT)).toContain(
    'did not sign the published log, so clients do not know this key',
  );
  expect(await doctor(NEXT, KEY)).toEqual([0, 'ok', 'note']);
  configure({ key: formatNoteKey(NEXT), dropped: [formatNoteKey(KEY)] });
  expect(await doctor(NEXT)).toEqual([0, 'ok', 'note']);
  // Deployed without the private key, by another program.
  const other = join(temporaryFolder(), 'index');
  await generateDocuments({ repo: git.folder, out: other, threads: 1, unsigned: true });
  const { status, stdout } = await runCommand(
    'doctor',
    ['--repo', git.folder, '--published', other],
    {
      STACKYARD_LOG_KEY: formatNoteSigner(NEXT),
    },
  );
  expect([status, stdout]).toEqual([
    1,
    expect.stringContaining('"When something happened" in docs/operate.md'),
  ]);
});
