/** What our schema of advisories takes, and what an index serves, is valid by the JSON Schema of OSV as it is. */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Advisory, DATABASES, advisoryId, advisoryNumber } from '../../format/advisory/advisory.ts';
import { jsonSchema } from '../../format/json-schema.ts';
import { generateDocuments } from '../generate/generate-documents.ts';
import { GitFixture, build, temporaryFolder } from '../generate/git-fixture.ts';
import { advisoryFile } from './advisory-fixture.ts';

const SCHEMA = JSON.parse(
  readFileSync(new URL('osv-schema/schema.json', import.meta.url), 'utf8'),
) as { $defs: { prefix: { pattern: string } } };

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
    database_specific: fc.record({ build: fc.constant('a/x') }),
    ranges: fc.array(
      fc.tuple(fc.oneof(fc.constant('0'), version), end).map(([introduced, last]) => ({
        type: 'SEMVER',
        events: [{ introduced }, ...(last === undefined ? [] : [last])],
      })),
      { maxLength: 3 },
    ),
    versions: fc.array(version, { maxLength: 3 }),
  },
  { requiredKeys: ['database_specific'] },
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
    schema_version: fc.constant('1.9.0'),
    id: fc.oneof(
      fc.constant('x_STACKYARD-2026-0001'),
      fc.constantFrom(...DATABASES, 'ACME', 'ASB-B', 'X').map((name) => `${name}-2026-1`),
    ),
    modified: time,
    published: time,
    withdrawn: time,
    aliases: fc.array(fc.constant('CVE-2026-1'), { maxLength: 2 }),
    related: fc.array(fc.constant('GHSA-x'), { maxLength: 2 }),
    summary: fc.string({ minLength: 1, maxLength: 20 }),
    database_specific: fc.constant({ filer: { login: 'alice', account_id: 11 } }),
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
  const [osv, own] = [compile(SCHEMA), compile(jsonSchema('advisory'))];
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

test('each advisory that an index serves is valid by the schema of OSV', async () => {
  const osv = compile(SCHEMA);
  const git = new GitFixture();
  const out = join(temporaryFolder(), 'index');
  git.commit({
    ...build('a/x', '1.0.0'),
    ...advisoryFile(),
    ...advisoryFile({
      id: 'MAL-2026-1',
      aliases: ['CVE-2026-1'],
      withdrawn: '2026-02-01T09:00:00Z',
    }),
  });
  await generateDocuments({ repo: git.folder, out, threads: 1 });
  const names = readdirSync(join(out, 'advisories')).filter((name) => name !== 'all.json');
  expect(names).toHaveLength(2);
  for (const name of names) {
    const text = readFileSync(join(out, 'advisories', name), 'utf8');
    expect([name, ...osv(JSON.parse(text))]).toEqual([name]);
  }
});

test('DATABASES are those of the schema of OSV whose names have only capital letters', () => {
  const [, listed = ''] = /^\^\(x_\|\((.+)\)-\)$/.exec(SCHEMA.$defs.prefix.pattern) ?? [];
  const names = listed.split('|').flatMap((name) => {
    const [, start, letters = '', end] = /^(.*)\[(\w+)\](.*)$/.exec(name) ?? [];
    return letters === '' ? [name] : letters.split('').map((letter) => `${start}${letter}${end}`);
  });
  expect(names.length).toBeGreaterThan(40);
  expect(DATABASES).toEqual(names.filter((name) => /^[A-Z0-9-]+$/.test(name)).sort());
});

test('advisoryNumber() is the inverse of advisoryId(), and of nothing else', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 999_999_999 }), (number) => {
      expect(advisoryNumber(advisoryId('ACME', 2026, number), 'ACME', 2026)).toBe(number);
    }),
  );
  for (const id of [
    'x_ACME-2026-1',
    'x_ACME-2026-00001',
    'x_ACME-2026-',
    'x_ACME-2025-0001',
    'x_X-2026-0001',
    'ACME-2026-0001',
  ]) {
    expect(advisoryNumber(id, 'ACME', 2026)).toBeUndefined();
  }
});
