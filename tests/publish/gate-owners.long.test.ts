/** Who may change what: owners, maintainers, admins, owner files, reports, flags and decisions. */
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { canonicalJson } from '../../format/document/canonical-json.ts';
import { statementId, statementPath } from '../../format/statement/statement.ts';
import type { StatementBase } from '../../format/statement/statement.ts';
import { generateDocuments } from '../generate/generate-documents.ts';
import { temporaryFolder } from '../generate/git-fixture.ts';
import type { Files } from '../generate/git-fixture.ts';
import { readHead, readRecord } from '../generate/index-reader.ts';
import {
  ALICE,
  BOB,
  CAROL,
  GateFixture,
  MALLORY,
  REGISTRY,
  ROOT,
  build,
  codes,
  ownerFile,
} from './gate-fixture.ts';

const UPDATE = build('alice/web-forms', '1.1.0');

describe('judgePullRequest() and accounts', () => {
  it('accepts a version of the owner and of a maintainer of the base branch', async () => {
    const gate = new GateFixture();
    expect((await gate.propose(UPDATE, ALICE)).verdict).toBe('merge');
    expect((await gate.propose(UPDATE, BOB)).verdict).toBe('merge');
    expect((await gate.propose(build('carol/mail-queue', '1.1.0'), CAROL)).verdict).toBe('merge');
  });

  it('requires that another admin reviews the change of an admin', async () => {
    const gate = new GateFixture();
    const verdict = await gate.propose(UPDATE, ROOT);
    expect([verdict.verdict, codes(verdict)]).toEqual(['review', ['gate-admin']]);
  });

  it('keeps the folder for the account of an owner who renamed the login', async () => {
    const gate = new GateFixture();
    const renamed = await gate.propose(UPDATE, { login: 'alice-new', id: 11 });
    expect([renamed.verdict, codes(renamed)]).toEqual(['review', ['gate-owner-renamed']]);
    const taken = await gate.propose(UPDATE, { login: 'alice', id: 99 });
    expect([taken.verdict, codes(taken)]).toEqual(['refuse', ['gate-owner-account']]);
  });

  it('identifies a maintainer and an admin by their accounts, not by reused logins', async () => {
    const gate = new GateFixture();
    expect(codes(await gate.propose(UPDATE, { login: 'bob', id: 99 }))).toEqual([
      'gate-owner-foreign',
    ]);
    expect(codes(await gate.propose(UPDATE, { login: 'root', id: 99 }))).toEqual([
      'gate-owner-foreign',
    ]);
  });

  it('believes no bare login among the admins, and names the command that looks the id up', async () => {
    const config = JSON.stringify({ admins: ['Root'] });
    const gate = new GateFixture({ ...REGISTRY, 'registry.config.json': config });
    const verdict = await gate.propose(UPDATE, ROOT);
    expect([verdict.verdict, codes(verdict)]).toEqual(['refuse', ['gate-admin-id']]);
    expect(verdict.reasons[0]?.remedy).toContain('gh api users/<login> --jq .id');
    const decision = { decisions: { ['a'.repeat(64)]: { state: 'upheld', reason: 'It does' } } };
    const files = { 'moderation/alice/web-forms.json': JSON.stringify(decision) };
    expect(codes(await gate.propose(files, ROOT))).toEqual(['gate-admin-id']);
    // What an owner may do needs no admin.
    expect((await gate.propose(UPDATE, ALICE)).verdict).toBe('merge');
  });

  it('takes a version from a bare maintainer through review alone', async () => {
    const gate = new GateFixture();
    gate.git.commit({ 'builds/alice/owner.json': ownerFile(11, { maintainers: ['Bob'] }) });
    const verdict = await gate.propose(UPDATE, BOB);
    expect([verdict.verdict, codes(verdict)]).toEqual(['review', ['gate-maintainer-id']]);
    const both = { maintainers: ['bob', { login: 'bob', account_id: 22 }] };
    gate.git.commit({ 'builds/alice/owner.json': ownerFile(11, both) });
    expect((await gate.propose(UPDATE, BOB)).verdict).toBe('merge');
    const other = await gate.propose(UPDATE, { ...BOB, id: 99 });
    expect([other.verdict, codes(other)]).toEqual(['review', ['gate-maintainer-id']]);
  });

  it('refuses a maintainer whom the pull request itself lists', async () => {
    const gate = new GateFixture();
    const files = {
      ...UPDATE,
      'builds/alice/owner.json': ownerFile(11, { maintainers: ['mallory'] }),
    };
    expect(codes(await gate.propose(files, MALLORY))).toEqual(['gate-owner-foreign']);
  });

  it.each<[string, Files, string[]]>([
    ['no owner file', {}, ['gate-owner-new']],
    ["another's account", { 'builds/mallory/owner.json': ownerFile(11) }, ['gate-owner-new']],
    [
      'an owner file that is no JSON',
      { 'builds/mallory/owner.json': '{' },
      ['gate-owner-new', 'owner-file-invalid'],
    ],
  ])('refuses a new owner with %s', async (_, files, expected) => {
    const gate = new GateFixture();
    const verdict = await gate.propose(
      { ...build('mallory/image-cutter', '1.0.0'), ...files },
      MALLORY,
    );
    expect([verdict.verdict, codes(verdict)]).toEqual(['refuse', expected]);
  });

  it('refuses a new owner folder under the login of another user', async () => {
    const gate = new GateFixture();
    const files = {
      'builds/dave/owner.json': ownerFile(66),
      ...build('dave/image-cutter', '1.0.0'),
    };
    expect(codes(await gate.propose(files, MALLORY))).toEqual(['gate-owner-foreign']);
  });

  it('does not assign a deleted folder to the new account of its login', async () => {
    const gate = new GateFixture();
    gate.git.commit({ 'builds/carol': null });
    const files = {
      'builds/carol/owner.json': ownerFile(99),
      ...build('carol/mail-queue', '9.0.0'),
    };
    const verdict = await gate.propose(files, { login: 'carol', id: 99 });
    expect(codes(verdict)).toEqual(['gate-owner-unclaimed']);
  });

  it('judges a pull request over two owners by both', async () => {
    const gate = new GateFixture();
    const files = { ...UPDATE, ...build('carol/mail-queue', '1.1.0') };
    expect(codes(await gate.propose(files, ALICE))).toEqual(['gate-owner-foreign']);
  });
});

