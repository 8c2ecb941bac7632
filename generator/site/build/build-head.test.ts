import { expect, it } from 'vitest';
import { SITE, buildView } from '../../../tests/site/build-view.ts';
import { linkFrom } from '../link.ts';
import { buildHead } from './build-head.ts';
import { decisionOf } from './decision.ts';

const link = linkFrom('builds/alice/web/index.html');
const headOf = (view: ReturnType<typeof buildView>): string =>
  String(buildHead(SITE, view, decisionOf(view), link));

it('buildHead() warns of risk, deprecation and yanks, in words, before everything else', () => {
  const { head } = buildView();
  const versions = head.versions.map((one) => ({
    ...one,
    status: { is: 'yanked' as const, reason: 'Broken <b>' },
  }));
  const deprecated = { reason: 'Old <i>', replacement: 'bob/base' };
  const text = headOf(buildView({ risk: 'danger' }, { versions, deprecated }));
  expect(text).toContain('Version 1.1.0 is yanked: Broken &lt;b&gt;');
  expect(text).toContain('Deprecated: Old &lt;i&gt;');
  expect(text).toContain('href="../../../builds/bob/base/">bob/base</a> instead');
  expect(text).toContain('behaves as malicious code does');
  expect(text).toContain('safety-bad');
  expect(text.indexOf('safety-bad')).toBeLessThan(text.indexOf('<dt>Writes'));
});

it('buildHead() of a build without concerns states that, with its command behind the answers', () => {
  const text = headOf(buildView());
  expect(text).toContain('safety-none');
  expect(text).toContain('no check found anything unsafe');
  expect(text.indexOf('<dt>From')).toBeLessThan(text.indexOf('stackyard.tgz add alice/web'));
});
