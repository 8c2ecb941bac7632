import { expect, it } from 'vitest';
import { chooseVersions } from './available-versions.ts';

const EXPRESS = [
  '5.0.0',
  '4.9.8',
  '4.10.0',
  '4.22.1',
  '5.3.0',
  '5.0.0-beta.1',
  '3.21.2',
  '6.0.0-rc.1',
];
const TYPESCRIPT = ['1.8.10', '2.9.2', '3.9.10', '4.8.4', '4.9.5', '5.9.3', '6.0.3', '7.0.2'];

it.each([
  ['>=4.10.0', EXPRESS, ['4.10.0', '4.22.1', '5.3.0']],
  ['^5.3.0', EXPRESS, ['5.3.0']],
  ['>=7.0.0', EXPRESS, []],
  ['*', TYPESCRIPT, ['4.9.5', '5.9.3', '6.0.3', '7.0.2']],
  ['*', ['1.0.0', '1.2.0'], ['1.2.0']],
  ['>=0.100,<1', ['0.99.0', '0.100.0', '0.115.2', '1.0', '0.116rc1'], ['0.100.0', '0.115.2']],
])('chooseVersions() of %j', (range, available, wanted) => {
  expect(chooseVersions(range, available)).toEqual(wanted);
  expect(chooseVersions(range, available.toReversed())).toEqual(wanted);
});
