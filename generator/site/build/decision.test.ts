import { expect, it, test } from 'vitest';
import type { Advisory } from '../../../format/advisory/advisory.ts';
import type { MatrixRow } from '../../../format/index/compatibility.ts';
import type { PackageRecord } from '../../../format/index/record.ts';
import { buildView } from '../../../tests/site/build-view.ts';
import type { BuildView } from './build-view.ts';
import { concernOf, decisionOf } from './decision.ts';

const DAY = '2026-11-23';
const GOOD: MatrixRow = {
  tag: 'express',
  version: '5.3.0',
  others: 'newest',
  with: {},
  outcome: 'ok',
  date: DAY,
  since: DAY,
};

function withAdvisory(fixed?: string, severity?: string): BuildView {
  const events = [{ introduced: '0' }, ...(fixed === undefined ? [] : [{ fixed }])];
  const advisory: Advisory = {
    schema_version: '1.7.0',
    id: 'x_YARD-2026-0001',
    modified: '2026-01-01T00:00:00Z',
    summary: 'Rows are lost\u202E',
    affected: [
      {
        database_specific: { build: 'alice/web' },
        ranges: [{ type: 'SEMVER', events }],
      },
    ],
    ...(severity === undefined ? {} : { severity: [{ type: 'CVSS_V3', score: severity }] }),
  };
  const view = buildView();
  const [latest, ...rest] = view.head.versions;
  const versions = [{ ...latest!, advisories: [advisory.id] }, ...rest];
  return { ...view, head: { ...view.head, versions }, advisories: [advisory] };
}

test.each([
  [undefined, undefined, 'Known fault: Rows are lost[U+202E]. No version fixes it'],
  ['1.2.0', undefined, '. Version 1.2.0 will fix it, and is not published'],
  [
    undefined,
    'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H',
    'Known fault, severity critical: Rows are lost',
  ],
])('decisionOf() puts an advisory first (fixed in %s, %s)', (fixed, severity, text) => {
  const { safety } = decisionOf(withAdvisory(fixed, severity));
  expect(safety[0]).toMatchObject({ concern: 'bad', advisory: 'x_YARD-2026-0001' });
  expect(safety[0]!.text).toContain(text);
  expect(safety).toHaveLength(1);
});

it('decisionOf() of a version without concerns states what was looked at', () => {
  const decision = decisionOf(buildView());
  expect(concernOf(decision)).toBe('none');
  expect(decision.safety[0]!.text).toMatch(/No advisory, no flag, and no check/);
});

it('decisionOf() orders concerns by their weight, and keeps all', () => {
  const deprecated = { reason: 'Old' };
  const packages = [{ ecosystem: 'npm', name: 'x', range: '1', advisories: ['GHSA-1'] }];
  const { head } = buildView();
  const versions = head.versions.map((one) => ({ ...one, packages }));
  const moved = { to: 'bob/web', since: '2026-01-01' };
  const view = buildView({ risk: 'caution', flags: 2 }, { deprecated, versions, moved });
  const { safety } = decisionOf(view);
  expect(safety.map(({ concern }) => concern)).toEqual(['bad', 'warn', 'warn', 'warn', 'warn']);
  expect(safety[0]!.text).toContain('GHSA-1');
});

function measured(version: string, requires: PackageRecord['requires'], ...results: MatrixRow[]) {
  const view = buildView({ requires });
  return decisionOf({ ...view, compatibility: { id: view.id, versions: [{ version, results }] } });
}

it('decisionOf() states as measured only what the range admits, and by which version', () => {
  const bad = { ...GOOD, version: '6.0.0', outcome: 'failed' as const, step: 'types' as const };
  const old = { ...GOOD, version: '4.10.0' };
  const requires = { express: '>=4', python: '>=3.11' };
  expect(measured('1.1.0', { express: '>=4 <6' }, GOOD, old, bad).fits).toEqual([
    'express 4.10.0 to 5.3.0, measured',
  ]);
  expect(measured('1.1.0', requires, GOOD, bad).fits).toEqual([
    'express >=4, measured: fails with 6.0.0',
    'python >=3.11, not measured',
  ]);
  expect(measured('1.0.0', { express: '*' }, GOOD).fits).toEqual([
    'express 5.3.0, measured (version 1.0.0)',
  ]);
  expect(measured('1.2.0', { express: '*' }, GOOD).fits).toEqual([
    'express of any version, not measured',
  ]);
});

it('decisionOf() names what is written, edited, needed and left to do', () => {
  const { manifest } = buildView().latest;
  const files = [{ path: 'index.ts', size: 1_500 }];
  const integration =
    '## Steps\n\n1. One\n2. Two\n\n   ```ts wire insert @express routes\n   a();\n   ```\n';
  const view = buildView({
    files,
    integration,
    manifest: {
      ...manifest,
      base: 'src/web',
      dependencies: { npm: { zod: '4' }, pip: { flask: '>=3' } },
      env: { TOKEN: { required: true }, PORT: {} },
    },
  });
  const decision = decisionOf(view);
  expect(decision).toMatchObject({
    writes: '1 file (1.5 kB) to src/web',
    edits: ['package.json', 'pyproject.toml or requirements.txt', '.env.example'],
    needs: ['TOKEN'],
    byHand: '2 steps of the guide; --wire carries out 1 of them where it finds their place',
  });
  const bare = decisionOf(buildView({ files }));
  expect(bare).toMatchObject({
    writes: '1 file (1.5 kB) to the root of the project',
    edits: [],
    needs: [],
    byHand: 'there is no guide',
  });
  const foundation = decisionOf(buildView({ files, kind: 'foundation' }));
  expect(foundation).toMatchObject({ writes: '1 file (1.5 kB) into a new folder', edits: [] });
});
