/** Who may withdraw which version, and until when. */
import { describe, expect, it } from 'vitest';
import type { Person } from '../../format/registry/account.ts';
import type { OwnerFile } from '../../format/registry/owner-file.ts';
import { manifest } from '../generate/git-fixture.ts';
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

function alice(more: OwnerFile): Files {
  return { 'builds/alice/owner.json': ownerFile(11, { ...MAINTAINERS, ...more }) };
}

const WITHDRAWN = alice({ withdrawn: { [NAME]: { '1.0.0': 'It has a key' } } });

/** A registry whose first commit published `alice/web-forms@1.0.0`, and verdicts some hours later. */
class Withdrawing {
  readonly gate: GateFixture;
  readonly #published: number;

  constructor(more: Files = {}) {
    this.gate = new GateFixture({ ...REGISTRY, ...more });
    this.#published = Date.parse(this.gate.git.time);
  }

  async propose(files: Files, hours = 1, author: Person = ALICE): Promise<string[]> {
    const verdict = await this.judge(files, hours, author);
    return [verdict.verdict, ...codes(verdict)];
  }

  judge(files: Files, hours = 1, author: Person = ALICE) {
    const now = new Date(this.#published + hours * 3_600_000).toISOString();
    return this.gate.judge(this.gate.pull(files), author, now);
  }
}

describe('the gate about withdrawals', () => {
  it('merges one of the owner within 72 hours, and refuses one after 73', async () => {
    const registry = new Withdrawing();
    for (const hours of [1, 72]) {
      expect(await registry.propose(WITHDRAWN, hours)).toEqual(['merge']);
    }
    expect(await registry.propose(WITHDRAWN, 73)).toEqual(['refuse', 'gate-withdrawal-late']);
    // The time of the pull request's own commits, or of a later change of the build, does not count.
    registry.gate.git.wait(80 * 3_600);
    registry.gate.git.commit(build(`alice/${NAME}`, '1.1.0'));
    expect(await registry.propose(WITHDRAWN, 81)).toEqual(['refuse', 'gate-withdrawal-late']);
  });

  it('lets an admin, and no maintainer or other owner', async () => {
    const registry = new Withdrawing();
    expect(await registry.propose(WITHDRAWN, 1, ROOT)).toEqual(['review', 'gate-admin']);
    expect(await registry.propose(WITHDRAWN, 1, BOB)).toEqual(['refuse', 'gate-withdrawal-role']);
    expect(await registry.propose(WITHDRAWN, 1, CAROL)).toEqual(['refuse', 'gate-owner-foreign']);
  });

  it('merges that of a version that others require, whatever they published', async () => {
    const required = { builds: { [`alice/${NAME}`]: '^1.0.0' } };
    const registry = new Withdrawing(build('carol/mail-queue', '1.0.0', required));
    expect(await registry.propose(WITHDRAWN)).toEqual(['merge']);
    registry.gate.git.commit(build('carol/mail-queue', '1.1.0', required));
    expect(await registry.propose(WITHDRAWN, 72)).toEqual(['merge']);
  });

  it('merges that of a version with reports, flags or signals, readable or not', async () => {
    for (const kind of ['reports', 'flags']) {
      const path = `${kind}/alice/${NAME}/1.0.0/${'0'.repeat(64)}.json`;
      expect(await new Withdrawing({ [path]: '{}' }).propose(WITHDRAWN)).toEqual(['merge']);
    }
    const registry = new Withdrawing();
    const reports = { success: 1, failure: 2 };
    const signals = {
      downloads: 7,
      agent_reports: reports,
      updated_at: '2026-01-01T00:00:00.000Z',
    };
    for (const text of [JSON.stringify(signals), 'no JSON']) {
      registry.gate.git.commit({ [`signals/alice/${NAME}.json`]: text });
      expect(await registry.propose(WITHDRAWN)).toEqual(['merge']);
    }
  });

  it('refuses a version that was never published, hidden characters, and a broken entry', async () => {
    const registry = new Withdrawing();
    const propose = (withdrawn: object): Promise<string[]> =>
      registry.propose(alice({ withdrawn } as OwnerFile));
    const unknown = ['refuse', 'gate-withdrawal-unknown'];
    expect(await propose({ [NAME]: { '1.0.1': 'x' } })).toEqual(unknown);
    expect(await propose({ constructor: { '1.0.0': 'x' } })).toEqual(unknown);
    // Nor one that the pull request itself publishes.
    const at = alice({ withdrawn: { [NAME]: { '1.1.0': 'x' } } });
    expect(await registry.propose({ ...at, ...build(`alice/${NAME}`, '1.1.0') })).toEqual(unknown);
    expect(await propose({ [NAME]: { '1.0.0': 'safe\u{202E}txt' } })).toEqual([
      'refuse',
      'gate-owner-text',
    ]);
    for (const broken of [{ [NAME]: '1.0.0' }, { [NAME]: { '1.0': 'x' } }, []]) {
      expect(await propose(broken)).toEqual(['refuse', 'owner-file-invalid']);
    }
  });

  it('never lets one be reverted, nor the number be used again', async () => {
    const registry = new Withdrawing();
    registry.gate.land(await registry.judge(WITHDRAWN));
    for (const author of [ALICE, ROOT]) {
      expect(await registry.propose(alice({}), 1, author)).toContain('gate-withdrawal-undone');
    }
    const reworded = alice({ withdrawn: { [NAME]: { '1.0.0': 'It had a key' } } });
    expect(await registry.propose(reworded, 99)).toEqual(['merge']);
    const path = `builds/alice/${NAME}/stackyard.json`;
    const again = {
      [path]: manifest(NAME, '1.0.0', { base: `src/${NAME}`, description: 'Another' }),
    };
    expect(await registry.propose(again)).toEqual(['refuse', 'gate-version-published']);
    const requiring = build('alice/page-tables', '2.2.0', {
      builds: { [`alice/${NAME}`]: '1.0.0' },
    });
    expect(await registry.propose(requiring)).toEqual(['refuse', 'gate-requirement-yanked']);
  });
});
