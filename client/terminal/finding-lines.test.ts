import { expect, test } from 'vitest';
import { at, finding } from '../../format/finding/finding.ts';
import { paintText, plainText } from './styled-text.ts';
import { findingLines } from './finding-lines.ts';

const bytes = Buffer.from('echo one\necho two\n');
const file = { path: 'run.sh', isUtf8Path: true, type: 'file', size: bytes.length, bytes } as const;
const source = { files: [file], isCut: false };
const found = at(finding('dependency-range', 'run.sh', { name: 'zod', range: '*' }), {
  line: 2,
  column: 6,
  length: 3,
});

test('a finding is shown with its line and a mark below the place', () => {
  const lines = findingLines([found], source).map(plainText);
  expect(lines[0]).toBe('quality');
  expect(lines[1]).toBe('  warn  dependency-range  run.sh:2:6');
  expect(lines.slice(3, 5)).toEqual(['      | echo two', '      |      ^^^']);
});

test('the level is coloured on a terminal', () => {
  expect(paintText(findingLines([found], source)[1]!, true)).toContain('\u{1B}[33mwarn\u{1B}[39m');
});
