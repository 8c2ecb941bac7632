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
