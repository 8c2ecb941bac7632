/** Who may publish which advisory, and what becomes of it. */
import { describe, expect, it } from 'vitest';
import type { Advisory } from '../../format/advisory/advisory.ts';
import type { Person } from '../../format/registry/account.ts';
import { ADVISORY, advisoryFile, affects } from '../advisories/advisory-fixture.ts';
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
} from './gate-fixture.ts';

function about(id: string, changes: Partial<Advisory> = {}): Record<string, string> {
  return advisoryFile({ affected: affects(id, '0'), ...changes });
}

/** The field of an advisory that records its filer. */
function filedBy({ login, id }: Person): Partial<Advisory> {
  return { database_specific: { filer: { login, account_id: id } } };
}

const LATER = '2026-02-02T09:00:00Z';

describe('the gate about advisories', () => {
  it('merges one of the owner or a maintainer, and wants another admin for one of an admin', async () => {
    const gate = new GateFixture();
    const propose = async (author: Person, changes?: Partial<Advisory>): Promise<string[]> => {
      const verdict = await gate.propose(about('alice/web-forms', changes), author);
      return [verdict.verdict, ...codes(verdict)];
    };
    expect(await propose(ALICE)).toEqual(['merge']);
    for (const author of [ALICE, BOB]) {
      expect(await propose(author, filedBy(author))).toEqual(['merge']);
    }
    expect(await propose(ROOT, filedBy(ROOT))).toEqual(['review', 'gate-admin']);
    // Only an owner's own may be without its filer, and nobody files in another's name.
    expect(await propose(BOB)).toEqual(['refuse', 'gate-advisory-filer']);
    expect(await propose(ROOT)).toEqual(['refuse', 'gate-admin', 'gate-advisory-filer']);
    expect(await propose(ALICE, filedBy(BOB))).toEqual(['refuse', 'gate-advisory-filer']);
  });

  it.each<[string, Person | undefined, Person[]]>([
    ['a maintainer', BOB, [ALICE, ROOT]],
    ['an admin', ROOT, [ALICE, BOB]],
    ['nobody, and so of the owner', undefined, [BOB]],
  ])('lets others reduce one of %s with an admin only', async (_, filer, others) => {
    const gate = new GateFixture();
    const filed = filer === undefined ? {} : filedBy(filer);
    gate.land(await gate.propose(about('alice/web-forms', filed), filer ?? ALICE));
    const change = async (author: Person, changes: Partial<Advisory>): Promise<string[]> => {
      const files = about('alice/web-forms', { ...filed, modified: LATER, ...changes });
      const { verdict, reasons } = await gate.propose(files, author);
      return [verdict, ...reasons.map(({ code }) => code).filter((code) => code !== 'gate-admin')];
    };
    const verdictOf = (author: Person): string => (author === ROOT ? 'review' : 'merge');
    const narrower = { affected: affects('alice/web-forms', '1.0.0') };
    for (const changes of [{ withdrawn: LATER }, narrower, { summary: 'Nothing much' }]) {
      expect(await change(filer ?? ALICE, changes)).toEqual([verdictOf(filer ?? ALICE)]);
      for (const other of others)
        expect(await change(other, changes)).toEqual(['review', 'gate-advisory-reduced']);
    }
    for (const other of others) {
      expect(await change(other, { aliases: ['CVE-2026-1'] })).toEqual([verdictOf(other)]);
      expect(await change(other, filedBy(other))).toContain('gate-advisory-filer');
    }
  });

  it('refuses one about a build of others', async () => {
    const gate = new GateFixture();
    for (const author of [CAROL, MALLORY]) {
      const verdict = await gate.propose(about('alice/web-forms'), author);
      expect([verdict.verdict, ...codes(verdict)]).toEqual(['refuse', 'gate-owner-foreign']);
    }
    const both = [...affects('alice/web-forms', '0'), ...affects('carol/mail-queue', '0')];
    expect(codes(await gate.propose(advisoryFile({ affected: both }), CAROL))).toEqual([
      'gate-owner-foreign',
    ]);
  });

  it('lets the owner correct and withdraw it, with a later time each time', async () => {
    const gate = new GateFixture();
    gate.land(await gate.propose(about('alice/web-forms')));
    const change = async (changes: Partial<Advisory>, author = ALICE): Promise<string[]> => {
      const { verdict, reasons } = await gate.propose(about('alice/web-forms', changes), author);
      return [verdict, ...reasons.map(({ code }) => code)];
    };
    expect(await change({ summary: 'Worse' })).toEqual(['refuse', 'gate-advisory-modified']);
    expect(await change({ modified: '2026-01-31T00:00:00Z', published: undefined })).toEqual([
      'refuse',
      'gate-advisory-modified',
      'gate-advisory-published',
    ]);
    expect(await change({ modified: '2027-01-01T00:00:00Z' })).toEqual([
      'refuse',
      'gate-advisory-modified',
    ]);
    expect(await change({ summary: 'Worse', modified: LATER })).toEqual(['merge']);
    // Not by the owner of a build that it is about only now.
    const taken = advisoryFile({ affected: affects('carol/mail-queue', '0'), modified: LATER });
    expect(codes(await gate.propose(taken, CAROL))).toEqual(['gate-owner-foreign']);

    const withdrawn = { modified: LATER, withdrawn: LATER };
    gate.land(await gate.propose(about('alice/web-forms', withdrawn)));
    expect(await change({ modified: '2026-02-03T00:00:00Z' })).toEqual([
      'review',
      'gate-advisory-restored',
    ]);
    const path = `advisories/${ADVISORY.id}.json`;
    expect(codes(await gate.propose({ [path]: null }))).toEqual(['gate-advisory-deleted']);
    const renamed = { [path]: null, ...about('alice/web-forms', { id: 'x_STACKYARD-2' }) };
    expect(codes(await gate.propose(renamed))).toEqual([
      'gate-advisory-deleted',
      'gate-advisory-id',
    ]);
  });

  it.each([
    ['gate-advisory', { 'advisories/x_STACKYARD-2026-0001.json': '{}' }],
    ['gate-advisory', { 'advisories/readme.txt': 'x' }],
    [
      'gate-advisory',
      { 'advisories/x_STACKYARD-2.json': Object.values(about('alice/web-forms'))[0]! },
    ],
    ['gate-advisory', { 'advisories/A-1.json': ' '.repeat(100_001) }],
    ['gate-advisory', { 'advisories/A-1.json': '['.repeat(50_000) }],
    ['gate-advisory-build', about('alice/unknown')],
    [
      'gate-advisory-range',
      about('alice/web-forms', { affected: affects('alice/web-forms', '7.0.0') }),
    ],
    ['gate-advisory-text', about('alice/web-forms', { summary: 'safe \u{202E}txt' })],
    ['gate-advisory-text', about('alice/web-forms', { details: 'a\u{7}' })],
    ['gate-advisory-text', about('alice/web-forms', { credits: [{ name: '\u2800' }] })],
    ['gate-mixed', { ...about('alice/web-forms'), 'package.json': '{}' }],
  ])('refuses with %s', async (code, files) => {
    const verdict = await new GateFixture().propose(files);
    expect([verdict.verdict, ...codes(verdict)]).toEqual(['refuse', code]);
  });

  it('takes lines in "details", and the fixed version in the same pull request', async () => {
    const gate = new GateFixture();
    const files = {
      ...about('alice/web-forms', {
        affected: affects('alice/web-forms', '0', '1.0.1'),
        details: '# Impact\n\n\tNone.\n',
      }),
      ...build('alice/web-forms', '1.0.1'),
    };
    expect(await gate.propose(files)).toMatchObject({ verdict: 'merge' });
  });

  it('gives the ids: only the next number of the year in the prefix of the registry is merged', async () => {
    const gate = new GateFixture();
    const year = '2026';
    const propose = async (id: string, author = ALICE): Promise<string[]> => {
      const { verdict, reasons } = await gate.propose(about('alice/web-forms', { id }), author);
      return [verdict, ...reasons.map(({ code }) => code)];
    };
    const refused = ['refuse', 'gate-advisory-id'];
    for (const id of [
      'MAL-2024-1234',
      'CVE-2026-1',
      'GHSA-AAAA',
      'x_OTHER-2026-0001',
      'x_STACKYARD-1',
    ]) {
      expect([id, ...(await propose(id))]).toEqual([id, ...refused]);
    }
    for (const number of ['0002', '1', '00001', '9999']) {
      expect(await propose(`x_STACKYARD-${year}-${number}`)).toEqual(refused);
    }
    for (const other of ['2025', '2027']) {
      expect(await propose(`x_STACKYARD-${other}-0001`)).toEqual(refused);
    }
    const { reasons } = await gate.propose(about('alice/web-forms', { id: 'MAL-2024-1234' }));
    expect(reasons[0]?.message).toContain(`"x_STACKYARD-${year}-0001"`);
    // Two pull requests take the same number: the second gets the next one.
    const second = gate.pull(
      about('alice/web-forms', { id: `x_STACKYARD-${year}-0001`, summary: 'B' }),
    );
    gate.land(await gate.propose(about('alice/web-forms', { id: `x_STACKYARD-${year}-0001` })));
    expect((await gate.judge(second)).verdict).toBe('refuse');
    expect(await propose(`x_STACKYARD-${year}-0002`)).toEqual(['merge']);
    // Several in one pull request follow each other.
    const several = (...numbers: string[]): Record<string, string> =>
      Object.assign(
        {},
        ...numbers.map((one) => about('alice/web-forms', { id: `x_STACKYARD-${year}-${one}` })),
      ) as Record<string, string>;
    expect((await gate.propose(several('0002', '0003'))).verdict).toBe('merge');
    expect(codes(await gate.propose(several('0002', '0004')))).toEqual(['gate-advisory-id']);
  });

  it('lets admins alone import the advisory of another database, and others name it as alias', async () => {
    const gate = new GateFixture();
    const foreign = await gate.propose(
      about('alice/web-forms', { id: 'MAL-2024-1234', ...filedBy(ROOT) }),
      ROOT,
    );
    expect([foreign.verdict, ...codes(foreign)]).toEqual([
      'review',
      'gate-admin',
      'gate-advisory-import',
    ]);
    // Not under a number of this registry that is another one than the next.
    const own = await gate.propose(about('alice/web-forms', { id: 'x_STACKYARD-2026-0009' }), ROOT);
    expect(own.verdict).toBe('refuse');
    const alias = await gate.propose(
      about('alice/web-forms', { aliases: ['CVE-2026-1', 'MAL-2024-1234'] }),
    );
    expect(alias.verdict).toBe('merge');
    const misleading = await gate.propose(
      about('alice/web-forms', { aliases: ['x_STACKYARD-2026-0007'] }),
    );
    expect([misleading.verdict, ...codes(misleading)]).toEqual(['refuse', 'gate-advisory']);
    // One that is there stays, and is corrected under its id.
    gate.git.commit(about('alice/web-forms', { id: 'MAL-2024-1234' }));
    const corrected = about('alice/web-forms', { id: 'MAL-2024-1234', modified: LATER });
    expect((await gate.propose(corrected)).verdict).toBe('merge');
  });

  it('uses the prefix of the configuration', async () => {
    const config = { advisory_prefix: 'ACME', admins: [] };
    const gate = new GateFixture({ ...REGISTRY, 'registry.config.json': JSON.stringify(config) });
    const ids = ['x_STACKYARD-2026-0001', 'x_ACME-2026-0001'];
    const verdicts = [];
    for (const id of ids)
      verdicts.push((await gate.propose(about('alice/web-forms', { id }))).verdict);
    expect(verdicts).toEqual(['refuse', 'merge']);
  });
});
