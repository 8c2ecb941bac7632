import { describe, expect, it } from 'vitest';
import { readDevcontainer, readEditorSettings, readTasks } from './editors.ts';

describe('readTasks()', () => {
  const task = { label: 'x', command: 'sh', args: ['a.sh'], runOptions: { runOn: 'folderOpen' } };

  it.each([
    [task, 'warn'],
    [{ ...task, presentation: { reveal: 'silent' } }, 'warn'],
    [{ ...task, presentation: { reveal: 'never' } }, 'error'],
    [{ ...task, presentation: { echo: false } }, 'error'],
  ])('%j: %s', (one, level) => {
    expect(readTasks(JSON.stringify({ tasks: [one] }))).toEqual([
      {
        what: 'the task "x"',
        when: 'the editor opens the folder',
        level,
        shell: 'sh a.sh',
        near: 'folderOpen',
      },
    ]);
  });

  it('reads comments and trailing commas, as the editor does', () => {
    const text = `{ // tasks\n "tasks": [ ${JSON.stringify(task)}, ], }`;
    expect(readTasks(text)).toHaveLength(1);
  });

  it.each([
    '',
    '{"tasks":{}}',
    '{"tasks":[null,1]}',
    '{"tasks":[{"label":"x","command":"sh"}]}',
    '{"tasks":[{"command":"sh","runOptions":{"runOn":"default"}}]}',
  ])('finds nothing in %j', (text) => {
    expect(readTasks(text)).toEqual([]);
  });
});

describe('readEditorSettings()', () => {
  it.each([
    [{ 'task.allowAutomaticTasks': 'on' }, 'warn'],
    [{ 'security.workspace.trust.enabled': false }, 'warn'],
    [{ 'git.path': './git' }, 'warn'],
    [{ 'python.defaultInterpreterPath': './python' }, 'info'],
    [{ 'chat.tools.autoApprove': true }, 'error'],
    [{ 'chat.tools.global.autoApprove': true }, 'error'],
  ])('%j: %s', (settings, level) => {
    const [key] = Object.keys(settings);
    expect(readEditorSettings(JSON.stringify(settings))).toMatchObject([{ level, near: key }]);
  });

  it.each([
    {},
    { 'task.allowAutomaticTasks': 'off' },
    { 'security.workspace.trust.enabled': true },
    { 'chat.tools.autoApprove': false },
    { 'editor.tabSize': 2 },
  ])('%j: nothing', (settings) => {
    expect(readEditorSettings(JSON.stringify(settings))).toEqual([]);
  });
});

describe('readDevcontainer()', () => {
  it.each([
    [{ initializeCommand: 'a b' }, ['a b'], 'warn'],
    [{ initializeCommand: ['a', 'b'] }, ['a b'], 'warn'],
    [{ postCreateCommand: { x: 'a', y: 'b', z: 1 } }, ['a', 'b'], 'info'],
    [{ postStartCommand: 'a' }, ['a'], 'info'],
    [{ image: 'x' }, [], 'info'],
    [{ initializeCommand: 1 }, [], 'warn'],
  ])('%j: %j', (config, shells, level) => {
    const found = readDevcontainer(JSON.stringify(config));
    expect(found.map(({ shell }) => shell)).toEqual(shells);
    expect(found.every((one) => one.level === level)).toBe(true);
  });
});
