import { expect, test } from 'vitest';
import { buildView } from '../../../tests/site/build-view.ts';
import { linkFrom } from '../link.ts';
import { factsColumn } from './facts.ts';

function facts(...changes: Parameters<typeof buildView>): string {
  const view = buildView(...changes);
  return String(factsColumn(view, view.latest, linkFrom('builds/alice/web/index.html'), []));
}

test.each(['javascript:alert(1)', 'data:text/html,x', 'https:///x', 'ssh://git@x.example/y'])(
  'factsColumn() has no link to %s',
  (homepage) => {
    const manifest = { ...buildView().latest.manifest, homepage };
    expect(facts({ manifest })).not.toContain('Homepage');
  },
);

test('factsColumn() links addresses of the publisher without trust in them', () => {
  const manifest = { ...buildView().latest.manifest, homepage: 'https://a.example/"><script>' };
  const text = facts({ manifest });
  expect(text).toContain('rel="nofollow ugc noopener"');
  expect(text).not.toContain('<script');
});

test.each([
  ['MIT', 'https://spdx.org/licenses/MIT.html'],
  ['MIT OR Apache-2.0', undefined],
  ['LicenseRef-Own', undefined],
])('factsColumn() explains the licence %s', (license, address) => {
  const text = facts({ license });
  expect(text).toContain(license);
  if (address === undefined) expect(text).not.toContain('spdx.org');
  else expect(text).toContain(address);
});

test('factsColumn() shows reports with their bound', () => {
  const agent_reports = { success: 9, failure: 1, success_rate: 0.9 };
  expect(facts({ agent_reports })).toMatch(/9 of 10 reports[\s\S]*60 %/);
  expect(facts()).toContain('No agent has reported');
});
