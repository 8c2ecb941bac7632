import { expect, it } from 'vitest';
import { SITE, buildView } from '../../../tests/site/build-view.ts';
import { linkFrom } from '../link.ts';
import { buildHead, sectionLinks, yankOf } from './build-head.ts';

const link = linkFrom('builds/alice/web/index.html');

it('buildHead() warns of risk, deprecation and yanks, in words', () => {
  const { head } = buildView();
  const versions = head.versions.map((one) => ({ ...one, yanked: 'Broken <b>' }));
  const deprecated = { reason: 'Old <i>', replacement: 'bob/base' };
  const view = buildView({ risk: 'danger' }, { versions, deprecated });
  const text = String(buildHead(SITE, view, view.latest, link));
  expect(text).toContain('Version 1.1.0 is yanked:</strong> Broken &lt;b&gt;');
  expect(text).toContain('This build is deprecated:</strong> Old &lt;i&gt;');
  expect(text).toContain('href="../../../builds/bob/base/">bob/base</a> instead');
  expect(text).toContain('Risk: danger.');
  expect(yankOf(view, '1.0.0')).toBe('Broken <b>');
});

it('buildHead() leads from an old version to the latest, and has no note for that', () => {
  const view = buildView();
  const [latest, old] = view.records;
  expect(String(buildHead(SITE, view, old!, link))).toContain('Version 1.1.0 is.');
  expect(String(buildHead(SITE, view, latest!, link))).not.toContain('class="note');
});

it('sectionLinks() has the parts that the page has', () => {
  const { latest } = buildView();
  expect(String(sectionLinks(latest, link))).not.toContain('#readme');
  const all = String(sectionLinks({ ...latest, readme: 'x', integration: 'y' }, link));
  expect(all).toMatch(/#readme[\s\S]*#integration[\s\S]*#requires/);
});
