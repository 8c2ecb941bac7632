/** Who may move a build where. */
import { describe, expect, it } from 'vitest';
import type { OwnerFile } from '../../format/registry/owner-file.ts';
import type { GateVerdict } from '../../generator/gate/gate-verdict.ts';
import { ALICE, CAROL, GateFixture, codes, ownerFile } from './gate-fixture.ts';

const since = '2026-11-22';
const MAINTAINERS = { maintainers: [{ login: 'bob', account_id: 22 }] };

function alice(more: OwnerFile): Record<string, string> {
  return { 'builds/alice/owner.json': ownerFile(11, { ...MAINTAINERS, ...more }) };
}

function carol(more: OwnerFile): Record<string, string> {
  return { 'builds/carol/owner.json': ownerFile(33, more) };
}

function outcome(verdict: GateVerdict): string[] {
  return [verdict.verdict, ...codes(verdict)];
}

const MOVED = alice({ moved: { 'web-forms': { to: 'carol/mail-queue', since } } });
const ACCEPTED = carol({ accepts: { 'mail-queue': 'alice/web-forms' } });

describe('the gate about moves', () => {
  it('refuses a transfer that the new owner did not accept, and lets an admin look at others', async () => {
    const gate = new GateFixture();
    expect(outcome(await gate.propose(MOVED, ALICE))).toEqual(['refuse', 'gate-move-unaccepted']);
    // The acceptance cannot come from the old owner.
    expect(codes(await gate.propose({ ...MOVED, ...ACCEPTED }, ALICE))).toContain(
      'gate-owner-foreign',
    );
    const accepted = await gate.propose(ACCEPTED, CAROL);
    expect(outcome(accepted)).toEqual(['merge']);
    gate.land(accepted);
    const moved = await gate.propose(MOVED, ALICE);
    expect(outcome(moved)).toEqual(['review', 'gate-move']);
    gate.land(moved);

    expect(outcome(await gate.propose(carol({}), CAROL))).toEqual(['refuse', 'gate-move-accepted']);
    expect(outcome(await gate.propose(alice({}), ALICE))).toEqual(['review', 'gate-move-back']);
    const back = carol({
      accepts: { 'mail-queue': 'alice/web-forms' },
      moved: { 'mail-queue': { to: 'alice/web-forms', since } },
    });
    gate.land(
      await gate.propose(
        alice({
          moved: { 'web-forms': { to: 'carol/mail-queue', since } },
          accepts: { 'web-forms': 'carol/mail-queue' },
        }),
        ALICE,
      ),
    );
    expect(outcome(await gate.propose(back, CAROL))).toEqual(['refuse', 'gate-move-cycle']);
  });

  it('lets an admin look at one owner who ends a move and its acceptance together', async () => {
    const moved = { 'web-forms': { to: 'alice/page-tables', since } };
    const accepts = { 'page-tables': 'alice/web-forms' };
    const gate = new GateFixture();
    gate.land(await gate.propose(alice({ moved, accepts }), ALICE));
    expect(outcome(await gate.propose(alice({ moved }), ALICE))).toContain('gate-move-accepted');
    expect(outcome(await gate.propose(alice({}), ALICE))).toEqual(['review', 'gate-move-back']);
  });

  it('refuses ids without versions, and an owner file with a broken move', async () => {
    const gate = new GateFixture();
    const propose = (file: OwnerFile): Promise<GateVerdict> => gate.propose(alice(file), ALICE);
    const unknown = {
      moved: { 'web-forms': { to: 'alice/new', since } },
      accepts: { new: 'alice/web-forms' },
    };
    expect(outcome(await propose(unknown))).toEqual(['refuse', 'gate-move-unpublished']);
    const never = {
      moved: { never: { to: 'alice/web-forms', since } },
      accepts: { 'web-forms': 'alice/never' },
    };
    expect(outcome(await propose(never))).toEqual(['refuse', 'gate-move-unpublished']);
    const itself = {
      moved: { 'web-forms': { to: 'alice/web-forms', since } },
      accepts: { 'web-forms': 'alice/web-forms' },
    };
    expect(outcome(await propose(itself))).toEqual(['refuse', 'gate-move-cycle']);
    const undated = { moved: { 'web-forms': { to: 'carol/mail-queue', since: '2026-02-30' } } };
    expect(outcome(await propose(undated))).toEqual(['refuse', 'owner-file-invalid']);
    // Two of one's own builds: a rename.
    const renamed = {
      moved: { 'web-forms': { to: 'alice/page-tables', since } },
      accepts: { 'page-tables': 'alice/web-forms' },
    };
    expect(outcome(await propose(renamed))).toEqual(['review', 'gate-move']);
  });
});
