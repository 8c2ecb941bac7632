/** The advisories about our own builds name exactly the versions that have the fault. */
import { describe, expect, it } from 'vitest';
import { ourIndex } from '../foundations/our-registry.ts';
import { readBuild, readHead } from '../generate/index-reader.ts';

/** Reads the row of a new account with `get`, which drops the error of the commit. */
const LOSES_ACCOUNTS = /\binsert\.get\(/;

describe('x_STACKYARD-2026-0001', () => {
  it.each(['stackyard/account', 'stackyard/account-hono'])('versions of %s', async (id) => {
    const index = await ourIndex();
    const { versions, latest } = readHead(index, id);
    const named = versions.map(({ version, advisories = [] }) => [version, [...advisories]]);
    const expected = versions.map(({ version }) => {
      const files = Object.values(readBuild(index, id, version));
      const hasFault = files.some((text) => LOSES_ACCOUNTS.test(text));
      return [version, hasFault ? ['x_STACKYARD-2026-0001'] : []];
    });
    expect(named).toEqual(expected);
    expect(new Map(expected as [string, string[]][]).get(latest)).toEqual([]);
    expect(expected.flat(2)).toContain('x_STACKYARD-2026-0001');
  });
});

/** Text of a file with the fault, by build; the corrected version of the first one has it no more. */
const FAULTS: readonly (readonly [id: string, build: string, fault: RegExp])[] = [
  [
    'x_STACKYARD-2026-0002',
    'stackyard/module-routes',
    /const call = \{ \.\.\.found, request: toRequest\(/,
  ],
  ['x_STACKYARD-2026-0003', 'stackyard/passkeys', /passkeys/],
  ['x_STACKYARD-2026-0003', 'stackyard/totp', /totp/],
  ['x_STACKYARD-2026-0004', 'stackyard/social-login', /isAuthority: !isGoogle/],
  ['x_STACKYARD-2026-0005', 'stackyard/organizations', /MAX_PER_DAY/],
  ['x_STACKYARD-2026-0006', 'stackyard/account-recovery', /recovery/],
  ['x_STACKYARD-2026-0007', 'stackyard/account-next', /SameSite=Lax/],
];

it.each(FAULTS)('%s is about the versions of %s with the fault', async (advisory, id, fault) => {
  const index = await ourIndex();
  for (const { version, advisories = [] } of readHead(index, id).versions) {
    const hasFault = Object.values(readBuild(index, id, version)).some((text) => fault.test(text));
    expect([version, advisories.includes(advisory)]).toEqual([version, hasFault]);
  }
});
