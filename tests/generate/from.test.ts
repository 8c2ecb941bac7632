/** A registry that began as a clone of another one: publications count after the commit that its configuration names. */
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { judgePullRequest } from '../../generator/gate/judge-pull-request.ts';
import { generateDocuments } from './generate-documents.ts';
import { build } from '../publish/gate-fixture.ts';
import { GitFixture, temporaryFolder } from './git-fixture.ts';
import { expectWholeIndex, readCatalogIds, readHead, readTree } from './index-reader.ts';

const CONFIG = 'registry.config.json';
const ADMIN = { login: 'boss', account_id: 1 };

/** A clone with builds of another registry, which its first own commit deletes. */
function clone(): { git: GitFixture; from: string } {
  const git = new GitFixture();
  git.commit({ ...build('old/x', '1.0.0'), ...build('alice/web', '3.0.0') });
  const from = git.commit(build('old/x', '1.1.0'));
  git.commit({
    'builds/old': null,
    'builds/alice': null,
    'builds/alice/owner.json': JSON.stringify({ account_id: 7 }),
    [CONFIG]: JSON.stringify({ from, admins: [ADMIN] }),
  });
  return { git, from };
}

async function index(git: GitFixture, out = join(temporaryFolder(), 'index'), full = false) {
  const report = await generateDocuments({ repo: git.folder, out, threads: 1, full });
  return { out, report };
}

describe('"from" in the configuration', () => {
  it('leaves out what was published before, in full and in incremental runs', async () => {
    const { git } = clone();
    const { out } = await index(git);
    expect(readCatalogIds(out)).toEqual([]);
    git.commit(build('alice/web', '1.0.0'));
    await index(git, out);
    expect(readCatalogIds(out)).toEqual(['alice/web']);
    expect(readHead(out, 'alice/web').versions.map(({ version }) => version)).toEqual(['1.0.0']);
    expectWholeIndex(out);
    const { out: again } = await index(git, undefined, true);
    expect(readTree(again)).toEqual(readTree(out));
  });

  it('lets the gate accept a version that was published before', async () => {
    const { git } = clone();
    const base = git.git('rev-parse', 'HEAD');
    const files = build('alice/web', '3.0.0', {}, { 'src/index.ts': 'export const own = 1;\n' });
    const head = git.commit(files);
    const request = { repo: git.folder, base, head, now: '2026-06-01T00:00:00.000Z' };
    const author = { login: 'alice', id: 7 };
    const { verdict, reasons } = await judgePullRequest({ ...request, author } as never);
    expect([verdict, reasons.map(({ code }) => code)]).toEqual(['review', ['gate-new-name']]);
  });

  it.each(['0'.repeat(40), 'main'])('%s is refused', async (from) => {
    const git = new GitFixture();
    git.commit({ [CONFIG]: JSON.stringify({ from }), ...build('a/x', '1.0.0') });
    await expect(index(git)).rejects.toMatchObject({ code: 'ERR_CONFIG' });
  });
});
