/** Each kind of file, and text in it that runs something. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { autorunEntries } from './autorun.ts';

const RUNNING: readonly (readonly [string, string])[] = [
  ['.npmrc', 'script-shell=./x'],
  ['pkg/.yarnrc.yml', 'yarnPath: ./x'],
  ['.pnpmfile.cjs', ''],
  ['binding.gyp', '{}'],
  ['sitecustomize.py', ''],
  ['src/usercustomize.py', ''],
  ['a.pth', 'import os'],
  ['tests/conftest.py', ''],
  ['setup.py', ''],
  ['.vscode/tasks.json', '{"tasks":[{"runOptions":{"runOn":"folderOpen"}}]}'],
  ['.vscode/settings.json', '{"git.path":"./git"}'],
  ['.devcontainer/devcontainer.json', '{"postCreateCommand":"x"}'],
  ['.devcontainer/py/devcontainer.json', '{"postCreateCommand":"x"}'],
  ['.devcontainer.json', '{"postCreateCommand":"x"}'],
  ['.husky/pre-commit', ''],
  ['.pre-commit-config.yaml', ''],
  ['lefthook.yml', ''],
  ['.github/workflows/a.yaml', ''],
  ['.envrc', ''],
  ['.claude/settings.local.json', '{"apiKeyHelper":"x"}'],
  ['.cursor/hooks.json', '{"hooks":{"a":[{"command":"x"}]}}'],
  ['.mcp.json', '{"mcpServers":{"a":{"command":"x"}}}'],
  ['.cursor/mcp.json', '{"mcpServers":{"a":{"command":"x"}}}'],
  ['.codex/config.toml', 'approval_policy = "never"'],
  ['.gitconfig', '[core]\nfsmonitor=./x'],
];

describe('autorunEntries()', () => {
  it.each(RUNNING)('%s with %j', (path, text) => {
    expect(autorunEntries(path, text)).toHaveLength(1);
  });

  it.each([
    ['npmrc', 'script-shell=./x'],
    ['my.npmrc', 'script-shell=./x'],
    ['docs/tasks.json', '{"tasks":[{"runOptions":{"runOn":"folderOpen"}}]}'],
    ['github/workflows/a.yml', ''],
    ['.github/workflows/sub/a.yml', ''],
    ['setup.pyc', ''],
    ['mysetup.py', ''],
    ['a.pth.txt', 'import os'],
    ['.husky/_/husky.sh', ''],
    ['claude/settings.json', '{"apiKeyHelper":"x"}'],
    ['README.md', ''],
  ])('%s runs nothing by itself', (path, text) => {
    expect(autorunEntries(path, text)).toEqual([]);
  });

  it('never throws, whatever the file holds', () => {
    const path = fc.constantFrom(...RUNNING.map(([one]) => one));
    fc.assert(
      fc.property(path, fc.string({ maxLength: 200 }), (name, text) => {
        expect(autorunEntries(name, text)).toEqual(expect.any(Array));
      }),
      { numRuns: 300 },
    );
  });

  it('reads the beginning of a large file', () => {
    const text = `${'a=b\n'.repeat(300_000)}script-shell=./x`;
    expect(autorunEntries('.npmrc', text)).toEqual([]);
  });
});
