/** The gate and the layouts: a pull request that moves a registry, and pull requests into a sharded one. */
import { beforeEach, describe, expect, it } from 'vitest';
import { buildFolder, ownerFolder } from '../../format/registry/repository-layout.ts';
import type { GateVerdict } from '../../format/registry/gate-verdict.ts';
import { moveBuilds } from '../../generator/setup/move-builds.ts';
import type { Files } from '../generate/git-fixture.ts';
import { ALICE, GateFixture, MALLORY, ROOT, build, codes, ownerFile } from './gate-fixture.ts';

const SHARDED = { layout: 'sharded', root: '' } as const;

let at: GateFixture;

beforeEach(() => {
  at = new GateFixture();
});

/** A branch with the move, and `files` committed on top. */
async function move(files?: Files): Promise<string> {
  at.git.git('checkout', '-q', '-b', 'move', 'main');
  await moveBuilds(at.git.folder, 'sharded');
  if (files !== undefined) at.git.commit(files);
  at.git.git('checkout', '-q', '-f', 'main');
  return 'move';
}

function sharded(id: string, version: string): Files {
  const folder = buildFolder(id, SHARDED);
  return Object.fromEntries(
    Object.entries(build(id, version)).map(([path, text]) => [
      folder + path.slice(`builds/${id}`.length),
      text,
    ]),
  );
}

describe('the move of a registry', () => {
  it('waits for an approval when an admin proposes it', async () => {
    const verdict = await at.judge(await move(), ROOT);
    expect([verdict.verdict, codes(verdict)]).toEqual(['review', ['gate-layout']]);
  });

  it('is refused to everybody else', async () => {
    const verdict = await at.judge(await move(), MALLORY);
    expect([verdict.verdict, codes(verdict)]).toEqual(['refuse', ['gate-layout-admin']]);
  });

  it.each<[string, Files, string]>([
    ['a changed file', { [`${ownerFolder('alice', SHARDED)}/web-forms/LICENSE`]: 'Mine\n' }, ''],
    ['a new build', sharded('dora/new', '1.0.0'), ownerFolder('dora', SHARDED)],
    ['a build that stays behind', build('alice/left', '1.0.0'), 'builds/alice'],
    ['a file of the registry', { 'generator/commands/generate.ts': 'x\n' }, 'generator'],
    ['another setting', { 'registry.config.json': '{"layout":"sharded"}' }, 'registry.config.json'],
    ['changed signals', { 'signals/2b/d8/alice/web-forms.json': '{}\n' }, 'signals/2b/d8/alice'],
    ['signals that stay behind', { 'signals/alice/web-forms.json': '{}\n' }, 'signals/alice'],
    ['a lost owner', { [ownerFolder('carol', SHARDED)]: null }, ownerFolder('carol', SHARDED)],
  ])('is refused with %s', async (_, files, path) => {
    const verdict = await at.judge(await move(files), ROOT);
    expect([verdict.verdict, codes(verdict)]).toEqual(['refuse', ['gate-layout-only']]);
    expect(verdict.reasons[0]?.file).toBe(path === '' ? ownerFolder('alice', SHARDED) : path);
  });

  it('is refused when the base branch published something meanwhile', async () => {
    const branch = await move();
    at.git.commit(build('alice/late', '1.0.0'));
    const verdict = await at.judge(branch, ROOT);
    expect([verdict.verdict, codes(verdict)]).toEqual(['refuse', ['gate-layout-only']]);
  });
});

describe('a sharded registry', () => {
  beforeEach(async () => {
    const branch = await move();
    at.land(await at.judge(branch, ROOT));
  });

  it('lets owners publish, and knows what was published before the move', async () => {
    const next = await at.propose(sharded('alice/web-forms', '1.1.0'));
    expect([next.verdict, codes(next), next.layout]).toEqual(['merge', [], 'sharded']);
    expect(next.builds[0]).toMatchObject({ id: 'alice/web-forms', previous: '1.0.0' });
    const files = sharded('alice/web-forms', '1.0.0');
    const again = await at.propose({
      ...files,
      [`${buildFolder('alice/web-forms', SHARDED)}/x.md`]: 'x\n',
    });
    expect(codes(again)).toEqual(['gate-version-published']);
  });

  it('refuses the folder of the flat layout and the shard of another owner', async () => {
    const flat = await at.propose(build('alice/web-forms', '1.1.0'));
    expect([flat.verdict, codes(flat)]).toEqual(['refuse', ['gate-shard']]);
    expect(flat.reasons[0]?.message).toBe(
      'The folder of "alice" is "builds/2b/d8/alice" in this registry',
    );
    const wrong = Object.entries(sharded('alice/web-forms', '1.1.0')).map(
      ([path, text]) => [path.replace('builds/2b/d8', 'builds/00/00'), text] as const,
    );
    const other = await at.propose(Object.fromEntries(wrong), MALLORY);
    expect(codes(other)).toEqual(['gate-owner-foreign', 'gate-shard']);
  });

  it('takes the first build of a new owner, also of one that is called like a shard', async () => {
    const files = (owner: string, account: number): Files => ({
      ...sharded(`${owner}/quite-new`, '1.0.0'),
      [`${ownerFolder(owner, SHARDED)}/owner.json`]: ownerFile(account),
    });
    for (const author of [
      { login: 'dora', id: 44 },
      { login: '2b', id: 55 },
    ]) {
      const verdict = await at.propose(files(author.login, author.id), author);
      expect(codes(verdict)).toEqual(['gate-first-build', 'gate-new-name']);
    }
  });

  it('compares new names with all names of the registry', async () => {
    const verdict = await at.propose(sharded('alice/mail-queve', '1.0.0'), ALICE);
    expect(codes(verdict)).toContain('gate-name-near');
  });

  it('remembers an owner whose folder was deleted before the move', async () => {
    const old = new GateFixture();
    old.git.commit({ ...build('erin/old', '1.0.0') });
    old.git.commit({ 'builds/erin': null });
    await moveBuilds(old.git.folder, 'sharded');
    const files = {
      ...sharded('erin/old', '2.0.0'),
      [`${ownerFolder('erin', SHARDED)}/owner.json`]: ownerFile(77),
    };
    const verdict = await old.propose(files, { login: 'erin', id: 77 });
    expect(codes(verdict)).toContain('gate-owner-unclaimed');
  });
});

it('finds what was published before and after a move with filters of changed paths as without', async () => {
  const moved = await at.judge(await move(), ROOT);
  at.land(moved);
  const again = at.pull(sharded('alice/web-forms', '1.0.0'));
  const owner = at.pull({
    ...sharded('alice/web-forms', '1.1.0'),
    ...sharded('dora/new', '1.0.0'),
  });
  const gone = at.pull({ [ownerFolder('carol', SHARDED)]: null });
  const heads = [again, owner, gone];
  const judge = (): Promise<GateVerdict[]> =>
    Promise.all(heads.map((head) => at.judge(head, ROOT)));
  const plain = await judge();
  at.git.git('commit-graph', 'write', '--reachable', '--changed-paths');
  expect(await judge()).toEqual(plain);
  expect(plain.flatMap(codes)).toContain('gate-build-deleted');
  at.land(plain[2]!);
  const back = await at.judge(at.pull(sharded('carol/other-queue', '1.0.0')), MALLORY);
  expect(codes(back)).not.toContain('gate-first-build');
});
