import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { SITE, buildView } from '../../../tests/site/build-view.ts';
import { linkFrom } from '../link.ts';
import { integritySection } from './integrity.ts';

const link = linkFrom('builds/alice/web/index.html');

it('integritySection() has a command that a shell can read, with the digest of the record', () => {
  const view = buildView();
  const text = String(integritySection(SITE, view, view.latest, link));
  expect(text).toContain(view.latest.integrity);
  const [, command = ''] = /<code[^>]*>(test [\s\S]*?)<\/code>/.exec(text) ?? [];
  const shown = command
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&')
    .replace(/<[^>]+>/g, '');
  expect(shown).toContain(view.latest.integrity.slice('sha256-'.length));
  execFileSync('sh', ['-n', '-c', shown]);
});

it('integritySection() names the entry of the log where there is one', () => {
  const { head } = buildView();
  const log = { index: 7, commit: 'c'.repeat(40), tree: 'd'.repeat(40) };
  const view = buildView({}, { versions: head.versions.map((one) => ({ ...one, log })) });
  expect(String(integritySection(SITE, view, view.latest, link))).toContain('<strong>7</strong>');
  const without = buildView();
  expect(String(integritySection(SITE, without, without.latest, link))).not.toContain('Entry');
});