describe('judgePullRequest() and owner files', () => {
  const file = (more: object, account = 11): Files => ({
    'builds/alice/owner.json': ownerFile(account, {
      maintainers: [{ login: 'bob', account_id: 22 }],
      ...more,
    }),
  });

  it.each<[string, object, string, string[]]>([
    ['a yank', { yanked: { 'web-forms': { '1.0.0': 'broken' } } }, 'merge', []],
    ['a deprecation', { deprecated: { 'web-forms': { reason: 'old' } } }, 'merge', []],
    [
      'a maintainer',
      { maintainers: [{ login: 'dave', account_id: 44 }] },
      'review',
      ['gate-maintainers'],
    ],
    [
      'a maintainer without an account id',
      { maintainers: ['dave'] },
      'review',
      ['gate-maintainer-id', 'gate-maintainers'],
    ],
    [
      'a yank whose reason turns the line round',
      { yanked: { 'web-forms': { '1.0.0': 'broken \u202Eelif.exe' } } },
      'refuse',
      ['gate-owner-text'],
    ],
    [
      'a deprecation whose reason is blank',
      { deprecated: { 'web-forms': { reason: '\u2800' } } },
      'refuse',
      ['gate-owner-text'],
    ],
    [
      'a yank of what was never published',
      { yanked: { 'web-forms': { '7.0.0': 'x' } } },
      'refuse',
      ['owner-file-yank-unknown'],
    ],
    ['an unknown field', { yank: {} }, 'refuse', ['owner-file-invalid']],
  ])('%s', async (_, more, verdict, expected) => {
    const gate = new GateFixture();
    const judged = await gate.propose(file(more));
    expect([judged.verdict, codes(judged)]).toEqual([verdict, expected]);
  });

  it('a reason of the base branch with such characters keeps nobody from another yank', async () => {
    const gate = new GateFixture();
    gate.git.commit(file({ yanked: { 'web-forms': { '1.0.0': 'a\u0007' } } }));
    gate.git.commit(build('alice/web-forms', '1.0.1'));
    const yanked = { 'web-forms': { '1.0.0': 'a\u0007', '1.0.1': 'b' } };
    expect(codes(await gate.propose(file({ yanked })))).toEqual([]);
    const index = join(temporaryFolder(), 'index');
    const report = await generateDocuments({ repo: gate.git.folder, out: index, threads: 1 });
    expect(report.problems.failing).toEqual([]);
    expect(readHead(index, 'alice/web-forms').versions.at(-1)?.status).toEqual({
      is: 'yanked',
      reason: 'a\u0007',
    });
  });

  it('a yank of the version that the pull request publishes', async () => {
    const gate = new GateFixture();
    const judged = await gate.propose({
      ...UPDATE,
      ...file({ yanked: { 'web-forms': { '1.1.0': 'x' } } }),
    });
    expect(judged.verdict).toBe('merge');
  });

  it('the undo of a yank waits for an admin, who may have made the yank', async () => {
    const gate = new GateFixture();
    gate.git.commit(file({ yanked: { 'web-forms': { '1.0.0': 'malware' } } }));
    expect(codes(await gate.propose(file({})))).toEqual(['gate-unyank']);
  });

  it('refuses another account id, a deleted file, a link, and the file of another owner', async () => {
    const gate = new GateFixture();
    expect(codes(await gate.propose(file({}, 12)))).toEqual(['gate-owner-id']);
    expect(codes(await gate.propose({ 'builds/alice/owner.json': null }))).toEqual([
      'gate-owner-deleted',
    ]);
    const linked = gate.pull({}, 'main', (git) => {
      git.write({ 'builds/alice/owner.json': null });
      git.symlink('builds/alice/owner.json', '../carol/owner.json');
    });
    expect(codes(await gate.judge(linked))).toEqual(['owner-file-invalid']);
    const yank = file({ yanked: { 'web-forms': { '1.0.0': 'mine now' } } });
    expect(codes(await gate.propose(yank, MALLORY))).toEqual(['gate-owner-foreign']);
  });
});

