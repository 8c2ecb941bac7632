/** Where published versions come from: what an index states, that it is proved, and what a host may alter of it. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { integrityOf } from '../../format/archive/integrity.ts';
import { canonicalJson } from '../../format/document/canonical-json.ts';
import { versionPath } from '../../format/index/layout.ts';
import type { Provenance } from '../../format/provenance/provenance.ts';
import { GATE_ADDRESS, formatMergeMessage } from '../../format/provenance/merge-message.ts';
import { generateDocuments } from './generate-documents.ts';
import { CodeHostFixture } from '../publish/code-host-fixture.ts';
import { ALICE, REGISTRY, build } from '../publish/gate-fixture.ts';
import { GitFixture, temporaryFolder } from './git-fixture.ts';
import { readTree, readVersion } from './index-reader.ts';

function provenanceIn(out: string, id: string, version: string): Provenance {
  return readVersion(out, id, version).provenance;
}

describe('the provenance of a version', () => {
  it('that the gate merged has its pull request and the digest of the verdict', async () => {
    const host = await CodeHostFixture.open(REGISTRY);
    const pull = host.pull(ALICE, build('alice/web-forms', '1.1.0'));
    const { verdict } = await host.gate(pull);
    await host.settle(pull, verdict);
    const out = join(temporaryFolder(), 'index');
    await generateDocuments({ repo: host.host, out, threads: 1 });
    const { predicate, subject } = provenanceIn(out, 'alice/web-forms', '1.1.0');
    expect(predicate.entry).toMatchObject({ id: 'alice/web-forms', version: '1.1.0' });
    expect(subject).toHaveLength(1);
    const judged = new TextEncoder().encode(
      canonicalJson(JSON.parse(readFileSync(verdict, 'utf8'))),
    );
    const sha256 = Buffer.from(integrityOf(judged).slice('sha256-'.length), 'base64').toString(
      'hex',
    );
    expect(predicate.gate).toMatchObject({
      pull_request: pull.number,
      verdict: { result: 'merge', digest: { sha256 } },
    });
    const object = Buffer.from(predicate.gate!.commit, 'base64').toString();
    expect(object).toContain(
      `\n\nMerge pull request #${pull.number}\n\nPublish alice/web-forms@1.1.0`,
    );
    // Those that were there before the gate have none.
    const before = provenanceIn(out, 'alice/web-forms', '1.0.0');
    expect(before.predicate).not.toHaveProperty('gate');
  });

  it('is not believed to a pull request that was merged without the gate', async () => {
    const git = new GitFixture();
    git.commit({ 'README.md': 'x' });
    const verdict = { result: 'merge', integrity: integrityOf(new Uint8Array()) } as const;
    const message = formatMergeMessage({ pullRequest: 1, published: ['a/x@1.0.0'], verdict });
    git.git('checkout', '-q', '-b', 'pull');
    git.git('config', 'user.email', GATE_ADDRESS);
    git.commit(build('a/x', '1.0.0'), message);
    git.git('config', 'user.email', 'admin@example.org');
    git.git('checkout', '-q', 'main');
    git.git('merge', '-q', '--no-ff', '-m', message, 'pull');
    const out = join(temporaryFolder(), 'index');
    await generateDocuments({ repo: git.folder, out, threads: 1 });
    expect(provenanceIn(out, 'a/x', '1.0.0').predicate).not.toHaveProperty('gate');
  });

  it('is the same in incremental runs and in a full one, and goes with its version', async () => {
    const [git, out, full] = [new GitFixture(), temporaryFolder(), temporaryFolder()];
    const run = (to: string): Promise<unknown> =>
      generateDocuments({ repo: git.folder, out: join(to, 'index'), threads: 1 });
    const start = git.commit({ 'README.md': 'x' });
    for (const version of ['1.0.0', '1.1.0']) {
      git.commit(build('a/x', version));
      await run(out);
    }
    await run(full);
    expect(readTree(join(out, 'index'))).toEqual(readTree(join(full, 'index')));
    git.git('reset', '-q', '--hard', start);
    git.commit(build('a/x', '1.0.0'));
    await run(out);
    expect(existsSync(join(out, 'index', versionPath('a/x', '1.1.0')))).toBe(false);
  });
});
