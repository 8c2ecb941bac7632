/** Which reports and flags are the publisher's own, by the owner file of the newest commit. */
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { canonicalJson } from '../../format/document/canonical-json.ts';
import { statementPath } from '../../format/statement/statement.ts';
import { ObjectReader } from '../../generator/git/object-reader.ts';
import { openRepository } from '../../generator/git/repository.ts';
import { publisherAccounts } from '../../generator/ingest/publisher-accounts.ts';
import { generateDocuments } from '../generate/generate-documents.ts';
import { GitFixture, build, temporaryFolder } from '../generate/git-fixture.ts';
import { runCommand } from '../run/generator-command.ts';
import { readHead } from '../generate/index-reader.ts';

const MAINTAINERS = ['carol', { login: 'bob', account_id: 2 }];

describe('publisherAccounts()', () => {
  it('returns the owner and maintainers with a number, and none for an invalid file', async () => {
    const git = new GitFixture();
    git.commit({
      'builds/alice/owner.json': JSON.stringify({ account_id: 1, maintainers: MAINTAINERS }),
      'builds/dave/owner.json': '{ "account_id": "4" }',
      'builds/erin/owner.json': '{ "maintainers": [] }',
    });
    const reader = new ObjectReader(git.folder);
    onTestFinished(() => reader.close());
    const owners = ['alice', 'dave', 'erin', 'fay', 'alice'];
    const found = await publisherAccounts(await openRepository(git.folder), reader, owners);
    expect(Object.fromEntries([...found].map(([owner, ids]) => [owner, [...ids]]))).toEqual({
      alice: ['host:1', 'host:2'],
      dave: [],
      erin: [],
      fay: [],
    });
  });
});

describe('npm run ingest', () => {
  it('counts no report of a maintainer, from the day that the owner file names the account', async () => {
    const git = new GitFixture();
    const [state, index] = [temporaryFolder(), join(temporaryFolder(), 'index')];
    git.commit({ ...build('alice/web', '1.0.0'), 'builds/alice/owner.json': '{"account_id":1}' });
    await generateDocuments({ repo: git.folder, out: index, threads: 1 });
    const integrity = readHead(index, 'alice/web').versions[0]?.integrity;
    const about = { build: 'alice/web', version: '1.0.0', integrity, outcome: 'success' };
    const report = { ...about, account: 'host:2', day: git.time.slice(0, 10) };
    git.commit({ [statementPath('reports', report)]: canonicalJson(report) });
    const files = ['--repo', git.folder, '--index', index, '--state', join(state, 'state')];
    const ingest = async (): Promise<string> =>
      (await runCommand('ingest', ['reports', ...files])).stdout;
    expect(await ingest()).toContain('1 accepted (0 superseded, 0 of the publisher');
    git.commit({
      'builds/alice/owner.json': JSON.stringify({ account_id: 1, maintainers: MAINTAINERS }),
    });
    expect(await ingest()).toContain('1 accepted (0 superseded, 1 of the publisher');
  });
});
