import { expect, it, test } from 'vitest';
import { buildView } from '../../../tests/site/build-view.ts';
import { linkFrom } from '../link.ts';
import { decisionOf } from './decision.ts';
import { capabilityList, safetyPanel } from './safety-panel.ts';
import { NO_CAPABILITIES } from '../../../scan/capabilities.ts';

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

test('safetyPanel() shows who accepted a finding, and where to appeal', () => {
  const waived = { reason: '<img src=x>', by: 'root', at: '2026-03-01' };
  const found = { level: 'warn' as const, code: 'agent-instructions', file: '', message: 'x' };
  const findings = [{ ...waived, code: found.code, file: found.file }];
  const view = {
    ...buildView({ checks: { risk: 'ok', quality: 50, findings: [found] } }),
    waivers: { id: 'alice/web', versions: [{ version: '1.1.0', findings }] },
  };
  const text = String(safetyPanel(view, decisionOf(view), link));
  expect(text).toContain('waivers.json');
  expect(text).toContain('Accepted by root on 2026-03-01');
  expect(text).not.toContain('<img');
  expect(text).toContain('href="../../../publish/#appeal">Appeal</a>');
});

test('safetyPanel() has a bound', () => {
  const text = panel(...Array.from({ length: 1_000 }, () => ({})));
  expect(text.match(/<li>/g)).toHaveLength(200);
  expect(text).toContain('And 800 findings more');
});

it('capabilityList() is words, with names escaped and bounded', () => {
  expect(String(capabilityList(NO_CAPABILITIES))).toContain('Its code sends nothing');
  const hosts = ['*', '<evil>', ...Array.from({ length: 40 }, (_, at) => `h${at}.example`)];
  const list = String(capabilityList({ ...NO_CAPABILITIES, hosts, dynamic_code: true }));
  expect(list).toContain(', any other and 12 more');
  expect(list).toContain('<code>&lt;evil&gt;</code>');
  expect(list).toContain('code that it makes while it runs');
});
