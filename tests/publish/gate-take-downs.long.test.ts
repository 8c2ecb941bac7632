/** Who may take what down, at any time, and that it is permanent. */
import { describe, expect, it } from 'vitest';
import type { Person } from '../../format/registry/account.ts';
import type { OwnerFile } from '../../format/registry/owner-file.ts';
import type { Files } from '../generate/git-fixture.ts';
import {
  ALICE,
  BOB,
  CAROL,
  GateFixture,
  REGISTRY,
  ROOT,
  build,
  codes,
  ownerFile,
} from './gate-fixture.ts';

const MAINTAINERS = { maintainers: [{ login: 'bob', account_id: 22 }] };
const NAME = 'web-forms';
const STATEMENT = { reason: 'Court order', date: '2026-04-01', reference: '12 O 34/26' };
const LATER = '2027-01-01T00:00:00.000Z';

function alice(more: OwnerFile): Files {
  return { 'builds/alice/owner.json': ownerFile(11, { ...MAINTAINERS, ...more }) };
}

function taking(name: string, version: string, statement: object = STATEMENT): Files {
  return alice({ taken_down: { [name]: { [version]: statement } } } as OwnerFile);
}

describe('the gate about take-downs', () => {
  const gate = (more: Files = {}): GateFixture => new GateFixture({ ...REGISTRY, ...more });
  const propose = async (to: GateFixture, files: Files, author: Person): Promise<string[]> => {
    const verdict = await to.judge(to.pull(files), author, LATER);
    return [verdict.verdict, ...codes(verdict)];
  };

  it('lets an admin, a year after the publication, and nobody else', async () => {
    const registry = gate(
      build('carol/mail-queue', '1.0.0', { builds: { [`alice/${NAME}`]: '^1.0.0' } }),
    );
    for (const version of ['1.0.0', '*']) {
      const files = taking(NAME, version);
      expect(await propose(registry, files, ROOT)).toEqual(['review', 'gate-admin']);
      for (const author of [ALICE, BOB]) {
        expect(await propose(registry, files, author)).toEqual(['refuse', 'gate-take-down-role']);
      }
      expect(await propose(registry, files, CAROL)).toEqual(['refuse', 'gate-owner-foreign']);
    }
    // The folder of a whole build may go with it.
    const whole = { ...taking(NAME, '*'), [`builds/alice/${NAME}`]: null };
    expect(await propose(registry, whole, ROOT)).toEqual(['review', 'gate-admin']);
    const one = { ...taking(NAME, '1.0.0'), [`builds/alice/${NAME}`]: null };
    expect(await propose(registry, one, ROOT)).toContain('gate-build-deleted');
  });

  it('refuses what was never published, a broken statement, and hidden characters', async () => {
    const registry = gate();
    for (const [name, version] of [
      [NAME, '9.9.9'],
      ['none', '*'],
      ['constructor', '1.0.0'],
    ] as const) {
      const found = await propose(registry, taking(name, version), ROOT);
      expect(found).toEqual(['refuse', 'gate-admin', 'gate-take-down-unknown']);
    }
    const broken = [
      { reason: 'x' },
      { ...STATEMENT, date: '2026-02-30' },
      { ...STATEMENT, more: 1 },
      'x',
    ];
    for (const statement of broken) {
      const found = await propose(registry, taking(NAME, '1.0.0', statement as object), ROOT);
      expect(found).toContain('owner-file-invalid');
    }
    expect(await propose(registry, taking(NAME, '1.0'), ROOT)).toContain('owner-file-invalid');
    const hidden = { ...STATEMENT, reference: 'safe\u{202E}txt' };
    expect(await propose(registry, taking(NAME, '1.0.0', hidden), ROOT)).toContain(
      'gate-owner-text',
    );
  });

  it('never lets one be changed or reverted, nor anything of it be published again', async () => {
    const registry = gate();
    registry.git.commit(taking(NAME, '*'));
    const undone = alice({});
    const reworded = taking(NAME, '*', { ...STATEMENT, reason: 'Another' });
    for (const files of [undone, reworded]) {
      for (const author of [ALICE, ROOT]) {
        expect(await propose(registry, files, author)).toContain('gate-take-down-undone');
      }
    }
    const next = build(`alice/${NAME}`, '7.0.0');
    expect(await propose(registry, next, ALICE)).toEqual(['refuse', 'gate-taken-down']);
    const requiring = build('carol/mail-queue', '1.0.0', {
      builds: { [`alice/${NAME}`]: '^1.0.0' },
    });
    expect(await propose(registry, requiring, CAROL)).toContain('gate-requirement-yanked');
    // Given again as it is: nothing changes.
    expect(await propose(registry, taking(NAME, '*'), ROOT)).not.toContain('gate-take-down-undone');
  });
});
