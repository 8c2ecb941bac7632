/** Whatever our schema of advisories takes, the JSON Schema of OSV takes as well. */
import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Advisory, advisoryId, advisoryNumber } from '../../format/advisory/advisory.ts';
import { RegistryConfig } from '../../format/registry/registry-config.ts';
import { jsonSchema } from '../../format/json-schema.ts';
import { ADVISORY } from './advisory-fixture.ts';

const TEXT = readFileSync(new URL('osv-schema/schema.json', import.meta.url), 'utf8');

/** The schema of OSV as it would be with our ecosystem and the prefix of our ids on its lists. */
function withOurNames(): object {
  const changed = TEXT.replaceAll('|GIT)(:.+)?$', '|GIT|Stackyard)(:.+)?$').replace(
    '|VCPKG)-',
    '|VCPKG|STACKYARD)-',
  );
  expect(changed).toHaveLength(TEXT.length + 2 * '|Stackyard'.length);
  return JSON.parse(changed) as object;
}

function compile(schema: object): (value: unknown) => string[] {
  const ajv = new Ajv2020({ allErrors: true, strict: false });
  ajv.addFormat('date-time', (text: string) => !Number.isNaN(Date.parse(text)));
  ajv.addFormat('uri', (text: string) => URL.canParse(text));
  const validate = ajv.compile(schema);
  return (value) => {
    validate(value);
    return (validate.errors ?? []).map(({ instancePath, keyword }) => `${instancePath} ${keyword}`);
  };
}

const version = fc.tuple(fc.nat(20), fc.nat(20), fc.nat(20)).map((numbers) => numbers.join('.'));
const time = fc
  .date({ min: new Date('2020-01-01'), max: new Date('2030-01-01'), noInvalidDate: true })
  .map((date) => date.toISOString());
const end = fc.oneof(
  fc.record({ fixed: version }),
  fc.record({ last_affected: version }),
  fc.constant(undefined),
);
const affected = fc.record(
  {
    package: fc.record({ ecosystem: fc.constant('Stackyard'), name: fc.constant('a/x') }),
    ranges: fc.array(
      fc.tuple(fc.oneof(fc.constant('0'), version), end).map(([introduced, last]) => ({
        type: 'SEMVER',
        events: [{ introduced }, ...(last === undefined ? [] : [last])],
      })),
      { maxLength: 3 },
    ),
    versions: fc.array(version, { maxLength: 3 }),
  },
  { requiredKeys: ['package'] },
);
const severity = fc.constantFrom(
  { type: 'CVSS_V3', score: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:N/A:N' },
  {
    type: 'CVSS_V4',
    score: 'CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:N/VA:N/SC:N/SI:N/SA:N',
  },
);
const draft = fc.record(
  {
    schema_version: fc.constant('1.7.0'),
    id: fc.constant('STACKYARD-2026-0001'),
    modified: time,
    published: time,
    withdrawn: time,
    aliases: fc.array(fc.constant('CVE-2026-1'), { maxLength: 2 }),
    related: fc.array(fc.constant('GHSA-x'), { maxLength: 2 }),
    summary: fc.string({ minLength: 1, maxLength: 20 }),
    details: fc.string({ maxLength: 20 }),
    severity: fc.array(severity, { maxLength: 2 }),
    affected: fc.array(affected, { minLength: 1, maxLength: 3 }),
    references: fc.array(
      fc.record({
        type: fc.constantFrom('ADVISORY', 'DISCUSSION', 'FIX', 'WEB'),
        url: fc.webUrl(),
      }),
      { maxLength: 2 },
    ),
    credits: fc.array(
      fc.record(
        { name: fc.string({ minLength: 1, maxLength: 9 }), type: fc.constant('FINDER') },
        { requiredKeys: ['name'] },
      ),
      { maxLength: 2 },
    ),
  },
  { requiredKeys: ['schema_version', 'id', 'modified', 'summary', 'affected'] },
);

test('each advisory that we take is valid by the schema of OSV, and by the one that we serve', () => {
  const [osv, own] = [compile(withOurNames()), compile(jsonSchema('advisory'))];
  let taken = 0;
  fc.assert(
    fc.property(draft, (value) => {
      const parsed = Advisory.safeParse(value);
      if (!parsed.success) return;
      taken += 1;
      expect(osv(parsed.data)).toEqual([]);
      expect(own(parsed.data)).toEqual([]);
    }),
    { numRuns: 300 },
  );
  expect(taken).toBeGreaterThan(30);
});

test('as OSV serves it, its schema refuses only that our names are not on its lists', () => {
  expect(compile(JSON.parse(TEXT) as object)(ADVISORY)).toEqual([
    '/id pattern',
    '/affected/0/package/ecosystem pattern',
  ]);
});

test('the prefix of a registry is none of those of other databases', () => {
  const [, listed = ''] = /"\^\(x_\|\(([^"]+?)\)-\)"/.exec(TEXT) ?? [];
  const foreign = listed.split('|').map((one) => one.split('-')[0]!.toUpperCase());
  expect(foreign.length).toBeGreaterThan(40);
  const isPrefix = (advisory_prefix: string): boolean =>
    RegistryConfig.safeParse({ advisory_prefix }).success;
  expect(foreign.filter(isPrefix)).toEqual([]);
  expect(['ACME', 'STACKYARD', 'R2D2'].map(isPrefix)).toEqual([true, true, true]);
  expect(['acme', 'A', 'A-B', '1A', 'A'.repeat(21), ''].filter(isPrefix)).toEqual([]);
});

test('advisoryNumber() is the inverse of advisoryId(), and of nothing else', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 999_999_999 }), (number) => {
      expect(advisoryNumber(advisoryId('ACME', 2026, number), 'ACME', 2026)).toBe(number);
    }),
  );
  for (const id of [
    'ACME-2026-1',
    'ACME-2026-00001',
    'ACME-2026-',
    'ACME-2025-0001',
    'X-2026-0001',
  ]) {
    expect(advisoryNumber(id, 'ACME', 2026)).toBeUndefined();
  }
});
