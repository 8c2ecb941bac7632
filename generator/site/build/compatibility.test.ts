import { expect, it } from 'vitest';
import { buildView } from '../../../tests/site/build-view.ts';
import type { MatrixRow } from '../../../format/index/compatibility.ts';
import { linkFrom } from '../link.ts';
import type { BuildView } from './build-view.ts';
import { compatibilitySection } from './compatibility.ts';

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
const BAD: MatrixRow = {
  ...GOOD,
  version: '6.0.0',
  outcome: 'failed',
  step: 'types',
  error: ['error TS1: <b>no</b>'],
};

function view(...results: MatrixRow[]): BuildView {
  const plain = buildView();
  const versions = [{ version: '1.1.0', results }];
  return { ...plain, compatibility: { id: plain.id, versions } };
}

it('compatibilitySection() shows the last good and the first bad version, with the error as text', () => {
  const shown = view(GOOD, BAD);
  const text = String(compatibilitySection(shown, shown.latest, linkFrom('builds/a/b/index.html')));
  expect(text).toContain('<td>express</td>');
  expect(text).toContain('<td>5.3.0</td>');
  expect(text).toContain('6.0.0 (type check)');
  expect(text).toContain('error TS1: &lt;b&gt;no&lt;/b&gt;');
  expect(text).not.toContain('<b>');
  expect(text).toContain('compatibility.json');
});

it('compatibilitySection() of a version that was not measured is nothing', () => {
  const shown = view(GOOD);
  const link = linkFrom('builds/a/b/index.html');
  expect(compatibilitySection(shown, shown.records[1]!, link)).toBeUndefined();
  expect(compatibilitySection(view(), shown.latest, link)).toBeUndefined();
  expect(compatibilitySection(buildView(), shown.latest, link)).toBeUndefined();
});
