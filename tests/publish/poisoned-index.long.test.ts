/** An index and a state that lie where deploy.yml generates, such as from a cache that other jobs write: none of it is signed. */
import { createHash } from 'node:crypto';
import { readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, it } from 'vitest';
import { formatNoteKey, formatNoteSigner, noteSigner } from '../../format/log/note-key.ts';
import { build, temporaryFolder } from '../generate/git-fixture.ts';
import { CodeHostFixture } from './code-host-fixture.ts';
import { REGISTRY } from './gate-fixture.ts';

const SIGNER = noteSigner('registry.example/log', 'note', new Uint8Array(32).fill(1));
const CONFIG = JSON.stringify({
  origin: 'registry.example',
  log: { key: formatNoteKey(SIGNER) },
  admins: [{ login: 'root', account_id: 1 }],
});

/** Path to digest. */
function digests(folder: string): Record<string, string> {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();
  const found = files.filter((path) => statSync(join(folder, path)).isFile());
  return Object.fromEntries(
    found.map((path) => {
      return [
        path,
        createHash('sha256')
          .update(readFileSync(join(folder, path)))
          .digest('hex'),
      ];
    }),
  );
}

/** Changes every file of the index whose path fits. */
function replaceFiles(index: string, pattern: RegExp): void {
  const paths = Object.keys(digests(index)).filter((path) => pattern.test(path));
  if (paths.length === 0) throw new Error(`The index has no ${String(pattern)}`);
  for (const path of paths) writeFileSync(join(index, path), 'replaced');
}

it('generate.ts signs and hands over no file and no state that lies where it works', async () => {
  const host = await CodeHostFixture.open({ ...REGISTRY, 'registry.config.json': CONFIG });
  const generate = async (work: string): Promise<Record<string, string>> => {
    const env = { INDEX_FOLDER: join(work, 'index'), STATE_FILE: join(work, 'state.sqlite') };
    const secret = { STACKYARD_LOG_KEY: formatNoteSigner(SIGNER) };
    const ran = await host.run('generate', { ...env, ...secret });
    expect([ran.status, ran.stdout]).toEqual([0, expect.stringMatching(/^builds: /)]);
    return digests(join(work, 'index'));
  };
  const work = temporaryFolder();
  await generate(work);
  // A tarball, a record, pages, and what the state has of a build.
  for (const pattern of [
    /web-forms.*\.tgz$/,
    /web-forms.*\/1\.0\.0\.json$/,
    /web-forms.*\.html$/,
  ]) {
    replaceFiles(join(work, 'index'), pattern);
  }
  const db = new Database(join(work, 'state.sqlite'));
  const sql = `UPDATE build SET summary = replace(summary, '"risk":"', '"risk":"poisoned ')`;
  expect(db.prepare(sql).run().changes).toBeGreaterThan(0);
  db.close();
  const { git } = host;
  git.gitAll(['fetch', '-q', 'origin', 'main'], ['checkout', '-q', '-f', 'FETCH_HEAD']);
  git.commit(build('alice/page-tables', '2.2.0'));
  git.git('push', '-q', 'origin', 'HEAD:main');
  expect(await generate(work)).toEqual(await generate(temporaryFolder()));
});
