/** The text of a plan for people. */
import { describe, expect, test } from 'vitest';
import { fetched, install, planUpdate, start } from '../../tests/client/edited-project-fixture.ts';
import { plainText } from './styled-text.ts';
import { describePlan } from './plan-text.ts';

const old = fetched('a/x', {
  dependencies: { npm: { stays: '^1.0.0', moves: '^1.0.0' }, pip: { stays: '>=1', moves: '>=1' } },
  devDependencies: { npm: { shifts: '^1.0.0' }, pip: { shifts: '>=1' } },
  scripts: { stays: 'one', moves: 'one' },
  env: { STAYS: { required: true }, MOVES: { description: 'One', required: true } },
});
const next = fetched('a/x', {
  dependencies: {
    npm: { stays: '^1.0.0', moves: '^2.0.0', shifts: '^1.0.0' },
    pip: { stays: '>=1', moves: '>=2', shifts: '>=1' },
  },
  scripts: { stays: 'one', moves: 'two' },
  env: { STAYS: { required: true }, MOVES: { description: 'Two', required: true } },
});

describe('describePlan() of an update', () => {
  test.each([
    ['requirements.txt', '', 'requirements-dev.txt'],
    ['pyproject.toml', '[project]\nname = "x"\n', undefined],
    ['pyproject.toml', '[tool.poetry]\nname = "x"\n', undefined],
  ])('lists of %s %j only what changes', (file, text, emptied) => {
    const state = install(start({ 'package.json': '{}', [file]: text }), [old]);
    const [, ...lines] = describePlan(planUpdate(state, [next]), false).map(plainText);
    expect(lines).toEqual([
      '  ~ package.json: dependencies moves ^2.0.0',
      '  ~ package.json: dependencies shifts ^1.0.0',
      '  ~ package.json: script moves = two',
      `  ~ ${file}: moves >=2`,
      `  ~ ${file}: shifts >=1`,
      '  ~ .env.example: MOVES',
      ...(emptied === undefined ? [] : [`  x ${emptied}  removed`]),
      'Set these variables:',
      '  MOVES  Two',
    ]);
    const [, ...same] = describePlan(planUpdate(state, [old]), false).map(plainText);
    expect(same).toEqual([]);
  });

  test('lists an entry that is added again because the user removed it', () => {
    const state = install(start({ 'package.json': '{}', 'requirements.txt': '' }), [old]);
    const files = new Map([...state.files, ['package.json', '{}'], ['requirements.txt', '']]);
    const [, ...lines] = describePlan(planUpdate({ ...state, files }, [old]), false).map(plainText);
    expect(lines).toEqual([
      '  ~ package.json: dependencies moves ^1.0.0',
      '  ~ package.json: devDependencies shifts ^1.0.0',
      '  ~ package.json: dependencies stays ^1.0.0',
      '  ~ package.json: script moves = one',
      '  ~ package.json: script stays = one',
      '  ~ requirements.txt: moves >=1',
      '  ~ requirements.txt: stays >=1',
    ]);
  });

  test('lists files that only lose entries', () => {
    const state = install(start({ 'package.json': '{}', 'requirements.txt': 'mine\n' }), [old]);
    const [, ...lines] = describePlan(planUpdate(state, [fetched('a/x', {})]), false).map(
      plainText,
    );
    expect(lines.toSorted()).toEqual([
      '  x .env.example  removed',
      '  x requirements-dev.txt  removed',
      '  ~ package.json',
      '  ~ requirements.txt',
    ]);
  });
});
