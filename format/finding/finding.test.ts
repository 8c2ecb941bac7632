import { expect, test } from 'vitest';
import type { Finding } from './finding.ts';
import { finding, findingGroup, findingMessage, publishFinding, sortFindings } from './finding.ts';

test('finding() takes its level from the catalogue unless the check knows better', () => {
  expect(finding('file-executable', 'a.sh').level).toBe('info');
  expect(finding('file-executable', 'a.sh', {}, 'warn').level).toBe('warn');
});

test('publishFinding() has exactly the four fields of the specification', () => {
  expect(publishFinding(finding('agent-instructions', 'AGENTS.md'))).toEqual({
    level: 'info',
    code: 'agent-instructions',
    file: 'AGENTS.md',
    message: 'Coding agents load this file as instructions',
  });
});

test('findingMessage() quotes the values', () => {
  const found = finding('file-path-collision', 'b', { twin: 'B' });
  expect(findingMessage(found)).toContain('"B"');
  expect(findingGroup(found)).toBe('manifest');
});

test('sortFindings() sorts by level, file, code and message, and keeps its input', () => {
  const sorted: Finding[] = [
    finding('file-symlink', 'a'),
    finding('file-encoding', 'b'),
    finding('file-symlink', 'b'),
    finding('license-file-missing', ''),
    finding('check-failed', 'a', { check: 'x', problem: '1' }),
    finding('check-failed', 'a', { check: 'x', problem: '2' }),
    finding('agent-instructions', ''),
  ];
  const shuffled = [5, 0, 3, 6, 1, 4, 2].map((at) => sorted[at]!);
  const before = [...shuffled];
  expect(sortFindings(shuffled)).toEqual(sorted);
  expect(shuffled).toEqual(before);
});
