import { execFileSync } from 'node:child_process';
import { expect, it, test } from 'vitest';
import { SITE, buildView } from '../../../tests/site/build-view.ts';
import { linkFrom } from '../link.ts';
import { detailsPanel } from './details.ts';

const link = linkFrom('builds/alice/web/index.html');

function details(...changes: Parameters<typeof buildView>): string {
  return String(detailsPanel(SITE, buildView(...changes), link));
}

test.each(['javascript:alert(1)', 'data:text/html,x', 'https:///x', 'ssh://git@x.example/y'])(
  'detailsPanel() has no link to %s',
  (homepage) => {
    const manifest = { ...buildView().latest.manifest, homepage };
    expect(details({ manifest })).not.toContain('Homepage');
  },
);

test('detailsPanel() links addresses of the publisher without trust in them', () => {
  const manifest = { ...buildView().latest.manifest, homepage: 'https://a.example/"><script>' };
  const text = details({ manifest });
  expect(text).toContain('rel="nofollow ugc noopener"');
  expect(text).not.toContain('<script');
});

test.each([
  ['MIT', 'https://spdx.org/licenses/MIT.html'],
  ['MIT OR Apache-2.0', undefined],
  ['LicenseRef-Own', undefined],
])('detailsPanel() explains the licence %s', (license, address) => {
  const text = details({ license });
  expect(text).toContain(license);
  if (address === undefined) expect(text).not.toContain('spdx.org');
  else expect(text).toContain(address);
});

test('detailsPanel() shows reports with their bound, and nothing without any', () => {
  const agent_reports = { success: 9, failure: 1, success_rate: 0.9 };
  expect(details({ agent_reports })).toMatch(/9 of 10 reports[\s\S]*60 %/);
  expect(details()).not.toContain('Reported success');
});

it('detailsPanel() has a command that a shell can read, with the digest of the record', () => {
  const text = details();
  const { integrity } = buildView().latest;
  expect(text).toContain(integrity);
  const [, command = ''] = /<code[^>]*>(test [\s\S]*?)<\/code>/.exec(text) ?? [];
  const shown = command
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&')
    .replace(/<[^>]+>/g, '');
  expect(shown).toContain(integrity.slice('sha256-'.length));
  execFileSync('sh', ['-n', '-c', shown]);
});

it('detailsPanel() names the entry of the log where there is one', () => {
  const place = { index: 7, commit: 'c'.repeat(40), tree: 'd'.repeat(40) };
  const text = String(detailsPanel(SITE, { ...buildView(), place }, link));
  expect(text).toContain('<strong>7</strong>');
  expect(details()).not.toContain('Entry');
});
