import { expect, test } from 'vitest';
import { nameCommands } from './own-command.ts';

const START = 'npx --yes https://registry.example/client/stackyard.tgz';
const named = nameCommands(START, ['add', 'list', 'info']);

test.each([
  ['stackyard add a/b', `${START} add a/b`],
  [
    '"stackyard list" shows it; see stackyard --help',
    `"${START} list" shows it; see ${START} --help`,
  ],
  ['First: stackyard info stackyard/account', `First: ${START} info stackyard/account`],
])('nameCommands() writes %j as %j', (text, expected) => {
  expect(named(text)).toBe(expected);
  expect(nameCommands('stackyard', ['add', 'list', 'info'])(text)).toBe(text);
});

test.each([
  'stackyard needs Node.js 22.14 or newer',
  'stackyard/add is a build',
  'This is a defect of stackyard: add failed',
  'my-stackyard add x',
  'stackyard additions',
  '/usr/bin/stackyard add',
])('nameCommands() leaves %j', (text) => {
  expect(named(text)).toBe(text);
});
