import { expect, test } from 'vitest';
import { buildView } from '../../../tests/site/build-view.ts';
import { linkFrom } from '../link.ts';
import { checksSection } from './checks.ts';

const link = linkFrom('builds/alice/web/index.html');

function checks(...findings: readonly object[]): string {
  const found = findings.map((one) => ({
    level: 'warn' as const,
    code: 'agent-instructions',
    file: '',
    message: 'x',
    ...one,
  }));
  const { latest } = buildView({ checks: { risk: 'caution', quality: 50, findings: found } });
  return String(checksSection(latest, link));
}

test('checksSection() leads from a finding to its line and to what to do', () => {
  const text = checks({ file: 'src/a b.ts', message: 'Runs code (line 12)' });
  expect(text).toContain('builds/alice/web/1.1.0/file/src/a~20b.ts.html#L12"');
  expect(text).toContain('href="../../../findings/#agent-instructions"');
});

test('checksSection() escapes files and messages, and knows findings of another version of the software', () => {
  const text = checks({ code: 'unknown-code', file: '"><script>', message: '<img src=x>' });
  expect(text).not.toMatch(/<script|<img/);
  expect(text).toContain('unknown-code');
});

test('checksSection() has a bound', () => {
  const text = checks(...Array.from({ length: 1_000 }, () => ({})));
  expect(text.match(/<li>/g)).toHaveLength(200);
  expect(text).toContain('And 800 findings more');
});
