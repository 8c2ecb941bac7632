import { expect, test } from 'vitest';
import { MAX_LICENSE_LENGTH, isSpdxExpression } from './license.ts';

test.each([
  'MIT',
  'Apache-2.0',
  'CC0-1.0',
  '(MIT)',
  'MIT OR Apache-2.0',
  'MIT AND (Apache-2.0 OR BSD-3-Clause)',
  'GPL-2.0-only WITH Classpath-exception-2.0',
  'GPL-2.0+',
  'LicenseRef-ours',
])('isSpdxExpression() accepts %s', (text) => {
  expect(isSpdxExpression(text)).toBe(true);
});

test.each([
  '',
  'mit',
  ' MIT',
  'MIT\n',
  'MIT OR',
  'MIT Apache-2.0',
  'Proprietary',
  'UNLICENSED',
  'SEE LICENSE IN LICENSE',
  '(MIT',
  `${'('.repeat(MAX_LICENSE_LENGTH)}MIT`,
])('isSpdxExpression() rejects %j', (text) => {
  expect(isSpdxExpression(text)).toBe(false);
});
