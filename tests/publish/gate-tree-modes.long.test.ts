/** Tree entries with modes that git never writes: no reader takes them for files, and nothing of them lands. */
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { generateDocuments } from '../generate/generate-documents.ts';
import { GitFixture, temporaryFolder } from '../generate/git-fixture.ts';
import { readHead, readTree } from '../generate/index-reader.ts';
import { commitMode } from '../generate/tree-mode.ts';
import { CodeHostFixture } from './code-host-fixture.ts';
import { ALICE, GateFixture, REGISTRY, build, codes, ownerFile } from './gate-fixture.ts';

const FILE = 'builds/alice/web-forms/src/index.ts';
const UPDATE = build('alice/web-forms', '1.1.0');
const CASES: [mode: string, path: string][] = [
  ['120777', FILE],
  ['100664', FILE],
  ['100600', FILE],
  ['100777', FILE],
  ['100666', 'builds/alice/web-forms/stackyard.json'],
  ['0100644', FILE],
  ['40755', 'builds/alice/web-forms/src'],
  ['040000', 'builds/alice/web-forms/src'],
  ['40777', 'builds/alice/web-forms'],
  ['40700', 'builds/alice'],
  ['40700', 'builds'],
  ['120644', 'builds/alice/owner.json'],
];

describe('judgePullRequest() refuses the tree mode', () => {
  it.each(CASES)('%s of %s', async (mode, path) => {
    const gate = new GateFixture();
    const head = gate.pull(UPDATE);
    commitMode(gate.git, head, path, mode);
    const verdict = await gate.judge(head);
    expect([verdict.verdict, codes(verdict).includes('file-mode')]).toEqual(['refuse', true]);
    const named = verdict.reasons.filter(({ code }) => code === 'file-mode');
    expect(named.map(({ file }) => file)).toEqual([path]);
    expect(named[0]?.message).toContain(mode);
  });

  it('of an owner file alone, and of a file that changes in nothing else', async () => {
    const gate = new GateFixture();
    const owner = gate.pull({ 'builds/alice/owner.json': ownerFile(11) });
    commitMode(gate.git, owner, 'builds/alice/owner.json', '100600');
    expect(codes(await gate.judge(owner))).toEqual(['file-mode', 'gate-maintainers']);
    const same = gate.pull({});
    commitMode(gate.git, same, FILE, '120777');
    expect((await gate.judge(same)).verdict).toBe('refuse');
  });

  it('and takes a pull request beside a mode that the base branch had before', async () => {
    const gate = new GateFixture();
    commitMode(gate.git, 'main', 'builds/carol/mail-queue/LICENSE', '100664');
    gate.git.git('reset', '-q', '--hard');
    const verdict = await gate.propose(UPDATE);
    expect([verdict.verdict, codes(verdict)]).toEqual(['merge', []]);
  });
});

describe('generate() and tree modes', () => {
  it.each(CASES.slice(0, 2))('publishes no build with %s of %s', async (mode, path) => {
    const git = new GitFixture();
    const out = join(temporaryFolder(), 'index');
    git.commit({ ...build('alice/web-forms', '1.0.0') });
    git.commit(UPDATE);
    const commit = commitMode(git, 'main', path, mode);
    git.git('update-ref', 'refs/heads/main', squash(git, commit));
    const report = await generateDocuments({ repo: git.folder, out, threads: 1 });
    expect(report.problems.failing.map(({ finding }) => finding.code)).toContain('file-mode');
    expect(readHead(out, 'alice/web-forms').versions.map((v) => v.version)).toEqual(['1.0.0']);
    const incremental = readTree(out);
    await generateDocuments({ repo: git.folder, out, threads: 1, full: true });
    expect(readTree(out)).toEqual(incremental);
  });
});

/** The tree of `commit` as the direct child of the first commit. */
function squash(git: GitFixture, commit: string): string {
  const first = git.git('rev-list', '--max-parents=0', commit);
  return git.git('commit-tree', `${commit}^{tree}`, '-p', first, '-m', 'Publish');
}

it('the workflow fetches no such object, and merges nothing', async () => {
  for (const mode of ['120777', '0100644']) {
    const host = await CodeHostFixture.open(REGISTRY);
    // What git prints goes past the script.
    host.hasOwnProcesses = true;
    const pull = host.pull(ALICE, UPDATE);
    commitMode(host.git, pull.branch, FILE, mode);
    host.push(pull.branch, pull.number);
    const before = host.main;
    const ran = await host.publish(pull);
    expect([ran.status, ran.verdict, host.main]).toEqual([1, '', before]);
    expect(ran.stdout).toMatch(/badFilemode|zeroPaddedFilemode/);
    expect(ran.stdout).toContain('::error::Cannot fetch the pull request');
  }
});
