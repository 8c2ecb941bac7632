import { expect, test } from 'vitest';
import { buildView } from '../../../tests/site/build-view.ts';
import { linkFrom } from '../link.ts';
import { decisionOf } from './decision.ts';
import { safetyPanel } from './safety.ts';

const link = linkFrom('builds/alice/web/index.html');

function panel(...findings: readonly object[]): string {
  const found = findings.map((one) => ({
    level: 'warn' as const,
    code: 'agent-instructions',
    file: '',
    message: 'x',
    ...one,
  }));
  const view = buildView({ checks: { risk: 'caution', quality: 50, findings: found } });
  return String(safetyPanel(view, decisionOf(view), link));
}

test('safetyPanel() leads from a finding to its line and to what to do', () => {
  const text = panel({ file: 'src/a b.ts', message: 'Runs code (line 12)' });
  const address = 'source/?id=alice/web&amp;version=1.1.0#src/a%20b.ts:L12"';
  expect(text).toContain(`href="../../../${address}`);
  expect(text).toContain('href="../../../findings/#agent-instructions"');
});

test('safetyPanel() escapes files and messages, and knows findings of another version of the software', () => {
  const text = panel({ code: 'unknown-code', file: '"><script>', message: '<img src=x>' });
  expect(text).not.toMatch(/<script|<img/);
  expect(text).toContain('unknown-code');
});

test('safetyPanel() has a bound', () => {
  const text = panel(...Array.from({ length: 1_000 }, () => ({})));
  expect(text.match(/<li>/g)).toHaveLength(200);
  expect(text).toContain('And 800 findings more');
});