describe('judgePullRequest() and reports, flags and decisions', () => {
  async function published(): Promise<{ gate: GateFixture; integrity: string }> {
    const gate = new GateFixture();
    const out = temporaryFolder();
    await generateDocuments({ repo: gate.git.folder, out: `${out}/index`, threads: 1 });
    return { gate, integrity: readRecord(`${out}/index`, 'alice/web-forms').integrity };
  }

  function statement(
    integrity: string,
    more: object = {},
  ): StatementBase & Record<string, unknown> {
    return {
      build: 'alice/web-forms',
      version: '1.0.0',
      integrity,
      account: 'host:66',
      day: '2026-02-27',
      outcome: 'success',
      ...more,
    };
  }

  function files(value: StatementBase, kind: 'reports' | 'flags' = 'reports'): Files {
    return { [statementPath(kind, value)]: canonicalJson(value) };
  }

  it('accepts a report and a flag of the author about a published version', async () => {
    const { gate, integrity } = await published();
    const { outcome: _, ...rest } = statement(integrity);
    const flag = { ...rest, reason: 'malware' } as StatementBase;
    const both = { ...files(statement(integrity)), ...files(flag, 'flags') };
    const verdict = await gate.propose(both, MALLORY);
    expect([verdict.verdict, verdict.reasons]).toEqual(['merge', []]);
  });

  it.each<[string, object, string]>([
    ["another user's account", { account: 'host:11' }, 'gate-statement-account'],
    ['a version that is not published', { version: '3.0.0' }, 'gate-statement'],
    ['another digest', { integrity: `sha256-${'A'.repeat(43)}=` }, 'gate-statement'],
    ['a day in the future', { day: '2027-01-01' }, 'gate-statement'],
    ['an address in the note', { note: 'ask bob@example.org' }, 'gate-statement'],
  ])('refuses %s', async (_, more, code) => {
    const { gate, integrity } = await published();
    expect(codes(await gate.propose(files(statement(integrity, more)), MALLORY))).toEqual([code]);
  });

  it('refuses a forged id, and a report that is changed or deleted', async () => {
    const { gate, integrity } = await published();
    const value = statement(integrity);
    const path = statementPath('reports', value);
    const forged = path.replace(statementId(value), 'a'.repeat(64));
    expect(codes(await gate.propose({ [forged]: canonicalJson(value) }, MALLORY))).toEqual([
      'gate-statement',
    ]);
    gate.git.commit(files(value));
    for (const content of [null, canonicalJson({ ...value, outcome: 'failure' })]) {
      expect(codes(await gate.propose({ [path]: content }, MALLORY))).toEqual([
        'gate-statement-changed',
      ]);
    }
  });

  it('limits how many statements one pull request adds', async () => {
    const { gate, integrity } = await published();
    const many = Array.from({ length: 51 }, (_, at) =>
      files(statement(integrity, { note: `Run ${at}` })),
    );
    expect(codes(await gate.propose(Object.assign({}, ...many) as Files, MALLORY))).toEqual([
      'gate-statement-count',
    ]);
  });

  it('allows decisions only to admins, and validates them', async () => {
    const gate = new GateFixture(REGISTRY);
    const path = 'moderation/alice/web-forms.json';
    const decision = { decisions: { ['a'.repeat(64)]: { state: 'upheld', reason: 'It does' } } };
    const good = { [path]: JSON.stringify(decision) };
    expect(codes(await gate.propose(good, ALICE))).toEqual(['gate-moderation']);
    expect((await gate.propose(good, ROOT)).verdict).toBe('merge');
    expect(codes(await gate.propose({ [path]: '{"decisions":[]}' }, ROOT))).toEqual([
      'gate-moderation-file',
    ]);
  });
});
